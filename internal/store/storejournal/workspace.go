package storejournal

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/internal/journal"
)

var _ journal.Workspace = (*Journal)(nil)

// Chart implements journal.Workspace.
func (j *Journal) Chart(context.Context) (*journal.Chart, error) { return nil, errors.ErrUnsupported }

// Inbox implements journal.Workspace.
func (j *Journal) Inbox(context.Context, journal.InboxQuery) (*journal.Inbox, error) {
	return nil, errors.ErrUnsupported
}

// Trends implements journal.Workspace.
func (j *Journal) Trends(context.Context, journal.TrendsQuery) (*journal.Trends, error) {
	return nil, errors.ErrUnsupported
}

// Everywhere implements journal.Workspace.
func (j *Journal) Everywhere(context.Context, journal.Query) (*journal.Found, error) {
	return nil, errors.ErrUnsupported
}

// Refusals implements journal.Workspace.
func (j *Journal) Refusals(context.Context, string) ([]journal.Refusal, error) {
	return nil, errors.ErrUnsupported
}

// Seq implements journal.Workspace.
func (j *Journal) Seq(ctx context.Context) (int64, error) { return j.s.Seq(ctx, j.workspace) }
