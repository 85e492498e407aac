//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/figs-web/figs-web/internal/bench/table"
	"github.com/figs-web/figs-web/internal/store"
)

// Who is at work during a soak.
const (
	soakAgents, soakPeople    = 8, 5
	soakReaders, soakListener = 3, 12
	soakPause                 = 400 * time.Millisecond // of each of them between two things that they do, on the average
)

// measureSoak lets agents and people work with one node for long, and compares its first quarter with its last.
func (l *load) measureSoak(ctx context.Context) error {
	at, err := l.place(ctx, l.engine)
	if err != nil {
		return err
	}
	r, err := l.soakAt(ctx, at)
	if err != nil {
		return err
	}
	first, last := r.quarters[0], r.quarters[len(r.quarters)-1]
	l.table.Add(table.Row{What: fmt.Sprintf("soak of %s on %s: growth of memory", l.soak, l.engine), Figure: 100 * r.growth(), Format: "%.1f %%", Floor: 5,
		Detail: fmt.Sprintf("live heap at rest %.2f MB after the first quarter, %.2f MB after the last; resident %.0f MB and %.0f MB", first.heap/1e6, last.heap/1e6, first.resident/1e6, last.resident/1e6)})
	l.table.Add(table.Row{What: "growth of goroutines", Figure: r.goroutines(), Format: "%+.0f", Floor: 0.5, Detail: fmt.Sprintf("%.0f at rest after the first quarter, %.0f after the last", first.goroutines, last.goroutines)})
	l.table.Add(table.Row{What: "errors", Figure: float64(r.failed), Format: "%.0f", Floor: 0.5, Detail: r.did})
	if r.failed > 0 {
		l.table.Note("The first error: %s", r.failure)
	}
	return nil
}

// A rested node is one that has nothing to do.
type rested struct {
	heap       float64 // bytes that lived at a collection, the least of several
	resident   float64 // bytes
	goroutines float64 // the least of several looks
}

// soaked is what a soak has come to.
type soaked struct {
	quarters []rested
	failed   int
	failure  string // the first
	did      string
}

// growth is that of the live heap from the first quarter to the last, as a part of it.
func (r *soaked) growth() float64 {
	return r.quarters[len(r.quarters)-1].heap/r.quarters[0].heap - 1
}

// goroutines is by how many there are more after the last quarter than after the first.
func (r *soaked) goroutines() float64 {
	return r.quarters[len(r.quarters)-1].goroutines - r.quarters[0].goroutines
}

// soakAt runs a node at a place and has everybody work with it: to warm it up for a sixth of the time, at most five
// minutes, then for four quarters. After them the node rests and is looked at.
func (l *load) soakAt(ctx context.Context, at place) (*soaked, error) {
	s := &soaking{asker: newAsker(0, 32), raised: make(chan raised, 4*soakAgents), did: map[string]int{}}
	err := at.fill(ctx, func(to store.Store) (err error) {
		s.world, err = furnish(ctx, to, 1, soakPeople)
		return err
	})
	if err != nil {
		return nil, err
	}
	if s.node, err = l.node(ctx, at); err != nil {
		return nil, err
	}
	defer s.node.stop()
	s.employ()
	warming := min(l.soak/6, 5*time.Minute)
	r := &soaked{}
	s.work(ctx, warming)
	if err := s.readAll(ctx); err != nil {
		return nil, err
	}
	for quarter := range 4 {
		s.work(ctx, (l.soak-warming)/4)
		if l.soak < 10*time.Minute && (quarter == 1 || quarter == 2) {
			continue // a short one is about the ends
		}
		look, err := s.rest(ctx)
		if err != nil {
			return nil, err
		}
		r.quarters = append(r.quarters, look)
		say("soak, quarter %d: live heap %.2f MB, resident %.1f MB, %.0f goroutines; %s", quarter+1, look.heap/1e6, look.resident/1e6, look.goroutines, s.told())
	}
	if n, first := s.node.log.said(); n > 0 {
		s.fail(fmt.Errorf("the node logged %d errors, such as %s", n, first))
	}
	r.failed, r.failure, r.did = s.failed, s.failure, s.told()
	return r, ctx.Err()
}

// soaking is a soak that goes on.
type soaking struct {
	*asker
	world   *world
	node    *node
	workers []worker
	raised  chan raised // asks that wait for a person

	mu      sync.Mutex
	there   int // agents that have pushed
	did     map[string]int
	failed  int
	failure string
}

// A worker does one thing after the other until over ends. It finishes what it has begun.
type worker func(ctx, over context.Context)

// work has everybody work for a while.
func (s *soaking) work(ctx context.Context, lasts time.Duration) {
	over, cancel := context.WithTimeout(ctx, lasts)
	defer cancel()
	var all sync.WaitGroup
	for _, w := range s.workers {
		all.Go(func() { w(ctx, over) })
	}
	all.Wait()
}

// collections is how many collections a look at the heap takes. The first ones still find what pools hold.
const collections = 10

// rest looks at the node while one person reads one page after the other, which makes it collect, and then while nobody
// does anything. Before that as many people as it takes to open every connection to the database read every page: a
// connection keeps what was asked on it, so that it must not matter which of them were used.
func (s *soaking) rest(ctx context.Context) (r rested, err error) {
	const collected, heap, goroutines = "go_gc_duration_seconds_count", heapNext, "go_goroutines"
	if err := s.readAll(ctx); err != nil {
		return r, err
	}
	s.client.CloseIdleConnections()
	begun, err := s.node.figure(ctx, collected)
	if err != nil {
		return r, err
	}
	for seen := begun[0]; seen < begun[0]+collections; {
		for range 10 {
			if _, err := s.page(ctx, s.node.address+"/w/team-0/inbox?everybody=1"); err != nil {
				return r, err
			}
		}
		now, err := s.node.figure(ctx, collected, heap)
		if err != nil {
			return r, err
		}
		if now[0] > seen && (r.heap == 0 || now[1]/2 < r.heap) {
			r.heap = now[1] / 2
		}
		seen = now[0]
	}
	s.client.CloseIdleConnections()
	for look := range 12 {
		time.Sleep(250 * time.Millisecond)
		now, err := s.node.figure(ctx, goroutines)
		if err != nil {
			return r, err
		}
		if look == 0 || now[0] < r.goroutines {
			r.goroutines = now[0]
		}
	}
	r.resident, err = s.node.resident()
	return r, err
}

// readAll has many people read every page at once.
func (s *soaking) readAll(ctx context.Context) error {
	const people, times = 16, 2
	errs := make([]error, people)
	var all sync.WaitGroup
	for i := range people {
		all.Go(func() {
			for n := range times * len(soakPages) {
				if _, errs[i] = s.page(ctx, s.node.address+soakPage((i+n)%len(soakPages), i%soakAgents)); errs[i] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// note counts something that was done, or a failure to do it.
func (s *soaking) note(what string, err error) bool {
	if err != nil {
		s.fail(fmt.Errorf("%s: %w", what, err))
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.did[what]++
	return true
}

func (s *soaking) fail(err error) {
	if errors.Is(err, context.Canceled) {
		return // it was broken off
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed++; s.failure == "" {
		s.failure = err.Error()
	}
}

// told says how often each thing was done.
func (s *soaking) told() (text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, what := range []string{"pushes", "uploads", "downloads", "syncs", "decisions", "taken back", "pages", "streams", "updates"} {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%d %s", s.did[what], what)
	}
	return text
}
