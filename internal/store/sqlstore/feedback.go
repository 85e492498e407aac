package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const feedbackColumns = `f.id, f.workspace, f.person, f.token, f.tool, f.version, f.context, f.words, f.at`

func scanFeedback(r sqldb.Scanner, f *store.Feedback) error {
	return r.Scan(&f.ID, &f.Workspace, &f.Person, &f.Token, &f.Tool, &f.Version, &f.Context, &f.Text, &f.At)
}

// AddFeedback implements store.FeedbackStore.
func (s *Store) AddFeedback(ctx context.Context, f store.Feedback) error {
	return s.update(ctx, func(c *storeTx) error {
		// Changes nothing, but locks the row until the commit, so that concurrent calls count each other's messages.
		if err := c.ExecOne(ctx, `UPDATE workspaces SET seq = seq WHERE id = $1 AND deleted_at = 0
			AND EXISTS (SELECT 1 FROM members m WHERE m.workspace = $1 AND m.person = $2)`, sqldb.CleanText(f.Workspace), sqldb.CleanText(f.Person)); err != nil {
			return err
		}
		var n int
		if err := c.Row(ctx, `SELECT count(*) FROM feedback WHERE workspace = $1`, sqldb.CleanText(f.Workspace)).Scan(&n); err != nil {
			return err
		}
		if n >= store.MaxFeedback {
			return store.ErrLimitReached
		}
		_, err := c.Exec(ctx, `INSERT INTO feedback (id, workspace, person, token, tool, version, context, words, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			sqldb.CleanText(f.ID), sqldb.CleanText(f.Workspace), sqldb.CleanText(f.Person), sqldb.CleanText(f.Token), sqldb.CleanText(f.Tool), sqldb.CleanText(f.Version), sqldb.CleanText(f.Context), sqldb.CleanText(f.Text), f.At)
		return err
	})
}

// ListFeedback implements store.FeedbackStore.
func (s *Store) ListFeedback(ctx context.Context, workspace string) ([]store.Feedback, error) {
	rows, err := s.Rows(ctx, `SELECT `+feedbackColumns+` FROM feedback f WHERE f.workspace = $1 ORDER BY f.at DESC, f.id DESC`, sqldb.CleanText(workspace))
	return sqldb.Collect(rows, err, scanFeedback)
}

// CountFeedback implements store.FeedbackStore.
func (s *Store) CountFeedback(ctx context.Context, workspace string) (n int, err error) {
	return n, s.Row(ctx, `SELECT count(*) FROM feedback WHERE workspace = $1`, sqldb.CleanText(workspace)).Scan(&n)
}

// RemoveFeedback implements store.FeedbackStore. The audit log records whose message it was, not its text.
func (s *Store) RemoveFeedback(ctx context.Context, act store.Act, workspace, id string) error {
	return s.update(ctx, func(c *storeTx) error {
		var person string
		if err := c.Row(ctx, `DELETE FROM feedback WHERE workspace = $1 AND id = $2 RETURNING person`, sqldb.CleanText(workspace), sqldb.CleanText(id)).Scan(&person); err != nil {
			return err
		}
		return c.Audit(ctx, act, sqldb.CleanText(workspace), "feedback.remove", person+" "+sqldb.CleanText(id))
	})
}
