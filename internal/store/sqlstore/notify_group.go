package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const (
	// isDue is the condition that notification o is due at $2 and not leased.
	isDue = `o.state = 'waiting' AND o.next_at <= $2 AND o.leased_to <= $2`
	// mayGroup is the condition that notification o may be sent with others; see also canGroup.
	mayGroup = `o.batch = '' AND o.replayed = 0 AND o.event IN ('ask', 'changes', 'open', 'claim', 'picked', 'settled') AND o.name NOT LIKE 'claim! %'`
	// isHeld is the condition that notification o waits, because its destination was just sent a message.
	isHeld = `(` + mayGroup + ` AND (EXISTS (SELECT 1 FROM chat_channels q WHERE q.id = o.place AND q.quiet_until > $2)
		OR EXISTS (SELECT 1 FROM notify_places q WHERE q.id = o.place AND q.quiet_until > $2 AND q.digest < 0)))`
)

// canGroup reports whether a notification is sent together with others: what is about an ask, except reports of
// approvals of steps that can't be undone. A daily email contains everything but tests.
func canGroup(d *store.DueNotification) bool {
	if d.Over || d.Resent || d.Event == store.EventTest {
		return false
	}
	switch {
	case d.To.Kind == store.DestinationEmail && d.To.Digest >= 0:
		return true
	case d.Person != "" && d.To.Kind != store.DestinationEmail && d.To.Kind != store.DestinationPush:
		return false
	}
	switch d.Event {
	case store.EventAsk, store.EventRaisedAgain, store.EventStillOpen, store.EventNotPickedUp, store.EventSettled:
		return true
	case store.EventReportedReply:
		return !d.IsIrreversible()
	}
	return false
}

// leaseDue leases due notifications, and with them what is sent as one message. Each of its statements checks a row that
// another process has leased since it was selected again, and skips it.
func (c *storeTx) leaseDue(ctx context.Context, lease string, at, until int64, n int) (taken bool, err error) {
	type leased struct{ place, batch string }
	rows, err := c.Rows(ctx, `UPDATE notify_outbox AS o SET lease = $1, leased_to = $3 WHERE `+isDue+`
		AND o.id IN (SELECT o.id FROM notify_outbox o WHERE `+isDue+` AND NOT `+isHeld+` ORDER BY o.next_at, o.id LIMIT $4) RETURNING place, batch`, lease, at, until, n)
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, l *leased) error { return r.Scan(&l.place, &l.batch) })
	done := map[leased]bool{}
	for _, l := range all {
		if err != nil || done[l] {
			continue
		}
		done[l] = true
		if l.batch != "" { // the whole batch, whatever its size
			_, err = c.Exec(ctx, `UPDATE notify_outbox AS o SET lease = $1, leased_to = $3 WHERE `+isDue+` AND o.place = $4 AND o.batch = $5`, lease, at, until, l.place, l.batch)
			continue
		}
		_, err = c.Exec(ctx, `UPDATE notify_outbox AS o SET lease = $1, leased_to = $3 WHERE `+isDue+` AND o.id IN (SELECT o.id FROM notify_outbox o WHERE `+isDue+` AND o.place = $4 AND o.batch = ''
			AND (EXISTS (SELECT 1 FROM notify_places p WHERE p.id = o.place AND p.kind IN ('email', 'push')) OR EXISTS (SELECT 1 FROM chat_channels h WHERE h.id = o.place))
			AND NOT `+isHeld+` ORDER BY o.next_at, o.id LIMIT $5)`, lease, at, until, l.place, store.MaxGroup)
	}
	return len(all) > 0, err
}

// batchDue gives leased notifications that are sent together for the first time a batch, and lets their destinations rest.
func (c *storeTx) batchDue(ctx context.Context, all []store.DueNotification, at int64) error {
	type group struct{ place, workspace string }
	groups, order := map[group][]*store.DueNotification{}, []group(nil)
	for i := range all {
		if d := &all[i]; d.Batch == "" && canGroup(d) {
			k := group{d.Destination, d.Workspace}
			if d.To.Digest >= 0 && d.Person != "" {
				k.workspace = ""
			}
			if groups[k] == nil {
				order = append(order, k)
			}
			groups[k] = append(groups[k], d)
		}
	}
	for _, k := range order {
		members := groups[k]
		batch := members[0].ID
		if len(members) > 1 {
			batch = store.NewID()
		}
		for _, d := range members {
			d.Batch = batch
			if err := c.Later(ctx, `UPDATE notify_outbox SET batch = $2 WHERE id = $1`, d.ID, batch); err != nil {
				return err
			}
		}
		quiet := `UPDATE notify_places SET quiet_until = $2 WHERE id = $1 AND digest < 0`
		if members[0].Person == "" {
			quiet = `UPDATE chat_channels SET quiet_until = $2 WHERE id = $1`
		}
		if err := c.Later(ctx, quiet, k.place, at+store.GroupWindow); err != nil {
			return err
		}
	}
	return nil
}
