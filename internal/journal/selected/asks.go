package selected

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// Asks implements journal.Journal.
func (j *Journal) Asks(_ context.Context, agent string, _ journal.Query) (*journal.Page[journal.Ask], error) {
	if !j.hasPage(agent) {
		return nil, journal.ErrNotFound
	}
	var items []journal.Ask
	for _, r := range j.s.Main {
		if n := j.recordIn(r); n >= 0 && r.File == figs.Asks {
			items = append(items, j.ask(n))
		}
	}
	return page(j, items), nil
}

// Ask implements journal.Journal.
func (j *Journal) Ask(_ context.Context, agent, key string) (*journal.Ask, error) {
	n := j.mainOf(agent, figs.Asks, key)
	if n < 0 {
		return nil, journal.ErrNotFound
	}
	ask := j.ask(n)
	r := j.fold(figs.Asks, n)
	ask.Trail = j.trail(figs.Asks, &r)
	for _, reply := range j.f.Thread(n) {
		ask.Thread = append(ask.Thread, j.message(reply))
	}
	raises, closes := j.f.Raises(n)
	for i := range ask.Trail {
		ask.Trail[i].Raises, ask.Trail[i].Closes = raises[i], closes[i]
	}
	ask.Files, ask.Earlier = journal.Attached(ask.Trail)
	ask.Findings = j.s.Findings
	return &ask, nil
}

func (j *Journal) ask(n int) journal.Ask {
	r := j.fold(figs.Asks, n)
	ask := journal.Ask{Key: j.key(figs.Asks, n), Ask: figs.ReadAsk(r.whole), State: j.f.State(n), Raw: figs.AppendObject(nil, r.whole)}
	ask.First, ask.Last, ask.Lines = j.ends(figs.Asks, &r)
	if job := j.f.JobOf(n); job >= 0 {
		ask.JobKey = j.key(figs.Runs, job)
		ask.Flights = j.f.Flights(job)
	}
	ask.Waits = j.f.Waits(n)
	return ask
}
