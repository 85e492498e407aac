package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// derivedAsks is the derived state of some asks.
type derivedAsks struct {
	*figs.AskStates
	replies []store.Message // all replies, as numbered by AskStates
}

// derive derives the state of asks from their trails and replies.
func derive(asks []string, trail func(ask string) []figs.Version, thread func(ask string) []store.Message) derivedAsks {
	states := derivedAsks{AskStates: figs.NewAskStates()}
	for _, ask := range asks {
		for _, v := range trail(ask) {
			states.Version(v)
		}
	}
	for _, ask := range asks {
		for _, m := range thread(ask) {
			states.Reply(m.Line, m.Received, m.Verified)
			states.replies = append(states.replies, m)
		}
	}
	states.Finish()
	return states
}

// facts returns the facts of one of the asks.
func (d derivedAsks) facts(fold figs.Object, ask string, raised, arrived int64) facts {
	state, _ := d.State(ask)
	thread, by := d.Thread(ask), ""
	if state.Reported {
		by = strings.TrimSpace(figs.Fold([][]byte{d.replies[thread[state.Reply].Message].Line}).Get("by").Text())
	}
	f := askFacts(fold, state, thread, by, raised, arrived)
	if state.Reported && state.Phase.Closed() && d.hasLaterReply(thread, thread[state.Reply].Message) {
		f.reported = reportedDenied
	}
	return f
}

// reportedDenied is the value of facts.reported for an ask that was closed on a report which a person has denied since. It
// stays reported, but needs no confirmation.
const reportedDenied = 2

// hasLaterReply reports whether a verified reply in the current round arrived after reply.
func (d derivedAsks) hasLaterReply(thread []figs.Reply, reply int) bool {
	return slices.ContainsFunc(thread, func(r figs.Reply) bool {
		return !r.Earlier && r.Message > reply && d.replies[r.Message].Verified
	})
}

// rederive derives stored asks again whose replies have changed.
func (c *storeTx) rederive(ctx context.Context, agent string, asks []*recordRow, seq int64) error {
	numbers, ids := make([]int64, len(asks)), make([]string, len(asks))
	byID := make(map[string]*recordRow, len(asks))
	for i, ask := range asks {
		numbers[i], ids[i] = ask.no, ask.id
		byID[ask.id] = ask
	}
	had, err := trails(ctx, c, agent, numbers)
	if err != nil {
		return err
	}
	byAsk, err := replies(ctx, c, agent, ids)
	if err != nil {
		return err
	}
	states := derive(ids, func(ask string) []figs.Version { return versions(had[byID[ask].no]) }, func(ask string) []store.Message { return byAsk[ask] })
	for _, ask := range asks {
		f := states.facts(figs.Fold([][]byte{ask.fold}), ask.id, raisedAt(versions(had[ask.no][:1])), ask.received)
		if err := c.setFacts(ctx, ask.no, &f, seq); err != nil {
			return err
		}
		c.deltas.move(sqldb.KindAsk, ask, f.state)
	}
	return nil
}

// raisedAt returns the time of the first version of a trail, or else its arrival.
func raisedAt(trail []figs.Version) int64 {
	return parseTimeOr(trail[0].At, figs.Fold([][]byte{trail[0].Line}).Get("ts").Text())
}

// countDeltas are the changes of an agent's counts, by column of agents.
type countDeltas map[string]int

// Columns that count the records of a state, besides the one that counts all of a kind.
var (
	runColumns = [...]string{figs.OutcomeOK: "", figs.OutcomeWarn: "warned", figs.OutcomeFail: "failed", figs.OutcomeInFlight: "in_flight", figs.OutcomeUnknown: "unknown"}
	askColumns = [...]string{laneNeeds: "needs", laneWaiting: "waiting", laneClosed: "closed"}
)

func stateColumn(kind, state int) string {
	if kind == sqldb.KindRun {
		return runColumns[state]
	}
	return askColumns[laneOf(figs.Phase(state))]
}

// move counts that a record changes to a state; was is nil if it is new.
func (t countDeltas) move(kind int, was *recordRow, state int) {
	t[stateColumn(kind, state)]++
	if was != nil {
		t[stateColumn(kind, was.state)]--
		return
	}
	t[[...]string{sqldb.KindRun: "jobs", sqldb.KindAsk: "asks"}[kind]]++
}

// countColumns are the columns of agents in countDeltas.
var countColumns = []string{"jobs", "in_flight", "failed", "warned", "unknown", "asks", "needs", "waiting", "closed", "orphans"}

// setCountsQuery updates all counts, whatever has changed, so that it is always the same prepared statement. It also
// updates the time since which the agent's oldest ask has needed a human, its newest line, and its oldest line.
var setCountsQuery = func() string {
	const newest = `SELECT * FROM (SELECT at, ts, %d AS place FROM records WHERE agent = $1 AND kind = %d AND lane = %d ORDER BY at DESC, no DESC LIMIT 1) n%[1]d UNION ALL `
	var lines strings.Builder
	for i, of := range [...][2]int{{sqldb.KindRun, laneNone}, {sqldb.KindAsk, laneNeeds}, {sqldb.KindAsk, laneWaiting}, {sqldb.KindAsk, laneClosed}} {
		fmt.Fprintf(&lines, newest, i, of[0], of[1])
	}
	set := `UPDATE agents SET seq = $2, changed_seq = $2, refused = (SELECT count(*) FROM refusals WHERE agent = $1), messages = messages + $3,
		messages_seq = CASE WHEN $3 > 0 THEN $2 ELSE messages_seq END,
		oldest = coalesce((SELECT since FROM records WHERE agent = $1 AND lane = 0 ORDER BY since, no LIMIT 1), $4),
		(last_at, last_ts) = (SELECT at, ts FROM (` + lines.String() + `SELECT $4, '', 9) l ORDER BY at DESC, place LIMIT 1)`
	set += `, first_at = CASE WHEN ` + isEarlier + ` THEN $5 ELSE first_at END, first_kind = CASE WHEN ` + isEarlier + ` THEN $6 ELSE first_kind END`
	for i, column := range countColumns {
		set += fmt.Sprintf(", %[1]s = %[1]s + $%[2]d", column, i+7)
	}
	return set + ` WHERE id = $1`
}()

// isEarlier is the condition that the transaction has a line with a time that is older than the agent's oldest line.
const isEarlier = `$5 <> $4 AND (first_at = $4 OR first_at > $5 OR first_at = $5 AND first_kind > $6)`

// updateCounts adds the transaction's deltas to the agent's row; messages is the number of new replies.
func (c *storeTx) updateCounts(ctx context.Context, workspace, agent string, seq int64, messages int) error {
	args := []any{agent, seq, int64(messages), int64(figs.NoTime), c.firstLine.at, int64(c.firstLine.kind)}
	for _, column := range countColumns {
		args = append(args, int64(c.deltas[column]))
	}
	if err := c.Later(ctx, setCountsQuery, args...); err != nil {
		return err
	}
	return c.addActivity(ctx, workspace, c.activity, "", agent)
}

// recount counts all records of the agent.
func (c *storeTx) recount(ctx context.Context, workspace, agent string, seq int64) error {
	rows, err := c.Rows(ctx, `SELECT kind, state, count(*) FROM records WHERE agent = $1 GROUP BY kind, state`, agent)
	type group struct{ kind, state, n int }
	groups, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, g *group) error { return r.Scan(&g.kind, &g.state, &g.n) })
	if err != nil {
		return err
	}
	if _, err := c.Exec(ctx, `UPDATE agents SET jobs = 0, in_flight = 0, failed = 0, warned = 0, unknown = 0, asks = 0, needs = 0, waiting = 0, closed = 0,
		messages = (SELECT count(*) FROM messages WHERE agent = $1), orphans = (SELECT count(*) FROM messages m WHERE m.agent = $1
		AND NOT EXISTS (SELECT 1 FROM records r WHERE r.agent = m.agent AND r.kind = 1 AND r.id = m.ask)), first_at = $2 WHERE id = $1`, agent, int64(figs.NoTime)); err != nil {
		return err
	}
	clear(c.deltas)
	for _, g := range groups {
		c.deltas[stateColumn(g.kind, g.state)] += g.n
		c.deltas[[...]string{sqldb.KindRun: "jobs", sqldb.KindAsk: "asks"}[g.kind]] += g.n
	}
	return c.updateCounts(ctx, workspace, agent, seq, 0)
}
