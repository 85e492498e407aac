package selected

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

const day = 24 * 60 * 60 * 1_000_000 // microseconds

// Activity implements journal.Journal.
func (j *Journal) Activity(_ context.Context, agent string) (*journal.Activity, error) {
	if !j.hasPage(agent) {
		return nil, journal.ErrNotFound
	}
	a := &journal.Activity{First: int64(j.s.FirstDay) * day, Before: j.s.Before, After: j.s.After, Timeless: j.s.Timeless}
	for _, d := range j.s.Days {
		a.Days = append(a.Days, journal.Day{Jobs: d[figs.Runs], Asks: d[figs.Asks], Replies: d[figs.Messages]})
	}
	return a, nil
}
