package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/account"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const queuedColumns = `o.id, o.place, o.person, o.workspace, o.event, o.name, o.agent, o.ask, o.round, o.at, o.next_at, o.state, o.tries, o.answer, o.ended_at, o.read_at`

func queuedFields(x *store.QueuedNotification) []any {
	return []any{&x.ID, &x.Destination, &x.Person, &x.Workspace, (*string)(&x.Event), &x.Name, &x.Agent, &x.Ask, &x.Round, &x.At, &x.Next, (*string)(&x.State), &x.Tries, &x.Answer, &x.Ended, &x.Read}
}

func scanQueued(r sqldb.Scanner, x *store.QueuedNotification) error {
	err := r.Scan(queuedFields(x)...)
	x.Ask = sqldb.DecodeID(x.Ask)
	return err
}

// perRow ends a subquery that must run for each row. Without OFFSET, PostgreSQL may hash the whole table.
const perRow = ` LIMIT 1 OFFSET 0)`

// stillOpen is the condition that the ask of notification o is open and in the same round. The addition disables the
// indexes of open asks, which look small when there are no statistics.
const stillOpen = `EXISTS (SELECT 1 FROM records r WHERE r.agent = o.agent AND r.kind = 1 AND r.id = o.ask AND r.lane + 0 = 0 AND r.round = o.round` + perRow

// isOver is the condition that the matter of notification o is settled.
const isOver = `(o.event = 'claim' AND NOT EXISTS (SELECT 1 FROM records r WHERE r.agent = o.agent AND r.kind = 1 AND r.id = o.ask AND r.reported = 1 AND r.round = o.round` + perRow + `
	OR o.event IN ('ask', 'open', 'changes') AND NOT ` + stillOpen + `
	OR o.event = 'settled' AND (` + stillOpen + ` OR NOT EXISTS (SELECT 1 FROM notify_outbox s WHERE s.place = o.place AND s.name IN ('ask ' || substr(o.name, 9), 'open ' || substr(o.name, 9)) AND s.state = 'sent'` + perRow + `)
	OR o.event = 'handed' AND o.ask <> '' AND NOT EXISTS (SELECT 1 FROM ask_notes n JOIN records r ON r.agent = n.agent AND r.kind = 1 AND r.id = n.ask AND r.lane + 0 = 0 WHERE n.agent = o.agent AND n.ask = o.ask AND n.holds = 1 AND 'handed ' || CAST(n.no AS TEXT) = o.name` + perRow + `
	OR o.event = 'nudge' AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.agent = o.agent AND m.ask = o.ask AND m.verified = 1 AND m.confirmed_at = 0` + perRow + `
	OR o.event = 'picked' AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.agent = o.agent AND 'picked ' || m.agent || ' ' || m.id = o.name AND m.ask = o.ask AND m.handed_at = 0 AND m.confirmed_at = 0` + perRow + `)`

// isUndeliverable is the condition that the person, or the channel, may not be notified any more.
const isUndeliverable = `(o.person <> '' AND (p.id IS NULL OR p.disabled_at <> 0 OR p.confirmed_at = 0) OR o.person = '' AND (h.id IS NULL OR h.workspace <> o.workspace)
	OR o.workspace <> '' AND (w.id IS NULL OR w.deleted_at <> 0 OR o.person <> '' AND NOT EXISTS (SELECT 1 FROM members m WHERE m.workspace = o.workspace AND m.person = o.person))
	OR o.agent <> '' AND (a.id IS NULL OR a.archived_at <> 0 OR a.workspace <> o.workspace))`

// mayTell is the condition that text may be sent to the destination; see store.TextLevel.
const mayTell = `w.tell_level >= CASE WHEN p.kind IN ('email', 'push') THEN 1 ELSE 2 END`

// tellAsk is a value of the ask of notification o if it may be sent, and otherwise the other value.
func tellAsk(value, otherwise string) string {
	return `CASE WHEN ` + mayTell + ` THEN coalesce((SELECT ` + value + ` FROM records r WHERE r.agent = o.agent AND r.kind = 1 AND r.id = o.ask), ` + otherwise + `) ELSE ` + otherwise + ` END`
}

// ClaimNotifications implements store.Notifications.
func (s *Store) ClaimNotifications(ctx context.Context, lease string, at, until int64, n int) (all []store.DueNotification, err error) {
	err = s.update(ctx, func(c *storeTx) error {
		all = nil
		if taken, err := c.leaseDue(ctx, lease, at, until, n); err != nil || !taken {
			return err
		}
		// Text of records is only read if the workspace allows it.
		rows, err := c.Rows(ctx, `SELECT `+queuedColumns+`, coalesce(p.id, ''), coalesce(p.kind, ''), coalesce(p.name, ''), coalesce(p.target, ''), coalesce(p.secret, ''), coalesce(p.digest, -1), coalesce(p.failing_since, 0), o.batch, o.replayed,
			coalesce(w.slug, ''), coalesce(w.name, ''), CASE WHEN `+mayTell+` THEN 1 ELSE 0 END, CASE WHEN `+mayTell+` THEN coalesce(a.name, '') ELSE '' END,
			`+tellAsk(`r.title`, `''`)+`, `+tellAsk(kindText, `''`)+`,
			CASE WHEN `+mayTell+` AND o.event IN ('handed', 'mention') THEN coalesce((SELECT n.note FROM ask_notes n WHERE n.agent = o.agent AND n.ask = o.ask AND o.event || ' ' || CAST(n.no AS TEXT) = o.name), '') ELSE '' END,
			coalesce((SELECT u.language FROM users u WHERE u.id = coalesce(h.created_by, o.person)), ''),
			CASE WHEN `+isUndeliverable+` OR o.replayed = 0 AND `+isOver+` THEN 1 ELSE 0 END
			FROM notify_outbox o LEFT JOIN notify_places p ON p.id = o.place LEFT JOIN chat_channels h ON h.id = o.place AND o.person = '' LEFT JOIN workspaces w ON w.id = o.workspace LEFT JOIN agents a ON a.id = o.agent
			WHERE o.state = 'waiting' AND o.lease = $1 AND o.leased_to = $2
			ORDER BY o.next_at, (SELECT r.no FROM records r WHERE r.agent = o.agent AND r.kind = 1 AND r.id = o.ask), o.id`, lease, until)
		if all, err = sqldb.Collect(rows, err, scanDue); err != nil {
			return err
		}
		if err := c.readChats(ctx, all); err != nil {
			return err
		}
		if err := c.batchDue(ctx, all, at); err != nil {
			return err
		}
		return c.readSteps(ctx, all)
	})
	return all, err
}

func scanDue(r sqldb.Scanner, d *store.DueNotification) error {
	var words, gone, again int
	err := r.Scan(append(queuedFields(&d.QueuedNotification), &d.To.ID, (*string)(&d.To.Kind), &d.To.Name, &d.To.Target, &d.To.Secret, &d.To.Digest, &d.To.Failing, &d.Batch, &again,
		&d.Slug, &d.WorkspaceName, &words, &d.AgentName, &d.Title, &d.AskType, &d.Note, &d.Language, &gone)...)
	d.Ask, d.To.Person, d.IncludeText, d.Over, d.Resent = sqldb.DecodeID(d.Ask), d.Person, words != 0, gone != 0, again != 0
	return err
}

// FinishNotification implements store.Notifications.
func (s *Store) FinishNotification(ctx context.Context, lease string, all ...store.QueuedNotification) error {
	return s.update(ctx, func(c *storeTx) error {
		held := false
		for i := range all {
			x := &all[i]
			n, err := c.Exec(ctx, `UPDATE notify_outbox SET state = $3, tries = $4, next_at = $5, answer = $6, ended_at = $7, lease = '', leased_to = 0,
				batch = CASE WHEN CAST($4 AS BIGINT) = 0 AND CAST($3 AS TEXT) = 'waiting' THEN '' ELSE batch END WHERE id = $1 AND lease = $2 AND state = 'waiting'`,
				x.ID, lease, string(x.State), x.Tries, x.Next, sqldb.CleanText(sqldb.CutText(x.Answer, 500)), x.Ended)
			if err != nil {
				return err
			}
			if n > 0 {
				if err := c.noteResult(ctx, x); err != nil {
					return err
				}
				held = true
			}
		}
		if !held {
			return store.ErrNotFound
		}
		return nil
	})
}

// noteResult notes at the destination of a notification whether sending works.
func (c *storeTx) noteResult(ctx context.Context, x *store.QueuedNotification) error {
	switch {
	case x.State == store.SendDropped:
		return nil
	case x.State == store.SendSent && x.Person == "":
		_, err := c.Exec(ctx, `UPDATE chat_channels SET failing_since = 0 WHERE id = $1 AND failing_since <> 0`, x.Destination)
		return err
	case x.State == store.SendSent:
		_, err := c.Exec(ctx, `UPDATE notify_places SET failing_since = 0 WHERE id = $1 AND failing_since <> 0`, x.Destination)
		return err
	case x.Person == "":
		return c.chatFailing(ctx, x)
	}
	if _, err := c.Exec(ctx, `UPDATE notify_places SET failing_since = $2 WHERE id = $1 AND failing_since = 0`, x.Destination, x.Ended); err != nil || x.State != store.SendDead {
		return err
	}
	return c.notifyFailing(ctx, x)
}

// notifyFailing notifies the person on the page, once per failure period, that a destination is failing.
func (c *storeTx) notifyFailing(ctx context.Context, x *store.QueuedNotification) error {
	workspace := x.Workspace
	if workspace == "" {
		return nil // a test: its page shows the result
	}
	var since string
	if err := c.Row(ctx, `SELECT CAST(failing_since AS TEXT) FROM notify_places WHERE id = $1`, x.Destination).Scan(&since); err != nil {
		return nil // the destination was removed
	}
	_, err := account.AddNotification(ctx, c.Tx, &store.Notification{ID: store.NewID(), Destination: x.Person, Person: x.Person, Workspace: workspace, Event: store.EventDestinationFailing, Name: "failing " + x.Destination + " " + since, At: x.Ended})
	return err
}

// ResendNotification implements store.Notifications.
func (s *Store) ResendNotification(ctx context.Context, act store.Act, person, id string) error {
	return s.update(ctx, func(c *storeTx) error {
		if err := c.ExecOne(ctx, `UPDATE notify_outbox SET state = 'waiting', tries = 0, next_at = $3, lease = '', leased_to = 0, ended_at = 0, replayed = 1, batch = ''
			WHERE id = $1 AND person = $2 AND state IN ('sent', 'dead', 'dropped') AND read_at = -1`, sqldb.CleanText(id), sqldb.CleanText(person), act.At); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "news.replay", sqldb.CleanText(id))
	})
}

// SentNotifications implements store.Notifications.
func (s *Store) SentNotifications(ctx context.Context, person string, since int64, n int) ([]store.QueuedNotification, error) {
	rows, err := s.Rows(ctx, `SELECT `+queuedColumns+` FROM notify_outbox o WHERE o.person = $1 AND o.at >= $2 AND o.read_at = -1 ORDER BY o.at DESC, o.id LIMIT $3`, sqldb.CleanText(person), since, sqldb.PageSize(n))
	return sqldb.Collect(rows, err, scanQueued)
}

// Notification implements store.Notifications.
func (s *Store) Notification(ctx context.Context, person, id string) (x store.QueuedNotification, err error) {
	return x, scanQueued(s.Row(ctx, `SELECT `+queuedColumns+` FROM notify_outbox o WHERE o.id = $1 AND o.person = $2`, sqldb.CleanText(id), sqldb.CleanText(person)), &x)
}

// UnreadNotifications implements store.Notifications.
func (s *Store) UnreadNotifications(ctx context.Context, person, workspace string) (n int, err error) {
	// Every page runs this, and the check for Over reads three tables. SQLite would prepare the query each time if the person
	// were a parameter alone, which may satisfy the condition of the index notify_outbox_chat.
	return n, s.Row(ctx, `SELECT count(*) FROM (SELECT * FROM notify_outbox WHERE person = $1 || '' AND workspace = $2 AND read_at = 0 ORDER BY at DESC LIMIT $3) o WHERE NOT `+isOver,
		sqldb.CleanText(person), sqldb.CleanText(workspace), store.MaxUnreadCounted).Scan(&n)
}

// MarkNotificationsRead implements store.Notifications.
func (s *Store) MarkNotificationsRead(ctx context.Context, person, workspace string, until, at int64) error {
	return s.update(ctx, func(c *storeTx) error {
		_, err := c.Exec(ctx, `UPDATE notify_outbox SET read_at = $4 WHERE person = $1 AND workspace = $2 AND read_at = 0 AND at <= $3`, sqldb.CleanText(person), sqldb.CleanText(workspace), until, at)
		return err
	})
}

// SweepNotifications implements store.Notifications.
func (s *Store) SweepNotifications(ctx context.Context, before int64) error {
	return s.update(ctx, func(c *storeTx) error {
		_, err := c.Exec(ctx, `DELETE FROM notify_outbox AS o WHERE o.at < $1 AND o.state <> 'waiting' AND NOT `+stillOpen, before)
		return err
	})
}
