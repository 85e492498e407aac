package storejournal

import (
	"context"

	"github.com/figs-web/figs-web/internal/journal"
)

var _ journal.Workspace = (*Journal)(nil)

// Seq implements journal.Workspace.
func (j *Journal) Seq(ctx context.Context) (int64, error) {
	seq, err := j.s.Seq(ctx, j.workspace)
	return seq, notFound(err)
}

// Refusals implements journal.Workspace.
func (j *Journal) Refusals(ctx context.Context, key string) ([]journal.Refusal, error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	list, err := j.s.Refusals(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	var pushers []string
	for _, r := range list {
		pushers = append(pushers, r.PushedBy)
	}
	who, err := j.userNames(ctx, pushers...)
	all := make([]journal.Refusal, len(list))
	for i, r := range list {
		all[i] = journal.Refusal{RefusedRecord: r.RefusedRecord, At: r.At, PushedBy: who.person(r.PushedBy)}
	}
	return all, err
}
