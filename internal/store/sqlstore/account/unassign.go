package account

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// CanAnswer reports whether a person can be manager or builder of the agents of a workspace.
func CanAnswer(ctx context.Context, c *sqldb.Tx, workspace, person string) (bool, error) {
	if err := c.Flush(ctx); err != nil { // errors of earlier statements aren't about this query
		return false, err
	}
	var role store.Role
	err := c.Row(ctx, `SELECT role FROM members WHERE workspace = $1 AND person = $2`, workspace, sqldb.CleanText(person)).Scan((*string)(&role))
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return accounts.CanAnswer(role), err
}

// unassign removes a person as manager and builder in a workspace, and notifies owners and admins. The caller has locked
// the workspace.
func unassign(ctx context.Context, c *sqldb.Tx, act store.Act, workspace, person string) error {
	for _, post := range []string{"manager", "builder"} {
		rows, err := c.Rows(ctx, `SELECT id FROM agents WHERE workspace = $1 AND `+post+` = $2 ORDER BY id`, workspace, person)
		agents, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, id *string) error { return r.Scan(id) })
		if err != nil {
			return err
		}
		for _, agent := range agents {
			if err := c.ExecOne(ctx, `UPDATE agents SET `+post+` = '', version = version + 1, seq = (SELECT seq FROM workspaces WHERE id = $2) WHERE id = $1`, agent, workspace); err != nil {
				return err
			}
			hash, err := c.AuditLink(ctx, act, workspace, "agent.vacate", agent+" "+post+" "+person)
			if err != nil {
				return err
			}
			name := "vacant " + post + " " + person + " " + hash
			if err := NotifyMembers(ctx, c, store.Admin, store.Notification{Workspace: workspace, Event: store.EventNoAddressee, Name: name, Agent: agent, At: act.At}); err != nil {
				return err
			}
		}
	}
	return nil
}

// ClearFormerMembers implements store.Agents.
func (a Accounts) ClearFormerMembers(ctx context.Context, act store.Act) (n int, err error) {
	type orphan struct {
		workspace, person string
		role              store.Role
	}
	rows, err := a.Rows(ctx, `SELECT DISTINCT p.workspace, p.person, coalesce(m.role, '') FROM (SELECT workspace, manager AS person FROM agents UNION SELECT workspace, builder FROM agents) p
		LEFT JOIN members m ON m.workspace = p.workspace AND m.person = p.person WHERE p.person <> '' ORDER BY 1, 2`)
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, o *orphan) error { return r.Scan(&o.workspace, &o.person, (*string)(&o.role)) })
	if err != nil {
		return 0, err
	}
	for _, o := range all {
		if accounts.CanAnswer(o.role) {
			continue
		}
		err := a.Update(ctx, func(c *sqldb.Tx) error {
			if _, err := c.NextSeq(ctx, o.workspace); err != nil {
				return err
			}
			if can, err := CanAnswer(ctx, c, o.workspace, o.person); err != nil || can {
				return err
			}
			if err := c.RosterChanged(ctx, o.workspace); err != nil {
				return err
			}
			return unassign(ctx, c, act, o.workspace, o.person)
		})
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
