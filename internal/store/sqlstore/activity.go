package sqlstore

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// Kinds of activity, besides the ledgers, which have their own numbers.
const (
	kindSettled = 10 // plus the outcome
	kindRaised  = 20
)

const hour, dayHours = 3600_000_000, 24

// floorDiv divides and rounds down, because hours before 1970 are negative.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// activityHour is a kind of activity in an hour.
type activityHour struct {
	kind int
	hour int64
}

// activityCounts are the changes of activity that a transaction makes.
type activityCounts map[activityHour]int

// addLine counts a line of a ledger.
func (p activityCounts) addLine(file figs.File, at int64) {
	p[activityHour{int(file), floorDiv(at, hour)}]++
}

// addDay adds n to what is counted by the day.
func (p activityCounts) addDay(what int, at int64, n int) {
	p[activityHour{what, floorDiv(at, hour*dayHours) * dayHours}] += n
}

// addOutcome counts the outcome of a run; was is nil if it is new.
func (p activityCounts) addOutcome(was *recordRow, f *facts) {
	if was != nil && figs.Outcome(was.state) != figs.OutcomeInFlight {
		p.addDay(kindSettled+was.state, was.at, -1)
	}
	if figs.Outcome(f.state) != figs.OutcomeInFlight {
		p.addDay(kindSettled+f.state, f.at, 1)
	}
}

// addActivity writes counts for agents; "" is for the whole workspace.
func (c *storeTx) addActivity(ctx context.Context, workspace string, moved activityCounts, agents ...string) error {
	beats := slices.SortedFunc(maps.Keys(moved), func(a, b activityHour) int {
		if a.kind != b.kind {
			return a.kind - b.kind
		}
		return int(a.hour - b.hour)
	})
	var rows [][]any
	for _, agent := range agents {
		for _, b := range beats {
			if moved[b] != 0 {
				rows = append(rows, []any{workspace, agent, b.kind, b.hour, moved[b]})
			}
		}
	}
	return c.Insert(ctx, "pulse", "workspace, agent, what, hour, n", rows, ` ON CONFLICT (workspace, agent, what, hour) DO UPDATE SET n = pulse.n + excluded.n`)
}

// reindexAgentActivity replaces the agent's activity by what the transaction has counted.
func (c *storeTx) reindexAgentActivity(ctx context.Context, workspace, agent string) error {
	if _, err := c.Exec(ctx, `DELETE FROM pulse WHERE workspace = $1 AND agent = $2`, workspace, agent); err != nil {
		return err
	}
	if err := c.addActivity(ctx, workspace, c.activity, agent); err != nil {
		return err
	}
	clear(c.activity)
	return nil
}

// reindexWorkspaceActivity sums up the activity of the agents again.
func (c *storeTx) reindexWorkspaceActivity(ctx context.Context) error {
	if _, err := c.Exec(ctx, `DELETE FROM pulse WHERE agent = ''`); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `INSERT INTO pulse (workspace, agent, what, hour, n)
		SELECT workspace, '', what, hour, sum(n) FROM pulse WHERE agent <> '' GROUP BY workspace, what, hour`)
	return err
}

// firstLine is the oldest line with a time.
type firstLine struct {
	at   int64
	kind int
}

// add considers a line; a line without a time is ignored.
func (f *firstLine) add(file figs.File, ts string) {
	at, ok := figs.ParseTime(ts)
	if ok && at != figs.NoTime && (f.at == figs.NoTime || at < f.at || at == f.at && int(file) < f.kind) {
		f.at, f.kind = at, int(file)
	}
}

// HourlyActivity implements store.Reader.
func (s *Store) HourlyActivity(ctx context.Context, workspace, agent string, from, to int64) ([]store.HourCount, error) {
	rows, err := s.Rows(ctx, `SELECT what, hour, n FROM pulse WHERE workspace = $1 AND agent = $2 AND what IN (0, 1, 2, 10, 11, 12, 14, 20)
		AND hour >= $3 AND hour < $4 AND n <> 0 ORDER BY what, hour`, sqldb.CleanText(workspace), sqldb.CleanText(agent), from, to)
	return sqldb.Collect(rows, err, scanHourCount)
}

// LastActiveHour implements store.Reader.
func (s *Store) LastActiveHour(ctx context.Context, workspace, agent string) (hour int64, err error) {
	const of = `SELECT max(hour) AS hour FROM pulse WHERE workspace = $1 AND agent = $2 AND n <> 0 AND what = `
	var last sql.NullInt64
	err = s.Row(ctx, `SELECT max(hour) FROM (`+of+`0 UNION ALL `+of+`1 UNION ALL `+of+`2) lasts`, sqldb.CleanText(workspace), sqldb.CleanText(agent)).Scan(&last)
	if err == nil && !last.Valid {
		err = store.ErrNotFound
	}
	return last.Int64, err
}

func scanHourCount(r sqldb.Scanner, b *store.HourCount) error {
	var what int
	err := r.Scan(&what, &b.Hour, &b.N)
	switch {
	case what == kindRaised:
		b.Kind = store.ActivityRaised
	case what >= kindSettled:
		b.Kind, b.Outcome = store.ActivitySettled, figs.Outcome(what-kindSettled)
	default:
		b.Kind = store.ActivityKind(what)
	}
	return err
}

// dayOf is the day of an hour, rounded down, also for those before 1970.
const dayOf = `(hour + 240000000) / 24 - 10000000`

// ActivityByDay implements store.Reader.
func (s *Store) ActivityByDay(ctx context.Context, workspace, agent string) ([]store.HourCount, error) {
	rows, err := s.Rows(ctx, `SELECT what, 24 * (`+dayOf+`), sum(n) FROM pulse WHERE workspace = $1 AND agent = $2 AND what IN (0, 1, 2, 10, 11, 12, 14, 20)
		GROUP BY what, `+dayOf+` HAVING sum(n) <> 0 ORDER BY 2, 1`, sqldb.CleanText(workspace), sqldb.CleanText(agent))
	return sqldb.Collect(rows, err, scanHourCount)
}

// DailyActivity implements store.Reader.
func (s *Store) DailyActivity(ctx context.Context, agent string) ([]store.DayCount, error) {
	rows, err := s.Rows(ctx, `SELECT what, `+dayOf+`, sum(n) FROM pulse WHERE workspace = (SELECT workspace FROM agents WHERE id = $1) AND agent = $1 AND what IN (0, 1, 2)
		GROUP BY what, `+dayOf+` HAVING sum(n) <> 0 ORDER BY 2, 1`, sqldb.CleanText(agent))
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, d *store.DayCount) error { return r.Scan(&d.File, &d.Day, &d.N) })
}

// WeeklyJobs implements store.Reader.
func (s *Store) WeeklyJobs(ctx context.Context, workspace string, agents []string, from int64) ([]store.WeekCount, error) {
	// 1970 began on a Thursday. from is later, so that division rounds down.
	rows, err := s.Rows(ctx, `SELECT agent, what, week, sum(n) FROM (SELECT agent, what, n, (hour + 72) / 168 AS week FROM pulse
		WHERE workspace = $1 AND agent `+s.TextsIn(3)+` AND what IN (10, 11, 12, 14) AND hour >= $2) w GROUP BY agent, what, week HAVING sum(n) <> 0 ORDER BY agent, week, what`,
		sqldb.CleanText(workspace), max(0, floorDiv(from, hour)), sqldb.JSONList(agents))
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, w *store.WeekCount) error {
		err := r.Scan(&w.Agent, &w.Outcome, &w.Week, &w.N)
		w.Outcome -= kindSettled
		return err
	})
}
