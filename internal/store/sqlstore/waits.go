package sqlstore

import (
	"context"
	"slices"
	"sync"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// earlierWaits caches how long a workspace's open asks have waited in earlier rounds. It is part of inboxData.
type earlierWaits struct {
	mu    sync.Mutex
	byAsk map[int64]int64 // microseconds, by number of the ask; without asks in their first round
}

// sortByTotalWait sorts asks that need a human by their waiting time in all rounds, longest first. All waits grow equally,
// so the order doesn't depend on the time.
func (s *Store) sortByTotalWait(ctx context.Context, f *inboxFilter, all []inboxEntry) ([]inboxEntry, error) {
	past, err := s.earlierWaits(ctx, f)
	if err != nil {
		return nil, err
	}
	all = slices.Clone(all)
	for i := range all {
		all[i].earlierWait = past[all[i].no]
	}
	slices.SortStableFunc(all, func(a, b inboxEntry) int { return compareInt64(a.since-a.earlierWait, b.since-b.earlierWait) })
	return all, nil
}

// earlierWaits returns how long the open asks of a workspace have waited in earlier rounds.
func (s *Store) earlierWaits(ctx context.Context, f *inboxFilter) (map[int64]int64, error) {
	p := &f.data.earlierWaits
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byAsk != nil {
		return p.byAsk, nil
	}
	// All times are from NoTime on: saying so makes SQLite take the index inbox_needs.
	rows, err := s.Rows(ctx, `SELECT r.no, r.agent, r.id FROM records r WHERE r.lane = 0 AND r.workspace = $1 AND r.since >= $2 AND r.round > 1 ORDER BY r.agent`, sqldb.CleanText(f.q.Workspace), int64(figs.NoTime))
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
		for n < len(asks) && n < batchSize && asks[n].agent == asks[0].agent {
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
		byAsk, err := s.repliesTo(ctx, asks[0].agent, keys)
		if err != nil {
			return nil, err
		}
		for _, x := range asks[:n] {
			r := store.Record{ID: sqldb.DecodeID(x.id), Trail: had[x.no]}
			addState(&r, byAsk[r.ID])
			of[x.no] = totalWait(r.Waits)
		}
		asks = asks[n:]
	}
	p.byAsk = of
	return of, nil
}

// WaitingTimes implements store.Reader, from the cached inbox data.
func (s *Store) WaitingTimes(ctx context.Context, workspace, agent string, now int64) ([]store.WaitingTime, error) {
	q := store.InboxQuery{Workspace: workspace, Agent: agent, Now: now, LongestFirst: true}
	roster, at, err := s.rosterAt(ctx, workspace)
	if err != nil {
		return nil, err
	}
	held, err := s.cachedInbox(ctx, workspace, at.changes, now)
	if err != nil {
		return nil, err
	}
	f := newFilter(&q, roster, held)
	all, err := s.openAsks(ctx, &store.Inbox{}, &f, window{}, 1<<40)
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
		if list[n].Sum += e.earlierWait; e.since != figs.NoTime {
			list[n].Sum += max(0, now-e.since)
		}
	}
	slices.SortStableFunc(list, func(a, b store.WaitingTime) int { return compareInt64(b.Sum, a.Sum) })
	return list, nil
}

// AskWaits implements store.Reader, from an index alone.
func (s *Store) AskWaits(ctx context.Context, agent string) ([]store.AskWait, error) {
	rows, err := s.Rows(ctx, `SELECT id, lane, round, raised, answered, since, at FROM records WHERE agent = $1 AND kind = 1 ORDER BY raised, no`, sqldb.CleanText(agent))
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, x *store.AskWait) error {
		var lane int
		err := r.Scan(&x.ID, &lane, &x.Round, &x.Raised, &x.Answered, &x.Since, &x.At)
		x.ID = sqldb.DecodeID(x.ID)
		x.Tab = map[int]store.Tab{laneNeeds: store.TabNeeds, laneWaiting: store.TabWaiting, laneClosed: store.TabClosed}[lane]
		return err
	})
}

// totalWait returns the total waiting time of past rounds.
func totalWait(waits []figs.Wait) (sum int64) {
	spans := make([]figs.Span, 0, len(waits))
	for _, w := range waits {
		if !w.Lasts {
			spans = append(spans, w.Span)
		}
	}
	for _, s := range figs.MergeSpans(spans, figs.NoTime) {
		sum += s.To - s.From
	}
	return sum
}
