package handlers

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/fault"
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

// front is the router with what every request goes through.
func (h *host) front() *echo.Echo {
	e := h.echo(calm, h.strict, h.named, h.lasting, packed, h.settled)
	if len(h.Proxies) > 0 {
		e.IPExtractor = echo.ExtractIPFromXFFHeader(trusted(h.Proxies)...)
	}
	for _, method := range []string{http.MethodGet, http.MethodHead} { // which probes ask, differs
		e.Add(method, "/healthz", h.alive)
		e.Add(method, "/readyz", h.ready)
	}
	return e
}

// trusted are proxies that were named, and no others: Echo would believe every private address.
func trusted(proxies []*net.IPNet) []echo.TrustOption {
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, p := range proxies {
		options = append(options, echo.TrustIPRange(p))
	}
	return options
}

// strict tells browsers to come by TLS from now on, where the server is reached that way.
func (h *host) strict(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if h.Public.Scheme == "https" {
			c.Response().Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		return next(c)
	}
}

// named refuses requests for a name that is not the server's, where it listens on this machine
// only: a page elsewhere may let its own name lead here, and would then be of the same origin
// (DNS rebinding). A person who came by another name of this machine is led to the public one,
// whose cookie and frames the pages count on.
func (h *host) named(next echo.HandlerFunc) echo.HandlerFunc {
	if h.Listen == "" {
		return next
	}
	public := strings.ToLower(h.Public.Host)
	_, port, _ := net.SplitHostPort(h.Listen)
	names := hosts(h.Listen, port)
	for _, host := range []string{"127.0.0.1", "::1"} {
		names[net.JoinHostPort(host, port)] = true
	}
	elsewhere := !names[public]
	names[public] = true
	return func(c echo.Context) error {
		r := c.Request()
		host := strings.ToLower(r.Host)
		switch {
		case !names[host]:
			return &fault.Problem{Status: http.StatusForbidden, Code: "host_unknown", Title: "This server does not answer to that name",
				Hint: "It answers to " + h.Public.String() + ". Whoever runs it can name another address with figs-web serve --public-url."}
		case host != public && !elsewhere && r.Method == http.MethodGet && opensPage(r):
			return c.Redirect(http.StatusTemporaryRedirect, h.Public.String()+r.URL.RequestURI())
		}
		return next(c)
	}
}

// opensPage reports whether a request is a browser's that opens a page. Some browsers send no Sec-Fetch-Dest on plain http.
func opensPage(r *http.Request) bool {
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
