package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
func (s *Store) Records(ctx context.Context, q store.RecordQuery) (*store.Page[store.Record], error) {
	in := []int{laneNone}
	if q.File == figs.Asks {
		in = []int{laneNeeds, laneWaiting, laneClosed}
		if lane, ok := lanes[q.State]; ok {
			in = []int{lane}
		}
	}
	docs, searched, err := s.wordMatches(ctx, q)
	if err != nil || docs != nil && len(docs) == 0 {
		return &store.Page[store.Record]{}, err
	}
	counts, err := s.countLanes(ctx, q, in, docs)
	if err != nil {
		return nil, err
	}
	w := windowOf(q.Slice)
	first, step := 0, 1
	if w.at != nil {
		if first = slices.IndexFunc(in, func(lane int) bool { return strconv.Itoa(lane) == w.at.Key.Text }); first < 0 {
			w, first = windowOf(store.Slice{N: q.N}), 0 // of another list
		}
	}
	if w.back {
		step = -1
	}
	var rows []row[store.Record]
	for i, at := first, w; i >= 0 && i < len(in) && len(rows) <= w.N; i += step {
		part, err := s.laneRecords(ctx, q, in[i], at, docs, w.N+1-len(rows))
		if err != nil {
			return nil, err
		}
		rows, at.at = append(rows, part...), nil // other lanes are read from their ends
	}
	page := pageOf(w, rows)
	page.Searched = searched
	for _, n := range counts {
		page.Total += n
	}
	more := (docs != nil || q.Run != "") && page.Total > store.MaxCount
	if page.AtLeast = more || searched > 0; more {
		page.Total = store.MaxCount
	}
	if q.File == figs.Asks {
		err = s.setAskedOf(ctx, sqldb.CleanText(q.Agent), page.Items)
	}
	return page, err
}

// laneRecords reads records of a lane, nearest to the window's cursor first.
func (s *Store) laneRecords(ctx context.Context, q store.RecordQuery, lane int, w window, docs []int64, n int) ([]row[store.Record], error) {
	by := order{key: "r.at", no: "r.no", descending: !q.Oldest}
	if lane == laneNeeds {
		by = order{key: "r.since", no: "r.no"}
	}
	where := s.laneCondition(q, lane, docs)
	by.apply(&where, w)
	where.And(` LIMIT $%d`, n)
	rows, err := s.Rows(ctx, `SELECT r.no, `+listColumns+` FROM records r`+where.SQL, where.Args...)
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row[store.Record]) error {
		var no int64
		err := scanRecord(sqldb.ColumnBefore(r, &no), &x.item)
		if x.at = placeOf(x.item.At, no); lane == laneNeeds {
			x.at.Key.Number = x.item.State.Since
		}
		x.at.Key.Text = strconv.Itoa(lane)
		return err
	})
}

// countLanes returns how many records of each lane match. Without words these are the agent's counters; with words they are
// counted up to one more than store.MaxCount.
func (s *Store) countLanes(ctx context.Context, q store.RecordQuery, in []int, docs []int64) ([]int, error) {
	counts := make([]int, len(in))
	if docs == nil && q.Run == "" {
		var jobs, flying, failed, warned, unknown, needs, waiting, closed int
		err := s.Row(ctx, `SELECT jobs, in_flight, failed, warned, unknown, needs, waiting, closed FROM agents WHERE id = $1`, sqldb.CleanText(q.Agent)).
			Scan(&jobs, &flying, &failed, &warned, &unknown, &needs, &waiting, &closed)
		if errors.Is(err, store.ErrNotFound) {
			return counts, nil
		}
		for i, lane := range in {
			counts[i] = map[int]int{laneNeeds: needs, laneWaiting: waiting, laneClosed: closed, laneNone: jobs}[lane]
		}
		if outcome, known := figs.ParseOutcome(q.State); known && q.File == figs.Runs {
			settled := jobs - flying
			counts[0] = map[figs.Outcome]int{figs.OutcomeInFlight: flying, figs.OutcomeFail: failed, figs.OutcomeWarn: warned, figs.OutcomeUnknown: unknown,
				figs.OutcomeOK: settled - failed - warned - unknown}[outcome]
		}
		return counts, err
	}
	for i, lane := range in {
		w := s.laneCondition(q, lane, docs)
		w.And(` LIMIT $%d`, store.MaxCount+1)
		if err := s.Row(ctx, `SELECT count(*) FROM (SELECT 1 FROM records r`+w.SQL+`) counted`, w.Args...).Scan(&counts[i]); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// wordMatches returns the numbers of the newest documents with the words of a query, in any order; nil if the query has no
// words. searched is 0 unless there are more than store.MaxWordMatches.
func (s *Store) wordMatches(ctx context.Context, q store.RecordQuery) (docs []int64, searched int, err error) {
	if q.Words == "" {
		return nil, 0, nil
	}
	list := searchTerms(q.Words)
	if len(list) == 0 {
		return []int64{}, 0, nil
	}
	column, from, args := s.Matches(sqldb.Scope{Agents: []string{sqldb.CleanText(q.Agent)}}, list, 1)
	query := fmt.Sprintf("SELECT %s %s ORDER BY %s LIMIT $%d", column, from, s.NewestFirst(), len(args)+1)
	rows, err := s.Rows(ctx, query, s.PlanEachTime(append(slices.Clone(args), store.MaxWordMatches+1))...)
	docs, err = sqldb.Collect(rows, err, func(r sqldb.Scanner, no *int64) error { return r.Scan(no) })
	if docs == nil {
		docs = []int64{}
	}
	if len(docs) > store.MaxWordMatches {
		docs, searched = docs[:store.MaxWordMatches], store.MaxWordMatches
	}
	return docs, searched, err
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

// laneCondition returns the condition for one lane; docs are the numbers of the documents with the query's words, if it has
// some.
func (s *Store) laneCondition(q store.RecordQuery, lane int, docs []int64) (w sqldb.Where) {
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
	if docs != nil {
		w.SQL += ` AND r.no ` + s.NumbersIn(len(w.Args)+1)
		w.Args = append(w.Args, sqldb.JSONList(docs))
	}
	return w
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
	// SQLite would rather read all records of the workspace, if it could find them by an index.
	rows, err := s.Rows(ctx, `SELECT `+listColumns+` FROM `+s.Pairs(1)+` p JOIN records r ON r.agent = p.a AND r.kind = 1 AND r.id = p.b WHERE r.workspace || '' = $2`,
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
