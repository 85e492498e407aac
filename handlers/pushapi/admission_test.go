package pushapi

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/testenv"
)

// watched is a store whose pushes a test can hold.
type watched struct {
	store.Store
	push func(ctx context.Context, p store.Push, do func() (store.PushResult, error)) (store.PushResult, error)
}

func (s *watched) Push(ctx context.Context, p store.Push) (store.PushResult, error) {
	return s.push(ctx, p, func() (store.PushResult, error) { return s.Store.Push(ctx, p) })
}

// largeBody is a push that is processed alone.
func (w *world) largeBody(agent string) string {
	p := push{agent: agent}
	for i := range largePush>>20 + 1 {
		p.runs = append(p.runs, fmt.Sprintf(`{"id":"r%d","ts":"2026-11-20T10:00:00Z","x":"%s"}`, i, strings.Repeat("x", 1_000_000)))
	}
	return w.body(p)
}

// While a large push is stored, small ones are stored too and another large one waits; so does the same one, sent again by
// a client that gave up, which is unchanged then.
func TestLargePushesWaitForEachOther(t *testing.T) {
	const third = "0d4f2a3c-1111-4222-8333-000000000003"
	var mutex sync.Mutex
	var entered []string // agents whose large pushes are being stored, and were
	inside := 0
	first, release := make(chan bool), make(chan bool)
	s := &watched{}
	w := newWorld(t, func(c *Config) { s.Store, c.Store, c.Changed = c.Store, s, nil })
	s.push = func(_ context.Context, p store.Push, do func() (store.PushResult, error)) (store.PushResult, error) {
		if len(p.Body.Records) > 1 {
			mutex.Lock()
			inside++
			if inside > 1 {
				t.Error("two large pushes are stored at once")
			}
			entered = append(entered, p.Body.Agent)
			if len(entered) == 1 {
				close(first)
			}
			mutex.Unlock()
			<-release
			defer func() { mutex.Lock(); inside--; mutex.Unlock() }()
		}
		return do()
	}
	answers := make(chan answer, 3)
	send := func(body string) { go func() { answers <- w.post("/api/ingest", "bo", body) }() }
	body := w.largeBody(anAgent)
	send(body)
	<-first
	send(body)
	send(w.largeBody(secondAgent))
	testenv.Eventually(t, time.Minute, "two large pushes to wait for their turn", func() bool {
		mutex.Lock()
		defer mutex.Unlock()
		return w.wire.admission.waiting.Load() == 2 || len(entered) == 2 // then nobody waited
	})
	w.is(w.ingest("bo", push{agent: third, runs: []string{aRun}}), 200, "")
	close(release)
	unchanged := 0
	for range 3 {
		a := <-answers
		w.is(a, 200, "")
		if a.json["unchanged"] == true {
			unchanged++
		}
	}
	if len(entered) != 2 || unchanged != 1 {
		t.Errorf("stored for %v, %d unchanged; want two large pushes, and the one that came twice unchanged", entered, unchanged)
	}
}

// Whose turn does not come is told to push again later.
func TestLargePushBusy(t *testing.T) {
	w := newWorld(t)
	w.maySpew = true
	w.wire.admission.large <- struct{}{}
	w.wire.admission.waiting.Store(maxWaiting)
	w.is(w.post("/api/ingest", "bo", w.largeBody(anAgent)), 503, "push_busy", "nothing was stored")
	if n := w.wire.admission.waiting.Load(); n != maxWaiting {
		t.Errorf("%d wait, want %d", n, maxWaiting)
	}
}

// request is a push as bytes.
func (w *world) request(body string) string {
	return fmt.Sprintf("POST /api/ingest HTTP/1.1\r\nHost: figs\r\nAuthorization: Bearer bo\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// A client that goes away before its body is there has pushed nothing.
func TestClientGoneBeforeEnd(t *testing.T) {
	w := newWorld(t)
	body := w.body(push{runs: []string{aRun}})
	request := w.request(body)
	a := w.raw(func(c net.Conn) {
		io.WriteString(c, request[:len(request)-len(body)/100])
		c.(*net.TCPConn).CloseWrite()
	})
	if a.StatusCode != http.StatusBadRequest {
		t.Errorf("status %d", a.StatusCode)
	}
	if _, err := w.s.Agent(ctx, anAgent); err == nil {
		t.Error("something was stored")
	}
	if a := w.post("/api/ingest", "bo", body); a.json["unchanged"] == true || a.json["registered"] != true {
		t.Errorf("the next try: %s", a.text)
	}
}

// A client that disconnects once the server has read its large push has pushed all of it: its next try changes nothing.
func TestClientGoneAfterEnd(t *testing.T) {
	s := &watched{}
	w := newWorld(t, func(c *Config) { s.Store, c.Store = c.Store, s })
	gone, answered := make(chan bool), make(chan bool)
	requests := make(chan context.Context, 1)
	inner := w.server.Config.Handler
	w.server.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		requests <- r.Context()
		inner.ServeHTTP(rw, r)
		close(answered)
	})
	s.push = func(_ context.Context, _ store.Push, do func() (store.PushResult, error)) (store.PushResult, error) {
		close(gone)
		<-(<-requests).Done() // the server knows that nobody waits
		return do()
	}
	body := w.largeBody(anAgent)
	conn, err := net.Dial("tcp", w.server.Listener.Addr().String())
	w.ok(err)
	_, err = io.WriteString(conn, w.request(body))
	w.ok(err)
	<-gone
	conn.Close()
	<-answered
	w.server.Config.Handler = inner
	s.push = func(_ context.Context, _ store.Push, do func() (store.PushResult, error)) (store.PushResult, error) {
		return do()
	}
	if a := w.post("/api/ingest", "bo", body); a.json["unchanged"] != true {
		t.Errorf("the next try: %s", a.text)
	}
	if len(w.changed) != 1 {
		t.Errorf("pages were told %d times", len(w.changed))
	}
}

// A large push whose client disconnected while it waited is not stored if a newer push of the agent was stored meanwhile.
func TestClientGoneWhileNewerPushed(t *testing.T) {
	w := newWorld(t)
	w.maySpew = true
	gone, answered := make(chan bool), make(chan bool)
	inner := w.server.Config.Handler
	w.server.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		go func() { <-r.Context().Done(); close(gone) }()
		inner.ServeHTTP(rw, r)
		close(answered)
	})
	w.wire.admission.large <- struct{}{}
	conn, err := net.Dial("tcp", w.server.Listener.Addr().String())
	w.ok(err)
	_, err = io.WriteString(conn, w.request(w.largeBody(anAgent)))
	w.ok(err)
	testenv.Eventually(t, time.Minute, "the large push to wait for its turn", func() bool { return w.wire.admission.waiting.Load() > 0 })
	conn.Close()
	<-gone
	w.server.Config.Handler = inner
	w.later(time.Second)
	w.is(w.ingest("bo", push{runs: []string{aRun}}), 200, "")
	<-w.wire.admission.large
	<-answered
	if a, err := w.s.Agent(ctx, anAgent); err != nil || a.Counts.Jobs != 1 {
		t.Errorf("%d jobs (%v), want only that of the newer push", a.Counts.Jobs, err)
	}
}
