package handlers

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/fault"
)

const (
	mostRecent = 20        // of each kind
	slowFor    = time.Hour // how long a slow request is remembered
)

// recent remembers, in memory, what those who run the server want to see.
type recent struct {
	now      func() time.Time
	mu       sync.Mutex
	slow     []components.SlowRequest // slowest first
	failures []components.Failure     // newest first
	guesses  []components.GuessRow    // newest first
}

// watch remembers requests and passes them on; next may be nil.
func (r *recent) watch(next func(Event)) func(Event) {
	return func(e Event) {
		r.request(e)
		if next != nil {
			next(e)
		}
	}
}

// request remembers one that was slow or went wrong.
func (r *recent) request(e Event) {
	if e.Route == "" || e.Route == "/w/:workspace/events" || e.Route == "/readyz" {
		return // streams last as long as somebody looks; why the server is not ready the page says itself
	}
	at := r.now().UnixMicro()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget(at)
	r.slow = append(r.slow, components.SlowRequest{Method: e.Method, Route: e.Route, Code: e.Status, Took: e.Duration, At: at, Trace: e.Trace})
	slices.SortStableFunc(r.slow, func(a, b components.SlowRequest) int { return int(b.Took - a.Took) })
	r.slow = r.slow[:min(len(r.slow), mostRecent)]
	if e.Err != nil {
		r.failures = newest(r.failures, components.Failure{Method: e.Method, Route: e.Route, Says: sentenceOf(e.Err), At: at, Trace: e.Trace})
	}
}

// forget drops what was slow more than an hour ago.
func (r *recent) forget(at int64) {
	r.slow = slices.DeleteFunc(r.slow, func(s components.SlowRequest) bool { return at-s.At > slowFor.Microseconds() })
}

// guessed remembers wrong secrets and passes them on; next may be nil.
func (r *recent) guessed(next func(Guess)) func(Guess) {
	return func(g Guess) {
		r.mu.Lock()
		r.guesses = newest(r.guesses, components.GuessRow{What: g.What, From: g.From, Blocked: g.Blocked, Times: g.Times, At: r.now().UnixMicro()})
		r.mu.Unlock()
		if next != nil {
			next(g)
		}
	}
}

// newest puts one in front and keeps no more than the page shows.
func newest[T any](list []T, one T) []T {
	list = slices.Insert(list, 0, one)
	return list[:min(len(list), mostRecent)]
}

// sentenceOf is what the visitor was told of an error. What is within stays in the log: it may
// hold anything.
func sentenceOf(err error) string {
	if p := (*fault.Problem)(nil); errors.As(err, &p) {
		return p.Sentence()
	}
	return "The visitor was answered all the same; the log says what failed."
}

// show fills in what the page shows.
func (r *recent) show(m *components.Operating) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget(r.now().UnixMicro())
	m.Slow, m.Failures, m.Guesses = slices.Clone(r.slow), slices.Clone(r.failures), slices.Clone(r.guesses)
}
