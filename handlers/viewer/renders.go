package viewer

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/cache"
	"github.com/figs-web/figs-web/sandbox/report"
)

const (
	// Queued is how many renders may wait for their turn; more are refused.
	Queued = 64
	// Patience is how long an answer waits for its render. The render itself is bounded by its
	// limits, and what it makes is kept for the next who asks.
	Patience = 15 * time.Second
	// cacheBytes is how much of what was rendered is kept.
	cacheBytes = 128 << 20
	// CacheLasts is how long. Another server does not say what was erased there; nobody is shown it, since
	// each request asks the store first, and here it is gone by then.
	CacheLasts = time.Hour
)

var ErrPanic = errors.New("the sandbox failed")

// Key is what a render depends on, and nothing else: equal keys give equal bytes.
type Key struct {
	Document
	with    Document // the other side of a comparison
	version string
	limits  report.Limits
}

// Made is what the sandbox made, without names: those are the asker's.
type Made struct {
	Result     *report.Result
	comparison *report.Comparison
	At         time.Time
}

// renders makes documents, a few at a time, each once, and caches them.
type renders struct {
	*cache.Cache[Key, struct{}, *Made]
	turns   chan struct{} // as many as may be in flight
	Waiting atomic.Int64  // renders that have begun or wait for their turn
}

// NewRenders keeps up to limit bytes of documents.
func NewRenders(limit int) *renders {
	return &renders{Cache: cache.New[Key, struct{}](limit, (*Made).size), turns: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Render returns what is cached under the key, or makes it. The context ends the waiting only: others may wait for it, too.
func (r *renders) Render(ctx context.Context, k Key, render func(context.Context) (*Made, error)) (*Made, error) {
	type answer struct {
		made *Made
		err  error
	}
	answered, making := make(chan answer, 1), context.WithoutCancel(ctx)
	go func() {
		m, err := r.Get(making, k, struct{}{}, func() (*Made, error) { return r.inTurn(making, render) })
		answered <- answer{m, err}
	}()
	limit := time.NewTimer(Patience)
	defer limit.Stop()
	select {
	case a := <-answered:
		return a.made, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-limit.C:
		return nil, httperr.ErrLate
	}
}

// inTurn renders when its turn comes, or returns httperr.ErrBusy if too many wait.
func (r *renders) inTurn(ctx context.Context, render func(context.Context) (*Made, error)) (*Made, error) {
	defer r.Waiting.Add(-1)
	if r.Waiting.Add(1) > int64(cap(r.turns)+Queued) {
		return nil, httperr.ErrBusy
	}
	r.turns <- struct{}{}
	defer func() { <-r.turns }()
	m, err := guarded(ctx, render)
	if m != nil {
		m.At = time.Now()
	}
	return m, err
}

// guarded turns a panic, which the sandbox promises not to have, into an error of one request.
func guarded(ctx context.Context, render func(context.Context) (*Made, error)) (m *Made, err error) {
	defer func() {
		if p := recover(); p != nil {
			m, err = nil, fmt.Errorf("%w: %v", ErrPanic, p)
		}
	}()
	return render(ctx)
}

// size is about how many bytes are kept.
func (m *Made) size() int {
	n := 4 << 10
	if c := m.comparison; c != nil {
		return n + len(c.Document)
	}
	n += len(m.Result.Document)
	for _, l := range m.Result.Links {
		n += 100 + len(l.Text) + len(l.Address) + len(l.Host)
	}
	for _, x := range m.Result.Passages {
		n += 160 + len(x.Why) + len(x.Text) + len(x.Plain) + len(x.Path)
	}
	for _, f := range m.Result.Facts {
		n += 60 + len(f.Name) + len(f.Value)
	}
	return n + 100*(len(m.Result.Hosts)+len(m.Result.Hidden)+len(m.Result.Removed)+len(m.Result.Notices))
}

// Forget drops everything that was made of the bytes with that hash, and what is being made.
func (r *renders) Forget(sha256 string) {
	r.Drop(func(k Key, _ *Made) bool { return k.SHA256 == sha256 || k.with.SHA256 == sha256 })
}

// Expire drops what was made before that time.
func (r *renders) Expire(before time.Time) {
	r.Drop(func(_ Key, m *Made) bool { return m != nil && m.At.Before(before) })
}
