package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

const workspaceColumns = `w.id, w.slug, w.name, w.seq, w.created_at, w.deleted_at, ` + policyColumns

func scanWorkspace(r scanner, w *store.Workspace) error {
	var p policyRow
	err := r.Scan(&w.ID, &w.Slug, &w.Name, &w.Seq, &w.Created, &w.Deleted, &p.all, &p.stepUp, &p.words)
	w.Policy = p.policy()
	return err
}

// AddWorkspace implements store.Workspaces.
func (s *Store) AddWorkspace(ctx context.Context, act store.Act, w store.Workspace, owner string) error {
	return s.change(ctx, func(c *change) error { return c.addWorkspace(ctx, act, w, owner) })
}

func (c *change) addWorkspace(ctx context.Context, act store.Act, w store.Workspace, owner string) error {
	_, err := c.do(ctx, `INSERT INTO workspaces (id, slug, name, seq, roster, created_at, deleted_at) VALUES ($1, $2, $3, 0, 0, $4, 0)`,
		w.ID, clean(w.Slug), clean(w.Name), w.Created)
	if c.s.taken(err) {
		return &store.Taken{What: "workspace address", Name: w.Slug}
	}
	if err != nil {
		return err
	}
	if err := c.audit(ctx, act, w.ID, "workspace.add", w.Slug); err != nil || owner == "" {
		return err
	}
	return c.setMember(ctx, act, w.ID, owner, store.Owner)
}

// Workspace implements store.Workspaces.
func (s *Store) Workspace(ctx context.Context, idOrSlug string) (w store.Workspace, err error) {
	// An id is a UUID, which no slug may be: the id goes first all the same.
	return w, scanWorkspace(s.row(ctx, `SELECT `+workspaceColumns+` FROM workspaces w WHERE w.id = $1 OR w.slug = $1
		ORDER BY CASE WHEN w.id = $1 THEN 0 ELSE 1 END LIMIT 1`, clean(idOrSlug)), &w)
}

// ListWorkspaces implements store.Workspaces.
func (s *Store) ListWorkspaces(ctx context.Context) ([]store.Workspace, error) {
	rows, err := s.rows(ctx, `SELECT `+workspaceColumns+` FROM workspaces w ORDER BY w.slug`)
	return collect(rows, err, scanWorkspace)
}

// DeleteWorkspace implements store.Workspaces.
func (s *Store) DeleteWorkspace(ctx context.Context, act store.Act, id string) error {
	return s.change(ctx, func(c *change) error {
		if err := c.one(ctx, `UPDATE workspaces SET deleted_at = $2, seq = seq + 1 WHERE id = $1 AND deleted_at = 0`, clean(id), act.At); err != nil {
			return err
		}
		c.raised(clean(id))
		return c.audit(ctx, act, id, "workspace.delete", id)
	})
}

// Seq implements store.Reader.
func (s *Store) Seq(ctx context.Context, workspace string) (seq int64, err error) {
	return seq, s.row(ctx, `SELECT seq FROM workspaces WHERE id = $1`, clean(workspace)).Scan(&seq)
}

// SetMember implements store.Workspaces.
func (s *Store) SetMember(ctx context.Context, act store.Act, workspace, user string, role store.Role) error {
	return s.change(ctx, func(c *change) error {
		if _, err := c.bump(ctx, workspace); err != nil {
			return err
		}
		if role != store.Owner {
			if err := c.keepOwner(ctx, workspace, user); err != nil {
				return err
			}
		}
		return c.setMember(ctx, act, workspace, user, role)
	})
}

func (c *change) setMember(ctx context.Context, act store.Act, workspace, user string, role store.Role) error {
	// A SELECT in place of VALUES, so that an unknown person is not found rather than refused by a key.
	err := c.one(ctx, `INSERT INTO members (workspace, person, role, since) SELECT $1, id, $3, $4 FROM users WHERE id = $2
		ON CONFLICT (workspace, person) DO UPDATE SET role = excluded.role`, workspace, user, string(role), act.At)
	if err != nil {
		return err
	}
	if err := c.enroll(ctx, workspace); err != nil {
		return err
	}
	if err := c.audit(ctx, act, workspace, "member.set", user+" "+string(role)); err != nil || accounts.CanAnswer(role) {
		return err
	}
	return c.vacate(ctx, act, workspace, user)
}

// RemoveMember implements store.Workspaces.
func (s *Store) RemoveMember(ctx context.Context, act store.Act, workspace, user string) error {
	return s.change(ctx, func(c *change) error {
		if _, err := c.bump(ctx, workspace); err != nil {
			return err
		}
		if err := c.keepOwner(ctx, workspace, user); err != nil {
			return err
		}
		if err := c.one(ctx, `DELETE FROM members WHERE workspace = $1 AND person = $2`, workspace, user); err != nil {
			return err
		}
		if err := c.enroll(ctx, workspace); err != nil {
			return err
		}
		if err := c.audit(ctx, act, workspace, "member.remove", user); err != nil {
			return err
		}
		return c.vacate(ctx, act, workspace, user)
	})
}

// Role implements store.Workspaces.
func (s *Store) Role(ctx context.Context, workspace, user string) (role store.Role, err error) {
	return role, s.row(ctx, `SELECT m.role FROM members m JOIN workspaces w ON w.id = m.workspace
		WHERE m.workspace = $1 AND m.person = $2 AND w.deleted_at = 0`, clean(workspace), clean(user)).Scan((*string)(&role))
}

const membershipQuery = `SELECT ` + workspaceColumns + `, u.id, u.email, u.name, u.created_at, u.named_at, m.role, m.since
	FROM members m JOIN workspaces w ON w.id = m.workspace JOIN users u ON u.id = m.person `

func scanMembership(r scanner, m *store.Membership) error {
	u := &m.User
	return scanWorkspace(withLast{r, []any{&u.ID, &u.Email, &u.Name, &u.Created, &u.Named, (*string)(&m.Role), &m.Since}}, &m.Workspace)
}

// Members implements store.Workspaces.
func (s *Store) Members(ctx context.Context, workspace string) ([]store.Membership, error) {
	rows, err := s.rows(ctx, membershipQuery+`WHERE m.workspace = $1 ORDER BY u.email`, clean(workspace))
	return collect(rows, err, scanMembership)
}

// Memberships implements store.Workspaces.
func (s *Store) Memberships(ctx context.Context, user string) ([]store.Membership, error) {
	rows, err := s.rows(ctx, membershipQuery+`WHERE m.person = $1 AND w.deleted_at = 0 ORDER BY w.slug`, clean(user))
	return collect(rows, err, scanMembership)
}
