package journal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
)

// WaitReporter is a journal that can also report how long asks waited for humans.
type WaitReporter interface {
	// WaitReport returns how long an agent's asks have waited, and the asks that waited longest.
	WaitReport(ctx context.Context, agent string, q Query) (*WaitReport, error)
}

// WaitReport is how long an agent's asks have waited for humans, in elapsed time.
type WaitReport struct {
	figs.WaitSummary
	Months []figs.WaitMonth // the latest months without gaps, oldest first; at most 24
	// FirstRounds means that the sums have the first and the current round of each ask, from its first line to its first
	// reply, and not which jobs were held up. LaterRounds is the number of asks with other rounds.
	FirstRounds  bool
	LaterRounds  int
	LongestWaits Page[Ask] // ordered by total waiting time, longest first, with Waits and Flights
}
