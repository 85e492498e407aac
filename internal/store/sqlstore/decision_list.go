package sqlstore

import (
	"context"
	"strconv"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// ListDecisions implements store.Decisions.
func (s *Store) ListDecisions(ctx context.Context, workspace, agent, ask string, n int) ([]store.Decision, error) {
	w := sqldb.Where{}
	w.And(`SELECT `+decisionColumns+` FROM decisions d WHERE d.fate = 1 AND d.workspace = $%d`, sqldb.CleanText(workspace))
	if agent != "" {
		w.And(` AND d.agent = $%d`, sqldb.CleanText(agent))
		w.And(` AND d.ask = $%d`, sqldb.EncodeID(ask))
	}
	w.SQL += ` ORDER BY d.made_at DESC, d.no DESC`
	if n > 0 {
		w.And(` LIMIT $%d`, n)
	}
	rows, err := s.Rows(ctx, w.SQL, w.Args...)
	return sqldb.Collect(rows, err, scanDecision)
}

// ListDecisionDetails implements store.Decisions. The limit isn't a parameter, so that PostgreSQL plans for few rows.
func (s *Store) ListDecisionDetails(ctx context.Context, workspace string, q store.DecisionQuery) ([]store.DecisionDetails, error) {
	w := sqldb.Where{SQL: ` WHERE d.fate = 1`}
	w.And(` AND d.workspace = $%d`, sqldb.CleanText(workspace))
	order, newest := ` ORDER BY d.made_at DESC, d.no DESC`, ` ORDER BY d.made_at DESC, d.no DESC`
	for _, p := range []struct {
		sign  string
		place store.DecisionPlace
	}{{"<", q.Below}, {">", q.Above}} {
		if p.place != (store.DecisionPlace{}) {
			w.And(` AND (d.made_at, d.no) `+p.sign+` ($%d`, p.place.At)
			w.And(`, $%d)`, p.place.No)
		}
	}
	if q.Above != (store.DecisionPlace{}) {
		order = ` ORDER BY d.made_at, d.no`
	}
	if q.Since != 0 {
		w.And(` AND d.made_at >= $%d`, q.Since)
	}
	if q.Until != 0 {
		w.And(` AND d.made_at < $%d`, q.Until)
	}
	for _, list := range []struct {
		column string
		values []string
	}{{"agent", q.Agents}, {"person", q.By}} {
		if list.values != nil {
			w.SQL += ` AND d.` + list.column + ` ` + s.TextsIn(len(w.Args)+1)
			w.Args = append(w.Args, sqldb.JSONList(list.values))
		}
	}
	rows, err := s.Rows(ctx, `SELECT d.no, `+decisionColumns+`, r.fold, coalesce(r.closed_at, 0), coalesce(m.received_at, d.made_at), coalesce(m.handed_at, 0), coalesce(m.confirmed_at, 0)
		FROM (SELECT * FROM decisions d`+w.SQL+order+` LIMIT `+strconv.Itoa(sqldb.PageSize(q.N))+`) d
		LEFT JOIN messages m ON m.agent = d.agent AND m.id = d.id LEFT JOIN records r ON r.agent = d.agent AND r.kind = 1 AND r.id = d.ask`+newest, w.Args...)
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, x *store.DecisionDetails) error {
		d, closed := &x.Delivery, int64(0)
		err := scanDecision(sqldb.ColumnsAfter(sqldb.ColumnBefore(r, &x.No), []any{&x.Fold, &closed, &d.Recorded, &d.PickedUp, &d.Confirmed}), &x.Decision)
		d.Closed, d.Run = closeOf(x.ID, x.Fold, closed)
		return err
	})
}
