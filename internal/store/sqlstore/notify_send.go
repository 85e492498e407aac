package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/account"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const sendingColumns = `o.id, o.place, o.person, o.workspace, o.event, o.name, o.agent, o.ask, o.round, o.at, o.next_at, o.state, o.tries, o.answer, o.ended_at, o.read_at`

func sendingInto(x *store.QueuedNotification) []any {
	return []any{&x.ID, &x.Destination, &x.Person, &x.Workspace, (*string)(&x.Event), &x.Name, &x.Agent, &x.Ask, &x.Round, &x.At, &x.Next, (*string)(&x.State), &x.Tries, &x.Answer, &x.Ended, &x.Read}
}

func scanSending(r sqldb.Scanner, x *store.QueuedNotification) error {
	err := r.Scan(sendingInto(x)...)
	x.Ask = sqldb.DecodeID(x.Ask)
	return err
}

// forEach ends a subquery that is to be asked for each row: of one without an OFFSET, PostgreSQL may make a hash of the whole table.
const forEach = ` LIMIT 1 OFFSET 0)`

// stillOpen is the condition that the ask of a sending o is in the round that it tells of, and open. The sum keeps the indexes of open asks
// out, which seem small where there are no statistics yet.
const stillOpen = `EXISTS (SELECT 1 FROM records r WHERE r.agent = o.agent AND r.kind = 1 AND r.id = o.ask AND r.lane + 0 = 0 AND r.round = o.round` + forEach

// over is the condition that what a sending tells of is over.
const over = `(o.event = 'claim' AND NOT EXISTS (SELECT 1 FROM records r WHERE r.agent = o.agent AND r.kind = 1 AND r.id = o.ask AND r.reported = 1 AND r.round = o.round` + forEach + `
	OR o.event IN ('ask', 'open', 'changes') AND NOT ` + stillOpen + `
	OR o.event = 'picked' AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.agent = o.agent AND 'picked ' || m.agent || ' ' || m.id = o.name AND m.ask = o.ask AND m.handed_at = 0 AND m.confirmed_at = 0` + forEach + `)`

// barredNews is the condition that a sending's person may not be told of it any more.
const barredNews = `(p.id IS NULL OR p.disabled_at <> 0 OR p.confirmed_at = 0 OR o.workspace <> '' AND (w.id IS NULL OR w.deleted_at <> 0
	OR NOT EXISTS (SELECT 1 FROM members m WHERE m.workspace = o.workspace AND m.person = o.person))
	OR o.agent <> '' AND (a.id IS NULL OR a.archived_at <> 0 OR a.workspace <> o.workspace))`

// ClaimNews implements store.Notifications.
func (s *Store) ClaimNotifications(ctx context.Context, lease string, at, until int64, n int) (all []store.DueNotification, err error) {
	err = s.change(ctx, func(c *change) error {
		all = nil
		// A row that another has leased since it was chosen is looked at once more, and left.
		taken, err := c.Exec(ctx, `UPDATE notify_outbox SET lease = $1, leased_to = $3 WHERE state = 'waiting' AND next_at <= $2 AND leased_to <= $2
			AND id IN (SELECT id FROM notify_outbox WHERE state = 'waiting' AND next_at <= $2 AND leased_to <= $2 ORDER BY next_at, id LIMIT $4)`, lease, at, until, n)
		if err != nil || taken == 0 {
			return err
		}
		// Words are read only where they may be told.
		rows, err := c.Rows(ctx, `SELECT `+sendingColumns+`, coalesce(p.id, ''), coalesce(p.kind, ''), coalesce(p.name, ''), coalesce(p.target, ''), coalesce(p.secret, ''), coalesce(p.digest, -1), coalesce(p.failing_since, 0),
			coalesce(w.slug, ''), coalesce(w.name, ''), coalesce(w.tell_words, 0), CASE WHEN w.tell_words = 1 THEN coalesce(a.name, '') ELSE '' END,
			CASE WHEN w.tell_words = 1 THEN coalesce((SELECT r.title FROM records r WHERE r.agent = o.agent AND r.kind = 1 AND r.id = o.ask), '') ELSE '' END,
			CASE WHEN `+barredNews+` OR o.replayed = 0 AND `+over+` THEN 1 ELSE 0 END
			FROM notify_outbox o LEFT JOIN notify_places p ON p.id = o.place LEFT JOIN workspaces w ON w.id = o.workspace LEFT JOIN agents a ON a.id = o.agent
			WHERE o.state = 'waiting' AND o.lease = $1 AND o.leased_to = $2 ORDER BY o.next_at, o.id`, lease, until)
		all, err = sqldb.Collect(rows, err, scanDue)
		return err
	})
	return all, err
}

func scanDue(r sqldb.Scanner, d *store.DueNotification) error {
	var words, gone int
	err := r.Scan(append(sendingInto(&d.QueuedNotification), &d.To.ID, (*string)(&d.To.Kind), &d.To.Name, &d.To.Target, &d.To.Secret, &d.To.Digest, &d.To.Failing,
		&d.Slug, &d.WorkspaceName, &words, &d.AgentName, &d.Title, &gone)...)
	d.Ask, d.To.Person, d.IncludeText, d.Over = sqldb.DecodeID(d.Ask), d.Person, words != 0, gone != 0
	return err
}

// EndNews implements store.Notifications.
func (s *Store) FinishNotification(ctx context.Context, lease string, x store.QueuedNotification) error {
	return s.change(ctx, func(c *change) error {
		if err := c.ExecOne(ctx, `UPDATE notify_outbox SET state = $3, tries = $4, next_at = $5, answer = $6, ended_at = $7, lease = '', leased_to = 0 WHERE id = $1 AND lease = $2 AND state = 'waiting'`,
			x.ID, lease, string(x.State), x.Tries, x.Next, sqldb.CleanText(sqldb.CutText(x.Answer, 500)), x.Ended); err != nil {
			return err
		}
		switch x.State {
		case store.SendDropped:
			return nil
		case store.SendSent:
			_, err := c.Exec(ctx, `UPDATE notify_places SET failing_since = 0 WHERE id = $1 AND failing_since <> 0`, x.Destination)
			return err
		}
		if _, err := c.Exec(ctx, `UPDATE notify_places SET failing_since = $2 WHERE id = $1 AND failing_since = 0`, x.Destination, x.Ended); err != nil || x.State != store.SendDead {
			return err
		}
		return c.tellFailing(ctx, &x)
	})
}

// tellFailing says in the page, once for each time that it began, that nothing arrives at a place.
func (c *change) tellFailing(ctx context.Context, x *store.QueuedNotification) error {
	workspace := x.Workspace
	if workspace == "" {
		return nil // a try: its page says what became of it
	}
	var since string
	if err := c.Row(ctx, `SELECT CAST(failing_since AS TEXT) FROM notify_places WHERE id = $1`, x.Destination).Scan(&since); err != nil {
		return nil // the place is gone
	}
	_, err := account.AddNews(ctx, c.Tx, &store.Notification{ID: store.NewID(), Destination: x.Person, Person: x.Person, Workspace: workspace, Event: store.EventDestinationFailing, Name: "failing " + x.Destination + " " + since, At: x.Ended})
	return err
}

// ReplayNews implements store.Notifications.
func (s *Store) ResendNotification(ctx context.Context, act store.Act, person, id string) error {
	return s.change(ctx, func(c *change) error {
		if err := c.ExecOne(ctx, `UPDATE notify_outbox SET state = 'waiting', tries = 0, next_at = $3, lease = '', leased_to = 0, ended_at = 0, replayed = 1
			WHERE id = $1 AND person = $2 AND state IN ('sent', 'dead', 'dropped') AND read_at = -1`, sqldb.CleanText(id), sqldb.CleanText(person), act.At); err != nil {
			return err
		}
		return c.Audit(ctx, act, "", "news.replay", sqldb.CleanText(id))
	})
}

// Sendings implements store.Notifications.
func (s *Store) SentNotifications(ctx context.Context, person string, since int64, n int) ([]store.QueuedNotification, error) {
	rows, err := s.Rows(ctx, `SELECT `+sendingColumns+` FROM notify_outbox o WHERE o.person = $1 AND o.at >= $2 AND o.read_at = -1 ORDER BY o.at DESC, o.id LIMIT $3`, sqldb.CleanText(person), since, sqldb.PageSize(n))
	return sqldb.Collect(rows, err, scanSending)
}

// NewsItem implements store.Notifications.
func (s *Store) Notification(ctx context.Context, person, id string) (x store.QueuedNotification, err error) {
	return x, scanSending(s.Row(ctx, `SELECT `+sendingColumns+` FROM notify_outbox o WHERE o.id = $1 AND o.person = $2`, sqldb.CleanText(id), sqldb.CleanText(person)), &x)
}

// PageNews implements store.Notifications.
func (s *Store) ListNotifications(ctx context.Context, person, workspace string, from, n int) (list []store.QueuedNotification, more bool, err error) {
	n = sqldb.PageSize(n)
	rows, err := s.Rows(ctx, `SELECT `+sendingColumns+`, CASE WHEN `+over+` THEN 1 ELSE 0 END FROM (SELECT * FROM notify_outbox WHERE person = $1 AND workspace = $2 AND place = person
		ORDER BY at DESC, id LIMIT $3 OFFSET $4) o ORDER BY o.at DESC, o.id`, sqldb.CleanText(person), sqldb.CleanText(workspace), n+1, max(0, from))
	list, err = sqldb.Collect(rows, err, func(r sqldb.Scanner, x *store.QueuedNotification) error {
		var gone int
		err := r.Scan(append(sendingInto(x), &gone)...)
		x.Ask, x.Over = sqldb.DecodeID(x.Ask), gone != 0
		return err
	})
	if len(list) > n {
		list, more = list[:n], true
	}
	return list, more, err
}

// UnreadNews implements store.Notifications.
func (s *Store) UnreadNotifications(ctx context.Context, person, workspace string) (n int, err error) {
	// Each page asks, and whether news are over takes looks at three tables.
	return n, s.Row(ctx, `SELECT count(*) FROM (SELECT * FROM notify_outbox WHERE person = $1 AND workspace = $2 AND read_at = 0 ORDER BY at DESC LIMIT $3) o WHERE NOT `+over,
		sqldb.CleanText(person), sqldb.CleanText(workspace), store.MaxUnreadCounted).Scan(&n)
}

// ReadNews implements store.Notifications.
func (s *Store) MarkNotificationsRead(ctx context.Context, person, workspace string, until, at int64) error {
	return s.change(ctx, func(c *change) error {
		_, err := c.Exec(ctx, `UPDATE notify_outbox SET read_at = $4 WHERE person = $1 AND workspace = $2 AND read_at = 0 AND at <= $3`, sqldb.CleanText(person), sqldb.CleanText(workspace), until, at)
		return err
	})
}

// SweepNews implements store.Notifications.
func (s *Store) SweepNotifications(ctx context.Context, before int64) error {
	return s.change(ctx, func(c *change) error {
		_, err := c.Exec(ctx, `DELETE FROM notify_outbox AS o WHERE o.at < $1 AND o.state <> 'waiting' AND NOT `+stillOpen, before)
		return err
	})
}
