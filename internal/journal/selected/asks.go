package selected

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// Asks implements journal.Journal.
func (j *Journal) Asks(_ context.Context, agent string, _ journal.Query) (*journal.Page[journal.Ask], error) {
	if !j.has(agent) {
		return nil, journal.ErrNotFound
	}
	var items []journal.Ask
	for _, r := range j.s.Main {
		if n := j.find(r); n >= 0 && r.File == figs.Asks {
			items = append(items, j.ask(n))
		}
	}
	return page(j, items), nil
}

// Ask implements journal.Journal.
func (j *Journal) Ask(_ context.Context, agent, key string) (*journal.Ask, error) {
	n := j.main(agent, figs.Asks, key)
	if n < 0 {
		return nil, journal.ErrNotFound
	}
	ask := j.ask(n)
	r := j.fold(figs.Asks, n)
	ask.Trail = j.trail(figs.Asks, &r)
	for _, reply := range j.f.Thread(n) {
		ask.Thread = append(ask.Thread, j.message(reply))
	}
	ask.Files, ask.Earlier = j.attached(n, ask.Trail)
	ask.Findings = j.s.Findings
	return &ask, nil
}

func (j *Journal) ask(n int) journal.Ask {
	r := j.fold(figs.Asks, n)
	ask := journal.Ask{Key: j.key(figs.Asks, n), Ask: figs.ReadAsk(r.whole), State: j.f.State(n)}
	ask.First, ask.Last, ask.Lines = j.ends(figs.Asks, &r)
	if job := j.f.JobOf(n); job >= 0 {
		ask.JobKey = j.key(figs.Runs, job)
	}
	return ask
}

// attached divides an ask's files: those of its newest raise that names any, and earlier ones.
func (j *Journal) attached(n int, trail []journal.Moment) (now, earlier []journal.File) {
	raises, _ := j.f.Raises(n)
	newest := -1
	for i := range trail {
		if len(trail[i].Files) > 0 && (raises[i] || newest < 0) {
			newest = i
		}
	}
	if newest < 0 {
		return nil, nil
	}
	now = trail[newest].Files
	seen := map[string]bool{}
	for _, f := range now {
		seen[f.Name] = true
	}
	for i := range trail {
		for _, f := range trail[i].Files {
			if !seen[f.Name] {
				seen[f.Name] = true
				earlier = append(earlier, f)
			}
		}
	}
	return now, earlier
}
