package safedial

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		lesson, to string
		good       bool
	}{
		{"public", "93.184.216.34:443", true},
		{"public_v6", "[2606:4700::1111]:443", true},
		{"another_port", "93.184.216.34:8443", true},
		{"mapped_public", "[::ffff:93.184.216.34]:443", true},
		{"nat64_public", "[64:ff9b::5db8:d822]:443", true},
		{"loopback", "127.0.0.1:443", false},
		{"loopback_end", "127.255.255.254:443", false},
		{"loopback_v6", "[::1]:443", false},
		{"unspecified", "0.0.0.0:443", false},
		{"unspecified_v6", "[::]:443", false},
		{"this_network", "0.1.2.3:443", false},
		{"private_10", "10.1.2.3:443", false},
		{"private_172", "172.31.255.255:443", false},
		{"beside_private_172", "172.32.0.1:443", true},
		{"private_192", "192.168.0.1:443", false},
		{"shared_nat", "100.64.0.1:443", false},
		{"metadata_alibaba", "100.100.100.200:80", false},
		{"link_local", "169.254.1.1:443", false},
		{"metadata", "169.254.169.254:80", false},
		{"metadata_azure", "168.63.129.16:80", false},
		{"metadata_oracle", "192.0.0.192:80", false},
		{"metadata_v6", "[fd00:ec2::254]:80", false},
		{"benchmark", "198.18.0.1:443", false},
		{"documentation", "203.0.113.7:443", false},
		{"documentation_v6", "[2001:db8::1]:443", false},
		{"multicast", "224.0.0.1:443", false},
		{"multicast_v6", "[ff02::1]:443", false},
		{"reserved", "240.0.0.1:443", false},
		{"broadcast", "255.255.255.255:443", false},
		{"unique_local", "[fd12:3456::1]:443", false},
		{"link_local_v6", "[fe80::1]:443", false},
		{"zone", "[fe80::1%lo]:443", false},
		{"zone_of_a_public_one", "[2606:4700::1111%eth0]:443", false},
		{"site_local", "[fec0::1]:443", false},
		{"mapped_loopback", "[::ffff:127.0.0.1]:443", false},
		{"mapped_metadata", "[::ffff:a9fe:a9fe]:80", false},
		{"compatible_loopback", "[::127.0.0.1]:443", false},
		{"nat64_private", "[64:ff9b::10.0.0.1]:443", false},
		{"nat64_local", "[64:ff9b:1::5db8:d822]:443", false},
		{"6to4_private", "[2002:7f00:1::]:443", false},
		{"teredo", "[2001:0:5db8:d822::1]:443", false},
		{"discard", "[100::1]:443", false},
		{"mail", "93.184.216.34:25", false},
		{"shell", "93.184.216.34:22", false},
		{"redis", "93.184.216.34:6379", false},
		{"no_port", "93.184.216.34:0", false},
	} {
		t.Run(test.lesson, func(t *testing.T) {
			err := new(Guard).Check(netip.MustParseAddrPort(test.to))
			var refused *RefusedError
			if (err == nil) != test.good || err != nil && !errors.As(err, &refused) {
				t.Errorf("Check(%s) = %v", test.to, err)
			}
		})
	}
}

// What the operator allows passes, in every spelling of it, and nothing beside it.
func TestAllow(t *testing.T) {
	g := Guard{Allow: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("fd12::/16")}}
	for to, good := range map[string]bool{
		"10.1.2.3:8080": true, "[::ffff:10.1.2.3]:8080": true, "[fd12::1]:443": true,
		"10.2.0.1:8080": false, "127.0.0.1:8080": false, "[fd13::1]:443": false, "10.1.2.3:25": false, "[fd12::1%lo]:443": false,
	} {
		if err := g.Check(netip.MustParseAddrPort(to)); (err == nil) != good {
			t.Errorf("Check(%s) = %v", to, err)
		}
	}
}

// FuzzCheck holds the guard against what the standard library knows of addresses, in all spellings.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{"127.0.0.1", "::1", "10.0.0.1", "fe80::1", "ff02::1", "93.184.216.34", "2606:4700::1111", "64:ff9b::a00:1", "::ffff:192.168.0.1"} {
		a := netip.MustParseAddr(s).As16()
		f.Add(a[:])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, ok := netip.AddrFromSlice(b)
		if !ok {
			return
		}
		err := new(Guard).Check(netip.AddrPortFrom(a, 443))
		plain := a.Unmap()
		if err == nil && (!plain.IsGlobalUnicast() || plain.IsPrivate() || plain.IsLoopback() || plain.IsLinkLocalUnicast() || plain.IsMulticast() || plain.IsUnspecified()) {
			t.Fatalf("%s passes", a)
		}
		if again := new(Guard).Check(netip.AddrPortFrom(netip.AddrFrom16(a.As16()), 443)); plain.Is4() && (again == nil) != (err == nil) {
			t.Fatalf("%s is judged otherwise when it is written as an address of IPv6", a)
		}
	})
}

// names answers what a name means: each time the next of its addresses, the last one for ever.
func names(t *testing.T, addresses ...string) (*net.Resolver, *atomic.Int64) {
	t.Helper()
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pc.Close() })
	var asked atomic.Int64
	go func() {
		b := make([]byte, 1500)
		for {
			n, from, err := pc.ReadFrom(b)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(b[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			m.Response, m.Authoritative, m.Additionals = true, true, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				at := min(int(asked.Add(1)), len(addresses)) - 1
				m.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
					Body:   &dnsmessage.AResource{A: netip.MustParseAddr(addresses[at]).As4()},
				}}
			}
			if out, err := m.Pack(); err == nil {
				pc.WriteTo(out, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", pc.LocalAddr().String())
	}}, &asked
}

// TestRebinding lets a name mean an allowed address at first, and this machine's own afterwards:
// whoever looked before they dialled would be led in.
func TestRebinding(t *testing.T) {
	reached := 0
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	defer s.Close()
	at, _ := url.Parse(s.URL)
	resolver, asked := names(t, "127.0.0.1", "127.0.0.2")
	g := Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Resolver: resolver}
	client, to := g.Client(), fmt.Sprintf("http://rebind.example.com:%s/", at.Port())
	r, err := client.Get(to)
	if err != nil {
		t.Fatalf("the first time: %v", err)
	}
	r.Body.Close()
	_, err = client.Get(to)
	var refused *RefusedError
	if !errors.As(err, &refused) || refused.Address.Addr() != netip.MustParseAddr("127.0.0.2") {
		t.Errorf("the second time: %v, want it refused", err)
	}
	if reached != 1 || asked.Load() < 2 {
		t.Errorf("reached %d times, the name was asked for %d times", reached, asked.Load())
	}
}

// TestClient holds what else the client must not do: go through a proxy, follow, or reach this machine.
func TestClient(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data/", http.StatusFound)
	}))
	defer s.Close()
	if _, err := new(Guard).Client().Get(s.URL); !errors.As(err, new(*RefusedError)) {
		t.Errorf("this machine: %v, want it refused", err)
	}
	open := Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	r, err := open.Client().Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusFound {
		t.Errorf("an answer that leads elsewhere gives %d, want it as it is", r.StatusCode)
	}
	if err := open.Control("unixgram", "/var/run/docker.sock", nil); err == nil {
		t.Error("a socket of this machine passes")
	}
}
