// Package safedial reaches addresses that people have typed, and nothing inside the network that the
// server stands in: an address is judged when it is dialled, after its name was resolved, so that a
// name that means another machine a moment later gains nothing.
package safedial

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Guard says which machines may be reached. Its zero value lets the public internet through.
type Guard struct {
	Allow    []netip.Prefix // ranges that the operator lets through, whatever they are
	Resolver *net.Resolver  // nil is the system's
}

// RefusedError says that an address is not dialled.
type RefusedError struct {
	Address netip.AddrPort // its zero value when it cannot be read
	Why     string         // "it is inside a private network"
}

func (r *RefusedError) Error() string {
	return fmt.Sprintf("dial: %s is refused: %s", r.Address, r.Why)
}

// Check returns *RefusedError for an address that may not be reached.
func (g *Guard) Check(to netip.AddrPort) error {
	if !portAllowed(to.Port()) {
		return &RefusedError{to, "its port is one of another service"}
	}
	a := to.Addr()
	if a.Zone() == "" {
		plain := a.Unmap()
		if slices.ContainsFunc(g.Allow, func(p netip.Prefix) bool { return p.Contains(plain) }) {
			return nil
		}
	}
	if why := inside(a); why != "" {
		return &RefusedError{to, why}
	}
	return nil
}

// Control is what a net.Dialer asks before each connection; address is an address, no name.
func (g *Guard) Control(network, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || network != "tcp4" && network != "tcp6" {
		return &RefusedError{Why: "it is no address of the internet"}
	}
	return g.Check(to)
}

// IsLoopback reports whether a host, without its port, is this machine, whatever a resolver says.
func IsLoopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && a.IsLoopback()
}

const (
	connects = 5 * time.Second  // how long a connection may take
	answers  = 10 * time.Second // and the beginning of an answer
	whole    = 20 * time.Second // and all of it
)

// Client is a client that asks the guard before each connection. It takes no proxy from the
// environment, follows nothing (an answer that leads elsewhere is given as it is), and keeps no
// connection: each request is judged anew.
func (g *Guard) Client() *http.Client {
	d := &net.Dialer{Timeout: connects, Control: g.Control, Resolver: g.Resolver}
	return &http.Client{
		Timeout:       whole,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: d.DialContext, DisableKeepAlives: true, DisableCompression: true, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: connects, ResponseHeaderTimeout: answers, MaxResponseHeaderBytes: 64 << 10,
		},
	}
}
