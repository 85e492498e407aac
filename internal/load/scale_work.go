//go:build unix

package main

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/figs-web/figs-web/internal/load/seed"
	"github.com/figs-web/figs-web/internal/load/spent"
)

// How long processors are watched before pages are asked for: with pushes alone, and with open pages as well.
const watchPushes, watchOpen = 20 * time.Second, 40 * time.Second

// work has everybody work and asks for every page in turn, each time another node.
func (s *scaled) work(ctx context.Context, l *load) error {
	over, end := context.WithTimeout(ctx, watchPushes+watchOpen+scaleLasts)
	defer end()
	var all sync.WaitGroup
	defer all.Wait()
	defer end()
	all.Go(func() { s.pushAlways(over) })
	pushing, err := s.watch(l, func() { pauseFor(over, watchPushes) })
	if err != nil {
		return err
	}
	s.open = make([]*openPage, scaleOpen)
	for i := range s.open {
		p := newOpenPage(s.running[i%s.nodes].address, []string{"", "/inbox", "/inbox?everybody=1"}[i%3], i%s.size.People)
		s.open[i] = p
		all.Go(func() {
			if err := p.live(over); err != nil && over.Err() == nil {
				s.fail(err)
			}
		})
	}
	open, err := s.watch(l, func() { pauseFor(over, watchOpen) })
	if err != nil {
		return err
	}
	s.pushing, s.opened = pushing, open
	all.Go(func() { s.decideAlways(over) })
	began := time.Now()
	s.used, err = s.watch(l, func() { s.visitAll(over) })
	s.lasted = time.Since(began)
	return err
}

// visitAll asks for every page in turn, again and again.
func (s *scaled) visitAll(over context.Context) {
	turn := 0
	for round := range scaleVisits {
		for _, v := range s.pages {
			if v.err != nil || v.spent > scalePage && round > 4 || over.Err() != nil {
				continue
			}
			turn++
			look := time.Now()
			_, err := s.visit(over, s.running[turn%s.nodes], v)
			if over.Err() != nil {
				return
			}
			if err != nil {
				s.fail(err)
			}
			took := time.Since(look)
			v.spent += took
			v.times = append(v.times, took.Seconds()*1000)
		}
	}
}

// pauseFor waits for a while.
func pauseFor(over context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-over.Done():
	}
}

// shares are processor time a second, of all nodes and of PostgreSQL.
type shares struct{ own, server float64 }

// watch measures what processors spend while f runs.
func (s *scaled) watch(l *load, f func()) (shares, error) {
	began := time.Now()
	before, serverBefore, err := s.spentBy(l)
	if err != nil {
		return shares{}, err
	}
	f()
	after, serverAfter, err := s.spentBy(l)
	took := time.Since(began).Seconds()
	return shares{(after - before) / took, (serverAfter - serverBefore) / took}, err
}

// spentBy is the processor time of the nodes and of PostgreSQL, in seconds.
func (s *scaled) spentBy(l *load) (own, server float64, err error) {
	time, err := spent.By(pids(s.running)...)
	if err != nil || s.engine != "postgres" {
		return time.Seconds(), 0, err
	}
	theirs, err := l.server.Spent()
	return time.Seconds(), theirs.Seconds(), err
}

// every runs f again and again, apart by a time, and keeps how many milliseconds it took.
func (s *scaled) every(over context.Context, apart time.Duration, times *[]float64, f func(n int) error) {
	ticks := time.NewTicker(apart)
	defer ticks.Stop()
	for n := 0; ; n++ {
		select {
		case <-over.Done():
			return
		case <-ticks.C:
		}
		began := time.Now()
		if err := f(n); err != nil {
			if over.Err() == nil {
				s.fail(err)
			}
			continue
		}
		*times = append(*times, time.Since(began).Seconds()*1000)
	}
}

// pushAlways has one agent after the other push a new job.
func (s *scaled) pushAlways(over context.Context) {
	a := newAsker(0, 4)
	a.token = seed.TokenOf(0)
	s.every(over, scalePushes, &s.pushes, func(n int) error {
		return a.push(over, s.running[n%s.nodes], s.world.NewJob(n))
	})
}

// decideAlways answers one open ask after the other, as the owner.
func (s *scaled) decideAlways(over context.Context) {
	a := newAsker(0, 2)
	open := s.world.OpenAsks()
	s.every(over, scaleDecisions, &s.decisions, func(n int) error {
		if n >= len(open) {
			return nil
		}
		at := s.running[n%s.nodes].address + open[n].Path
		page, err := a.page(over, at)
		if err != nil {
			return err
		}
		form := url.Values{"text": {"Leave out what is disputed"}, "key": {field(page, "key")}, "revision": {field(page, "revision")}, "verdict": {"answer"}, "chosen": {"Bank fee"}}
		if open[n].SignOff {
			form.Set("verdict", "changes-requested")
			form.Del("chosen")
		}
		if file := field(page, "file"); file != "" {
			form.Set("file", file)
		}
		_, err = a.do(over, http.MethodPost, at+"/decide", "application/x-www-form-urlencoded", []byte(form.Encode()), http.StatusSeeOther)
		return err
	})
}
