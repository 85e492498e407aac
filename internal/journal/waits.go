package journal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
)

// Idler is a journal that also tells what waiting for humans has cost.
type Idler interface {
	// Idle is for how long an agent's asks have waited, and the asks that waited longest.
	Idle(ctx context.Context, agent string, q Query) (*Idle, error)
}

// Idle is for how long an agent's asks have waited for humans, in clock time.
type Idle struct {
	figs.Idle
	Months []figs.IdleMonth // the newest, without a gap, oldest first; at most 24
	Costly Page[Ask]        // the asks, those that have waited longest in all first; Waits and Flights are filled
}
