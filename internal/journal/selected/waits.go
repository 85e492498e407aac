package selected

import (
	"context"

	"github.com/figs-web/figs-web/internal/journal"
)

var _ journal.WaitReporter = (*Journal)(nil)

// WaitReport implements journal.WaitReporter.
func (j *Journal) WaitReport(ctx context.Context, agent string, q journal.Query) (*journal.WaitReport, error) {
	asks, err := j.Asks(ctx, agent, q)
	if err != nil {
		return nil, err
	}
	sums, ok := j.s.Idle()
	if !ok {
		return nil, journal.ErrNotFound
	}
	return &journal.WaitReport{WaitSummary: sums.Total, Months: sums.Months, LongestWaits: *asks}, nil
}
