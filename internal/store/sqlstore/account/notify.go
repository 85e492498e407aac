package account

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// setting selects the settings of member m for event $2.
const setting = ` FROM notify_wishes w WHERE w.person = m.person AND w.workspace = m.workspace AND w.event = $2`

// NotifyMembers notifies every member with at least that role, at every destination that wants the event. It is sent at
// once, even to people with a daily email.
func NotifyMembers(ctx context.Context, c *sqldb.Tx, least store.Role, n store.Notification) error {
	wanted := `EXISTS (SELECT 1` + setting + ` AND w.place = p.id AND w.wanted = 1)`
	if n.Event.OnByDefault() {
		wanted = `NOT EXISTS (SELECT 1` + setting + ` AND w.place = p.id AND w.wanted = 0)`
	}
	rows, err := c.Rows(ctx, `SELECT m.person, m.role, m.person FROM members m WHERE m.workspace = $1 AND NOT EXISTS (SELECT 1`+setting+` AND w.place = m.person AND w.wanted = 0)
		UNION ALL SELECT m.person, m.role, p.id FROM members m JOIN notify_places p ON p.person = m.person AND p.confirmed_at <> 0 AND p.disabled_at = 0
			WHERE m.workspace = $1 AND `+wanted+`
		ORDER BY 1, 3`, n.Workspace, string(n.Event))
	type destination struct {
		person, id string
		role       store.Role
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, p *destination) error { return r.Scan(&p.person, (*string)(&p.role), &p.id) })
	if err != nil {
		return err
	}
	for _, p := range all {
		if !p.role.AtLeast(least) {
			continue
		}
		n.ID, n.Person, n.Destination, n.Next = store.NewID(), p.person, p.id, n.At
		if _, err := AddNotification(ctx, c, &n); err != nil {
			return err
		}
	}
	return nil
}

// NotifyPerson notifies a member at every destination that wants the event, at once. It returns how many there were.
func NotifyPerson(ctx context.Context, c *sqldb.Tx, person string, n store.Notification) (places int, err error) {
	wanted := `EXISTS (SELECT 1` + setting + ` AND w.place = p.id AND w.wanted = 1)`
	if n.Event.OnByDefault() {
		wanted = `NOT EXISTS (SELECT 1` + setting + ` AND w.place = p.id AND w.wanted = 0)`
	}
	rows, err := c.Rows(ctx, `SELECT m.person FROM members m WHERE m.workspace = $1 AND m.person = $3 AND NOT EXISTS (SELECT 1`+setting+` AND w.place = m.person AND w.wanted = 0)
		UNION ALL SELECT p.id FROM members m JOIN notify_places p ON p.person = m.person AND p.confirmed_at <> 0 AND p.disabled_at = 0
			WHERE m.workspace = $1 AND m.person = $3 AND `+wanted+` ORDER BY 1`, n.Workspace, string(n.Event), sqldb.CleanText(person))
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, id *string) error { return r.Scan(id) })
	for _, id := range all {
		n.ID, n.Person, n.Destination, n.Next = store.NewID(), person, id, n.At
		if _, err := AddNotification(ctx, c, &n); err != nil {
			return 0, err
		}
	}
	return len(all), err
}

// AddNotification queues a notification unless its destination has one with that name. It returns how many were added.
// Notifications on the page count as sent.
func AddNotification(ctx context.Context, c *sqldb.Tx, n *store.Notification) (int64, error) {
	state, read, ended := store.SendWaiting, int64(-1), int64(0)
	if n.Destination == n.Person {
		state, read, ended = store.SendSent, 0, n.At
	}
	return c.Exec(ctx, `INSERT INTO notify_outbox (id, place, person, workspace, event, name, agent, ask, round, at, state, tries, next_at, lease, leased_to, answer, ended_at, replayed, read_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12, '', 0, '', $13, 0, $14) ON CONFLICT (place, name) DO NOTHING`,
		n.ID, sqldb.CleanText(n.Destination), sqldb.CleanText(n.Person), sqldb.CleanText(n.Workspace), string(n.Event), sqldb.CleanText(n.Name), sqldb.CleanText(n.Agent), sqldb.EncodeID(n.Ask), n.Round, n.At, string(state), n.Next, ended, read)
}
