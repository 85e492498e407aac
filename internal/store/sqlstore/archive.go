package sqlstore

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// errNoChange rolls a transaction back that would change nothing, so that it uses no Seq.
var errNoChange = errors.New("sqlstore: nothing to change")

// ignoreNoChange returns nil for errNoChange.
func ignoreNoChange(err error) error {
	if errors.Is(err, errNoChange) {
		return nil
	}
	return err
}

// Archive implements store.Agents.
func (s *Store) Archive(ctx context.Context, act store.Act, agent string, archived bool) error {
	return ignoreNoChange(s.update(ctx, func(c *storeTx) error {
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
			err = errNoChange
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

// maxNotedName is how much of another name is stored, in bytes.
const maxNotedName = 400

// noteNameInterval is after how many microseconds the same other name is stored again.
const noteNameInterval = hour

// noteName stores the other name of a rejected push. It uses its own transaction, because nothing of the push is written.
func (s *Store) noteName(ctx context.Context, push *store.Push, name string) error {
	name = sqldb.CutText(sqldb.CleanText(name), maxNotedName)
	var fresh bool
	if err := s.Row(ctx, `SELECT asked_name <> $2 OR asked_at <= $3 FROM agents WHERE id = $1`, push.Body.Agent, name, push.At-noteNameInterval).Scan(&fresh); err != nil || !fresh {
		return err
	}
	return s.update(ctx, func(c *storeTx) error {
		if _, err := c.NextSeqOf(ctx, push.Workspace, push.Body.Agent); err != nil {
			return err
		}
		_, err := c.Exec(ctx, `UPDATE agents SET asked_name = $2, asked_at = $3 WHERE id = $1 AND workspace = $4`, push.Body.Agent, name, push.At, push.Workspace)
		return err
	})
}

// AllowName implements store.Agents.
func (s *Store) AllowName(ctx context.Context, act store.Act, agent, name string) error {
	return ignoreNoChange(s.update(ctx, func(c *storeTx) error {
		a, err := c.lockAgent(ctx, agent)
		if err != nil {
			return err
		}
		name := sqldb.CleanText(name)
		if name == a.allowedName {
			return errNoChange
		}
		n, err := c.Exec(ctx, `UPDATE agents SET granted_name = $2 WHERE id = $1 AND ($2 = '' OR asked_name = $2)`, a.id, name)
		if err == nil && n == 0 {
			err = store.ErrNotFound
		}
		if err != nil {
			return err
		}
		if name == "" {
			return c.Audit(ctx, act, a.workspace, "agent.rename.withdraw", a.id+" "+a.allowedName)
		}
		return c.Audit(ctx, act, a.workspace, "agent.rename.grant", a.id+" "+name)
	}))
}

// clearRequestedName clears the requested and allowed names when the agent's name changes.
func (c *storeTx) clearRequestedName(ctx context.Context, agent string) error {
	_, err := c.Exec(ctx, `UPDATE agents SET asked_name = '', asked_at = 0, granted_name = '' WHERE id = $1`, agent)
	return err
}
