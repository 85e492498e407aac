package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
)

const inviteColumns = `id, hash, workspace, role, email, made_by, created_at, expires_at, used_at, used_by, revoked_at`

func scanInvite(r scanner, i *store.Invite) error {
	return r.Scan(&i.ID, &i.Hash, &i.Workspace, (*string)(&i.Role), &i.Email, &i.By, &i.Created, &i.Expires, &i.Used, &i.UsedBy, &i.Revoked)
}

// AddInvite implements store.Invites.
func (s *Store) AddInvite(ctx context.Context, act store.Act, i store.Invite) error {
	return s.change(ctx, func(c *change) error {
		// A SELECT in place of VALUES, so that an unknown workspace is not found rather than refused by a key.
		err := c.one(ctx, `INSERT INTO invites (`+inviteColumns+`) SELECT $1, $2, id, $4, $5, $6, $7, $8, 0, '', 0 FROM workspaces WHERE id = $3 AND deleted_at = 0`,
			i.ID, i.Hash, clean(i.Workspace), string(i.Role), emailKey(i.Email), i.By, i.Created, i.Expires)
		if err != nil {
			return err
		}
		return c.audit(ctx, act, i.Workspace, "invite.add", i.ID+" "+string(i.Role)+" "+emailKey(i.Email))
	})
}

// Invite implements store.Invites.
func (s *Store) Invite(ctx context.Context, hash string) (i store.Invite, err error) {
	return i, scanInvite(s.row(ctx, `SELECT `+inviteColumns+` FROM invites WHERE hash = $1`, clean(hash)), &i)
}

// ListInvites implements store.Invites.
func (s *Store) ListInvites(ctx context.Context, workspace string, at int64) ([]store.Invite, error) {
	rows, err := s.rows(ctx, `SELECT `+inviteColumns+` FROM invites WHERE workspace = $1 AND used_at = 0 AND revoked_at = 0 AND expires_at > $2
		ORDER BY created_at DESC, id`, clean(workspace), at)
	return collect(rows, err, scanInvite)
}

// RevokeInvite implements store.Invites.
func (s *Store) RevokeInvite(ctx context.Context, act store.Act, workspace, id string) error {
	return s.change(ctx, func(c *change) error {
		if err := c.one(ctx, `UPDATE invites SET revoked_at = $3 WHERE workspace = $1 AND id = $2 AND used_at = 0 AND revoked_at = 0 AND expires_at > $3`,
			clean(workspace), clean(id), act.At); err != nil {
			return err
		}
		return c.audit(ctx, act, workspace, "invite.revoke", id)
	})
}

// UseInvite implements store.Invites.
func (s *Store) UseInvite(ctx context.Context, act store.Act, hash string, j store.Joining) error {
	return s.change(ctx, func(c *change) error {
		var i store.Invite
		// Writing first locks the row, so that of two at once the second finds it used.
		if err := scanInvite(c.row(ctx, `UPDATE invites SET used_at = $2, used_by = $3 WHERE hash = $1 AND used_at = 0 AND revoked_at = 0 AND expires_at > $2
			RETURNING `+inviteColumns, clean(hash), act.At, j.User.ID), &i); err != nil {
			return err
		}
		if i.Email != "" && i.Email != emailKey(j.User.Email) {
			return store.ErrNotFound
		}
		if j.New {
			if err := c.addPerson(ctx, act, j.User); err != nil {
				return err
			}
		}
		if j.Identity != nil {
			if err := c.addIdentity(ctx, act, *j.Identity); err != nil {
				return err
			}
		}
		// The workspace is taken before its chain, as every other change takes them: else two wait for each other.
		if err := c.later(ctx, `UPDATE workspaces SET seq = seq WHERE id = $1`, i.Workspace); err != nil {
			return err
		}
		if err := c.audit(ctx, act, i.Workspace, "invite.use", i.ID+" "+j.User.ID); err != nil {
			return err
		}
		return c.join(ctx, act, i.Workspace, j.User.ID, i.Role)
	})
}

// join makes somebody a member who is none.
func (c *change) join(ctx context.Context, act store.Act, workspace, user string, role store.Role) error {
	if _, err := c.bump(ctx, workspace); err != nil {
		return err
	}
	var member bool
	if err := c.row(ctx, `SELECT EXISTS (SELECT 1 FROM members WHERE workspace = $1 AND person = $2)`, workspace, user).Scan(&member); err != nil {
		return err
	}
	if member {
		return &store.Taken{What: "membership", Name: user}
	}
	return c.setMember(ctx, act, workspace, user, role)
}
