package handlers

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/store"
)

// listener is a page that listens.
type listener struct {
	t     *testing.T
	head  http.Header
	lines chan string // closed when the stream ends
	leave func()
}

// listens opens the stream of acme's changes in a browser; headers are "Name: value".
func (b *browser) listens(server *httptest.Server, query string, headers ...string) *listener {
	t := b.c.t
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, "GET", server.URL+"/w/acme/events"+query, nil)
	b.c.must(err)
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	r.Header.Set("Accept-Encoding", "gzip")
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	answer, err := server.Client().Do(r)
	b.c.must(err)
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("the stream answers %d", answer.StatusCode)
	}
	l := &listener{t, answer.Header, make(chan string, 100), cancel}
	t.Cleanup(cancel)
	go func() {
		defer answer.Body.Close()
		defer close(l.lines)
		for in := bufio.NewScanner(answer.Body); in.Scan(); {
			l.lines <- in.Text()
		}
	}()
	return l
}

// next is the next event, without what keeps the line open; "" when the stream has ended.
func (l *listener) next() string {
	l.t.Helper()
	var event []string
	for {
		select {
		case line, open := <-l.lines:
			switch {
			case !open:
				return ""
			case line == "" && len(event) > 0:
				return strings.Join(event, "|")
			case line != "" && line != ":" && !strings.HasPrefix(line, "retry:"):
				event = append(event, line)
			}
		case <-time.After(10 * time.Second):
			l.t.Fatal("no event came in ten seconds")
		}
	}
}

func changeEvent(seq int64) string {
	n := strconv.FormatInt(seq, 10)
	return "id: " + n + "|event: change|data: " + n
}

// listening is a club with the workspace acme, whose server is at an address of its own.
func listening(t *testing.T) (c *club, server *httptest.Server, owner store.User, acme store.Workspace) {
	t.Helper()
	c = newClub(t)
	owner = c.person("ruth")
	acme = c.workspace("acme", owner)
	server = httptest.NewServer(c.routes)
	t.Cleanup(server.Close)
	return c, server, owner, acme
}

// rename changes a workspace behind the broker's back, and returns the number of that change.
func (c *club) rename(w store.Workspace, name string) int64 {
	c.t.Helper()
	ctx := context.Background()
	c.must(c.store.RenameWorkspace(ctx, store.Act{At: c.at()}, w.ID, name))
	seq, err := c.store.Seq(ctx, w.ID)
	c.must(err)
	return seq
}

func TestEvents(t *testing.T) {
	c, server, owner, acme := listening(t)
	other := c.workspace("other", owner)
	begun := c.rename(acme, "Acme I")
	page := c.as(owner).listens(server, "")
	for name, want := range map[string]string{"Content-Type": "text/event-stream", "Cache-Control": "private, no-store", "X-Accel-Buffering": "no", "Content-Encoding": ""} {
		if got := page.head.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	second := c.rename(acme, "Acme II")
	if got := page.next(); got != changeEvent(second) {
		t.Errorf("after a change: %q, want %q", got, changeEvent(second))
	}
	c.rename(other, "Elsewhere")
	c.h.Live.Changed(other.ID, second+1)
	c.h.Live.Changed(acme.ID, second+5)
	if got := page.next(); got != changeEvent(second+5) {
		t.Errorf("told by this process: %q", got)
	}
	for name, late := range map[string]*listener{
		"one who knew it":     c.as(owner).listens(server, "?seen="+strconv.FormatInt(begun, 10)),
		"one who was cut off": c.as(owner).listens(server, "?seen="+strconv.FormatInt(second+9, 10), "Last-Event-ID: "+strconv.FormatInt(begun, 10)),
	} {
		if got := late.next(); got != changeEvent(second) {
			t.Errorf("%s is told %q at once, want what came since", name, got)
		}
	}
}

// TestEventsClosed asks for streams that are not there for whoever asks.
func TestEventsClosed(t *testing.T) {
	c, _, _, _ := listening(t)
	c.workspace("secret", c.person("sam"))
	stranger := c.person("tess")
	if got := c.browser().get("/w/acme/events"); got.StatusCode != http.StatusSeeOther || !strings.HasPrefix(got.location(), "/sign-in") {
		t.Errorf("signed out: %d to %q", got.StatusCode, got.location())
	}
	for _, address := range []string{"/w/acme/events", "/w/secret/events", "/w/nothing/events"} {
		c.as(stranger).get(address).says(t, http.StatusNotFound)
	}
}

// TestEventSeats opens more pages than one person may.
func TestEventSeats(t *testing.T) {
	c, server, owner, acme := listening(t)
	admin := c.person("anna")
	c.member(acme, admin, store.Admin)
	b := c.as(owner)
	first, second := b.listens(server, ""), b.listens(server, "")
	other := c.as(admin).listens(server, "")
	for range web.MaxStreams - 1 {
		b.listens(server, "")
	}
	if got := first.next(); got != "event: enough|data:" {
		t.Errorf("the oldest is told %q", got)
	}
	if got := first.next(); got != "" {
		t.Errorf("and then %q, want the end", got)
	}
	c.h.Live.Changed(acme.ID, 1000)
	for name, l := range map[string]*listener{"the second": second, "another person's": other} {
		if got := l.next(); got != changeEvent(1000) {
			t.Errorf("%s is told %q", name, got)
		}
	}
}

// TestEventsTaken ends the session of one who listens, and takes the role of another.
func TestEventsTaken(t *testing.T) {
	c, server, owner, acme := listening(t)
	c.h.Streams.Beat = 20 * time.Millisecond
	viewer, member := c.person("vera"), c.person("max")
	c.member(acme, viewer, store.Viewer)
	c.member(acme, member, store.Member)
	leaver := c.as(viewer)
	stays, leaves, removed := c.as(owner).listens(server, ""), leaver.listens(server, ""), c.as(member).listens(server, "")
	ctx := context.Background()
	c.must(c.store.EndSession(ctx, store.Hash(leaver.cookies[c.h.Auth.Cookie])))
	if got := leaves.next(); got != "" {
		t.Errorf("after the session ended: %q", got)
	}
	c.must(c.store.RemoveMember(ctx, store.Act{At: c.at()}, acme.ID, member.ID))
	for removed.next() != "" { // the change of members itself, then the end
	}
	c.h.Live.Changed(acme.ID, 1000)
	for got := stays.next(); got != changeEvent(1000); got = stays.next() {
		if got == "" {
			t.Fatal("the stream of somebody else ended too")
		}
	}
}
