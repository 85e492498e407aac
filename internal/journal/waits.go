package journal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
)

// WaitReporter is a journal that also tells what waiting for humans has cost.
type WaitReporter interface {
	// WaitReport is for how long an agent's asks have waited, and the asks that waited longest.
	WaitReport(ctx context.Context, agent string, q Query) (*WaitReport, error)
}

// WaitReport is for how long an agent's asks have waited for humans, in clock time.
type WaitReport struct {
	figs.WaitSummary
	Months       []figs.WaitMonth // the newest, without a gap, oldest first; at most 24
	LongestWaits Page[Ask]        // the asks, those that have waited longest in all first; Waits and Flights are filled
}
