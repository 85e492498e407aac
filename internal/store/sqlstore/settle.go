package sqlstore

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// errNotPending means that another transaction has settled or undone the decision.
var errNotPending = errors.New("sqlstore: the decision is no longer pending")

// Undo implements store.Decisions.
func (s *Store) Undo(ctx context.Context, act store.Act, agent, id string) (decision store.Decision, err error) {
	err = s.update(ctx, func(c *storeTx) error {
		a, err := c.lockAgent(ctx, agent)
		if err != nil {
			return err
		}
		decision, err = decisionByID(ctx, c, agent, id)
		switch {
		case err != nil:
			return err
		case decision.By != act.By:
			decision = store.Decision{}
			return store.ErrForbidden
		case decision.State == store.DecisionUndone:
			return errNotPending
		case decision.State == store.DecisionEffective || act.At >= decision.Effective: // even if it isn't settled yet
			return &store.TooLateError{Effective: decision.Effective}
		}
		decision.State, decision.Ended, decision.Seq = store.DecisionUndone, act.At, a.seq
		if _, err := c.Exec(ctx, `UPDATE decisions SET fate = $3, ended_at = $4, seq = $5 WHERE agent = $1 AND id = $2`,
			a.id, sqldb.EncodeID(id), int(decision.State), decision.Ended, decision.Seq); err != nil {
			return err
		}
		return c.Audit(ctx, act, a.workspace, "decision.undo", a.id+" "+sqldb.EncodeID(decision.Ask)+" "+id)
	})
	if errors.Is(err, errNotPending) {
		err = nil
	}
	return decision, err
}

// Settle implements store.Decisions. It changes nothing in deleted workspaces.
func (s *Store) Settle(ctx context.Context, now int64) (done store.SettleResult, err error) {
	const of = ` FROM decisions d JOIN workspaces w ON w.id = d.workspace WHERE d.fate = 0 AND w.deleted_at = 0 AND d.effective_at `
	rows, err := s.Rows(ctx, `SELECT d.no`+of+`<= $1 ORDER BY d.effective_at, d.no`, now)
	due, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, no *int64) error { return r.Scan(no) })
	if err != nil {
		return done, err
	}
	done.Workspaces = map[string]int64{}
	var failed error
	for _, no := range due {
		var a lockedAgent
		err := s.update(ctx, func(c *storeTx) (err error) {
			a, err = c.settle(ctx, no, now)
			return err
		})
		switch {
		case err == nil:
			done.N++
			done.Workspaces[a.workspace] = a.seq
		case !errors.Is(err, errNotPending):
			failed = errors.Join(failed, err)
		}
	}
	return done, errors.Join(failed, s.Row(ctx, `SELECT coalesce(min(d.effective_at), 0)`+of+`> $1`, now).Scan(&done.Next))
}

// settle makes a reply of a decision. It counts as received when it was made, because the person hasn't seen what arrived
// since, and an approval doesn't cover that.
func (c *storeTx) settle(ctx context.Context, no, now int64) (a lockedAgent, err error) {
	var m store.Decision
	if err := scanDecision(c.Row(ctx, `SELECT `+decisionColumns+` FROM decisions d WHERE d.no = $1`, no), &m); err != nil {
		return a, err
	}
	if a, err = c.lockAgent(ctx, m.Agent); err != nil {
		return a, err
	}
	n, err := c.Exec(ctx, `UPDATE decisions SET fate = $2, ended_at = $3, seq = $4 WHERE no = $1 AND fate = 0`, no, int(store.DecisionEffective), now, a.seq)
	if err == nil && n == 0 {
		err = errNotPending
	}
	if err != nil {
		return a, err
	}
	return a, c.insertReply(ctx, store.Act{By: m.By, At: now}, m.At, &a, newReply(m.At, m.Line))
}

// pendingIDs returns the ids that an agent's pending decisions will have as replies, so that no push can use them.
func pendingIDs(ctx context.Context, q sqldb.Queries, a *agentRow) (map[string]bool, error) {
	return idSet(ctx, q, `SELECT id FROM decisions WHERE fate = 0 AND workspace = $2 AND agent = $1`, a.id, a.workspace)
}

// unconfirmedIDs returns the ids of an agent's verified replies that no push has brought back.
func unconfirmedIDs(ctx context.Context, q sqldb.Queries, a *agentRow) (map[string]bool, error) {
	return idSet(ctx, q, `SELECT id FROM messages WHERE agent = $1 AND verified = 1 AND confirmed_at = 0`, a.id)
}

func idSet(ctx context.Context, q sqldb.Queries, query string, args ...any) (map[string]bool, error) {
	rows, err := q.Rows(ctx, query, args...)
	keys, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, id *string) error { return r.Scan(id) })
	set := make(map[string]bool, len(keys))
	for _, k := range keys {
		set[sqldb.DecodeID(k)] = true
	}
	return set, err
}

// MarkPickedUp implements store.Decisions.
func (s *Store) MarkPickedUp(ctx context.Context, agent string, tag, at int64) (seq int64, err error) {
	agent = sqldb.CleanText(agent)
	const of = ` FROM messages WHERE agent = $1 AND verified = 1 AND handed_at = 0 AND seq <= $2`
	var some bool
	if err := s.Row(ctx, `SELECT EXISTS (SELECT 1`+of+`)`, agent, tag).Scan(&some); err != nil || !some {
		return 0, err
	}
	err = s.update(ctx, func(c *storeTx) (err error) {
		var workspace string
		if err := c.Row(ctx, `SELECT workspace FROM agents WHERE id = $1`, agent).Scan(&workspace); err != nil {
			return err
		}
		if seq, err = c.NextSeqOf(ctx, workspace, agent); err != nil {
			return err
		}
		n, err := c.Exec(ctx, `UPDATE messages SET handed_at = $3 WHERE agent = $1 AND verified = 1 AND handed_at = 0 AND seq <= $2`, agent, tag, at)
		if err == nil && n == 0 {
			err = errNotPending
		}
		return err
	})
	if err != nil {
		seq = 0
	}
	if errors.Is(err, errNotPending) {
		err = nil
	}
	return seq, err
}

// Delivery implements store.Decisions.
func (s *Store) Delivery(ctx context.Context, agent, id string) (d store.Delivery, err error) {
	m, err := s.Message(ctx, agent, id)
	if errors.Is(err, store.ErrNotFound) {
		decision, err := s.Decision(ctx, agent, id)
		if err == nil && decision.State == store.DecisionUndone {
			err = store.ErrNotFound
		}
		return store.Delivery{Recorded: decision.At}, err
	}
	if err != nil {
		return d, err
	}
	d = store.Delivery{Recorded: m.Received, PickedUp: m.PickedUp, Confirmed: m.Confirmed}
	rows, err := recordRows(ctx, s, sqldb.CleanText(agent), []recordKey{{sqldb.KindAsk, m.Ask}})
	if ask := rows[recordKey{sqldb.KindAsk, m.Ask}]; ask != nil {
		d.Closed, d.Run = closeOf(m.ID, ask.fold, ask.closed)
	}
	return d, err
}

// closeOf returns when an ask was closed citing the reply, and the job that the close names; 0 if it wasn't.
func closeOf(reply string, fold []byte, closed int64) (at int64, run string) {
	if closed == 0 {
		return 0, ""
	}
	r := figs.ReadAsk(figs.Fold([][]byte{fold})).Resolution
	if r == nil || r.Answer != reply {
		return 0, ""
	}
	return closed, r.Run
}
