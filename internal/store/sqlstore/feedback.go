package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
)

const feedbackColumns = `f.id, f.workspace, f.person, f.token, f.tool, f.version, f.context, f.words, f.at`

func scanFeedback(r scanner, f *store.Feedback) error {
	return r.Scan(&f.ID, &f.Workspace, &f.Person, &f.Token, &f.Tool, &f.Version, &f.Context, &f.Text, &f.At)
}

// AddFeedback implements store.Feedbacks.
func (s *Store) AddFeedback(ctx context.Context, f store.Feedback) error {
	return s.change(ctx, func(c *change) error {
		// It changes nothing and keeps the row until the commit: of two at once one counts the other.
		if err := c.one(ctx, `UPDATE workspaces SET seq = seq WHERE id = $1 AND deleted_at = 0
			AND EXISTS (SELECT 1 FROM members m WHERE m.workspace = $1 AND m.person = $2)`, clean(f.Workspace), clean(f.Person)); err != nil {
			return err
		}
		var n int
		if err := c.row(ctx, `SELECT count(*) FROM feedback WHERE workspace = $1`, clean(f.Workspace)).Scan(&n); err != nil {
			return err
		}
		if n >= store.MostFeedback {
			return store.ErrFull
		}
		_, err := c.do(ctx, `INSERT INTO feedback (id, workspace, person, token, tool, version, context, words, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			clean(f.ID), clean(f.Workspace), clean(f.Person), clean(f.Token), clean(f.Tool), clean(f.Version), clean(f.Context), clean(f.Text), f.At)
		return err
	})
}

// ListFeedback implements store.Feedbacks.
func (s *Store) ListFeedback(ctx context.Context, workspace string, from, n int) (list []store.Feedback, total int, err error) {
	if err := s.row(ctx, `SELECT count(*) FROM feedback WHERE workspace = $1`, clean(workspace)).Scan(&total); err != nil {
		return nil, 0, err
	}
	rows, err := s.rows(ctx, `SELECT `+feedbackColumns+` FROM feedback f WHERE f.workspace = $1 ORDER BY f.at DESC, f.id DESC LIMIT $2 OFFSET $3`,
		clean(workspace), size(n), max(0, from))
	list, err = collect(rows, err, scanFeedback)
	return list, total, err
}

// RemoveFeedback implements store.Feedbacks. The audit says whose it was, not what it said.
func (s *Store) RemoveFeedback(ctx context.Context, act store.Act, workspace, id string) error {
	return s.change(ctx, func(c *change) error {
		var person string
		if err := c.row(ctx, `DELETE FROM feedback WHERE workspace = $1 AND id = $2 RETURNING person`, clean(workspace), clean(id)).Scan(&person); err != nil {
			return err
		}
		return c.audit(ctx, act, clean(workspace), "feedback.remove", person+" "+clean(id))
	})
}
