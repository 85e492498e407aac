package sqlstore

import (
	"context"
	"errors"
	"slices"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/account"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// movedTables are the tables whose rows belong to an agent and name its workspace. A test compares them with the schema.
var movedTables = []string{"records", "attachments", "decisions", "drafts", "claims", "snoozes", "ask_notes", "erasures"}

// MoveAgent implements store.Agents.
func (s *Store) MoveAgent(ctx context.Context, act store.Act, agent, workspace string) error {
	return ignoreNoChange(s.update(ctx, func(c *storeTx) error {
		from, seq, err := c.lockMove(ctx, sqldb.CleanText(agent), sqldb.CleanText(workspace))
		if err != nil {
			return err
		}
		return c.move(ctx, act, sqldb.CleanText(agent), from, sqldb.CleanText(workspace), seq)
	}))
}

// lockMove locks the agent and both workspaces. The new Seq is higher than that of any of the agent's rows, so that clients
// don't mistake an old tag for a newer one.
func (c *storeTx) lockMove(ctx context.Context, agent, to string) (from string, seq int64, err error) {
	if err := c.Row(ctx, `SELECT workspace FROM agents WHERE id = $1`, agent).Scan(&from); err != nil {
		return "", 0, err
	}
	if from == to {
		return "", 0, errNoChange
	}
	both := []string{from, to}
	slices.Sort(both) // so that transactions can't deadlock
	for _, w := range both {
		n, err := c.NextSeq(ctx, w)
		if err != nil {
			return "", 0, err
		}
		seq = max(seq, n)
	}
	if _, err := c.Exec(ctx, `UPDATE workspaces SET seq = $2, common_seq = $2 WHERE id = $1`, to, seq); err != nil {
		return "", 0, err
	}
	n, err := c.Exec(ctx, `UPDATE agents SET version = version + 1 WHERE id = $1 AND workspace = $2`, agent, from)
	if err == nil && n == 0 { // another transaction has moved it
		err = store.ErrNotFound
	}
	return from, seq, err
}

func (c *storeTx) move(ctx context.Context, act store.Act, agent, from, to string, seq int64) error {
	var by string
	var effective int64
	err := c.Row(ctx, `SELECT person, effective_at FROM decisions WHERE fate = 0 AND workspace = $2 AND agent = $1 ORDER BY effective_at LIMIT 1`, agent, from).Scan(&by, &effective)
	if err == nil {
		return &store.PendingError{By: by, Effective: effective}
	}
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	for _, step := range []func(context.Context, string, string, string) error{c.moveActivity, c.moveRows, c.moveViews, c.moveDocs, c.moveResponsible, c.moveNotifications} {
		if err := step(ctx, agent, from, to); err != nil {
			return err
		}
	}
	// The stored digest is of a push for the old workspace. It is cleared, so that the same push is answered with
	// OtherWorkspaceError.
	if _, err := c.Exec(ctx, `UPDATE agents SET workspace = $2, seq = $3, messages_seq = $3, digest = '' WHERE id = $1`, agent, to, seq); err != nil {
		return err
	}
	for _, workspace := range []string{from, to} {
		if err := c.RosterChanged(ctx, workspace); err != nil {
			return err
		}
	}
	// Neither audit row names the other workspace, whose existence its readers may not be allowed to know.
	if err := c.Audit(ctx, act, from, "agent.leave", agent); err != nil {
		return err
	}
	return c.Audit(ctx, act, to, "agent.join", agent)
}

// moveActivity moves the agent's activity from the sums of one workspace to those of the other.
func (c *storeTx) moveActivity(ctx context.Context, agent, from, to string) error {
	const sums = `INSERT INTO pulse (workspace, agent, what, hour, n) SELECT `
	const add = ` FROM pulse WHERE workspace = $2 AND agent = $1 ON CONFLICT (workspace, agent, what, hour) DO UPDATE SET n = pulse.n + excluded.n`
	if _, err := c.Exec(ctx, sums+`$2, '', what, hour, -n`+add, agent, from); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, sums+`$3, '', what, hour, n`+add, agent, from, to); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `UPDATE pulse SET workspace = $3 WHERE workspace = $2 AND agent = $1`, agent, from, to)
	return err
}

func (c *storeTx) moveRows(ctx context.Context, agent, _, to string) error {
	for _, table := range movedTables {
		if _, err := c.Exec(ctx, `UPDATE `+table+` SET workspace = $2 WHERE agent = $1`, agent, to); err != nil {
			return err
		}
	}
	return nil
}

// moveViews moves the views of the agent's attachments, or copies them if another agent has the same attachment. The
// attachments have already moved.
func (c *storeTx) moveViews(ctx context.Context, agent, from, to string) error {
	const theirs = `sha256 IN (SELECT sha256 FROM attachments WHERE agent = $1)`
	if _, err := c.Exec(ctx, `INSERT INTO opened (workspace, person, sha256, ext, how, at) SELECT $3, person, sha256, ext, how, at FROM opened WHERE workspace = $2 AND `+theirs+`
		ON CONFLICT DO NOTHING`, agent, from, to); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `DELETE FROM opened WHERE workspace = $2 AND `+theirs+` AND sha256 NOT IN (SELECT sha256 FROM attachments WHERE workspace = $2)`, agent, from)
	return err
}

// moveDocs indexes the agent's documents again, because the index contains the workspace.
func (c *storeTx) moveDocs(ctx context.Context, agent, _, to string) error {
	for _, of := range []struct {
		table, text string
		words       func(text []byte) string
	}{
		{"records", "fold", sqldb.DocWords}, {"messages", "line", sqldb.DocWords},
		{"attachments", "name || ' ' || words", func(text []byte) string { return string(text) }},
	} {
		rows, err := c.Rows(ctx, `SELECT no FROM `+of.table+` WHERE agent = $1`, agent)
		numbers, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, no *int64) error { return r.Scan(no) })
		if err != nil {
			return err
		}
		for part := range slices.Chunk(numbers, manyRecords) {
			rows, err := c.Rows(ctx, `SELECT no, `+of.text+` FROM `+of.table+` WHERE no `+c.s.NumbersIn(1), sqldb.JSONList(part))
			docs, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, d *sqldb.Doc) error {
				var text []byte
				err := r.Scan(&d.No, &text)
				d.Workspace, d.Agent, d.Words = to, agent, of.words(text)
				return err
			})
			if err != nil {
				return err
			}
			for _, d := range docs {
				if err := c.ReplaceDoc(ctx, d); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// moveResponsible keeps manager and builder if they are members of the new workspace.
func (c *storeTx) moveResponsible(ctx context.Context, agent, _, to string) error {
	for _, column := range []string{"manager", "builder"} {
		var person string
		if err := c.Row(ctx, `SELECT `+column+` FROM agents WHERE id = $1`, agent).Scan(&person); err != nil {
			return err
		}
		can, err := account.CanAnswer(ctx, c.Tx, to, person)
		if err == nil && !can {
			_, err = c.Exec(ctx, `UPDATE agents SET `+column+` = '' WHERE id = $1`, agent)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// moveNotifications moves queued notifications to people who are members of the new workspace.
func (c *storeTx) moveNotifications(ctx context.Context, agent, _, to string) error {
	if _, err := c.Exec(ctx, `DELETE FROM notify_outbox WHERE agent = $1 AND person NOT IN (SELECT person FROM members WHERE workspace = $2)`, agent, to); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `UPDATE notify_outbox SET workspace = $2 WHERE agent = $1`, agent, to)
	return err
}
