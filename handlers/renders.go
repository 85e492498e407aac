package handlers

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/figs-web/figs-web/handlers/fault"
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
}

// renders makes documents, a few at a time, each once, and keeps the last ones.
type renders struct {
	turns chan struct{} // as many as may be in flight

	mutex   sync.Mutex
	waiting int // renders that have begun or wait for their turn
	flights map[key]*flight
	kept    map[key]*list.Element
	order   list.List // of *entry, last used first
	size    int
	limit   int // of size, in bytes
}

// flight is a render under way; its fields are set when done is closed.
type flight struct {
	done chan struct{}
	made *made
	err  error
	gone bool // what it is made of was erased meanwhile
}

type entry struct {
	key  key
	made *made
	size int
	at   time.Time
}

func newRenders(limit int) *renders {
	return &renders{turns: make(chan struct{}, runtime.GOMAXPROCS(0)), flights: map[key]*flight{}, kept: map[key]*list.Element{}, limit: limit}
}

// get returns what is kept under the key, or makes it. The context ends the waiting only.
func (r *renders) get(ctx context.Context, k key, render func(context.Context) (*made, error)) (*made, error) {
	m, f, err := r.begin(ctx, k, render)
	if m != nil || err != nil {
		return m, err
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case <-f.done:
		return f.made, f.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-limit.C:
		return nil, fault.ErrLate
	}
}

func (r *renders) begin(ctx context.Context, k key, render func(context.Context) (*made, error)) (*made, *flight, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if at := r.kept[k]; at != nil {
		r.order.MoveToFront(at)
		return at.Value.(*entry).made, nil, nil
	}
	if f := r.flights[k]; f != nil {
		return nil, f, nil
	}
	if r.waiting >= cap(r.turns)+queued {
		return nil, nil, fault.ErrBusy
	}
	r.waiting++
	f := &flight{done: make(chan struct{})}
	r.flights[k] = f
	go r.fly(context.WithoutCancel(ctx), k, f, render) // others may wait for it too
	return nil, f, nil
}

func (r *renders) fly(ctx context.Context, k key, f *flight, render func(context.Context) (*made, error)) {
	r.turns <- struct{}{}
	f.made, f.err = guarded(ctx, render)
	<-r.turns
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.waiting--
	delete(r.flights, k)
	if f.err == nil && !f.gone {
		r.keep(k, f.made)
	}
	close(f.done)
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

// keep keeps what was made, and lets go of what was not asked for longest.
func (r *renders) keep(k key, m *made) {
	e := &entry{k, m, m.size(), time.Now()}
	if e.size > r.limit {
		return
	}
	r.kept[k] = r.order.PushFront(e)
	r.size += e.size
	for r.size > r.limit {
		last := r.order.Remove(r.order.Back()).(*entry)
		delete(r.kept, last.key)
		r.size -= last.size
	}
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
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for k, f := range r.flights {
		f.gone = f.gone || k.sha256 == sha256 || k.with.sha256 == sha256
	}
	r.drop(func(e *entry) bool { return e.key.sha256 == sha256 || e.key.with.sha256 == sha256 })
}

// expire drops what was made before that time.
func (r *renders) expire(before time.Time) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.drop(func(e *entry) bool { return e.at.Before(before) })
}

func (r *renders) drop(which func(*entry) bool) {
	for k, element := range r.kept {
		if e := element.Value.(*entry); which(e) {
			r.size -= e.size
			r.order.Remove(element)
			delete(r.kept, k)
		}
	}
}
