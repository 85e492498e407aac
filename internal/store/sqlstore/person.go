package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
)

// Rehash implements store.Users. It is no change that anybody sees, so that no audit tells it.
func (s *Store) Rehash(ctx context.Context, id, old, encoded string) error {
	return s.change(ctx, func(c *change) error {
		return c.one(ctx, `UPDATE users SET password = $3 WHERE id = $1 AND password = $2`, clean(id), old, encoded)
	})
}

// SetUserName implements store.Users.
func (s *Store) SetUserName(ctx context.Context, act store.Act, id, name string) error {
	return s.change(ctx, func(c *change) error {
		if err := c.one(ctx, `UPDATE users SET named_at = CASE WHEN name = $2 THEN named_at ELSE $3 END, name = $2 WHERE id = $1`, clean(id), clean(name), act.At); err != nil {
			return err
		}
		if err := c.enrollEverywhere(ctx, clean(id)); err != nil {
			return err
		}
		return c.audit(ctx, act, "", "user.name", id+" "+clean(name))
	})
}

// enrollEverywhere notes in all workspaces of a person that who is there has changed.
func (c *change) enrollEverywhere(ctx context.Context, person string) error {
	rows, err := c.rows(ctx, `SELECT m.workspace FROM members m JOIN workspaces w ON w.id = m.workspace AND w.deleted_at = 0 WHERE m.person = $1 ORDER BY m.workspace`, person)
	workspaces, err := collect(rows, err, func(r scanner, id *string) error { return r.Scan(id) })
	if err != nil {
		return err
	}
	for _, id := range workspaces {
		if _, err := c.bump(ctx, id); err != nil {
			return err
		}
		if err := c.enroll(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// SetLanguage implements store.Users.
func (s *Store) SetLanguage(ctx context.Context, act store.Act, id, language string) error {
	return s.change(ctx, func(c *change) error {
		if err := c.one(ctx, `UPDATE users SET language = $2 WHERE id = $1`, clean(id), clean(language)); err != nil {
			return err
		}
		return c.audit(ctx, act, "", "user.language", id+" "+clean(language))
	})
}

// SetOperator implements store.Users.
func (s *Store) SetOperator(ctx context.Context, act store.Act, id string, operator bool) error {
	action := "user.operator"
	if !operator {
		action = "user.operator.remove"
	}
	return s.change(ctx, func(c *change) error {
		if err := c.one(ctx, `UPDATE users SET operator = $2 WHERE id = $1`, clean(id), flag(operator)); err != nil {
			return err
		}
		return c.audit(ctx, act, "", action, id)
	})
}

// RenameWorkspace implements store.Workspaces.
func (s *Store) RenameWorkspace(ctx context.Context, act store.Act, id, name string) error {
	return s.change(ctx, func(c *change) error {
		if err := c.one(ctx, `UPDATE workspaces SET name = $2, seq = seq + 1 WHERE id = $1 AND deleted_at = 0`, clean(id), clean(name)); err != nil {
			return err
		}
		c.raised(clean(id))
		return c.audit(ctx, act, id, "workspace.rename", clean(name))
	})
}

// keepOwner refuses to take the only owner from a workspace. The caller has locked it.
func (c *change) keepOwner(ctx context.Context, workspace, user string) error {
	var is, others int
	err := c.row(ctx, `SELECT count(CASE WHEN person = $2 THEN 1 END), count(CASE WHEN person <> $2 THEN 1 END)
		FROM members WHERE workspace = $1 AND role = 'owner'`, clean(workspace), clean(user)).Scan(&is, &others)
	if err == nil && is == 1 && others == 0 {
		return store.ErrLastOwner
	}
	return err
}
