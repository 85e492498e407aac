package storejournal

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

var _ journal.Idler = (*Journal)(nil)

// Idle implements journal.Idler.
func (j *Journal) Idle(ctx context.Context, key string, q journal.Query) (*journal.Idle, error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	var idle *journal.Idle
	var list []waited
	err = j.use(ctx, a, func(w *Whole) error {
		idle, list = j.idle(w.Folder, q)
		return nil
	})
	if err != nil {
		return nil, err
	}
	ids, flights := make([]string, len(list)), map[string][]figs.Span{}
	for i := range list {
		ids[i] = list[i].id
		flights[list[i].id] = list[i].flights
	}
	whole, err := j.s.Whole(ctx, a.ID, figs.Asks, ids)
	if err != nil {
		return nil, err
	}
	roster, err := j.s.Roster(ctx, j.workspace)
	if err != nil {
		return nil, missing(err)
	}
	for i := range whole {
		ask := askOf(&whole[i], roster)
		ask.Waits, ask.Flights = whole[i].Waits, flights[whole[i].ID]
		idle.Costly.Items = append(idle.Costly.Items, ask)
	}
	return idle, nil
}

// waited is an ask with when the job that it names was in flight.
type waited struct {
	id      string
	flights []figs.Span
}

// idle sums up a folder's waits, and names the asks of a page, those that have waited longest first.
func (j *Journal) idle(f *figs.Folder, q journal.Query) (*journal.Idle, []waited) {
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
	var list []waited
	for _, ask := range order[min(q.From, n):min(q.From+q.Size(), n)] {
		list = append(list, waited{f.ID(figs.Asks, ask), told[ask].Flights})
	}
	return idle, list
}
