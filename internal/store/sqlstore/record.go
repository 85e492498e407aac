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

// The lanes of records. An ask needs a human if and only if its lane is 0.
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

// recordRow is the part of a row of records that merging needs.
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

// manyRecords is the number of records from which all of an agent's are read at once.
const manyRecords = 300

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
	if len(keys) > manyRecords {
		return found, read(query, agent)
	}
	ids := encodeKeys(keys)
	return found, read(q.RecordsByID(), agent, sqldb.JSONList(ids[sqldb.KindRun]), sqldb.JSONList(ids[sqldb.KindAsk]))
}

// encodeKeys returns the encoded ids of runs and of asks.
func encodeKeys(keys []recordKey) (ids [2][]string) {
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

// trails reads the trails of some records of an agent, by number.
func trails(ctx context.Context, q sqldb.Queries, agent string, numbers []int64) (map[int64][]store.Entry, error) {
	found := make(map[int64][]store.Entry, len(numbers))
	if len(numbers) == 0 {
		return found, nil
	}
	from, args := `trail t WHERE t.record `+q.NumbersIn(1), []any{sqldb.JSONList(numbers)}
	if len(numbers) > manyRecords {
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

// facts are the derived columns of a record, which lists and counts use.
type facts struct {
	title, kind, asked, unit, run, ts string
	at                                int64
	state, lane, round, reported      int
	since, raised, answered           int64
	session                           string
	tokens                            int64
	reportedBy, reportedByKey         string // of a reported ask: the name in the reply that decides, for display and for lookup
}

// maxText is the maximum size of a text column; the record itself keeps all of it.
const maxText = 2000

// runFacts derives a run; arrived is used if its time can't be parsed.
func runFacts(fold figs.Object, arrived int64) facts {
	title, ts := textField(fold, "title"), textField(fold, "ts")
	if title == "" {
		title = textField(fold, "id")
	}
	f := facts{title: title, unit: textField(fold, "unit"), ts: ts, at: parseTimeOr(arrived, ts),
		state: int(figs.RunOutcome(fold)), lane: laneNone, since: figs.NoTime, raised: figs.NoTime, answered: figs.NoTime, tokens: -1}
	run := figs.ReadRun(figs.Object{{Key: "session", Value: fold.Get("session")}})
	if run.Session != nil {
		f.session, f.tokens = sqldb.CleanText(sqldb.CutText(run.Session.SessionID, maxText/10)), totalTokens(run.Session.Tokens)
	}
	return f
}

// totalTokens returns how many tokens a session reports, of all kinds; -1 if it doesn't report any.
func totalTokens(t figs.Tokens) int64 {
	const most = 1 << 40 // so that sums can't overflow
	sum := int64(-1)
	for _, n := range [...]int64{t.Input, t.Output, t.CacheRead, t.CacheWrite} {
		if n >= 0 {
			sum = min(max(sum, 0)+min(n, most), most)
		}
	}
	return sum
}

// askFacts derives an ask from its fold, its state and its replies. by is the name in the reported reply that decides,
// raised is the time of its first version, arrived its arrival.
func askFacts(fold figs.Object, state figs.AskState, thread []figs.Reply, by string, raised, arrived int64) facts {
	ask := figs.ReadAsk(figs.Object{{Key: "resolution", Value: fold.Get("resolution")}})
	f := facts{title: textField(fold, "title"), kind: textField(fold, "type"), unit: textField(fold, "unit"),
		run: sqldb.CutText(sqldb.EncodeID(fold.Get("run").Text()), maxText), ts: textField(fold, "ts"),
		state: int(state.Phase), lane: laneOf(state.Phase), round: state.Round, reported: sqldb.BoolInt(state.Reported), since: state.Since,
		raised: raised, answered: figs.NoTime, tokens: -1, reportedBy: sqldb.CleanText(sqldb.CutText(by, maxText/10)), reportedByKey: nameKey(by)}
	for i := range thread {
		if at := thread[i].At; at != figs.NoTime && (f.answered == figs.NoTime || at < f.answered) {
			f.answered = at
		}
	}
	if to := textField(fold, "to"); to == "manager" || to == "builder" {
		f.asked = to
	}
	if f.title == "" {
		f.title = textField(fold, "id")
	}
	if f.since == figs.NoTime {
		f.since = arrived
	}
	f.at = parseTimeOr(arrived, f.ts)
	if state.Phase.Closed() && ask.Resolution != nil && ask.Resolution.TS != "" {
		f.ts = sqldb.CleanText(sqldb.CutText(ask.Resolution.TS, maxText))
		f.at = parseTimeOr(f.at, f.ts)
	}
	return f
}

// textField returns a field for a text column.
func textField(fold figs.Object, name string) string {
	v := fold.Get(name)
	s := v.Text()
	if v.Kind == jsonl.Number {
		s = string(v.Raw)
	}
	return sqldb.CleanText(sqldb.CutText(s, maxText))
}

// parseTimeOr parses a time, or returns other.
func parseTimeOr(other int64, ts string) int64 {
	if at, ok := figs.ParseTime(ts); ok {
		return at
	}
	return other
}

// factFields are the columns of facts, with their values.
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
	{"named", func(f *facts) any { return f.reportedBy }},
	{"named_key", func(f *facts) any { return f.reportedByKey }},
}

// factColumns are their names, for statements.
var factColumns = func() string {
	names := make([]string, len(factFields))
	for i := range factFields {
		names[i] = factFields[i].column
	}
	return strings.Join(names, ", ")
}()

// values returns the values of factColumns.
func (f *facts) values() []any {
	values := make([]any, len(factFields))
	for i := range factFields {
		values[i] = factFields[i].value(f)
	}
	return values
}

// updateRecordSQL returns a statement that sets columns of record $1 to $2 and following.
func updateRecordSQL(columns string) string {
	names := strings.Split(columns, ", ")
	for i := range names {
		names[i] += " = $" + strconv.Itoa(i+2)
	}
	return `UPDATE records SET ` + strings.Join(names, ", ") + ` WHERE no = $1`
}

var setFactsQuery = updateRecordSQL(factColumns + `, seq`)

// setFacts writes the derived columns of a record.
func (c *storeTx) setFacts(ctx context.Context, no int64, f *facts, seq int64) error {
	return c.Later(ctx, setFactsQuery, slices.Concat([]any{no}, f.values(), []any{seq})...)
}
