package sqlstore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// The lanes of records: an ask is in the inbox if and only if it is in lane 0.
const (
	laneNeeds   = 0
	laneWaiting = 1
	laneClosed  = 2
	laneNone    = -1
)

func laneOf(phase figs.Phase) int {
	switch {
	case phase.Closed():
		return laneClosed
	case phase.Waiting():
		return laneWaiting
	}
	return laneNeeds
}

// recordRow is a row of records as far as merging needs it.
type recordRow struct {
	no       int64
	kind     int
	id       string
	fold     []byte
	versions int
	received int64
	closed   int64
	state    int
	at       int64
	mark     int64
}

func scanRecordRow(r sqldb.Scanner, row *recordRow) error {
	if err := r.Scan(&row.no, &row.kind, &row.id, &row.fold, &row.versions, &row.received, &row.closed, &row.state, &row.at, &row.mark); err != nil {
		return err
	}
	row.id = sqldb.DecodeID(row.id)
	return nil
}

type recordKey struct {
	kind int
	id   string
}

// many is from how many records on all of an agent's are read at once.
const many = 300

// recordRows reads the rows of some records of an agent.
func recordRows(ctx context.Context, q sqldb.Queries, agent string, keys []recordKey) (map[recordKey]*recordRow, error) {
	found := make(map[recordKey]*recordRow, len(keys))
	query := `SELECT ` + sqldb.RecordRowColumns + ` FROM records WHERE agent = $1`
	read := func(query string, args ...any) error {
		rows, err := q.Rows(ctx, query, args...)
		all, err := sqldb.Collect(rows, err, scanRecordRow)
		for i := range all {
			found[recordKey{all[i].kind, all[i].id}] = &all[i]
		}
		return err
	}
	if len(keys) > many {
		return found, read(query, agent)
	}
	ids := keysOf(keys)
	return found, read(q.RecordsByID(), agent, sqldb.JSONList(ids[sqldb.KindRun]), sqldb.JSONList(ids[sqldb.KindAsk]))
}

// keysOf are the ids of runs and of asks as columns have them.
func keysOf(keys []recordKey) (ids [2][]string) {
	for _, k := range keys {
		ids[k.kind] = append(ids[k.kind], sqldb.EncodeID(k.id))
	}
	return ids
}

const entryColumns = `t.line, t.event, t.snapshot, t.received_at, t.pushed_by, t.seq`

func scanEntry(r sqldb.Scanner, e *store.Entry) error {
	var snapshot int
	err := r.Scan(&e.Line, &e.Event, &snapshot, &e.At, &e.PushedBy, &e.Seq)
	e.Event, e.Snapshot = sqldb.DecodeID(e.Event), snapshot != 0
	return err
}

// trails reads the trails of some records of an agent, by their numbers.
func trails(ctx context.Context, q sqldb.Queries, agent string, numbers []int64) (map[int64][]store.Entry, error) {
	found := make(map[int64][]store.Entry, len(numbers))
	if len(numbers) == 0 {
		return found, nil
	}
	from, args := `trail t WHERE t.record `+q.NumbersIn(1), []any{sqldb.JSONList(numbers)}
	if len(numbers) > many {
		from, args = `records r JOIN trail t ON t.record = r.no WHERE r.agent = $1`, []any{agent}
	}
	rows, err := q.Rows(ctx, `SELECT t.record, `+entryColumns+` FROM `+from+` ORDER BY t.record, t.n`, args...)
	type numbered struct {
		no    int64
		entry store.Entry
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, e *numbered) error {
		return scanEntry(sqldb.ColumnBefore(r, &e.no), &e.entry)
	})
	for i := range all {
		found[all[i].no] = append(found[all[i].no], all[i].entry)
	}
	return found, err
}

func versions(entries []store.Entry) []figs.Version {
	all := make([]figs.Version, len(entries))
	for i := range entries {
		all[i] = entries[i].Version
	}
	return all
}

// facts are the columns of a record that are derived: lists and counts need nothing else.
type facts struct {
	title, kind, asked, unit, run, ts string
	at                                int64
	state, lane, round, reported      int
	since, raised, answered           int64
	session                           string
	tokens                            int64
	named, namedKey                   string // of a reported ask, whom the reply that decides names: to show, and to find
}

// longest are texts in columns; the record itself keeps all of it.
const longest = 2000

// runFacts derives a run; arrived stands in for a time that cannot be read.
func runFacts(fold figs.Object, arrived int64) facts {
	title, ts := text(fold, "title"), text(fold, "ts")
	if title == "" {
		title = text(fold, "id")
	}
	f := facts{title: title, unit: text(fold, "unit"), ts: ts, at: instant(arrived, ts),
		state: int(figs.RunOutcome(fold)), lane: laneNone, since: figs.NoTime, raised: figs.NoTime, answered: figs.NoTime, tokens: -1}
	run := figs.ReadRun(figs.Object{{Key: "session", Value: fold.Get("session")}})
	if run.Session != nil {
		f.session, f.tokens = sqldb.CleanText(sqldb.CutText(run.Session.SessionID, longest/10)), used(run.Session.Tokens)
	}
	return f
}

// used is how many tokens a session says that it used, of any kind; -1 when it says nothing.
func used(t figs.Tokens) int64 {
	const most = 1 << 40 // so that no sum of them overflows
	sum := int64(-1)
	for _, n := range [...]int64{t.Input, t.Output, t.CacheRead, t.CacheWrite} {
		if n >= 0 {
			sum = min(max(sum, 0)+min(n, most), most)
		}
	}
	return sum
}

// askFacts derives an ask from its fold, its state and its replies; by is whom the one names that
// it was reported with, raised is when its first version was written, arrived when that came.
func askFacts(fold figs.Object, state figs.AskState, thread []figs.Reply, by string, raised, arrived int64) facts {
	ask := figs.ReadAsk(figs.Object{{Key: "resolution", Value: fold.Get("resolution")}})
	f := facts{title: text(fold, "title"), kind: text(fold, "type"), unit: text(fold, "unit"),
		run: sqldb.CutText(sqldb.EncodeID(fold.Get("run").Text()), longest), ts: text(fold, "ts"),
		state: int(state.Phase), lane: laneOf(state.Phase), round: state.Round, reported: sqldb.BoolInt(state.Reported), since: state.Since,
		raised: raised, answered: figs.NoTime, tokens: -1, named: sqldb.CleanText(sqldb.CutText(by, longest/10)), namedKey: nameKey(by)}
	for i := range thread {
		if at := thread[i].At; at != figs.NoTime && (f.answered == figs.NoTime || at < f.answered) {
			f.answered = at
		}
	}
	if to := text(fold, "to"); to == "manager" || to == "builder" {
		f.asked = to
	}
	if f.title == "" {
		f.title = text(fold, "id")
	}
	if f.since == figs.NoTime {
		f.since = arrived
	}
	f.at = instant(arrived, f.ts)
	if state.Phase.Closed() && ask.Resolution != nil && ask.Resolution.TS != "" {
		f.ts = sqldb.CleanText(sqldb.CutText(ask.Resolution.TS, longest))
		f.at = instant(f.at, f.ts)
	}
	return f
}

// text is a field as a column shows it.
func text(fold figs.Object, name string) string {
	v := fold.Get(name)
	s := v.Text()
	if v.Kind == jsonl.Number {
		s = string(v.Raw)
	}
	return sqldb.CleanText(sqldb.CutText(s, longest))
}

// instant reads a time; without one another stands in.
func instant(other int64, ts string) int64 {
	if at, ok := figs.ParseTime(ts); ok {
		return at
	}
	return other
}

// factFields are the columns of facts, each with its value.
var factFields = [...]struct {
	column string
	value  func(f *facts) any
}{
	{"title", func(f *facts) any { return f.title }},
	{"type", func(f *facts) any { return f.kind }},
	{"asked", func(f *facts) any { return f.asked }},
	{"unit", func(f *facts) any { return f.unit }},
	{"run", func(f *facts) any { return f.run }},
	{"ts", func(f *facts) any { return f.ts }},
	{"at", func(f *facts) any { return f.at }},
	{"state", func(f *facts) any { return f.state }},
	{"lane", func(f *facts) any { return f.lane }},
	{"round", func(f *facts) any { return f.round }},
	{"reported", func(f *facts) any { return f.reported }},
	{"since", func(f *facts) any { return f.since }},
	{"raised", func(f *facts) any { return f.raised }},
	{"answered", func(f *facts) any { return f.answered }},
	{"session", func(f *facts) any { return f.session }},
	{"tokens", func(f *facts) any { return f.tokens }},
	{"named", func(f *facts) any { return f.named }},
	{"named_key", func(f *facts) any { return f.namedKey }},
}

// factColumns are their names, as statements list them.
var factColumns = func() string {
	names := make([]string, len(factFields))
	for i := range factFields {
		names[i] = factFields[i].column
	}
	return strings.Join(names, ", ")
}()

// values are the values of factColumns.
func (f *facts) values() []any {
	values := make([]any, len(factFields))
	for i := range factFields {
		values[i] = factFields[i].value(f)
	}
	return values
}

// updateOf is the statement that sets some columns of the record $1; their values are $2 and on.
func updateOf(columns string) string {
	names := strings.Split(columns, ", ")
	for i := range names {
		names[i] += " = $" + strconv.Itoa(i+2)
	}
	return `UPDATE records SET ` + strings.Join(names, ", ") + ` WHERE no = $1`
}

var setFactsQuery = updateOf(factColumns + `, seq`)

// setFacts writes what is derived of a record.
func (c *change) setFacts(ctx context.Context, no int64, f *facts, seq int64) error {
	return c.Later(ctx, setFactsQuery, slices.Concat([]any{no}, f.values(), []any{seq})...)
}
