package account

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const inviteColumns = `id, hash, workspace, role, email, made_by, created_at, expires_at, used_at, used_by, revoked_at`

func scanInvite(r sqldb.Scanner, i *store.Invite) error {
	return r.Scan(&i.ID, &i.Hash, &i.Workspace, (*string)(&i.Role), &i.Email, &i.By, &i.Created, &i.Expires, &i.Used, &i.UsedBy, &i.Revoked)
}

// AddInvite implements store.Invites.
func (a Accounts) AddInvite(ctx context.Context, act store.Act, i store.Invite) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		// SELECT instead of VALUES, so that an unknown workspace is ErrNotFound and not a foreign key error.
		err := c.ExecOne(ctx, `INSERT INTO invites (`+inviteColumns+`) SELECT $1, $2, id, $4, $5, $6, $7, $8, 0, '', 0 FROM workspaces WHERE id = $3 AND deleted_at = 0`,
			i.ID, i.Hash, sqldb.CleanText(i.Workspace), string(i.Role), emailKey(i.Email), i.By, i.Created, i.Expires)
		if err != nil {
			return err
		}
		return c.Audit(ctx, act, i.Workspace, "invite.add", i.ID+" "+string(i.Role)+" "+emailKey(i.Email))
	})
}

// Invite implements store.Invites.
func (a Accounts) Invite(ctx context.Context, hash string) (i store.Invite, err error) {
	return i, scanInvite(a.Row(ctx, `SELECT `+inviteColumns+` FROM invites WHERE hash = $1`, sqldb.CleanText(hash)), &i)
}

// ListInvites implements store.Invites.
func (a Accounts) ListInvites(ctx context.Context, workspace string, at int64) ([]store.Invite, error) {
	rows, err := a.Rows(ctx, `SELECT `+inviteColumns+` FROM invites WHERE workspace = $1 AND used_at = 0 AND revoked_at = 0 AND expires_at > $2
		ORDER BY created_at DESC, id`, sqldb.CleanText(workspace), at)
	return sqldb.Collect(rows, err, scanInvite)
}

// RevokeInvite implements store.Invites.
func (a Accounts) RevokeInvite(ctx context.Context, act store.Act, workspace, id string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := c.ExecOne(ctx, `UPDATE invites SET revoked_at = $3 WHERE workspace = $1 AND id = $2 AND used_at = 0 AND revoked_at = 0 AND expires_at > $3`,
			sqldb.CleanText(workspace), sqldb.CleanText(id), act.At); err != nil {
			return err
		}
		return c.Audit(ctx, act, workspace, "invite.revoke", id)
	})
}

// AcceptInvite implements store.Invites.
func (a Accounts) AcceptInvite(ctx context.Context, act store.Act, hash string, j store.InviteAcceptance) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		var i store.Invite
		// Writing first locks the row, so that a concurrent call finds the invite used.
		if err := scanInvite(c.Row(ctx, `UPDATE invites SET used_at = $2, used_by = $3 WHERE hash = $1 AND used_at = 0 AND revoked_at = 0 AND expires_at > $2
			RETURNING `+inviteColumns, sqldb.CleanText(hash), act.At, j.User.ID), &i); err != nil {
			return err
		}
		if i.Email != "" && i.Email != emailKey(j.User.Email) {
			return store.ErrNotFound
		}
		if j.New {
			if err := addUserEndingSetup(ctx, c, act, j.User); err != nil {
				return err
			}
		}
		if j.Identity != nil {
			if err := addIdentity(ctx, c, act, *j.Identity); err != nil {
				return err
			}
		}
		// Locks the workspace before its audit chain, as every other transaction does, to avoid deadlocks.
		if err := c.Later(ctx, `UPDATE workspaces SET seq = seq WHERE id = $1`, i.Workspace); err != nil {
			return err
		}
		if err := c.Audit(ctx, act, i.Workspace, "invite.use", i.ID+" "+j.User.ID); err != nil {
			return err
		}
		return addMember(ctx, c, act, i.Workspace, j.User.ID, i.Role)
	})
}

// addMember adds a user who isn't a member yet.
func addMember(ctx context.Context, c *sqldb.Tx, act store.Act, workspace, user string, role store.Role) error {
	if _, err := c.NextSeq(ctx, workspace); err != nil {
		return err
	}
	var member bool
	if err := c.Row(ctx, `SELECT EXISTS (SELECT 1 FROM members WHERE workspace = $1 AND person = $2)`, workspace, user).Scan(&member); err != nil {
		return err
	}
	if member {
		return &store.TakenError{What: "membership", Name: user}
	}
	return setMember(ctx, c, act, workspace, user, role)
}
