package storejournal

import (
	"context"

	"github.com/figs-web/figs-web/internal/journal"
)

// NewestResolved returns the resolved findings that the page of a long agent would list.
func (j *Journal) NewestResolved(ctx context.Context, agent string, q journal.Query) (*journal.Findings, error) {
	a, err := j.agent(ctx, agent)
	if err != nil {
		return nil, err
	}
	f := &journal.Findings{}
	return f, j.addNewestResolved(ctx, a, q, f)
}
