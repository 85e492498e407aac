package sqlstore

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// canAnswer reports whether a person can be manager or builder of the agents of a workspace.
func (c *change) canAnswer(ctx context.Context, workspace, person string) (bool, error) {
	if err := c.flush(ctx); err != nil { // what waits fails for reasons of its own
		return false, err
	}
	var role store.Role
	err := c.row(ctx, `SELECT role FROM members WHERE workspace = $1 AND person = $2`, workspace, clean(person)).Scan((*string)(&role))
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return accounts.CanAnswer(role), err
}

// vacate ends what a person answers for in a workspace and tells owners and admins; the caller has its lock.
func (c *change) vacate(ctx context.Context, act store.Act, workspace, person string) error {
	for _, post := range []string{"manager", "builder"} {
		rows, err := c.rows(ctx, `SELECT id FROM agents WHERE workspace = $1 AND `+post+` = $2 ORDER BY id`, workspace, person)
		agents, err := collect(rows, err, func(r scanner, id *string) error { return r.Scan(id) })
		if err != nil {
			return err
		}
		for _, agent := range agents {
			if err := c.one(ctx, `UPDATE agents SET `+post+` = '', version = version + 1, seq = (SELECT seq FROM workspaces WHERE id = $2) WHERE id = $1`, agent, workspace); err != nil {
				return err
			}
			hash, err := c.link(ctx, act, workspace, "agent.vacate", agent+" "+post+" "+person)
			if err != nil {
				return err
			}
			name := "vacant " + post + " " + person + " " + hash
			if err := c.tellAtLeast(ctx, store.Admin, store.News{Workspace: workspace, Event: store.NewsVacant, Name: name, Agent: agent, At: act.At}); err != nil {
				return err
			}
		}
	}
	return nil
}

// VacateOrphans implements store.Agents.
func (s *Store) VacateOrphans(ctx context.Context, act store.Act) (n int, err error) {
	type orphan struct {
		workspace, person string
		role              store.Role
	}
	rows, err := s.rows(ctx, `SELECT DISTINCT p.workspace, p.person, coalesce(m.role, '') FROM (SELECT workspace, manager AS person FROM agents UNION SELECT workspace, builder FROM agents) p
		LEFT JOIN members m ON m.workspace = p.workspace AND m.person = p.person WHERE p.person <> '' ORDER BY 1, 2`)
	all, err := collect(rows, err, func(r scanner, o *orphan) error { return r.Scan(&o.workspace, &o.person, (*string)(&o.role)) })
	if err != nil {
		return 0, err
	}
	for _, o := range all {
		if accounts.CanAnswer(o.role) {
			continue
		}
		err := s.change(ctx, func(c *change) error {
			if _, err := c.bump(ctx, o.workspace); err != nil {
				return err
			}
			if can, err := c.canAnswer(ctx, o.workspace, o.person); err != nil || can {
				return err
			}
			if err := c.enroll(ctx, o.workspace); err != nil {
				return err
			}
			return c.vacate(ctx, act, o.workspace, o.person)
		})
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
