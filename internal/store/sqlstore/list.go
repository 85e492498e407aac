package sqlstore

import (
	"context"
	"fmt"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

const listColumns = `r.agent, r.kind, r.id, r.place, r.fold, r.versions, r.received_at, r.changed_at, r.pushed_by, r.at, r.state, r.round, r.reported, r.since`

func scanRecord(r scanner, x *store.Record) error {
	var kind, state, reported int
	if err := r.Scan(&x.Agent, &kind, &x.ID, &x.No, &x.Fold, &x.Versions, &x.Received, &x.Changed, &x.PushedBy, &x.At,
		&state, &x.State.Round, &reported, &x.State.Since); err != nil {
		return err
	}
	x.File, x.ID, x.State.Reply = figs.File(kind), idOf(x.ID), -1
	if x.File == figs.Runs {
		x.Outcome = figs.Outcome(state)
		return nil
	}
	x.State.Phase, x.State.Reported = figs.Phase(state), reported != 0
	return nil
}

var outcomes = map[string]figs.Outcome{"ok": figs.OutcomeOK, "warn": figs.OutcomeWarn, "fail": figs.OutcomeFail, "in-flight": figs.OutcomeInFlight, "unknown": figs.OutcomeUnknown}

var lanes = map[string]int{string(store.Needs): laneNeeds, string(store.Waiting): laneWaiting, string(store.Closed): laneClosed}

// Records implements store.Reader. Asks are listed lane by lane, each from its own range of the
// index, so that no list is sorted.
func (s *Store) Records(ctx context.Context, q store.RecordQuery) (list []store.Record, total int, err error) {
	in := []int{laneNone}
	if q.File == figs.Asks {
		in = []int{laneNeeds, laneWaiting, laneClosed}
		if lane, ok := lanes[q.State]; ok {
			in = []int{lane}
		}
	}
	n, from := size(q.N), max(0, q.From)
	for _, lane := range in {
		w, ok := s.lane(q, lane)
		if !ok {
			continue
		}
		var count int
		if err := s.row(ctx, `SELECT count(*) FROM records r`+w.sql, w.args...).Scan(&count); err != nil {
			return nil, 0, err
		}
		total += count
		if from >= count || n == 0 {
			from = max(0, from-count)
			continue
		}
		order := ` ORDER BY r.at DESC, r.no DESC`
		if lane == laneNeeds {
			order = ` ORDER BY r.since, r.no`
		}
		w.and(order+` LIMIT $%d`, n)
		w.and(` OFFSET $%d`, from)
		rows, err := s.rows(ctx, `SELECT `+listColumns+` FROM records r`+w.sql, w.args...)
		part, err := collect(rows, err, scanRecord)
		if err != nil {
			return nil, 0, err
		}
		list, n, from = append(list, part...), n-len(part), 0
	}
	return list, total, nil
}

// lane is the condition of a query for one lane; ok is false when nothing can match.
func (s *Store) lane(q store.RecordQuery, lane int) (w where, ok bool) {
	w.and(` WHERE r.agent = $%d`, clean(q.Agent))
	w.and(` AND r.kind = $%d`, int(q.File))
	w.sql += fmt.Sprintf(` AND r.lane = %d`, lane) // not as a parameter: one lane has an index of its own
	if outcome, known := outcomes[q.State]; known && q.File == figs.Runs {
		w.and(` AND r.state = $%d`, int(outcome))
	}
	if q.Run != "" {
		w.and(` AND r.run = $%d`, key(q.Run))
	}
	if q.Words != "" {
		list := terms(q.Words)
		if len(list) == 0 {
			return w, false
		}
		column, from, args := s.matches("", clean(q.Agent), list, len(w.args)+1)
		w.sql += fmt.Sprintf(` AND r.no IN (SELECT %s %s)`, column, from)
		w.args = append(w.args, args...)
	}
	return w, true
}

// Record implements store.Reader.
func (s *Store) Record(ctx context.Context, agent string, file figs.File, id string) (*store.Record, error) {
	x := &store.Record{}
	var no int64
	if err := scanRecord(withFirst{s.row(ctx, `SELECT r.no, `+listColumns+` FROM records r WHERE r.agent = $1 AND r.kind = $2 AND r.id = $3`,
		clean(agent), int(file), key(id)), &no}, x); err != nil {
		return nil, err
	}
	had, err := trails(ctx, s, agent, []int64{no})
	if err != nil {
		return nil, err
	}
	x.Trail = had[no]
	if file != figs.Asks {
		return x, nil
	}
	said, err := replies(ctx, s, agent, []string{id})
	if err != nil {
		return nil, err
	}
	desk := derive([]string{id}, func(string) []figs.Version { return versions(x.Trail) }, func(string) []store.Message { return said[id] })
	x.State, _ = desk.State(id)
	x.Rounds = desk.Rounds(id)
	x.Raises, x.Closes = desk.Raises(id)
	for _, reply := range desk.Thread(id) {
		m := said[id][reply.Message]
		m.At, m.Round, m.Earlier = reply.At, reply.Round, reply.Earlier
		x.Thread = append(x.Thread, m)
	}
	return x, nil
}
