package sqlstore

import (
	"context"
	"fmt"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// asked is true of what an ask puts to a person, as figs.AskedOf says: to the manager, to the
// builder, and where that is nobody to owners and admins.
const asked = ` AND (r.asked <> 'builder' AND a.manager = $%[1]d OR r.asked <> 'manager' AND a.builder = $%[1]d
	OR (r.asked = 'builder' OR a.manager = '') AND (r.asked = 'manager' OR a.builder = '')
	AND EXISTS (SELECT 1 FROM members m WHERE m.workspace = r.workspace AND m.person = $%[1]d AND m.role IN ('owner', 'admin')))`

// where collects conditions with their parameters.
type where struct {
	sql  string
	args []any
}

func (w *where) and(condition string, arg any) {
	w.args = append(w.args, arg)
	w.sql += fmt.Sprintf(condition, len(w.args))
}

// Inbox implements store.Reader. Each tab has an index of just its asks, in the order in which
// the tab shows them: closed asks, however many, cost the open ones nothing.
func (s *Store) Inbox(ctx context.Context, q store.InboxQuery) (*store.Inbox, error) {
	tab := ` WHERE r.lane = 0`
	order := ` ORDER BY r.since, r.no`
	switch q.Tab {
	case store.Waiting:
		tab, order = ` WHERE r.lane = 1`, ` ORDER BY r.at DESC, r.no DESC`
	case store.Closed:
		tab, order = ` WHERE r.lane = 2`, ` ORDER BY r.at DESC, r.no DESC`
	}
	w := where{sql: tab}
	w.and(` AND r.workspace = $%d`, clean(q.Workspace))
	if q.Agent != "" {
		w.and(` AND r.agent = $%d`, clean(q.Agent))
	}
	if q.Type != "" {
		w.and(` AND r.type = $%d`, clean(q.Type))
	}
	if q.To != "" {
		w.and(` AND r.asked = $%d`, clean(q.To))
	}
	if q.Before != 0 {
		w.and(` AND r.since < $%d`, q.Before)
	}
	from := ` FROM records r`
	if q.Mine != "" {
		from += ` JOIN agents a ON a.id = r.agent`
		w.and(asked, clean(q.Mine))
	}
	in := &store.Inbox{From: max(0, q.From), Total: -1}
	if q.Tab == store.Needs || q.Tab == "" {
		if err := s.row(ctx, `SELECT count(*)`+from+w.sql, w.args...).Scan(&in.Total); err != nil {
			return nil, err
		}
	}
	if q.Mine == "" {
		from += ` JOIN agents a ON a.id = r.agent`
	}
	n := size(q.N)
	w.and(order+` LIMIT $%d`, n+1)
	w.and(` OFFSET $%d`, in.From)
	rows, err := s.rows(ctx, `SELECT r.agent, a.name, r.id, r.title, r.type, r.asked, r.unit, r.state, r.round, r.reported, r.since, r.at, r.ts`+from+w.sql, w.args...)
	in.Items, err = collect(rows, err, scanInboxItem)
	if len(in.Items) > n {
		in.Items, in.More = in.Items[:n], true
	}
	return in, err
}

func scanInboxItem(r scanner, i *store.InboxItem) error {
	var phase, reported int
	err := r.Scan(&i.Agent, &i.AgentName, &i.ID, &i.Title, &i.Type, &i.To, &i.Unit, &phase, &i.Round, &reported, &i.Since, &i.At, &i.TS)
	i.ID, i.Phase, i.Reported = idOf(i.ID), figs.Phase(phase), reported != 0
	return err
}
