package account

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// Rehash implements store.Users. It is no change that anybody sees, so that no audit tells it.
func (a Accounts) Rehash(ctx context.Context, id, old, encoded string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		return c.ExecOne(ctx, `UPDATE users SET password = $3 WHERE id = $1 AND password = $2`, sqldb.CleanText(id), old, encoded)
	})
}

// SetUserName implements store.Users.
func (a Accounts) SetUserName(ctx context.Context, act store.Act, id, name string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := c.ExecOne(ctx, `UPDATE users SET named_at = CASE WHEN name = $2 THEN named_at ELSE $3 END, name = $2 WHERE id = $1`, sqldb.CleanText(id), sqldb.CleanText(name), act.At); err != nil {
			return err
		}
		if err := enrollEverywhere(ctx, c, sqldb.CleanText(id)); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "user.name", id+" "+sqldb.CleanText(name))
	})
}

// enrollEverywhere notes in all workspaces of a person that who is there has changed.
func enrollEverywhere(ctx context.Context, c *sqldb.Tx, person string) error {
	rows, err := c.Rows(ctx, `SELECT m.workspace FROM members m JOIN workspaces w ON w.id = m.workspace AND w.deleted_at = 0 WHERE m.person = $1 ORDER BY m.workspace`, person)
	workspaces, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, id *string) error { return r.Scan(id) })
	if err != nil {
		return err
	}
	for _, id := range workspaces {
		if _, err := c.NextSeq(ctx, id); err != nil {
			return err
		}
		if err := c.RosterChanged(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// SetLanguage implements store.Users.
func (a Accounts) SetLanguage(ctx context.Context, act store.Act, id, language string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := c.ExecOne(ctx, `UPDATE users SET language = $2 WHERE id = $1`, sqldb.CleanText(id), sqldb.CleanText(language)); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "user.language", id+" "+sqldb.CleanText(language))
	})
}

// SetOperator implements store.Users.
func (a Accounts) SetOperator(ctx context.Context, act store.Act, id string, operator bool) error {
	action := "user.operator"
	if !operator {
		action = "user.operator.remove"
	}
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := c.ExecOne(ctx, `UPDATE users SET operator = $2 WHERE id = $1`, sqldb.CleanText(id), sqldb.BoolInt(operator)); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", action, id)
	})
}

// RenameWorkspace implements store.Workspaces.
func (a Accounts) RenameWorkspace(ctx context.Context, act store.Act, id, name string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := c.ExecOne(ctx, `UPDATE workspaces SET name = $2, seq = seq + 1 WHERE id = $1 AND deleted_at = 0`, sqldb.CleanText(id), sqldb.CleanText(name)); err != nil {
			return err
		}
		c.SeqChanged(sqldb.CleanText(id))
		return c.Audit(ctx, act, id, "workspace.rename", sqldb.CleanText(name))
	})
}

// keepOwner refuses to take the only owner from a workspace. The caller has locked it.
func keepOwner(ctx context.Context, c *sqldb.Tx, workspace, user string) error {
	var is, others int
	err := c.Row(ctx, `SELECT count(CASE WHEN person = $2 THEN 1 END), count(CASE WHEN person <> $2 THEN 1 END)
		FROM members WHERE workspace = $1 AND role = 'owner'`, sqldb.CleanText(workspace), sqldb.CleanText(user)).Scan(&is, &others)
	if err == nil && is == 1 && others == 0 {
		return store.ErrLastOwner
	}
	return err
}
