package sqlstore

import (
	"cmp"
	"context"
	"sort"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/account"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const agentColumns = `id, workspace, name, charter, department, manager, builder, registered_at, pushed_at, pushed_by, seq, messages_seq,
	jobs, in_flight, failed, warned, unknown, asks, needs, waiting, closed, messages, orphans, files, errors, warnings, infos, refused,
	oldest, first_at, first_kind, last_at, last_ts, archived_at, asked_name, asked_at, granted_name, erased`

func scanAgent(r sqldb.Scanner, a *store.Agent) error {
	n := &a.Counts
	return r.Scan(&a.ID, &a.Workspace, &a.Name, &a.Charter, &a.Department, &a.Manager, &a.Builder, &a.Registered, &a.Pushed, &a.PushedBy, &a.Seq, &a.MessagesSeq,
		&n.Jobs, &n.InFlight, &n.Failed, &n.Warned, &n.Unknown, &n.Asks, &n.NeedsYou, &n.Waiting, &n.Closed, &n.Messages, &n.Orphans, &n.Files, &n.Errors, &n.Warnings, &n.Infos, &n.Refused,
		&a.OldestNeed, &a.First, &a.FirstFile, &a.Last, &a.LastTS, &a.Archived, &a.RequestedName, &a.RequestedAt, &a.AllowedName, &a.Erased)
}

// Agent implements store.Agents.
func (s *Store) Agent(ctx context.Context, id string) (a store.Agent, err error) {
	return a, scanAgent(s.Row(ctx, `SELECT `+agentColumns+` FROM agents WHERE id = $1`, sqldb.CleanText(id)), &a)
}

// ListAgents implements store.Agents.
func (s *Store) ListAgents(ctx context.Context, workspace string) ([]store.Agent, error) {
	rows, err := s.Rows(ctx, `SELECT `+agentColumns+` FROM agents WHERE workspace = $1 ORDER BY registered_at, id`, sqldb.CleanText(workspace))
	all, err := sqldb.Collect(rows, err, scanAgent)
	sort.SliceStable(all, func(i, k int) bool { return all[i].Name < all[k].Name }) // names can be too long for an index
	return all, err
}

// agentRow is the part of an agent that pushes need.
type agentRow struct {
	id, workspace, name           string
	allowedName                   string // other name that is allowed once
	charter                       []byte
	version                       int64
	jobs, asks, messages, refused int
	erased                        int // number of erased records and replies
	isRegistered                  bool
}

const agentRowColumns = `id, workspace, name, granted_name, charter, version, jobs, asks, messages, refused, erased`

func scanAgentRow(r sqldb.Scanner, a *agentRow) error {
	a.isRegistered = true
	return r.Scan(&a.id, &a.workspace, &a.name, &a.allowedName, &a.charter, &a.version, &a.jobs, &a.asks, &a.messages, &a.refused, &a.erased)
}

// lockedAgent is an agent that is locked by a transaction, with the transaction's Seq.
type lockedAgent struct {
	agentRow
	seq int64
}

// lockAgent increments the Seq of the agent's workspace, and makes plans for the agent stale.
func (c *storeTx) lockAgent(ctx context.Context, id string) (a lockedAgent, err error) {
	if err := c.Row(ctx, `SELECT workspace FROM agents WHERE id = $1`, sqldb.CleanText(id)).Scan(&a.workspace); err != nil {
		return a, err
	}
	// Always lock the workspace first, so that transactions can't deadlock.
	if a.seq, err = c.NextSeqOf(ctx, a.workspace); err != nil {
		return a, err
	}
	return a, scanAgentRow(c.Row(ctx, `UPDATE agents SET version = version + 1, seq = $2, changed_seq = $2 WHERE id = $1 RETURNING `+agentRowColumns, id, a.seq), &a.agentRow)
}

// Assign implements store.Agents.
func (s *Store) Assign(ctx context.Context, act store.Act, agent, manager, builder string) error {
	return s.update(ctx, func(c *storeTx) error {
		a, err := c.lockAgent(ctx, agent)
		if err != nil {
			return err
		}
		for _, person := range []string{manager, builder} {
			if can, err := account.CanAnswer(ctx, c.Tx, a.workspace, person); err != nil || !can && person != "" {
				return cmp.Or(err, store.ErrCannotAnswer)
			}
		}
		if _, err := c.Exec(ctx, `UPDATE agents SET manager = $2, builder = $3 WHERE id = $1`, agent, manager, builder); err != nil {
			return err
		}
		if err := c.RosterChanged(ctx, a.workspace); err != nil {
			return err
		}
		return c.Audit(ctx, act, a.workspace, "agent.assign", agent+" manager "+manager+" builder "+builder)
	})
}

// Charters implements store.Agents.
func (s *Store) Charters(ctx context.Context, agent string) ([]store.Charter, error) {
	rows, err := s.Rows(ctx, `SELECT charter, received_at, pushed_by, seq FROM charters WHERE agent = $1 ORDER BY n DESC`, sqldb.CleanText(agent))
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, c *store.Charter) error {
		return r.Scan(&c.Charter, &c.Received, &c.PushedBy, &c.Seq)
	})
}

// Findings implements store.Agents.
func (s *Store) Findings(ctx context.Context, agent string) (report []byte, err error) {
	return report, s.Row(ctx, `SELECT findings FROM agents WHERE id = $1`, sqldb.CleanText(agent)).Scan(&report)
}

const refusalColumns = `kind, id, reason, at, pushed_by`

func scanRefusal(r sqldb.Scanner, x *store.Refusal) error {
	var kind, reason int
	err := r.Scan(&kind, &x.ID, &reason, &x.At, &x.PushedBy)
	x.File, x.ID, x.Reason = figs.File(kind), sqldb.DecodeID(x.ID), figs.Refusal(reason)
	return err
}

// Refusals implements store.Agents.
func (s *Store) Refusals(ctx context.Context, agent string) ([]store.Refusal, error) {
	return refusals(ctx, s, sqldb.CleanText(agent))
}

func refusals(ctx context.Context, q sqldb.Queries, agent string) ([]store.Refusal, error) {
	rows, err := q.Rows(ctx, `SELECT `+refusalColumns+` FROM refusals WHERE agent = $1 ORDER BY seq DESC, kind, id`, agent)
	return sqldb.Collect(rows, err, scanRefusal)
}
