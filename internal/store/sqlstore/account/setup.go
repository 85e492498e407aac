package account

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// checkNoUsers returns ErrNotFound if there are users.
func checkNoUsers(ctx context.Context, q sqldb.Queries) error {
	var people int
	err := q.Row(ctx, `SELECT count(*) FROM (SELECT 1 FROM users LIMIT 1) u`).Scan(&people)
	if err == nil && people > 0 {
		err = store.ErrNotFound
	}
	return err
}

// SetSetup implements store.SetupLinks.
func (a Accounts) SetSetup(ctx context.Context, hash string, expires int64) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := checkNoUsers(ctx, c); err != nil {
			return err
		}
		_, err := c.Exec(ctx, `INSERT INTO setups (no, hash, expires_at) VALUES (1, $1, $2)
			ON CONFLICT (no) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at`, hash, expires)
		return err
	})
}

// Setup implements store.SetupLinks.
func (a Accounts) Setup(ctx context.Context, hash string, at int64) error {
	var no int
	if err := a.Row(ctx, `SELECT no FROM setups WHERE hash = $1 AND expires_at > $2`, sqldb.CleanText(hash), at).Scan(&no); err != nil {
		return err
	}
	return checkNoUsers(ctx, a)
}

// UseSetup implements store.SetupLinks. Of concurrent calls, the one that deletes the link's row succeeds.
func (a Accounts) UseSetup(ctx context.Context, act store.Act, hash string, u store.User, w store.Workspace) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := c.ExecOne(ctx, `DELETE FROM setups WHERE hash = $1 AND expires_at > $2`, sqldb.CleanText(hash), act.At); err != nil {
			return err
		}
		if err := checkNoUsers(ctx, c); err != nil {
			return err
		}
		act.By, u.Operator = u.ID, true
		if err := addUser(ctx, c, act, u); err != nil {
			return err
		}
		if err := addWorkspace(ctx, c, act, w, u.ID); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "reader.setup", u.ID+" "+w.ID)
	})
}
