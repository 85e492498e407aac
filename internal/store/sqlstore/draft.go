package sqlstore

import (
	"context"
	"database/sql"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const draftColumns = `person, agent, ask, workspace, revision, verdict, chosen, words, at, token`

func draftValues(d *store.Draft) []any {
	return []any{sqldb.CleanText(d.Person), sqldb.CleanText(d.Agent), sqldb.EncodeID(d.Ask), sqldb.CleanText(d.Workspace), sqldb.CleanText(d.Revision), sqldb.CleanText(d.Verdict), sqldb.CleanText(d.Chosen), sqldb.CleanText(d.Text), d.At, sqldb.CleanText(d.Token)}
}

// checkMayDraft returns store.ErrNotFound if the ask doesn't exist, and *store.PendingError if a decision of the person on
// it is pending.
func (c *storeTx) checkMayDraft(ctx context.Context, d *store.Draft) error {
	var here bool
	err := c.Row(ctx, `SELECT EXISTS (SELECT 1 FROM records r JOIN workspaces w ON w.id = r.workspace
		WHERE r.agent = $1 AND r.kind = 1 AND r.id = $2 AND r.workspace = $3 AND w.deleted_at = 0)`, sqldb.CleanText(d.Agent), sqldb.EncodeID(d.Ask), sqldb.CleanText(d.Workspace)).Scan(&here)
	if err == nil && !here {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	var effective sql.NullInt64
	if err := c.Row(ctx, `SELECT max(effective_at) FROM decisions WHERE fate = 0 AND agent = $1 AND ask = $2 AND person = $3`,
		sqldb.CleanText(d.Agent), sqldb.EncodeID(d.Ask), sqldb.CleanText(d.Person)).Scan(&effective); err != nil || !effective.Valid {
		return err
	}
	return &store.PendingError{By: d.Person, Effective: effective.Int64}
}

// SaveDraft implements store.ReviewActivity.
func (s *Store) SaveDraft(ctx context.Context, d store.Draft) error {
	return s.update(ctx, func(c *storeTx) error {
		switch err := c.checkMayDraft(ctx, &d).(type) {
		case nil:
		case *store.PendingError:
			return nil
		default:
			return err
		}
		if d.Verdict == "" && d.Chosen == "" && d.Text == "" {
			_, err := c.Exec(ctx, `DELETE FROM drafts WHERE person = $1 AND agent = $2 AND ask = $3`, sqldb.CleanText(d.Person), sqldb.CleanText(d.Agent), sqldb.EncodeID(d.Ask))
			return err
		}
		_, err := c.Exec(ctx, `INSERT INTO drafts (`+draftColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
			ON CONFLICT (person, agent, ask) DO UPDATE SET revision = excluded.revision, verdict = excluded.verdict, chosen = excluded.chosen,
			words = excluded.words, at = excluded.at, token = excluded.token`, draftValues(&d)...)
		return err
	})
}

// CreateDraft implements store.ReviewActivity.
func (s *Store) CreateDraft(ctx context.Context, d store.Draft) error {
	return s.update(ctx, func(c *storeTx) error {
		if err := c.checkMayDraft(ctx, &d); err != nil || d.Verdict == "" && d.Chosen == "" && d.Text == "" {
			return err
		}
		n, err := c.Exec(ctx, `INSERT INTO drafts (`+draftColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`, draftValues(&d)...)
		if err == nil && n == 0 {
			err = &store.TakenError{What: "draft", Name: d.Ask}
		}
		return err
	})
}

// Draft implements store.ReviewActivity.
func (s *Store) Draft(ctx context.Context, person, agent, ask string) (d store.Draft, err error) {
	err = s.Row(ctx, `SELECT person, agent, workspace, revision, verdict, chosen, words, at, token FROM drafts WHERE person = $1 AND agent = $2 AND ask = $3`, sqldb.CleanText(person), sqldb.CleanText(agent), sqldb.EncodeID(ask)).
		Scan(&d.Person, &d.Agent, &d.Workspace, &d.Revision, &d.Verdict, &d.Chosen, &d.Text, &d.At, &d.Token)
	if err != nil {
		return store.Draft{}, err
	}
	d.Ask = ask
	return d, nil
}

// DeleteDraft implements store.ReviewActivity.
func (s *Store) DeleteDraft(ctx context.Context, d store.Draft) error {
	return s.update(ctx, func(c *storeTx) error {
		return c.ExecOne(ctx, `DELETE FROM drafts WHERE person = $1 AND agent = $2 AND ask = $3 AND workspace = $4 AND revision = $5 AND verdict = $6 AND chosen = $7 AND words = $8
			AND at = $9 AND token = $10`, draftValues(&d)...)
	})
}
