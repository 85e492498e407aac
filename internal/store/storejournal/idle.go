package storejournal

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/export"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

var _ journal.Idler = (*Journal)(nil)

// whole reads an agent as one folder in memory. A source that cannot give one has no such pages.
func (j *Journal) whole(ctx context.Context, agent string, o figs.Options) (*figs.Folder, error) {
	s, ok := j.s.(store.Exports)
	if !ok {
		return nil, journal.ErrNotFound
	}
	f, err := export.Read(ctx, s, j.workspace, agent, o)
	return f, missing(err)
}

// Idle implements journal.Idler.
func (j *Journal) Idle(ctx context.Context, key string, q journal.Query) (*journal.Idle, error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	f, err := j.whole(ctx, a.ID, figs.Options{Keep: true})
	if err != nil {
		return nil, err
	}
	const months = 24
	sums := figs.NewIdling(j.now)
	n := f.Records(figs.Asks)
	order, costs, told := make([]int, n), make([]int64, n), make([]journal.Ask, n)
	for i := range n {
		ask := &told[i]
		ask.Waits = f.Waits(i)
		if job := f.JobOf(i); job >= 0 {
			ask.Flights = f.Flights(job)
		}
		order[i], costs[i] = i, sums.Add(ask.Waits, ask.Flights).Sum
	}
	slices.SortStableFunc(order, func(x, y int) int {
		switch {
		case costs[x] > costs[y]:
			return -1
		case costs[x] < costs[y]:
			return 1
		}
		return 0
	})
	idle := &journal.Idle{Costly: journal.Page[journal.Ask]{From: q.From, Total: n}}
	idle.Idle, idle.Months = sums.Sum(months)
	list := order[min(q.From, n):min(q.From+q.Size(), n)]
	ids := make([]string, len(list))
	for i, ask := range list {
		ids[i] = f.ID(figs.Asks, ask)
	}
	whole, err := j.s.Whole(ctx, a.ID, figs.Asks, ids)
	if err != nil {
		return nil, err
	}
	for i := range whole {
		ask := askOf(&whole[i])
		ask.Waits = whole[i].Waits
		ask.Flights = told[f.Find(figs.Asks, whole[i].ID)].Flights
		idle.Costly.Items = append(idle.Costly.Items, ask)
	}
	return idle, nil
}
