package sqlstore

import (
	"context"
	"slices"
	"sync"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// pasts remembers how long open asks had waited in rounds that are over, of a workspace that is held.
type pasts struct {
	mu sync.Mutex
	of map[int64]int64 // microseconds, by the number of the ask; those of a first round have none
}

// costly puts what needs a human into the order of its cost: what has waited longest in all its rounds first. As time
// goes by, each waits equally longer, so that the order needs no clock.
func (s *Store) costly(ctx context.Context, f *filter, all []entry) ([]entry, error) {
	past, err := s.past(ctx, f)
	if err != nil {
		return nil, err
	}
	all = slices.Clone(all)
	for i := range all {
		all[i].past = past[all[i].no]
	}
	slices.SortStableFunc(all, func(a, b entry) int { return compare(a.since-a.past, b.since-b.past) })
	return all, nil
}

// past is how long the open asks of a workspace have waited in rounds that are over, as long as nothing about them changes.
func (s *Store) past(ctx context.Context, f *filter) (map[int64]int64, error) {
	p := &f.held.past
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of != nil {
		return p.of, nil
	}
	rows, err := s.Rows(ctx, `SELECT r.no, r.agent, r.id FROM records r WHERE r.lane = 0 AND r.workspace = $1 AND r.round > 1 ORDER BY r.agent`, sqldb.CleanText(f.q.Workspace))
	type ask struct {
		no        int64
		agent, id string
	}
	asks, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *ask) error { return r.Scan(&x.no, &x.agent, &x.id) })
	if err != nil {
		return nil, err
	}
	of := make(map[int64]int64, len(asks))
	for len(asks) > 0 {
		n := 1
		for n < len(asks) && n < piece && asks[n].agent == asks[0].agent {
			n++
		}
		numbers, keys := make([]int64, n), make([]string, n)
		for i, x := range asks[:n] {
			numbers[i], keys[i] = x.no, x.id
		}
		had, err := s.trailsOf(ctx, numbers)
		if err != nil {
			return nil, err
		}
		said, err := s.repliesTo(ctx, asks[0].agent, keys)
		if err != nil {
			return nil, err
		}
		for _, x := range asks[:n] {
			r := store.Record{ID: sqldb.DecodeID(x.id), Trail: had[x.no]}
			complete(&r, said[r.ID])
			of[x.no] = waited(r.Waits)
		}
		asks = asks[n:]
	}
	p.of = of
	return of, nil
}

// Owed implements store.Reader, from what the inbox holds.
func (s *Store) WaitingTimes(ctx context.Context, workspace, agent string, now int64) ([]store.WaitingTime, error) {
	q := store.InboxQuery{Workspace: workspace, Agent: agent, Now: now, LongestFirst: true}
	roster, at, err := s.rosterAt(ctx, workspace)
	if err != nil {
		return nil, err
	}
	held, err := s.hold(ctx, workspace, at.changes, now)
	if err != nil {
		return nil, err
	}
	f := newFilter(&q, roster, held)
	all, err := s.needing(ctx, &store.Inbox{}, &f, 1<<40)
	if err != nil {
		return nil, err
	}
	places := map[string]int{}
	var list []store.WaitingTime
	for i := range all {
		e := &all[i]
		n, known := places[e.agent]
		if !known {
			n = len(list)
			places[e.agent] = n
			list = append(list, store.WaitingTime{Agent: e.agent})
		}
		list[n].Asks++
		if list[n].Sum += e.past; e.since != figs.NoTime {
			list[n].Sum += max(0, now-e.since)
		}
	}
	slices.SortStableFunc(list, func(a, b store.WaitingTime) int { return compare(b.Sum, a.Sum) })
	return list, nil
}

// waited is how long an ask has waited in rounds that are over.
func waited(waits []figs.Wait) (sum int64) {
	spans := make([]figs.Span, 0, len(waits))
	for _, w := range waits {
		if !w.Lasts {
			spans = append(spans, w.Span)
		}
	}
	for _, s := range figs.Joined(spans, figs.NoTime) {
		sum += s.To - s.From
	}
	return sum
}
