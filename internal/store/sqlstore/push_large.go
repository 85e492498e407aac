package sqlstore

import (
	"context"
	"errors"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// largePush is the number of changed records and replies from which a push is stored in parts of largePart each. A part is
// at most manyRecords, so that what it is compared with can be read by id.
const largePush, largePart = 1000, manyRecords

// errUnchanged rolls back a push that changes nothing.
var errUnchanged = errors.New("sqlstore: nothing to change")

// pushLarge stores a push with many changes. It compares and writes part after part in one transaction, so that only one
// part is in memory. It first increments the workspace's Seq, which locks the workspace, so that nothing it has compared
// can change before the commit.
func (s *Store) pushLarge(ctx context.Context, push store.Push, report *figs.Report) (done store.PushResult, err error) {
	err = s.update(ctx, func(c *storeTx) error {
		seq, err := c.NextSeqOf(ctx, push.Workspace)
		if err != nil {
			return err
		}
		p, err := s.planAgent(ctx, c, push)
		if err != nil {
			return err
		}
		p.report = report
		done, err = c.applyParts(ctx, p, seq)
		return err
	})
	if errors.Is(err, errUnchanged) {
		done.Changed = false
		done.Seq, err = s.Seq(ctx, push.Workspace)
	}
	return done, err
}

// applyParts compares and writes all parts of a push. The caller has incremented the workspace's Seq. If there is nothing
// to write, it returns errUnchanged, and the refusals in done.
func (c *storeTx) applyParts(ctx context.Context, p *plan, seq int64) (done store.PushResult, err error) {
	done = store.PushResult{Registered: !p.agent.isRegistered, Changed: true, Seq: seq}
	k, err := p.findStored(ctx, c)
	if err != nil {
		return done, err
	}
	if p.agent.isRegistered {
		k.rows = nil // each part reads its own
	}
	// Takes all row numbers at once, because SQLite flushes its search index each time.
	if err := c.ReserveNumbers(ctx, k.countNew(p.push.Body)); err != nil {
		return done, err
	}
	if err := c.s.PrepareIndex(ctx, c.Tx); err != nil {
		return done, err
	}
	digest := p.push.Digest
	p.push.Digest = "" // set below, unless something is refused
	if err := c.takeAgent(ctx, p); err != nil {
		return done, err
	}
	if err := c.applyAgent(ctx, p, seq); err != nil {
		return done, err
	}
	stop := c.InsertInBackground()
	defer func() {
		if e := stop(); e != nil {
			err = e
		}
	}()
	body := *p.push.Body
	// Replies first, so that asks are derived with them.
	for list := range slices.Chunk(body.Messages, c.s.partSize) {
		if err := c.applyPart(ctx, p, k, figs.Push{Messages: list}, seq, &done); err != nil {
			return done, err
		}
	}
	for list := range slices.Chunk(body.Records, c.s.partSize) {
		if err := c.applyPart(ctx, p, k, figs.Push{Records: list}, seq, &done); err != nil {
			return done, err
		}
	}
	if err := p.planRefusals(ctx, c); err != nil {
		return done, err
	}
	done.Refused = p.refused
	if !p.hasChanges() && done.Runs+done.Asks+done.Messages+done.Confirmed == 0 {
		return done, errUnchanged
	}
	if len(p.refused) == 0 {
		if err := c.Later(ctx, `UPDATE agents SET digest = $2 WHERE id = $1`, p.agent.id, digest); err != nil {
			return done, err
		}
	}
	if err := c.applyRefusals(ctx, p, seq); err != nil {
		return done, err
	}
	if err := c.applyReport(ctx, p, seq); err != nil {
		return done, err
	}
	return done, c.updateCounts(ctx, p.agent.workspace, p.agent.id, seq, done.Messages)
}

// applyPart compares and writes the records or replies of body, and adds what it did to done.
func (c *storeTx) applyPart(ctx context.Context, whole *plan, k *storedPart, body figs.Push, seq int64, done *store.PushResult) error {
	p := &plan{push: whole.push, agent: whole.agent, deltas: countDeltas{}, erased: whole.erased, incomingReplies: whole.incomingReplies}
	p.push.Body = &body
	if err := p.compare(ctx, c, k, k.changedRecords(&body, len(body.Records))); err != nil {
		return err
	}
	whole.refused = append(whole.refused, p.refused...)
	p.addTo(done)
	for column, by := range p.deltas {
		c.deltas[column] += by
	}
	if err := c.applyRecords(ctx, p, seq); err != nil {
		return err
	}
	if err := c.applyMessages(ctx, p, seq); err != nil {
		return err
	}
	// The records of the next part are numbered after these.
	for i := range p.records {
		if r := &p.records[i]; r.row == nil && r.File == figs.Runs {
			whole.agent.jobs++
		} else if r.row == nil {
			whole.agent.asks++
		}
	}
	whole.agent.messages += len(p.messages)
	return c.applyRefusals(ctx, p, seq)
}
