package account

import (
	"context"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const workspaceColumns = `w.id, w.slug, w.name, w.seq, w.created_at, w.deleted_at, ` + policyColumns

func scanWorkspace(r sqldb.Scanner, w *store.Workspace) error {
	var p policyRow
	err := r.Scan(append([]any{&w.ID, &w.Slug, &w.Name, &w.Seq, &w.Created, &w.Deleted}, p.columns()...)...)
	w.Policy = p.policy()
	return err
}

// AddWorkspace implements store.Workspaces.
func (a Accounts) AddWorkspace(ctx context.Context, act store.Act, w store.Workspace, owner string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error { return addWorkspace(ctx, c, act, w, owner) })
}

func addWorkspace(ctx context.Context, c *sqldb.Tx, act store.Act, w store.Workspace, owner string) error {
	_, err := c.Exec(ctx, `INSERT INTO workspaces (id, slug, name, seq, roster, created_at, deleted_at, tell_level) VALUES ($1, $2, $3, 0, 0, $4, 0, $5)`,
		w.ID, sqldb.CleanText(w.Slug), sqldb.CleanText(w.Name), w.Created, int(w.Text))
	if c.DB.IsUniqueViolation(err) {
		return &store.TakenError{What: "workspace address", Name: w.Slug}
	}
	if err != nil {
		return err
	}
	if err := c.Audit(ctx, act, w.ID, "workspace.add", w.Slug); err != nil || owner == "" {
		return err
	}
	return setMember(ctx, c, act, w.ID, owner, store.Owner)
}

// Workspace implements store.Workspaces.
func (a Accounts) Workspace(ctx context.Context, idOrSlug string) (w store.Workspace, err error) {
	// A slug can't be a UUID; the id is preferred all the same.
	return w, scanWorkspace(a.Row(ctx, `SELECT `+workspaceColumns+` FROM workspaces w WHERE w.id = $1 OR w.slug = $1
		ORDER BY CASE WHEN w.id = $1 THEN 0 ELSE 1 END LIMIT 1`, sqldb.CleanText(idOrSlug)), &w)
}

// ListWorkspaces implements store.Workspaces.
func (a Accounts) ListWorkspaces(ctx context.Context) ([]store.Workspace, error) {
	rows, err := a.Rows(ctx, `SELECT `+workspaceColumns+` FROM workspaces w ORDER BY w.slug`)
	return sqldb.Collect(rows, err, scanWorkspace)
}

// DeleteWorkspace implements store.Workspaces.
func (a Accounts) DeleteWorkspace(ctx context.Context, act store.Act, id string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := c.ExecOne(ctx, `UPDATE workspaces SET deleted_at = $2, seq = seq + 1, common_seq = seq + 1 WHERE id = $1 AND deleted_at = 0`, sqldb.CleanText(id), act.At); err != nil {
			return err
		}
		c.SeqChanged(sqldb.CleanText(id))
		return c.Audit(ctx, act, id, "workspace.delete", id)
	})
}

// Seq implements store.Reader.
func (a Accounts) Seq(ctx context.Context, workspace string) (seq int64, err error) {
	return seq, a.Row(ctx, `SELECT seq FROM workspaces WHERE id = $1`, sqldb.CleanText(workspace)).Scan(&seq)
}

// SetMember implements store.Workspaces.
func (a Accounts) SetMember(ctx context.Context, act store.Act, workspace, user string, role store.Role) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if _, err := c.NextSeq(ctx, workspace); err != nil {
			return err
		}
		if role != store.Owner {
			if err := checkOtherOwner(ctx, c, workspace, user); err != nil {
				return err
			}
		}
		return setMember(ctx, c, act, workspace, user, role)
	})
}

func setMember(ctx context.Context, c *sqldb.Tx, act store.Act, workspace, user string, role store.Role) error {
	// SELECT instead of VALUES, so that an unknown user is ErrNotFound and not a foreign key error.
	err := c.ExecOne(ctx, `INSERT INTO members (workspace, person, role, since) SELECT $1, id, $3, $4 FROM users WHERE id = $2
		ON CONFLICT (workspace, person) DO UPDATE SET role = excluded.role`, workspace, user, string(role), act.At)
	if err != nil {
		return err
	}
	if err := c.RosterChanged(ctx, workspace); err != nil {
		return err
	}
	if err := c.Audit(ctx, act, workspace, "member.set", user+" "+string(role)); err != nil || accounts.CanAnswer(role) {
		return err
	}
	return unassign(ctx, c, act, workspace, user)
}

// RemoveMember implements store.Workspaces.
func (a Accounts) RemoveMember(ctx context.Context, act store.Act, workspace, user string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if _, err := c.NextSeq(ctx, workspace); err != nil {
			return err
		}
		if err := checkOtherOwner(ctx, c, workspace, user); err != nil {
			return err
		}
		if err := c.ExecOne(ctx, `DELETE FROM members WHERE workspace = $1 AND person = $2`, workspace, user); err != nil {
			return err
		}
		if _, err := c.Exec(ctx, `DELETE FROM saved_views WHERE workspace = $1 AND person = $2`, workspace, user); err != nil {
			return err
		}
		if err := c.RosterChanged(ctx, workspace); err != nil {
			return err
		}
		if err := c.Audit(ctx, act, workspace, "member.remove", user); err != nil {
			return err
		}
		return unassign(ctx, c, act, workspace, user)
	})
}

// Role implements store.Workspaces.
func (a Accounts) Role(ctx context.Context, workspace, user string) (role store.Role, err error) {
	return role, a.Row(ctx, `SELECT m.role FROM members m JOIN workspaces w ON w.id = m.workspace
		WHERE m.workspace = $1 AND m.person = $2 AND w.deleted_at = 0`, sqldb.CleanText(workspace), sqldb.CleanText(user)).Scan((*string)(&role))
}

const MembershipQuery = `SELECT ` + workspaceColumns + `, u.id, u.email, u.name, u.created_at, u.named_at, m.role, m.since
	FROM members m JOIN workspaces w ON w.id = m.workspace JOIN users u ON u.id = m.person `

func ScanMembership(r sqldb.Scanner, m *store.Membership) error {
	u := &m.User
	return scanWorkspace(sqldb.ColumnsAfter(r, []any{&u.ID, &u.Email, &u.Name, &u.Created, &u.NamedSince, (*string)(&m.Role), &m.Since}), &m.Workspace)
}

// Members implements store.Workspaces.
func (a Accounts) Members(ctx context.Context, workspace string) ([]store.Membership, error) {
	rows, err := a.Rows(ctx, MembershipQuery+`WHERE m.workspace = $1 ORDER BY u.email`, sqldb.CleanText(workspace))
	return sqldb.Collect(rows, err, ScanMembership)
}

// Memberships implements store.Workspaces.
func (a Accounts) Memberships(ctx context.Context, user string) ([]store.Membership, error) {
	rows, err := a.Rows(ctx, MembershipQuery+`WHERE m.person = $1 AND w.deleted_at = 0 ORDER BY w.slug`, sqldb.CleanText(user))
	return sqldb.Collect(rows, err, ScanMembership)
}

// RenameWorkspace implements store.Workspaces.
func (a Accounts) RenameWorkspace(ctx context.Context, act store.Act, id, name string) error {
	return a.Update(ctx, func(c *sqldb.Tx) error {
		if err := c.ExecOne(ctx, `UPDATE workspaces SET name = $2, seq = seq + 1, common_seq = seq + 1 WHERE id = $1 AND deleted_at = 0`, sqldb.CleanText(id), sqldb.CleanText(name)); err != nil {
			return err
		}
		c.SeqChanged(sqldb.CleanText(id))
		return c.Audit(ctx, act, id, "workspace.rename", sqldb.CleanText(name))
	})
}

// checkOtherOwner returns ErrLastOwner if the user is the only owner of a workspace. The caller has locked the workspace.
func checkOtherOwner(ctx context.Context, c *sqldb.Tx, workspace, user string) error {
	var is, others int
	err := c.Row(ctx, `SELECT count(CASE WHEN person = $2 THEN 1 END), count(CASE WHEN person <> $2 THEN 1 END)
		FROM members WHERE workspace = $1 AND role = 'owner'`, sqldb.CleanText(workspace), sqldb.CleanText(user)).Scan(&is, &others)
	if err == nil && is == 1 && others == 0 {
		return store.ErrLastOwner
	}
	return err
}
