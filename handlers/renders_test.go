package handlers

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/sandbox/report"
)

func keyed(name string) viewer.Key { return viewer.Key{Document: viewer.Document{SHA256: name}} }

func documentOfSize(n int) *viewer.Made {
	return &viewer.Made{Result: &report.Result{Document: make([]byte, n)}}
}

func TestRendersOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := viewer.NewRenders(1 << 20)
		var n atomic.Int32
		slow := func(context.Context) (*viewer.Made, error) {
			n.Add(1)
			time.Sleep(time.Second)
			return documentOfSize(1), nil
		}
		for range 10 {
			go r.Render(context.Background(), keyed("a"), slow)
		}
		synctest.Wait()
		time.Sleep(2 * time.Second)
		if _, err := r.Render(context.Background(), keyed("a"), slow); err != nil || n.Load() != 1 {
			t.Errorf("rendered %d times, %v; want once for all", n.Load(), err)
		}
	})
}

// As many renders as there are processors, 64 wait, and the next is refused.
func TestRendersQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := viewer.NewRenders(1 << 20)
		var flying, most atomic.Int32
		render := func(context.Context) (*viewer.Made, error) {
			most.Store(max(most.Load(), flying.Add(1)))
			defer flying.Add(-1)
			time.Sleep(100 * time.Millisecond)
			return documentOfSize(1), nil
		}
		places := runtime.GOMAXPROCS(0) + viewer.Queued
		var failed atomic.Int32
		for i := range places {
			go func() {
				if _, err := r.Render(context.Background(), keyed(strings.Repeat("x", i)), render); err != nil {
					failed.Add(1)
				}
			}()
		}
		synctest.Wait()
		if _, err := r.Render(context.Background(), keyed("one more"), render); !errors.Is(err, httperr.ErrBusy) {
			t.Errorf("one more than the queue holds: %v, want fault.ErrBusy", err)
		}
		go func() {
			if _, err := r.Render(context.Background(), keyed("x"), render); err != nil {
				failed.Add(1) // it is under way, and waits with the others
			}
		}()
		time.Sleep(10 * time.Second)
		if failed.Load() > 0 || int(most.Load()) != runtime.GOMAXPROCS(0) {
			t.Errorf("%d of those in the queue failed, %d at a time; want none, and %d", failed.Load(), most.Load(), runtime.GOMAXPROCS(0))
		}
		if _, err := r.Render(context.Background(), keyed("one more"), render); err != nil {
			t.Errorf("after all of them: %v", err)
		}
	})
}

func TestRendersLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := viewer.NewRenders(1 << 20)
		slow := func(context.Context) (*viewer.Made, error) {
			time.Sleep(viewer.Patience + time.Second)
			return documentOfSize(1), nil
		}
		if _, err := r.Render(context.Background(), keyed("a"), slow); !errors.Is(err, httperr.ErrLate) {
			t.Errorf("a slow render: %v, want fault.ErrLate", err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := r.Render(ctx, keyed("a"), slow); !errors.Is(err, context.Canceled) {
			t.Errorf("when nobody waits: %v, want context.Canceled", err)
		}
		time.Sleep(2 * time.Second)
		if _, err := r.Render(context.Background(), keyed("a"), nil); err != nil {
			t.Errorf("what was late is not kept: %v", err)
		}
	})
}

func TestRendersKeepTheLast(t *testing.T) {
	r := viewer.NewRenders(50 << 10)
	n := 0
	get := func(name string, size int) {
		t.Helper()
		if _, err := r.Render(context.Background(), keyed(name), func(context.Context) (*viewer.Made, error) {
			n++
			return documentOfSize(size), nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	get("a", 16<<10)
	get("b", 16<<10)
	get("a", 0)
	get("c", 16<<10) // lets go of b
	if n != 3 || len(r.All()) != 2 {
		t.Errorf("%d renders, %d kept; want a and c", n, len(r.All()))
	}
	get("huge", 60<<10)
	if get("a", 0); n != 4 || len(r.All()) != 2 {
		t.Errorf("a document larger than all room pushed others out: %d kept", len(r.All()))
	}
}

// What was erased at another server is not kept for ever.
func TestRendersExpire(t *testing.T) {
	r := viewer.NewRenders(1 << 20)
	get := func(name string) {
		t.Helper()
		if _, err := r.Render(context.Background(), keyed(name), func(context.Context) (*viewer.Made, error) { return documentOfSize(1), nil }); err != nil {
			t.Fatal(err)
		}
	}
	get("old")
	between := time.Now()
	get("new")
	r.Expire(between)
	if kept := r.All(); len(kept) != 1 || kept[0].At.Before(between) {
		t.Errorf("%d are kept, want what was made since", len(kept))
	}
	if r.Expire(time.Now().Add(time.Second)); len(r.All()) != 0 {
		t.Errorf("%d are kept after their time", len(r.All()))
	}
}

func TestRendersFail(t *testing.T) {
	r := viewer.NewRenders(1 << 20)
	failing := func(context.Context) (*viewer.Made, error) { return nil, httperr.ErrChanged }
	if _, err := r.Render(context.Background(), keyed("a"), failing); !errors.Is(err, httperr.ErrChanged) {
		t.Errorf("a failure: %v", err)
	}
	if _, err := r.Render(context.Background(), keyed("a"), func(context.Context) (*viewer.Made, error) { panic("oh") }); !errors.Is(err, viewer.ErrPanic) {
		t.Errorf("after a failure, a panic: %v, want errPanic", err)
	}
	if _, err := r.Render(context.Background(), keyed("a"), func(context.Context) (*viewer.Made, error) { return documentOfSize(1), nil }); err != nil {
		t.Errorf("after a panic: %v", err)
	}
}

// A refusal says when to come again.
func TestBusy(t *testing.T) {
	f := full()
	o := openFolder(t, f, false)
	o.s.Viewer.Renders.Waiting.Store(1 << 20)
	r := o.ask("/v/local/"+sum(f.files["report.html"])+".html", framed...)
	if r.Header.Get("Retry-After") != "3" {
		t.Errorf("Retry-After = %q", r.Header.Get("Retry-After"))
	}
	carries(t, "busy", r, frameHeaders)
	answerOf(t, r).says(t, 503, "viewer-busy")
	if e := o.events[0]; e.Status != 503 {
		t.Errorf("event %+v", e)
	}
}
