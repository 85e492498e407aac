package hosted

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/web"
)

const (
	MostRecent = 20        // of each kind
	slowFor    = time.Hour // how long a slow request is remembered
)

// RecentActivity remembers, in memory, what those who run the server want to see.
type RecentActivity struct {
	Now      func() time.Time
	mu       sync.Mutex
	slow     []accountpages.SlowRequest // slowest first
	failures []accountpages.Failure     // newest first
	guesses  []accountpages.GuessRow    // newest first
}

// LogRequests remembers requests and passes them on; next may be nil.
func (r *RecentActivity) LogRequests(next func(web.Event)) func(web.Event) {
	return func(e web.Event) {
		r.Request(e)
		if next != nil {
			next(e)
		}
	}
}

// Request remembers one that was slow or went wrong.
func (r *RecentActivity) Request(e web.Event) {
	if e.Route == "" || e.Route == "/w/:workspace/events" || e.Route == "/readyz" {
		return // streams last as long as somebody looks; why the server is not ready the page says itself
	}
	at := r.Now().UnixMicro()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget(at)
	r.slow = append(r.slow, accountpages.SlowRequest{Method: e.Method, Route: e.Route, Code: e.Status, Took: e.Duration, At: at, Trace: e.Trace})
	slices.SortStableFunc(r.slow, func(a, b accountpages.SlowRequest) int { return int(b.Took - a.Took) })
	r.slow = r.slow[:min(len(r.slow), MostRecent)]
	if e.Err != nil {
		r.failures = newest(r.failures, accountpages.Failure{Method: e.Method, Route: e.Route, Says: sentenceOf(e.Err), At: at, Trace: e.Trace})
	}
}

// forget drops what was slow more than an hour ago.
func (r *RecentActivity) forget(at int64) {
	r.slow = slices.DeleteFunc(r.slow, func(s accountpages.SlowRequest) bool { return at-s.At > slowFor.Microseconds() })
}

// Guessed remembers wrong secrets and passes them on; next may be nil.
func (r *RecentActivity) Guessed(next func(web.Guess)) func(web.Guess) {
	return func(g web.Guess) {
		r.mu.Lock()
		r.guesses = newest(r.guesses, accountpages.GuessRow{What: g.What, From: g.From, Blocked: g.Blocked, Times: g.Times, At: r.Now().UnixMicro()})
		r.mu.Unlock()
		if next != nil {
			next(g)
		}
	}
}

// newest puts one in front and keeps no more than the page shows.
func newest[T any](list []T, one T) []T {
	list = slices.Insert(list, 0, one)
	return list[:min(len(list), MostRecent)]
}

// sentenceOf is what the visitor was told of an error. What is within stays in the log: it may
// hold anything.
func sentenceOf(err error) string {
	if p := (*httperr.Problem)(nil); errors.As(err, &p) {
		return p.Sentence()
	}
	return "The visitor was answered all the same; the log says what failed."
}

// Show fills in what the page shows.
func (r *RecentActivity) Show(m *accountpages.OperatorStatus) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget(r.Now().UnixMicro())
	m.Slow, m.Failures, m.Guesses = slices.Clone(r.slow), slices.Clone(r.failures), slices.Clone(r.guesses)
}
