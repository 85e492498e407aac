package handlers

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/testenv"
)

// TestStreamLines holds that every kind of connection brings news, ends with its page and with the server,
// and leaves nothing behind.
func TestStreamLines(t *testing.T) {
	for name, start := range map[string]func(*httptest.Server){
		"HTTP/1.1":          (*httptest.Server).Start,
		"HTTP/1.1 over TLS": (*httptest.Server).StartTLS,
		"HTTP/2":            func(s *httptest.Server) { s.EnableHTTP2 = true; s.StartTLS() },
	} {
		t.Run(name, func(t *testing.T) {
			c := newClub(t)
			stopping, stop := context.WithCancel(context.Background())
			defer stop()
			c.h.Server.Gauges, c.h.Stopping = &web.Gauges{}, stopping
			owner := c.person("ruth")
			acme := c.workspace("acme", owner)
			server := httptest.NewUnstartedServer(c.routes)
			start(server)
			t.Cleanup(server.Close)
			first, second := c.as(owner).listens(server, ""), c.as(owner).listens(server, "")
			if first.head.Get("Date") == "" || first.head.Get("Content-Security-Policy") == "" {
				t.Errorf("the stream's head lacks what every answer has: %v", first.head)
			}
			for seq := range int64(5) {
				c.h.Live.Changed(acme.ID, 1000+seq)
				for _, l := range []*listener{first, second} {
					if got := l.next(); got != changeEvent(1000+seq) {
						t.Errorf("told %q", got)
					}
				}
			}
			first.leave()
			c.streams(1)
			c.h.Live.Changed(acme.ID, 2000)
			if got := second.next(); got != changeEvent(2000) {
				t.Errorf("the one who stays is told %q", got)
			}
			stop()
			if got := second.next(); got != "" {
				t.Errorf("when the server stops: %q, want the end", got)
			}
			c.streams(0)
			if n := c.h.Server.Gauges.Requests(); n != 0 {
				t.Errorf("%d requests are still counted", n)
			}
			// Whoever comes while the server goes on for a balancer is sent to another one.
			c.as(owner).get("/w/acme/events").says(t, 503, "stopping")
		})
	}
}

// streams waits until so many are open.
func (c *club) streams(want int64) {
	c.t.Helper()
	if !testenv.Poll(10*time.Second, func() bool { return c.h.Server.Gauges.Streams() == want }) {
		c.t.Fatalf("%d streams are open, want %d", c.h.Server.Gauges.Streams(), want)
	}
}

// TestStreamPanic holds that a store which panics ends the one stream that asked, and not the server.
func TestStreamPanic(t *testing.T) {
	c, server, owner, acme := listening(t)
	logged := make(chan web.Event, 10)
	c.h.Server.Log = func(e web.Event) { logged <- e }
	c.h.Streams.Beat = 20 * time.Millisecond
	b := c.as(owner)
	c.h.Store = &panicking{Store: c.h.Store}
	l := b.listens(server, "")
	if got := l.next(); got != "" {
		t.Errorf("told %q, want the end", got)
	}
	for {
		if e := <-logged; e.Err != nil {
			break
		}
	}
	c.h.Store = c.store
	c.h.Streams.Beat = web.Heartbeat
	l = b.listens(server, "")
	c.h.Live.Changed(acme.ID, 1000)
	if got := l.next(); got != changeEvent(1000) {
		t.Errorf("the next one is told %q", got)
	}
}

// panicking is a store whose roles cannot be read by whom the stream asks.
type panicking struct{ store.Store }

func (p *panicking) Role(context.Context, string, string) (store.Role, error) { panic("no roles") }

// TestStreamTalks ends the stream of a page that says something, which none does.
func TestStreamTalks(t *testing.T) {
	c, server, owner, _ := listening(t)
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	c.must(err)
	defer conn.Close()
	r, err := http.NewRequest("GET", server.URL+"/w/acme/events", nil)
	c.must(err)
	for name, value := range c.as(owner).cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	c.must(r.Write(conn))
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	head := make([]byte, 4096)
	_, err = conn.Read(head)
	c.must(err)
	_, err = conn.Write([]byte("GET / HTTP/1.1\r\n\r\n"))
	c.must(err)
	for err == nil {
		_, err = conn.Read(head)
	}
	if failed, ok := err.(net.Error); ok && failed.Timeout() {
		t.Error("the stream goes on")
	}
}

// TestStreamFlood changes a workspace as fast as it goes: each page is told of the last, in order, and the one who
// changes it waits for nobody.
func TestStreamFlood(t *testing.T) {
	c, server, owner, acme := listening(t)
	pages := []*listener{c.as(owner).listens(server, ""), c.as(owner).listens(server, "")}
	const last = 20_000
	go func() {
		for seq := range int64(last) {
			c.h.Live.Changed(acme.ID, 1001+seq)
		}
	}()
	for _, l := range pages {
		for told := int64(0); told < 1000+last; {
			var seq int64
			got := l.next()
			if _, err := fmt.Sscanf(got, "id: %d|", &seq); err != nil || seq <= told {
				t.Fatalf("told %q after %d", got, told)
			}
			told = seq
		}
	}
}
