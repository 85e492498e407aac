package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// Reindex implements store.Maintenance. Each agent is one transaction that also increments its workspace's Seq.
func (s *Store) Reindex(ctx context.Context) (changed []store.ReindexedAgent, err error) {
	rows, err := s.Rows(ctx, `SELECT a.id, a.name, w.slug FROM agents a JOIN workspaces w ON w.id = a.workspace ORDER BY a.id`)
	agents, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, a *store.ReindexedAgent) error { return r.Scan(&a.Agent, &a.Name, &a.Workspace) })
	if err != nil {
		return nil, err
	}
	for _, agent := range agents {
		if err := s.update(ctx, func(c *storeTx) (err error) {
			agent.Asks, err = c.reindexCounting(ctx, agent.Agent)
			return err
		}); err != nil {
			return changed, err
		}
		if agent.Asks > 0 {
			changed = append(changed, agent)
		}
	}
	return changed, s.update(ctx, func(c *storeTx) error { return c.reindexWorkspaceActivity(ctx) })
}

// reindexCounting reindexes an agent, and counts the asks that have changed.
func (c *storeTx) reindexCounting(ctx context.Context, id string) (changed int, err error) {
	before, err := c.askStandings(ctx, id)
	if err != nil {
		return 0, err
	}
	if err := c.reindex(ctx, id); err != nil {
		return 0, err
	}
	if err := c.Flush(ctx); err != nil {
		return 0, err
	}
	after, err := c.askStandings(ctx, id)
	for no, as := range after {
		changed += sqldb.BoolInt(before[no] != as)
	}
	return changed, err
}

// askStanding is the derived state of an ask, and who is asked, as its row has it.
type askStanding struct {
	state, lane, round, reported int
	since                        int64
	asked, namedKey              string
}

// askStandings returns the askStanding of each of an agent's asks, by number.
func (c *storeTx) askStandings(ctx context.Context, agent string) (map[int64]askStanding, error) {
	rows, err := c.Rows(ctx, `SELECT no, state, lane, round, reported, since, asked, named_key FROM records WHERE agent = $1 AND kind = 1`, agent)
	type row struct {
		no int64
		askStanding
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row) error {
		return r.Scan(&x.no, &x.state, &x.lane, &x.round, &x.reported, &x.since, &x.asked, &x.namedKey)
	})
	found := make(map[int64]askStanding, len(all))
	for _, x := range all {
		found[x.no] = x.askStanding
	}
	return found, err
}

func (c *storeTx) reindex(ctx context.Context, id string) error {
	agent, err := c.lockAgent(ctx, id)
	if err != nil {
		return err
	}
	rows, err := c.Rows(ctx, `SELECT `+sqldb.RecordRowColumns+` FROM records WHERE agent = $1 ORDER BY no`, id)
	records, err := sqldb.Collect(rows, err, scanRecordRow)
	if err != nil {
		return err
	}
	asks, err := c.refold(ctx, &agent, records)
	if err != nil {
		return err
	}
	if err := c.reindexMessages(ctx, &agent); err != nil {
		return err
	}
	if err := c.rederive(ctx, id, asks, agent.seq); err != nil {
		return err
	}
	if err := c.reindexAttachments(ctx, &agent); err != nil {
		return err
	}
	if err := c.reindexAgentActivity(ctx, agent.workspace, id); err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `UPDATE agents SET department = $2 WHERE id = $1`, id, departmentOf(agent.charter)); err != nil {
		return err
	}
	// The new Seq tells clients and caches that data may have changed.
	if _, err := c.Exec(ctx, `UPDATE workspaces SET seq = seq + 1 WHERE id = $1`, agent.workspace); err != nil {
		return err
	}
	c.SeqChanged(agent.workspace)
	if err := c.RosterChanged(ctx, agent.workspace); err != nil {
		return err
	}
	return c.recount(ctx, agent.workspace, id, agent.seq)
}

// refold rebuilds every record from its trail, and derives the runs.
func (c *storeTx) refold(ctx context.Context, agent *lockedAgent, records []recordRow) (asks []*recordRow, err error) {
	numbers := make([]int64, len(records))
	for i := range records {
		numbers[i] = records[i].no
	}
	had, err := trails(ctx, c, agent.id, numbers)
	if err != nil {
		return nil, err
	}
	if _, err := c.Exec(ctx, `DELETE FROM mentions WHERE agent = $1`, agent.id); err != nil {
		return nil, err
	}
	var mentions [][]any
	sessions := largestUsage{}
	for i := range records {
		r := &records[i]
		trail := had[r.no]
		lines := make([][]byte, len(trail))
		for k := range trail {
			lines[k] = trail[k].Line
			line := figs.Fold(lines[k : k+1])
			mentions = appendMentions(mentions, agent.id, r.no, k+1, line)
			ts := line.Get("ts").Text()
			c.activity.addLine(figs.File(r.kind), parseTimeOr(trail[k].At, ts))
			c.firstLine.add(figs.File(r.kind), ts)
		}
		fold := figs.Fold(lines)
		first, last := trail[0], trail[len(trail)-1]
		r.fold, r.received = figs.AppendObject(nil, fold), first.At
		closed := int64(0)
		if figs.IsSettled(figs.File(r.kind), fold) {
			closed = last.At
		}
		if _, err := c.Exec(ctx, `UPDATE records SET fold = $2, versions = $3, received_at = $4, changed_at = $5, closed_at = $6, pushed_by = $7, workspace = $8 WHERE no = $1`,
			r.no, string(r.fold), len(trail), first.At, last.At, closed, last.PushedBy, agent.workspace); err != nil {
			return nil, err
		}
		if err := c.ReplaceDoc(ctx, sqldb.Doc{No: r.no, Workspace: agent.workspace, Agent: agent.id, Words: sqldb.DocWords(r.fold)}); err != nil {
			return nil, err
		}
		if r.kind == sqldb.KindAsk {
			c.activity.addDay(kindRaised, raisedAt(versions(trail[:1])), 1)
			asks = append(asks, r)
			continue
		}
		f := runFacts(fold, last.At)
		c.activity.addOutcome(nil, &f)
		c.activity.addUsage(sessions, usageOf(&f), 1)
		if err := c.setFacts(ctx, r.no, &f, agent.seq); err != nil {
			return nil, err
		}
	}
	c.activity.addSessions(sessions, 1)
	return asks, c.Insert(ctx, "mentions", mentionColumns, mentions)
}

func (c *storeTx) reindexMessages(ctx context.Context, agent *lockedAgent) error {
	type row struct {
		no int64
		m  store.Message
	}
	rows, err := c.Rows(ctx, `SELECT no, `+messageColumns+` FROM messages WHERE agent = $1`, agent.id)
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row) error { return scanMessage(sqldb.ColumnBefore(r, &x.no), &x.m) })
	if err != nil {
		return err
	}
	for _, x := range all {
		m := figs.ReadMessage(figs.Fold([][]byte{x.m.Line}))
		c.activity.addLine(figs.Messages, parseTimeOr(x.m.Received, m.TS))
		c.firstLine.add(figs.Messages, m.TS)
		if _, err := c.Exec(ctx, `UPDATE messages SET ask = $2, at = $3 WHERE no = $1`, x.no, askKey(m.Ask), parseTimeOr(x.m.Received, m.TS)); err != nil {
			return err
		}
		if err := c.ReplaceDoc(ctx, sqldb.Doc{No: x.no, Workspace: agent.workspace, Agent: agent.id, Words: sqldb.DocWords(x.m.Line)}); err != nil {
			return err
		}
	}
	return nil
}

func (c *storeTx) reindexAttachments(ctx context.Context, agent *lockedAgent) error {
	type row struct {
		no          int64
		name, words string
	}
	rows, err := c.Rows(ctx, `SELECT no, name, words FROM attachments WHERE agent = $1`, agent.id)
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row) error { return r.Scan(&x.no, &x.name, &x.words) })
	if err != nil {
		return err
	}
	for _, x := range all {
		if err := c.ReplaceDoc(ctx, sqldb.Doc{No: x.no, Workspace: agent.workspace, Agent: agent.id, Words: x.name + " " + x.words}); err != nil {
			return err
		}
	}
	_, err = c.Exec(ctx, `UPDATE agents SET files = $2 WHERE id = $1`, agent.id, len(all))
	return err
}
