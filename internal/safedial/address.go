package safedial

import (
	"net/netip"
	"slices"
)

// closed is what is no machine of the public internet, with why; after IANA's registries of
// special addresses, and where clouds tell a machine its secrets.
var closed = []struct {
	prefix netip.Prefix
	why    string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "it points to this machine"},
	{netip.MustParsePrefix("10.0.0.0/8"), private},
	{netip.MustParsePrefix("100.64.0.0/10"), private},
	{netip.MustParsePrefix("127.0.0.0/8"), "it points to this machine"},
	{netip.MustParsePrefix("168.63.129.16/32"), metadata},
	{netip.MustParsePrefix("169.254.0.0/16"), metadata},
	{netip.MustParsePrefix("172.16.0.0/12"), private},
	{netip.MustParsePrefix("192.0.0.0/24"), special},
	{netip.MustParsePrefix("192.0.2.0/24"), special},
	{netip.MustParsePrefix("192.31.196.0/24"), special},
	{netip.MustParsePrefix("192.52.193.0/24"), special},
	{netip.MustParsePrefix("192.88.99.0/24"), special},
	{netip.MustParsePrefix("192.168.0.0/16"), private},
	{netip.MustParsePrefix("192.175.48.0/24"), special},
	{netip.MustParsePrefix("198.18.0.0/15"), private},
	{netip.MustParsePrefix("198.51.100.0/24"), special},
	{netip.MustParsePrefix("203.0.113.0/24"), special},
	{netip.MustParsePrefix("224.0.0.0/3"), special}, // multicast, reserved, broadcast

	{netip.MustParsePrefix("::1/128"), "it points to this machine"},
	{netip.MustParsePrefix("fc00::/7"), private},
	{netip.MustParsePrefix("fe80::/10"), metadata},
	{netip.MustParsePrefix("2001::/23"), "it is a tunnel to another network"}, // Teredo among them
	{netip.MustParsePrefix("2001:db8::/32"), special},
	{netip.MustParsePrefix("2002::/16"), "it is a tunnel to another network"}, // 6to4
	{netip.MustParsePrefix("2620:4f:8000::/48"), special},
	{netip.MustParsePrefix("3fff::/20"), special},
}

const (
	private  = "it points to a private network"
	metadata = "it points to a link-local or cloud metadata service"
	special  = "it isn't a public internet address"
)

var (
	global = netip.MustParsePrefix("2000::/3")     // all that IPv6 has given to machines
	nat64  = netip.MustParsePrefix("64:ff9b::/96") // the last four bytes are an address of IPv4
)

// inside is why an address is not one of the public internet; "" when it is.
func inside(a netip.Addr) string {
	if !a.IsValid() || a.Zone() != "" {
		return special
	}
	a = a.Unmap()
	if nat64.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	for _, c := range closed {
		if c.prefix.Contains(a) {
			return c.why
		}
	}
	if a.Is6() && !global.Contains(a) {
		return special
	}
	return ""
}

// services are ports from 1024 on that belong to other services, at which a request could be taken
// for something else: those that browsers refuse.
var services = []uint16{1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211}

// portAllowed reports whether a web server may be at a port.
func portAllowed(port uint16) bool {
	if port < 1024 {
		return port == 80 || port == 443
	}
	return !slices.Contains(services, port)
}
