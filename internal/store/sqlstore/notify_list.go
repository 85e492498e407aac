package sqlstore

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/internal/listquery"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// ListNotifications implements store.Notifications.
func (s *Store) ListNotifications(ctx context.Context, person, workspace string, q store.NotificationQuery) (*store.Page[store.QueuedNotification], error) {
	w, part := sqldb.Where{SQL: ` FROM notify_outbox o WHERE o.place = o.person`}, windowOf(q.Slice)
	w.And(` AND o.person = $%d`, sqldb.CleanText(person))
	w.And(` AND o.workspace = $%d`, sqldb.CleanText(workspace))
	if q.Since != 0 {
		w.And(` AND o.at >= $%d`, q.Since)
	}
	if q.Until != 0 {
		w.And(` AND o.at < $%d`, q.Until)
	}
	for _, t := range q.Terms {
		s.addTerm(&w, t)
	}
	sign, direction := "<", " DESC"
	if part.back {
		sign, direction = ">", ""
	}
	if part.at != nil {
		w.And(` AND (o.at, o.id) `+sign+` ($%d, `, part.at.Key.Number)
		w.And(`$%d)`, sqldb.CleanText(part.at.ID))
	}
	w.And(` ORDER BY o.at`+direction+`, o.id`+direction+` LIMIT $%d`, part.N+1)
	rows, err := s.Rows(ctx, `SELECT `+queuedColumns+`, CASE WHEN `+isOver+` THEN 1 ELSE 0 END FROM (SELECT o.*`+w.SQL+`) o ORDER BY o.at`+direction+`, o.id`+direction, w.Args...)
	list, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row[store.QueuedNotification]) error {
		var gone int
		n := &x.item
		err := r.Scan(append(queuedFields(n), &gone)...)
		n.Ask, n.Over = sqldb.DecodeID(n.Ask), gone != 0
		x.at = listquery.Cursor{Key: listquery.Key{Number: n.At}, ID: n.ID}
		return err
	})
	return pageOf(part, list), err
}

// addTerm adds the condition of a term.
func (s *Store) addTerm(w *sqldb.Where, t store.NotificationTerm) {
	if w.SQL += ` AND `; t.Not {
		w.SQL += `NOT `
	}
	w.SQL += `(1 = 0`
	if len(t.Agents) > 0 {
		w.SQL += ` OR o.agent ` + s.TextsIn(len(w.Args)+1)
		w.Args = append(w.Args, sqldb.JSONList(t.Agents))
	}
	if len(t.Events) > 0 {
		events := make([]string, len(t.Events))
		for i, e := range t.Events {
			events[i] = string(e)
		}
		w.SQL += ` OR o.event ` + s.TextsIn(len(w.Args)+1)
		w.Args = append(w.Args, sqldb.JSONList(events))
	}
	if t.Title != "" {
		w.And(` OR o.ask <> '' AND EXISTS (SELECT 1 FROM records r WHERE r.agent = o.agent AND r.kind = 1 AND r.id = o.ask AND lower(r.title) LIKE $%d ESCAPE '!'`+perRow, likePart(t.Title))
	}
	if t.Unread {
		w.SQL += ` OR o.read_at = 0 AND NOT ` + isOver
	}
	w.SQL += `)`
}

// likePart is the LIKE pattern, with ! as its escape, of texts that contain another, whatever the case of ASCII letters.
func likePart(text string) string {
	return "%" + strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(strings.Map(lowerASCII, sqldb.CleanText(text))) + "%"
}
