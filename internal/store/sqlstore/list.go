package sqlstore

import (
	"context"
	"fmt"
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const listColumns = `r.agent, r.kind, r.id, r.place, r.fold, r.versions, r.received_at, r.changed_at, r.pushed_by, r.at, r.state, r.round, r.reported, r.since`

func scanRecord(r sqldb.Scanner, x *store.Record) error {
	var kind, state, reported int
	if err := r.Scan(&x.Agent, &kind, &x.ID, &x.No, &x.Fold, &x.Versions, &x.Received, &x.Changed, &x.PushedBy, &x.At,
		&state, &x.State.Round, &reported, &x.State.Since); err != nil {
		return err
	}
	x.File, x.ID, x.State.Reply = figs.File(kind), sqldb.DecodeID(x.ID), -1
	if x.File == figs.Runs {
		x.Outcome = figs.Outcome(state)
		return nil
	}
	x.State.Phase, x.State.Reported = figs.Phase(state), reported != 0
	return nil
}

var lanes = map[string]int{string(store.TabNeeds): laneNeeds, string(store.TabWaiting): laneWaiting, string(store.TabClosed): laneClosed}

// Records implements store.Reader. Asks are read lane by lane, each from its range of the index, so that nothing is sorted.
func (s *Store) Records(ctx context.Context, q store.RecordQuery) (list []store.Record, total int, err error) {
	in := []int{laneNone}
	if q.File == figs.Asks {
		in = []int{laneNeeds, laneWaiting, laneClosed}
		if lane, ok := lanes[q.State]; ok {
			in = []int{lane}
		}
	}
	n, from := sqldb.PageSize(q.N), max(0, q.From)
	for _, lane := range in {
		w, ok := s.laneCondition(q, lane)
		if !ok {
			continue
		}
		var count int
		if err := s.Row(ctx, `SELECT count(*) FROM records r`+w.SQL, w.Args...).Scan(&count); err != nil {
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
		w.And(order+` LIMIT $%d`, n)
		w.And(` OFFSET $%d`, from)
		rows, err := s.Rows(ctx, `SELECT `+listColumns+` FROM records r`+w.SQL, w.Args...)
		part, err := sqldb.Collect(rows, err, scanRecord)
		if err != nil {
			return nil, 0, err
		}
		list, n, from = append(list, part...), n-len(part), 0
	}
	if q.File == figs.Asks {
		err = s.setAskedOf(ctx, sqldb.CleanText(q.Agent), list)
	}
	return list, total, err
}

// setAskedOf sets AskedOf of an agent's asks.
func (s *Store) setAskedOf(ctx context.Context, agent string, asks []store.Record) error {
	if len(asks) == 0 {
		return nil
	}
	keys := make([]string, len(asks))
	for i := range asks {
		keys[i] = sqldb.EncodeID(asks[i].ID)
	}
	rows, err := s.Rows(ctx, `SELECT r.id, r.workspace, r.reported, r.asked, r.named_key, CASE WHEN r.reported = 0 THEN '0' ELSE `+reportArrived+` END
		FROM records r WHERE r.agent = $1 AND r.kind = 1 AND r.id `+s.TextsIn(2), agent, sqldb.JSONList(keys))
	type row struct {
		id, workspace string
		reported      int
		inboxEntry
	}
	found, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row) error {
		return r.Scan(&x.id, &x.workspace, &x.reported, &x.asked, &x.nameKey, &x.arrived)
	})
	if err != nil || len(found) == 0 {
		return err
	}
	roster, err := s.Roster(ctx, found[0].workspace)
	if err != nil {
		return err
	}
	askedOf := make(map[string][]string, len(found))
	for i := range found {
		switch x := &found[i]; x.reported {
		case 0:
			askedOf[sqldb.DecodeID(x.id)] = roster.AskedOf(agent, x.asked)
		case reportedDenied: // nobody
		default:
			askedOf[sqldb.DecodeID(x.id)] = roster.Confirmers(agent, x.nameKey, x.arrived)
		}
	}
	for i := range asks {
		asks[i].AskedOf = askedOf[asks[i].ID]
	}
	return nil
}

// laneCondition returns the condition for one lane; ok is false if nothing can match.
func (s *Store) laneCondition(q store.RecordQuery, lane int) (w sqldb.Where, ok bool) {
	w.And(` WHERE r.agent = $%d`, sqldb.CleanText(q.Agent))
	// Small numbers aren't parameters, because SQLite would prepare the statement again for each value of a column with a
	// partial index.
	w.SQL += ` AND r.kind = ` + strconv.Itoa(int(q.File))
	w.SQL += fmt.Sprintf(` AND r.lane = %d`, lane) // not a parameter, because a lane has its own index
	if outcome, known := figs.ParseOutcome(q.State); known && q.File == figs.Runs {
		w.SQL += ` AND r.state = ` + strconv.Itoa(int(outcome))
	}
	if q.Run != "" {
		w.And(` AND r.run = $%d`, sqldb.EncodeID(q.Run))
	}
	if q.Words != "" {
		list := searchTerms(q.Words)
		if len(list) == 0 {
			return w, false
		}
		column, from, args := s.Matches(sqldb.Scope{Agents: []string{sqldb.CleanText(q.Agent)}}, list, len(w.Args)+1)
		w.SQL += fmt.Sprintf(` AND r.no IN (SELECT %s %s)`, column, from)
		w.Args = append(w.Args, args...)
	}
	return w, true
}

// Record implements store.Reader.
func (s *Store) Record(ctx context.Context, agent string, file figs.File, id string) (*store.Record, error) {
	list, err := s.FullRecords(ctx, agent, file, []string{id})
	if err == nil && len(list) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}

// Folds implements store.Reader.
func (s *Store) Folds(ctx context.Context, agent string, file figs.File, ids []string) (map[string][]byte, error) {
	keys := make([]string, len(ids))
	for i, id := range ids {
		keys[i] = sqldb.EncodeID(id)
	}
	query := `SELECT id, fold FROM records WHERE agent = $1 AND kind = ` + strconv.Itoa(int(file)) + ` AND id `
	if file == figs.Messages {
		query = `SELECT id, line FROM messages WHERE agent = $1 AND id `
	}
	rows, err := s.Rows(ctx, query+s.TextsIn(2), sqldb.CleanText(agent), sqldb.JSONList(keys))
	type named struct {
		id   string
		fold []byte
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *named) error { return r.Scan(&x.id, &x.fold) })
	found := make(map[string][]byte, len(all))
	for _, x := range all {
		found[sqldb.DecodeID(x.id)] = x.fold
	}
	return found, err
}

// AskRecords implements store.Reader.
func (s *Store) AskRecords(ctx context.Context, workspace string, asks []store.AskRef) (map[store.AskRef]store.Record, error) {
	found := make(map[store.AskRef]store.Record, len(asks))
	if len(asks) == 0 {
		return found, nil
	}
	pairs := make([][2]string, len(asks))
	for i, a := range asks {
		pairs[i] = [2]string{sqldb.CleanText(a.Agent), sqldb.EncodeID(a.Ask)}
	}
	rows, err := s.Rows(ctx, `SELECT `+listColumns+` FROM `+s.Pairs(1)+` p JOIN records r ON r.agent = p.a AND r.kind = 1 AND r.id = p.b WHERE r.workspace = $2`,
		sqldb.JSONList(pairs), sqldb.CleanText(workspace))
	all, err := sqldb.Collect(rows, err, scanRecord)
	for _, x := range all {
		found[store.AskRef{Agent: x.Agent, Ask: x.ID}] = x
	}
	return found, err
}

// FullRecords implements store.Reader.
func (s *Store) FullRecords(ctx context.Context, agent string, file figs.File, ids []string) ([]store.Record, error) {
	type numbered struct {
		no int64
		x  store.Record
	}
	keys := make([]string, len(ids))
	for i, id := range ids {
		keys[i] = sqldb.EncodeID(id)
	}
	rows, err := s.Rows(ctx, `SELECT r.no, `+listColumns+` FROM records r WHERE r.agent = $1 AND r.kind = `+strconv.Itoa(int(file))+` AND r.id `+s.TextsIn(2), sqldb.CleanText(agent), sqldb.JSONList(keys))
	found, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, n *numbered) error { return scanRecord(sqldb.ColumnBefore(r, &n.no), &n.x) })
	if err != nil {
		return nil, err
	}
	byID := make(map[string]*numbered, len(found))
	numbers := make([]int64, len(found))
	for i := range found {
		byID[found[i].x.ID], numbers[i] = &found[i], found[i].no
	}
	had, err := s.trailsOf(ctx, numbers)
	if err != nil {
		return nil, err
	}
	byAsk := map[string][]store.Message{}
	if file == figs.Asks && len(found) > 0 {
		if byAsk, err = s.repliesTo(ctx, agent, keys); err != nil {
			return nil, err
		}
	}
	var all []store.Record
	for _, id := range ids {
		n := byID[id]
		if n == nil {
			continue
		}
		delete(byID, id)
		if n.x.Trail = had[n.no]; file == figs.Asks {
			addState(&n.x, byAsk[id])
		}
		all = append(all, n.x)
	}
	if file == figs.Asks {
		err = s.setAskedOf(ctx, sqldb.CleanText(agent), all)
	}
	return all, err
}

// addState derives the state of an ask, with its rounds and its thread.
func addState(x *store.Record, messages []store.Message) {
	desk := derive([]string{x.ID}, func(string) []figs.Version { return versions(x.Trail) }, func(string) []store.Message { return messages })
	x.State, _ = desk.State(x.ID)
	x.Rounds = desk.Rounds(x.ID)
	x.Raises, x.Closes = desk.Raises(x.ID)
	x.Waits = desk.Waits(x.ID)
	for _, reply := range desk.Thread(x.ID) {
		m := messages[reply.Message]
		m.At, m.Round, m.Earlier = reply.At, reply.Round, reply.Earlier
		x.Thread = append(x.Thread, m)
	}
}

// trailsOf reads the trails of records by number.
func (s *Store) trailsOf(ctx context.Context, numbers []int64) (map[int64][]store.Entry, error) {
	type numbered struct {
		no    int64
		entry store.Entry
	}
	rows, err := s.Rows(ctx, `SELECT t.record, `+entryColumns+` FROM trail t WHERE t.record `+s.NumbersIn(1)+` ORDER BY t.record, t.n`, sqldb.JSONList(numbers))
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, e *numbered) error { return scanEntry(sqldb.ColumnBefore(r, &e.no), &e.entry) })
	found := make(map[int64][]store.Entry, len(numbers))
	for i := range all {
		found[all[i].no] = append(found[all[i].no], all[i].entry)
	}
	return found, err
}

// repliesTo reads the replies to asks, in order of arrival; keys are encoded ids.
func (s *Store) repliesTo(ctx context.Context, agent string, keys []string) (map[string][]store.Message, error) {
	rows, err := s.Rows(ctx, `SELECT `+messageColumns+` FROM messages WHERE agent = $1 AND ask `+s.TextsIn(2)+` ORDER BY received_at, place`, sqldb.CleanText(agent), sqldb.JSONList(keys))
	all, err := sqldb.Collect(rows, err, scanMessage)
	found := map[string][]store.Message{}
	for _, m := range all {
		found[m.Ask] = append(found[m.Ask], m)
	}
	return found, err
}
