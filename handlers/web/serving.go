package web

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// Serving is how a hosted reader meets the network. The zero value is a server that believes
// only what it sees itself.
type Serving struct {
	Stopping context.Context // ends when the server is told to stop, and event streams with it; nil never does
	Proxies  []*net.IPNet    // of the reverse proxies whose X-Forwarded-For is believed
	// Listen is the address of this machine that it listens on, host and port, when no other
	// machine can reach it: requests under any other name are refused then. "" asks for no name.
	Listen   string
	Notice   string                      // a sentence across the top of every page; "" is none
	Temp     string                      // folder for large bodies while they are read; "" is the system's
	Writable func(context.Context) error // whether the disk takes bytes; nil is not asked
	Free     func() (int64, error)       // bytes that the disk still takes; nil is not asked
	MinFree  int64                       // bytes below which that is worth a warning; 0 warns of nothing
	Reach    func(context.Context) error // whether attachments can be reached; nil is not asked
}

// Trusted are proxies that were named, and no others: Echo would believe every private address.
func Trusted(proxies []*net.IPNet) []echo.TrustOption {
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, p := range proxies {
		options = append(options, echo.TrustIPRange(p))
	}
	return options
}

// OpensPage reports whether a request is a browser's that opens a page. Some browsers send no Sec-Fetch-Dest on plain http.
func OpensPage(r *http.Request) bool {
	if to := r.Header.Get("Sec-Fetch-Dest"); to != "" {
		return to == "document"
	}
	return strings.Contains(r.Header.Get("Accept"), "text/html")
}

// ParseProxies reads addresses and ranges, "10.0.0.0/8" or "192.0.2.7". It returns the first
// one that is neither.
func ParseProxies(list []string) (proxies []*net.IPNet, wrong string) {
	for _, text := range list {
		if a, err := netip.ParseAddr(text); err == nil {
			text = netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()).String()
		}
		_, n, err := net.ParseCIDR(text)
		if err != nil {
			return nil, text
		}
		proxies = append(proxies, n)
	}
	return slices.Clip(proxies), ""
}

// OverTLS reports whether people reach an address by TLS.
func OverTLS(public *url.URL) bool { return public.Scheme == "https" }

const (
	Workspaces = "/w/" // and the workspace
	EnterPath  = "/open"
)

// OriginOnly is strict, because an origin becomes a part of policies.
var OriginOnly = regexp.MustCompile(`^https?://(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?$`)

// ErrOrigin says that a viewer's origin is none.
var ErrOrigin = errors.New("handlers: an origin is http:// or https:// and a host, and nothing after it")

// IsStream reports whether the answer is a stream of events.
func IsStream(c echo.Context) bool { return strings.HasSuffix(c.Path(), "/events") }
