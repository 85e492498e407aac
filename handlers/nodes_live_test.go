package handlers

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/internal/changefeed"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

// pair is a council with two servers at addresses of their own.
type pair struct {
	*council
	hosts   [2]*hosted.Host
	servers [2]*httptest.Server
}

// newPair is a pair on a database, whose servers listen to it where listen says so, and ask it often where not.
func newPair(t *testing.T, open func() (*sqlstore.Store, error), listen bool) *pair {
	t.Helper()
	if open != nil {
		onNodes = func(*testing.T, func() (*sqlstore.Store, error)) func() (*sqlstore.Store, error) { return open }
		defer func() { onNodes = nil }()
	}
	p := &pair{council: newCouncil(t)}
	p.hosts = [2]*hosted.Host{p.h, p.node()}
	for i, h := range p.hosts {
		every := 20 * time.Millisecond
		if listen {
			every = time.Hour // so that what is told was heard
		}
		h.Live = changefeed.New(h.Store.Seq, every)
		if listen {
			p.hears(h)
		}
		p.servers[i] = httptest.NewServer(newApp(h).routes())
		t.Cleanup(p.servers[i].Close)
	}
	p.routes = newApp(p.h).routes()
	return p
}

// hears has a server listen to the database until the test ends.
func (p *pair) hears(h *hosted.Host) {
	p.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var done sync.WaitGroup
	begun := make(chan bool, 100)
	done.Go(func() {
		h.Live.Listen(ctx, func(ctx context.Context, changed func(string, int64), lost func()) error {
			return h.Store.ListenChanges(ctx, changed, func() {
				lost()
				begun <- true
			})
		})
	})
	p.t.Cleanup(func() {
		stop()
		done.Wait()
	})
	<-begun
}

// newsBetween holds that pages at both servers are told of what either of them and of what a command changes,
// in order and with nothing left out, and that a page goes on at the other where it was cut off at one. cut
// cuts the connections of who listens; nil: nobody does.
func newsBetween(t *testing.T, p *pair, cut func()) {
	t.Helper()
	bo := p.as(p.bo)
	seq := func() int64 {
		t.Helper()
		n, err := p.store.Seq(context.Background(), p.acme.ID)
		p.must(err)
		return n
	}
	begun := seq()
	var pages [2]*listener
	for i, server := range p.servers {
		pages[i] = bo.listens(server, fmt.Sprint("?seen=", begun))
	}
	told := func(l *listener, who string) {
		t.Helper()
		want, last := seq(), int64(0)
		for last < want {
			var n int64
			got := l.next()
			if _, err := fmt.Sscanf(got, "id: %d|", &n); err != nil || n <= last || n > want {
				t.Fatalf("%s is told %q after %d, up to %d", who, got, last, want)
			}
			last = n
		}
	}
	both := func(what string) {
		t.Helper()
		told(pages[0], "a page at the first, of "+what)
		told(pages[1], "a page at the second, of "+what)
	}
	roles := [2]store.Role{store.Viewer, store.Member}
	changes := 0
	change := func() { // as a command at the terminal does, behind the back of both servers
		t.Helper()
		p.member(p.acme, p.cy, roles[changes%2])
		changes++
	}
	other := &browser{c: &club{t: t, origin: p.origin, routes: newApp(p.hosts[1]).routes()}, cookies: bo.cookies, address: bo.address}
	form := p.form(bo, "which", "chosen", "Daily")
	other.post(askPages+"which/decide", form...).leads(t, askPages+"which")
	both("a decision at the second")
	change()
	both("what a command did")
	if cut != nil {
		for range 3 {
			cut()
			change()
			both("what changed while the connection was cut")
		}
	}
	known := seq()
	pages[0].leave()
	change()
	again := bo.listens(p.servers[1], "", fmt.Sprint("Last-Event-ID: ", known))
	if got := again.next(); got != changeEvent(seq()) {
		t.Errorf("cut off at the first, at the second it is told %q, want %d", got, seq())
	}
	told(pages[1], "who stayed")
}

// TestNewsBetweenNodes asks a file for changes.
func TestNewsBetweenNodes(t *testing.T) {
	newsBetween(t, newPair(t, nil, false), nil)
}

// settledOnce holds that a decision which two servers let count at the same moment counts once.
func settledOnce(t *testing.T, p *pair) {
	t.Helper()
	ctx := context.Background()
	bo := p.as(p.bo)
	for _, ask := range []string{"which", "plain"} {
		fields := []string{"chosen", "Daily"}
		if ask == "plain" {
			fields = []string{"verdict", "changes-requested", "text", "More."}
		}
		p.decide(bo, ask, fields...).leads(t, askPages+ask)
	}
	before, err := p.store.Seq(ctx, p.acme.ID)
	p.must(err)
	p.wait(10 * time.Second)
	var all sync.WaitGroup
	for _, h := range p.hosts {
		for range 4 {
			all.Go(func() {
				if err := h.Settle(ctx, func() bool { return true }); err != nil {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	after, err := p.store.Seq(ctx, p.acme.ID)
	p.must(err)
	if after != before+2 {
		t.Errorf("the workspace went from %d to %d by two replies", before, after)
	}
	for _, ask := range []string{"which", "plain"} {
		if got := p.replies(ask); len(got) != 1 {
			t.Errorf("%s has %d replies", ask, len(got))
		}
	}
}

func TestSettledOnce(t *testing.T) { settledOnce(t, newPair(t, nil, false)) }

// TestSettledHere holds that what another server took up counts here in time, whoever asks, although this one
// was asked right before and knew of nothing.
func TestSettledHere(t *testing.T) {
	p := newPair(t, nil, false)
	bo := p.as(p.bo)
	other := &browser{c: &club{t: t, origin: p.origin, routes: newApp(p.hosts[1]).routes()}, cookies: bo.cookies, address: bo.address}
	other.get("/w/acme").says(t, 200)
	p.decide(bo, "which", "chosen", "Daily").leads(t, askPages+"which")
	p.wait(9 * time.Second)
	if got := other.get(askPages + "which"); !strings.Contains(got.body, "data-undo") {
		t.Errorf("after nine seconds there is no way back: %s", got.words())
	}
	p.wait(time.Second)
	if got := other.get(askPages + "which"); strings.Contains(got.body, "data-undo") || len(p.replies("which")) != 1 {
		t.Errorf("after ten seconds it does not count: %s", got.words())
	}
	p.must(p.store.EndSession(context.Background(), store.Hash(bo.cookies[p.h.Auth.Cookie])))
	other.get("/w/acme").leads(t, "/sign-in?next=%2Fw%2Facme")
}
