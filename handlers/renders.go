package handlers

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/figs-web/figs-web/handlers/fault"
	"github.com/figs-web/figs-web/internal/cache"
	"github.com/figs-web/figs-web/sandbox/report"
)

const (
	// queued is how many renders may wait for their turn; more are refused.
	queued = 64
	// patience is how long an answer waits for its render. The render itself is bounded by its
	// limits, and what it makes is kept for the next who asks.
	patience = 15 * time.Second
	// cacheBytes is how much of what was rendered is kept.
	cacheBytes = 128 << 20
	// cacheLasts is how long. Another server does not say what was erased there; nobody is shown it, since
	// each request asks the store first, and here it is gone by then.
	cacheLasts = time.Hour
)

var errPanic = errors.New("the sandbox failed")

// key is what a render depends on, and nothing else: equal keys give equal bytes.
type key struct {
	document
	with    document // the other side of a comparison
	version string
	limits  report.Limits
}

// made is what the sandbox made, without names: those are the asker's.
type made struct {
	result     *report.Result
	comparison *report.Comparison
	at         time.Time
}

// renders makes documents, a few at a time, each once, and caches them.
type renders struct {
	*cache.Cache[key, struct{}, *made]
	turns   chan struct{} // as many as may be in flight
	waiting atomic.Int64  // renders that have begun or wait for their turn
}

func newRenders(limit int) *renders {
	return &renders{Cache: cache.New[key, struct{}](limit, (*made).size), turns: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// get returns what is cached under the key, or makes it. The context ends the waiting only: others may wait for it, too.
func (r *renders) get(ctx context.Context, k key, render func(context.Context) (*made, error)) (*made, error) {
	type answer struct {
		made *made
		err  error
	}
	answered, making := make(chan answer, 1), context.WithoutCancel(ctx)
	go func() {
		m, err := r.Get(making, k, struct{}{}, func() (*made, error) { return r.inTurn(making, render) })
		answered <- answer{m, err}
	}()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case a := <-answered:
		return a.made, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-limit.C:
		return nil, fault.ErrLate
	}
}

// inTurn renders when its turn comes, or returns fault.ErrBusy if too many wait.
func (r *renders) inTurn(ctx context.Context, render func(context.Context) (*made, error)) (*made, error) {
	defer r.waiting.Add(-1)
	if r.waiting.Add(1) > int64(cap(r.turns)+queued) {
		return nil, fault.ErrBusy
	}
	r.turns <- struct{}{}
	defer func() { <-r.turns }()
	m, err := guarded(ctx, render)
	if m != nil {
		m.at = time.Now()
	}
	return m, err
}

// guarded turns a panic, which the sandbox promises not to have, into an error of one request.
func guarded(ctx context.Context, render func(context.Context) (*made, error)) (m *made, err error) {
	defer func() {
		if p := recover(); p != nil {
			m, err = nil, fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	return render(ctx)
}

// size is about how many bytes are kept.
func (m *made) size() int {
	n := 4 << 10
	if c := m.comparison; c != nil {
		return n + len(c.Document)
	}
	n += len(m.result.Document)
	for _, l := range m.result.Links {
		n += 100 + len(l.Text) + len(l.Address) + len(l.Host)
	}
	for _, x := range m.result.Passages {
		n += 160 + len(x.Why) + len(x.Text) + len(x.Plain) + len(x.Path)
	}
	for _, f := range m.result.Facts {
		n += 60 + len(f.Name) + len(f.Value)
	}
	return n + 100*(len(m.result.Hosts)+len(m.result.Hidden)+len(m.result.Removed)+len(m.result.Notices))
}

// forget drops everything that was made of the bytes with that hash, and what is being made.
func (r *renders) forget(sha256 string) {
	r.Drop(func(k key, _ *made) bool { return k.sha256 == sha256 || k.with.sha256 == sha256 })
}

// expire drops what was made before that time.
func (r *renders) expire(before time.Time) {
	r.Drop(func(_ key, m *made) bool { return m != nil && m.at.Before(before) })
}
