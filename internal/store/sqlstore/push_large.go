package sqlstore

import (
	"context"
	"errors"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// largePush is from how many records and replies that are new or changed on a push is stored in parts. What is read
// to compare the parts of an agent that is there is read by id, as long as they are no larger than many.
const largePush, largePart = 1000, many

// errUnchanged says that a push turned out to change nothing.
var errUnchanged = errors.New("sqlstore: nothing changes")

// pushLarge stores a push with many changes. It compares and writes one part after the other, so that what is worked
// out of a part is gone when the next one comes; all of them are one transaction. It takes the workspace's number
// first: until it ends nobody else changes the agent, so that what was compared stays true.
func (s *Store) pushLarge(ctx context.Context, push store.Push, report *figs.Report) (done store.Pushed, err error) {
	err = s.change(ctx, func(c *change) error {
		seq, err := c.bump(ctx, push.Workspace)
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

// applyParts compares and writes all parts of a push whose plan has begun. Its workspace's number must be taken. It
// returns errUnchanged, and what was refused, when there is nothing to write.
func (c *change) applyParts(ctx context.Context, p *plan, seq int64) (done store.Pushed, err error) {
	done = store.Pushed{Registered: !p.agent.known, Changed: true, Seq: seq}
	k, err := p.knownOf(ctx, c)
	if err != nil {
		return done, err
	}
	if p.agent.known {
		k.rows = nil // each part reads its own
	}
	// All numbers at once: each time they are taken, SQLite writes out what its search index has gathered.
	if err := c.take(ctx, k.fresh(p.push.Body)); err != nil {
		return done, err
	}
	digest := p.push.Digest
	p.push.Digest = "" // nobody knows yet whether something is refused
	if err := c.takeAgent(ctx, p); err != nil {
		return done, err
	}
	if err := c.applyAgent(ctx, p, seq); err != nil {
		return done, err
	}
	body := *p.push.Body
	// Replies first: asks are then derived with them.
	for list := range slices.Chunk(body.Messages, c.s.part) {
		if err := c.applyPart(ctx, p, k, figs.Push{Messages: list}, seq, &done); err != nil {
			return done, err
		}
	}
	for list := range slices.Chunk(body.Records, c.s.part) {
		if err := c.applyPart(ctx, p, k, figs.Push{Records: list}, seq, &done); err != nil {
			return done, err
		}
	}
	if err := p.planRefusals(ctx, c); err != nil {
		return done, err
	}
	done.Refused = p.refused
	if !p.changes() && done.Runs+done.Asks+done.Messages+done.Confirmed == 0 {
		return done, errUnchanged
	}
	if len(p.refused) == 0 {
		if err := c.later(ctx, `UPDATE agents SET digest = $2 WHERE id = $1`, p.agent.id, digest); err != nil {
			return done, err
		}
	}
	if err := c.applyRefusals(ctx, p, seq); err != nil {
		return done, err
	}
	if err := c.applyReport(ctx, p, seq); err != nil {
		return done, err
	}
	return done, c.count(ctx, p.agent.workspace, p.agent.id, seq, done.Messages)
}

// applyPart compares and writes some records or replies, which are all of body that matters, and adds what becomes of
// them to done.
func (c *change) applyPart(ctx context.Context, whole *plan, k *known, body figs.Push, seq int64, done *store.Pushed) error {
	p := &plan{push: whole.push, agent: whole.agent, tally: tally{}, erased: whole.erased, came: whole.came}
	p.push.Body = &body
	if err := p.compare(ctx, c, k); err != nil {
		return err
	}
	whole.refused = append(whole.refused, p.refused...)
	p.tell(done)
	for column, by := range p.tally {
		c.moved[column] += by
	}
	if err := c.applyRecords(ctx, p, seq); err != nil {
		return err
	}
	if err := c.applyMessages(ctx, p, seq); err != nil {
		return err
	}
	// The next part stands behind this one.
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
