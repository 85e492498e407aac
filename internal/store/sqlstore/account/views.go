package account

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// SavedViews implements store.SavedViews.
func (a Accounts) SavedViews(ctx context.Context, workspace, person, list string) ([]store.SavedView, error) {
	rows, err := a.Rows(ctx, `SELECT id, workspace, person, list, name, query, saved_by, at FROM saved_views WHERE workspace = $1 AND list = $2 AND person IN ('', $3) ORDER BY name, person, id`,
		sqldb.CleanText(workspace), sqldb.CleanText(list), sqldb.CleanText(person))
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, v *store.SavedView) error {
		return r.Scan(&v.ID, &v.Workspace, &v.Person, &v.List, &v.Name, &v.Query, &v.By, &v.At)
	})
}

// SaveView implements store.SavedViews.
func (a Accounts) SaveView(ctx context.Context, v store.SavedView) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		workspace, person, list := sqldb.CleanText(v.Workspace), sqldb.CleanText(v.Person), sqldb.CleanText(v.List)
		if _, err := c.Exec(ctx, `INSERT INTO saved_views (id, workspace, person, list, name, query, saved_by, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
			ON CONFLICT (workspace, list, person, name) DO UPDATE SET query = excluded.query, saved_by = excluded.saved_by, at = excluded.at`,
			v.ID, workspace, person, list, sqldb.CleanText(v.Name), sqldb.CleanText(v.Query), sqldb.CleanText(v.By), v.At); err != nil {
			return err
		}
		var n int
		if err := c.Row(ctx, `SELECT count(*) FROM saved_views WHERE workspace = $1 AND list = $2 AND person = $3`, workspace, list, person).Scan(&n); err != nil {
			return err
		}
		if n > store.MaxSavedViews {
			return store.ErrLimitReached
		}
		return nil
	})
}

// RemoveView implements store.SavedViews.
func (a Accounts) RemoveView(ctx context.Context, workspace, person, id string, shared bool) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		return c.ExecOne(ctx, `DELETE FROM saved_views WHERE workspace = $1 AND id = $2 AND (person = $3 AND person <> '' OR person = '' AND (saved_by = $3 OR $4 = 1))`,
			sqldb.CleanText(workspace), sqldb.CleanText(id), sqldb.CleanText(person), sqldb.BoolInt(shared))
	})
}
