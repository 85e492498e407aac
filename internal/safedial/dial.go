// Package safedial connects to URLs that users enter, but not to the server's own network. Addresses are checked when
// connecting, after DNS resolution, so changing the DNS record later (rebinding) doesn't help an attacker.
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

// Guard decides which addresses may be reached. Its zero value allows the public internet.
type Guard struct {
	Allow    []netip.Prefix // ranges that the operator allows in addition
	Resolver *net.Resolver  // nil is the system's
}

// RefusedError means that connecting to an address isn't allowed.
type RefusedError struct {
	Address netip.AddrPort // zero if it couldn't be parsed
	Why     string         // "it points to a private network"
}

func (r *RefusedError) Error() string {
	return fmt.Sprintf("connecting to %s isn't allowed: %s", r.Address, r.Why)
}

// Check returns *RefusedError for an address that may not be reached.
func (g *Guard) Check(to netip.AddrPort) error {
	if !portAllowed(to.Port()) {
		return &RefusedError{to, "its port belongs to another service"}
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

// Control is for net.Dialer.Control; address is an IP address with a port.
func (g *Guard) Control(network, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || network != "tcp4" && network != "tcp6" {
		return &RefusedError{Why: "it isn't an internet address"}
	}
	return g.Check(to)
}

// IsLoopback reports whether a host, without a port, is localhost or a loopback address. It resolves nothing.
func IsLoopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && a.IsLoopback()
}

const (
	connects = 5 * time.Second  // how long a connection may take
	answers  = 10 * time.Second // until the response headers
	whole    = 20 * time.Second // for the whole request
)

// Client returns a client that checks each connection. It ignores proxy settings of the environment, doesn't follow
// redirects, and doesn't reuse connections, so that each request is checked.
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
