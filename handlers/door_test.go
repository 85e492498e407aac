package handlers

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/figs-web/figs-web/handlers/web"
)

func key1(o *opened) string { return strings.TrimPrefix(o.Address, "http://"+listens) }

func TestDoor(t *testing.T) {
	o := openFolder(t, full(), false)
	ask := func(address string, headers ...string) *http.Response {
		return request(o.Pages, "GET", listens, address, headers...)
	}
	answerOf(t, ask("/open")).says(t, 403, "open-wrong-key")
	answerOf(t, ask("/open?key=")).says(t, 403, "open-wrong-key")
	answerOf(t, ask("/open?key=ABC")).says(t, 403, "open-wrong-key")
	answerOf(t, ask(key1(o), "Sec-Purpose: prefetch;prerender")).says(t, 403, "open-prefetched")
	expect(t, "HEAD", request(o.Pages, "HEAD", listens, key1(o)), 405, "")
	r := ask(key1(o), "Sec-Fetch-Site: none")
	cookie := r.Header.Get("Set-Cookie")
	if r.StatusCode != 303 || r.Header.Get("Location") != "/w/local" || cookie != "figs-4000="+o.s.Door.Session+"; Path=/; HttpOnly; SameSite=Strict" {
		t.Errorf("the key = %d to %q with %q", r.StatusCode, r.Header.Get("Location"), cookie)
	}
	answerOf(t, ask(key1(o))).says(t, 403, "open-used-key")
	answerOf(t, ask("/open?key=ABC")).says(t, 403, "open-used-key")
	if r := ask(key1(o), o.cookie); r.StatusCode != 303 || r.Header.Get("Set-Cookie") != "" {
		t.Errorf("the key again, by who is inside = %d, want on to the folder", r.StatusCode)
	}
	for _, e := range o.events {
		if strings.Contains(e.Path, "key") {
			t.Errorf("the log holds the key: %q", e.Path)
		}
	}
}

// A link on another page opens the folder too, but not by a redirect: the cookie would not go with it.
func TestDoorFromElsewhere(t *testing.T) {
	o := openFolder(t, full(), false)
	r := request(o.Pages, "GET", listens, key1(o), "Sec-Fetch-Site: cross-site")
	if r.Header.Get("Set-Cookie") == "" {
		t.Error("no session")
	}
	expect(t, "from elsewhere", r, 200, `href="/"`)
	if r := o.ask("/"); r.StatusCode != 303 || r.Header.Get("Location") != "/w/local" {
		t.Errorf("the start = %d to %q", r.StatusCode, r.Header.Get("Location"))
	}
}

func TestDoorOpensOnce(t *testing.T) {
	o := openFolder(t, full(), false)
	address := key1(o)
	var wait sync.WaitGroup
	in := make(chan int, 50)
	for range cap(in) {
		wait.Go(func() { in <- request(o.Pages, "GET", listens, address).StatusCode })
	}
	wait.Wait()
	close(in)
	n := 0
	for status := range in {
		if status == 303 {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d of 50 at once were let in, want 1", n)
	}
}

func TestHosts(t *testing.T) {
	o := openFolder(t, full(), false)
	for host, status := range map[string]int{
		listens: 200, "localhost:4000": 200, "LOCALHOST:4000": 200, "127.0.0.1": 403, "localhost": 403, "127.0.0.1:4001": 403, "figs.example:4000": 403, "127.0.0.1.nip.example:4000": 403, "": 403,
	} {
		expect(t, host, o.ask("/w/local", "Host: "+host), status, "")
		r := request(o.Pages, "GET", host, "/open?key=x")
		expect(t, host+" at the door", r, 403, "")
	}
}

// Browsers leave out the port that http has by itself.
func TestHostsOfPort80(t *testing.T) {
	for host, known := range map[string]bool{"127.0.0.1": true, "localhost": true, "127.0.0.1:80": true, "127.0.0.1:81": false} {
		if got := web.Hosts("127.0.0.1:80", "80")[host]; got != known {
			t.Errorf("%s is known: %v, want %v", host, got, known)
		}
	}
}

func TestGuard(t *testing.T) {
	o := openFolder(t, full(), false)
	for _, test := range []struct {
		headers []string
		status  int
	}{
		{nil, 403}, {[]string{"Cookie: figs-4000=x"}, 403}, {[]string{"Cookie: figs-4000="}, 403}, {[]string{"Cookie: figs-4001=" + o.s.Door.Session}, 403},
		{[]string{o.cookie}, 200}, {[]string{"Cookie: figs-4000=x; figs-4000=" + o.s.Door.Session}, 200},
		{[]string{o.cookie, "Sec-Fetch-Site: none"}, 200}, {[]string{o.cookie, "Sec-Fetch-Site: same-origin"}, 200},
		{[]string{o.cookie, "Sec-Fetch-Site: same-site"}, 403}, {[]string{o.cookie, "Sec-Fetch-Site: cross-site"}, 403},
	} {
		expect(t, strings.Join(test.headers, ", "), request(o.Pages, "GET", listens, "/w/local", test.headers...), test.status, "<h1>")
	}
}
