package sqlstore

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// errAsItWas says that there is nothing to change: the transaction leaves no number behind.
var errAsItWas = errors.New("sqlstore: it is so already")

// settledAlready makes nothing of errAsItWas.
func settledAlready(err error) error {
	if errors.Is(err, errAsItWas) {
		return nil
	}
	return err
}

// Archive implements store.Agents.
func (s *Store) Archive(ctx context.Context, act store.Act, agent string, archived bool) error {
	return settledAlready(s.change(ctx, func(c *change) error {
		a, err := c.lockAgent(ctx, agent)
		if err != nil {
			return err
		}
		at, action := int64(0), "agent.restore"
		if archived {
			at, action = act.At, "agent.archive"
		}
		n, err := c.Exec(ctx, `UPDATE agents SET archived_at = $2 WHERE id = $1 AND (archived_at = 0) = $3`, a.id, at, archived)
		if err == nil && n == 0 {
			err = errAsItWas
		}
		if err != nil {
			return err
		}
		if err := c.RosterChanged(ctx, a.workspace); err != nil {
			return err
		}
		return c.Audit(ctx, act, a.workspace, action, a.id)
	}))
}

// longestName is how much of another name is noted, in bytes.
const longestName = 400

// notedAgain is after how many microseconds the same other name is noted again.
const notedAgain = hour

// noteName notes the other name under which an agent came and was refused. It is a change of its own:
// nothing of the push is written.
func (s *Store) noteName(ctx context.Context, push *store.Push, name string) error {
	name = sqldb.CutText(sqldb.CleanText(name), longestName)
	var fresh bool
	if err := s.Row(ctx, `SELECT asked_name <> $2 OR asked_at <= $3 FROM agents WHERE id = $1`, push.Body.Agent, name, push.At-notedAgain).Scan(&fresh); err != nil || !fresh {
		return err
	}
	return s.change(ctx, func(c *change) error {
		if _, err := c.NextSeq(ctx, push.Workspace); err != nil {
			return err
		}
		_, err := c.Exec(ctx, `UPDATE agents SET asked_name = $2, asked_at = $3 WHERE id = $1 AND workspace = $4`, push.Body.Agent, name, push.At, push.Workspace)
		return err
	})
}

// GrantName implements store.Agents.
func (s *Store) AllowName(ctx context.Context, act store.Act, agent, name string) error {
	return settledAlready(s.change(ctx, func(c *change) error {
		a, err := c.lockAgent(ctx, agent)
		if err != nil {
			return err
		}
		name := sqldb.CleanText(name)
		if name == a.granted {
			return errAsItWas
		}
		n, err := c.Exec(ctx, `UPDATE agents SET granted_name = $2 WHERE id = $1 AND ($2 = '' OR asked_name = $2)`, a.id, name)
		if err == nil && n == 0 {
			err = store.ErrNotFound
		}
		if err != nil {
			return err
		}
		if name == "" {
			return c.Audit(ctx, act, a.workspace, "agent.rename.withdraw", a.id+" "+a.granted)
		}
		return c.Audit(ctx, act, a.workspace, "agent.rename.grant", a.id+" "+name)
	}))
}

// renamed forgets what was asked and granted: the agent bears another name now.
func (c *change) renamed(ctx context.Context, agent string) error {
	_, err := c.Exec(ctx, `UPDATE agents SET asked_name = '', asked_at = 0, granted_name = '' WHERE id = $1`, agent)
	return err
}
