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

// What pulse counts, beside the lines of a ledger under that ledger's own number.
const (
	whatSettled = 10 // and the outcome
	whatRaised  = 20
)

const hour, dayHours = 3600_000_000, 24

// floor divides and rounds down, so that hours before 1970 are as long as others.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// beat is what happened in which hour.
type beat struct {
	what int
	hour int64
}

// pulse counts by how much a change moves what happened when.
type pulse map[beat]int

// line notes a line of a ledger.
func (p pulse) line(file figs.File, at int64) { p[beat{int(file), floor(at, hour)}]++ }

// day notes what is counted by the day.
func (p pulse) day(what int, at int64, n int) {
	p[beat{what, floor(at, hour*dayHours) * dayHours}] += n
}

// settled notes where a run comes to stand; was is nil when it is new.
func (p pulse) settled(was *recordRow, f *facts) {
	if was != nil && figs.Outcome(was.state) != figs.OutcomeInFlight {
		p.day(whatSettled+was.state, was.at, -1)
	}
	if figs.Outcome(f.state) != figs.OutcomeInFlight {
		p.day(whatSettled+f.state, f.at, 1)
	}
}

// addBeats writes what a change moved: of an agent, and of its workspace where the agent is "".
func (c *change) addBeats(ctx context.Context, workspace string, moved pulse, agents ...string) error {
	beats := slices.SortedFunc(maps.Keys(moved), func(a, b beat) int {
		if a.what != b.what {
			return a.what - b.what
		}
		return int(a.hour - b.hour)
	})
	var rows [][]any
	for _, agent := range agents {
		for _, b := range beats {
			if moved[b] != 0 {
				rows = append(rows, []any{workspace, agent, b.what, b.hour, moved[b]})
			}
		}
	}
	return c.Insert(ctx, "pulse", "workspace, agent, what, hour, n", rows, ` ON CONFLICT (workspace, agent, what, hour) DO UPDATE SET n = pulse.n + excluded.n`)
}

// reindexBeats writes the agent's part again from what the change has met.
func (c *change) reindexBeats(ctx context.Context, workspace, agent string) error {
	if _, err := c.Exec(ctx, `DELETE FROM pulse WHERE workspace = $1 AND agent = $2`, workspace, agent); err != nil {
		return err
	}
	if err := c.addBeats(ctx, workspace, c.beats, agent); err != nil {
		return err
	}
	clear(c.beats)
	return nil
}

// reindexPulse sums up the agents' parts again.
func (c *change) reindexPulse(ctx context.Context) error {
	if _, err := c.Exec(ctx, `DELETE FROM pulse WHERE agent = ''`); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `INSERT INTO pulse (workspace, agent, what, hour, n)
		SELECT workspace, '', what, hour, sum(n) FROM pulse WHERE agent <> '' GROUP BY workspace, what, hour`)
	return err
}

// first is the oldest line with a time of its own.
type first struct {
	at   int64
	kind int
}

// note takes a line's time; lines without one are not dated.
func (f *first) note(file figs.File, ts string) {
	at, ok := figs.ParseTime(ts)
	if ok && at != figs.NoTime && (f.at == figs.NoTime || at < f.at || at == f.at && int(file) < f.kind) {
		f.at, f.kind = at, int(file)
	}
}

// Beats implements store.Reader.
func (s *Store) HourlyActivity(ctx context.Context, workspace, agent string, from, to int64) ([]store.HourCount, error) {
	rows, err := s.Rows(ctx, `SELECT what, hour, n FROM pulse WHERE workspace = $1 AND agent = $2 AND what IN (0, 1, 2, 10, 11, 12, 14, 20)
		AND hour >= $3 AND hour < $4 AND n <> 0 ORDER BY what, hour`, sqldb.CleanText(workspace), sqldb.CleanText(agent), from, to)
	return sqldb.Collect(rows, err, scanBeat)
}

// LastBeat implements store.Reader.
func (s *Store) LastActiveHour(ctx context.Context, workspace, agent string) (hour int64, err error) {
	const of = `SELECT max(hour) AS hour FROM pulse WHERE workspace = $1 AND agent = $2 AND n <> 0 AND what = `
	var last sql.NullInt64
	err = s.Row(ctx, `SELECT max(hour) FROM (`+of+`0 UNION ALL `+of+`1 UNION ALL `+of+`2) lasts`, sqldb.CleanText(workspace), sqldb.CleanText(agent)).Scan(&last)
	if err == nil && !last.Valid {
		err = store.ErrNotFound
	}
	return last.Int64, err
}

func scanBeat(r sqldb.Scanner, b *store.HourCount) error {
	var what int
	err := r.Scan(&what, &b.Hour, &b.N)
	switch {
	case what == whatRaised:
		b.Kind = store.ActivityRaised
	case what >= whatSettled:
		b.Kind, b.Outcome = store.ActivitySettled, figs.Outcome(what-whatSettled)
	default:
		b.Kind = store.ActivityKind(what)
	}
	return err
}

// Days implements store.Reader.
func (s *Store) DailyActivity(ctx context.Context, agent string) ([]store.DayCount, error) {
	rows, err := s.Rows(ctx, `SELECT what, hour, n FROM pulse WHERE workspace = (SELECT workspace FROM agents WHERE id = $1) AND agent = $1 AND what IN (0, 1, 2) AND n <> 0
		ORDER BY hour, what`, sqldb.CleanText(agent))
	beats, err := sqldb.Collect(rows, err, scanBeat)
	byDay := map[[2]int64]int{}
	var days []store.DayCount
	for _, b := range beats {
		k := [2]int64{floor(b.Hour, dayHours), int64(b.Kind)}
		at, known := byDay[k]
		if !known {
			at = len(days)
			byDay[k], days = at, append(days, store.DayCount{Day: k[0], File: figs.File(b.Kind)})
		}
		days[at].N += b.N
	}
	slices.SortStableFunc(days, func(a, b store.DayCount) int {
		if a.Day != b.Day {
			return int(a.Day - b.Day)
		}
		return int(a.File) - int(b.File)
	})
	return days, err
}

// Weeks implements store.Reader.
func (s *Store) WeeklyJobs(ctx context.Context, workspace string, from int64) ([]store.WeekCount, error) {
	// 1970 began on a Thursday. What is asked for is after it, so that division rounds down.
	rows, err := s.Rows(ctx, `SELECT agent, what, week, sum(n) FROM (SELECT agent, what, n, (hour + 72) / 168 AS week FROM pulse
		WHERE workspace = $1 AND what IN (10, 11, 12, 14) AND what >= 10 AND hour >= $2 AND agent <> '') w GROUP BY agent, what, week HAVING sum(n) <> 0 ORDER BY agent, week, what`,
		sqldb.CleanText(workspace), max(0, floor(from, hour)))
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, w *store.WeekCount) error {
		err := r.Scan(&w.Agent, &w.Outcome, &w.Week, &w.N)
		w.Outcome -= whatSettled
		return err
	})
}
