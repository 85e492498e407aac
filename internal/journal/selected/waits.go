package selected

import (
	"context"

	"github.com/figs-web/figs-web/internal/journal"
)

var _ journal.Idler = (*Journal)(nil)

// Idle implements journal.Idler.
func (j *Journal) Idle(ctx context.Context, agent string, q journal.Query) (*journal.Idle, error) {
	asks, err := j.Asks(ctx, agent, q)
	if err != nil {
		return nil, err
	}
	sums, ok := j.s.Idle()
	if !ok {
		return nil, journal.ErrNotFound
	}
	return &journal.Idle{Idle: sums.Total, Months: sums.Months, Costly: *asks}, nil
}
