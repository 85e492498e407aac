package sqlstore

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// Kinds of activity that add up tokens by the day. A session reports its total, so it counts once: with its largest total,
// on the day of the newest job that reports it.
const (
	kindTokens    = 30
	kindTokenJobs = 31 // jobs that report tokens
)

// usage is what a settled job reports of the tokens of its session.
type usage struct {
	session    string
	tokens, at int64
}

// usageOf returns the usage of a job; nil if it doesn't report any, or is in flight.
func usageOf(f *facts) *usage {
	if f.tokens < 0 || figs.Outcome(f.state) == figs.OutcomeInFlight {
		return nil
	}
	return &usage{f.session, f.tokens, f.at}
}

// storedUsage returns the usage of a stored job.
func storedUsage(row *recordRow) *usage {
	f := runFacts(figs.Fold([][]byte{row.fold}), row.at)
	f.at, f.state = row.at, row.state
	return usageOf(&f)
}

// usageChange is a job whose usage may have changed.
type usageChange struct {
	no      int64  // 0 if the job is new
	was, is *usage // nil if there was or is none
}

// changeOf is what a push changes of a job's usage; row is nil if the job is new.
func changeOf(row *recordRow, f *facts) usageChange {
	x := usageChange{is: usageOf(f)}
	if row != nil {
		x.no, x.was = row.no, storedUsage(row)
	}
	return x
}

// largestUsage is the largest total of each session.
type largestUsage map[string]usage

func (l largestUsage) add(u *usage) {
	if was, ok := l[u.session]; !ok || u.tokens > was.tokens || u.tokens == was.tokens && u.at > was.at {
		l[u.session] = *u
	}
}

// addUsage counts the tokens of a job by itself, or, if it has a session, adds it to the session's; by is 1, or -1 for what
// no longer counts.
func (p activityCounts) addUsage(sessions largestUsage, u *usage, by int) {
	if u == nil {
		return
	}
	p.addDay(kindTokenJobs, u.at, by)
	if u.session == "" {
		p.addDay(kindTokens, u.at, by*int(u.tokens))
		return
	}
	sessions.add(u)
}

// addSessions counts the tokens of sessions.
func (p activityCounts) addSessions(sessions largestUsage, by int) {
	for _, u := range sessions {
		p.addDay(kindTokens, u.at, by*int(u.tokens))
	}
}

// addTokens counts what changes of an agent's tokens. The rows of the jobs may be written before or after it.
func (c *storeTx) addTokens(ctx context.Context, agent string, changes []usageChange) error {
	before, after := largestUsage{}, largestUsage{}
	var changed []int64
	for _, x := range changes {
		if x.was != nil && x.is != nil && *x.was == *x.is {
			x.was, x.is = nil, nil
		}
		if x.no != 0 {
			changed = append(changed, x.no)
		}
		c.activity.addUsage(before, x.was, -1)
		c.activity.addUsage(after, x.is, 1)
	}
	sessions := make([]string, 0, len(before)+len(after))
	for id := range before {
		sessions = append(sessions, id)
	}
	for id := range after {
		if _, known := before[id]; !known {
			sessions = append(sessions, id)
		}
	}
	slices.Sort(sessions)
	for part := range slices.Chunk(sessions, batchSize) {
		others, err := c.largestOf(ctx, agent, part, changed)
		if err != nil {
			return err
		}
		for i := range others {
			u := &others[i]
			before.add(u)
			after.add(u)
		}
	}
	c.activity.addSessions(before, -1)
	c.activity.addSessions(after, 1)
	return nil
}

// largestOf returns the largest usage of each of some sessions of an agent, without that of some jobs.
func (c *storeTx) largestOf(ctx context.Context, agent string, sessions []string, without []int64) ([]usage, error) {
	const reports = `x.kind = 0 AND x.state <> 3 AND x.tokens >= 0 AND x.session <> ''`
	rows, err := c.Rows(ctx, `SELECT r.session, r.tokens, r.at FROM `+c.s.Texts(2)+` s JOIN records r ON r.no = (SELECT x.no FROM records x
		WHERE x.agent = $1 AND x.session = s.value AND `+reports+` AND NOT x.no `+c.s.NumbersIn(3)+` ORDER BY x.tokens DESC, x.at DESC LIMIT 1)`,
		agent, sqldb.JSONList(sessions), sqldb.JSONList(without))
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, u *usage) error { return r.Scan(&u.session, &u.tokens, &u.at) })
}

// TokenUsage implements store.Reader, from what is added up by the day.
func (s *Store) TokenUsage(ctx context.Context, workspace, agent string, from, to int64) (u store.TokenUsage, err error) {
	err = s.Row(ctx, `SELECT CAST(coalesce(sum(CASE WHEN what = 30 THEN n ELSE 0 END), 0) AS BIGINT), CAST(coalesce(sum(CASE WHEN what = 31 THEN n ELSE 0 END), 0) AS BIGINT) FROM pulse
		WHERE workspace = $1 AND agent = $2 AND what IN (30, 31) AND hour >= $3 AND hour < $4`,
		sqldb.CleanText(workspace), sqldb.CleanText(agent), floorDiv(from, hour), floorDiv(to, hour)).Scan(&u.Sum, &u.Jobs)
	return u, err
}
