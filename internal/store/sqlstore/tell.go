package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
)

// tellAtLeast tells everybody with a role or a higher one, at every place where they want to hear of the event. It is sent
// at once, also to those who get one letter a day.
func (c *change) tellAtLeast(ctx context.Context, least store.Role, n store.News) error {
	const wish = ` FROM notify_wishes w WHERE w.person = m.person AND w.workspace = m.workspace AND w.event = $2`
	wanted := `EXISTS (SELECT 1` + wish + ` AND w.place = p.id AND w.wanted = 1)`
	if n.Event.Always() {
		wanted = `NOT EXISTS (SELECT 1` + wish + ` AND w.place = p.id AND w.wanted = 0)`
	}
	rows, err := c.rows(ctx, `SELECT m.person, m.role, m.person FROM members m WHERE m.workspace = $1 AND NOT EXISTS (SELECT 1`+wish+` AND w.place = m.person AND w.wanted = 0)
		UNION ALL SELECT m.person, m.role, p.id FROM members m JOIN notify_places p ON p.person = m.person AND p.confirmed_at <> 0 AND p.disabled_at = 0
			WHERE m.workspace = $1 AND `+wanted+`
		ORDER BY 1, 3`, n.Workspace, string(n.Event))
	type place struct {
		person, id string
		role       store.Role
	}
	all, err := collect(rows, err, func(r scanner, p *place) error { return r.Scan(&p.person, (*string)(&p.role), &p.id) })
	if err != nil {
		return err
	}
	for _, p := range all {
		if !p.role.AtLeast(least) {
			continue
		}
		n.ID, n.Person, n.Place, n.Next = store.NewID(), p.person, p.id, n.At
		if _, err := c.addNews(ctx, &n); err != nil {
			return err
		}
	}
	return nil
}
