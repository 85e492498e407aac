package e2e

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	goruntime "runtime"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestProxySignsIn comes through a proxy that says who somebody is, in a real browser: no page asks,
// and when the proxy names nobody any more, nobody is signed in.
func TestProxySignsIn(t *testing.T) {
	t.Parallel()
	var who, to atomic.Value
	who.Store(ownerEmail)
	proxy := httptest.NewServer(&httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to.Load().(*url.URL))
		r.Out.Host = r.In.Host
		r.SetXForwarded()
		r.Out.Header.Del("X-Forwarded-User")
		if name := who.Load().(string); name != "" {
			r.Out.Header.Set("X-Forwarded-User", name)
		}
	}})
	t.Cleanup(proxy.Close)
	s := newHosted(t, "--public-url", proxy.URL, "--trust-proxy", "127.0.0.1", "--sign-in-header", "X-Forwarded-User", "--sign-in-header-from", "127.0.0.1")
	behind, err := url.Parse(s.address)
	if err != nil {
		t.Fatal(err)
	}
	to.Store(behind)
	on := *s
	on.address = proxy.URL

	p := newTab(t)
	p.do(chromedp.Navigate(on.at("/inbox")))
	p.lands(&on, "/w/acme/inbox")
	p.await(has("body", "Ruth Okafor"), "whose page it is")
	p.do(chromedp.Navigate(on.url("/settings/signing-in")))
	p.lands(&on, "/settings/signing-in")
	who.Store("")
	p.do(chromedp.Navigate(on.at("/inbox")))
	p.lands(&on, "/sign-in")
	s.admit("bo@example.org", "Bo Berg", "viewer")
	who.Store("bo@example.org")
	p.do(chromedp.Navigate(on.at("/inbox")))
	p.lands(&on, "/w/acme/inbox")
	p.await(has("body", "Bo Berg"), "the other person's page")
	who.Store("somebody-else")
	p.do(chromedp.Navigate(on.at("/inbox")))
	p.lands(&on, "/sign-in")
	p.await(has("body", "You don't have an account on this server yet"), "why not")

	r, err := http.NewRequest(http.MethodGet, s.at("/inbox"), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header["X-Forwarded-User"] = []string{ownerEmail, ownerEmail} // twice: somebody sent one too
	r.Host = on.address[len("http://"):]
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("two names = %d, want 403", answer.StatusCode)
	}
	if goruntime.GOOS == "linux" { // elsewhere 127.0.0.2 is no address of this machine
		r.Header["X-Forwarded-User"] = []string{ownerEmail}
		from := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}).DialContext}}
		answer, err := from.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusForbidden {
			t.Errorf("a name from an untrusted address = %d, want 403", answer.StatusCode)
		}
	}
	p.quiet()
}
