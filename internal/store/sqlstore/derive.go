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

// derived is where some asks stand.
type derived struct {
	*figs.AskStates
	said []store.Message // all that it was told of replies
}

// derive works out where asks stand, from their trails and replies.
func derive(asks []string, trail func(ask string) []figs.Version, thread func(ask string) []store.Message) derived {
	desk := derived{AskStates: figs.NewAskStates()}
	for _, ask := range asks {
		for _, v := range trail(ask) {
			desk.Version(v)
		}
	}
	for _, ask := range asks {
		for _, m := range thread(ask) {
			desk.Reply(m.Line, m.Received, m.Verified)
			desk.said = append(desk.said, m)
		}
	}
	desk.Finish()
	return desk
}

// facts are those of one of the asks.
func (d derived) facts(fold figs.Object, ask string, raised, arrived int64) facts {
	state, _ := d.State(ask)
	thread, by := d.Thread(ask), ""
	if state.Reported {
		by = strings.TrimSpace(figs.Fold([][]byte{d.said[thread[state.Reply].Message].Line}).Get("by").Text())
	}
	f := askFacts(fold, state, thread, by, raised, arrived)
	if state.Reported && state.Phase.Closed() && d.spoken(thread, thread[state.Reply].Message) {
		f.reported = contradicted
	}
	return f
}

// contradicted stands for an ask that was closed on a report which a person has contradicted since: it
// stays reported, and waits for nobody's word any more.
const contradicted = 2

// spoken reports whether a person's word on the present round arrived after a reply.
func (d derived) spoken(thread []figs.Reply, reply int) bool {
	return slices.ContainsFunc(thread, func(r figs.Reply) bool {
		return !r.Earlier && r.Message > reply && d.said[r.Message].Verified
	})
}

// deriveAgain derives stored asks whose replies changed, or all that reindexing goes through.
func (c *change) deriveAgain(ctx context.Context, agent string, asks []*recordRow, seq int64) error {
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
	said, err := replies(ctx, c, agent, ids)
	if err != nil {
		return err
	}
	desk := derive(ids, func(ask string) []figs.Version { return versions(had[byID[ask].no]) }, func(ask string) []store.Message { return said[ask] })
	for _, ask := range asks {
		f := desk.facts(figs.Fold([][]byte{ask.fold}), ask.id, begun(versions(had[ask.no][:1])), ask.received)
		if err := c.setFacts(ctx, ask.no, &f, seq); err != nil {
			return err
		}
		c.moved.move(sqldb.KindAsk, ask, f.state)
	}
	return nil
}

// begun is when the first version of a trail was written, else when it arrived.
func begun(trail []figs.Version) int64 {
	return instant(trail[0].At, figs.Fold([][]byte{trail[0].Line}).Get("ts").Text())
}

// tally counts by how many an agent's counts change; keys are columns of agents.
type tally map[string]int

// columns that count a record of a state, beside the one that counts all of its kind.
var (
	runColumns = [...]string{figs.OutcomeOK: "", figs.OutcomeWarn: "warned", figs.OutcomeFail: "failed", figs.OutcomeInFlight: "in_flight", figs.OutcomeUnknown: "unknown"}
	askColumns = [...]string{laneNeeds: "needs", laneWaiting: "waiting", laneClosed: "closed"}
)

func columnOf(kind, state int) string {
	if kind == sqldb.KindRun {
		return runColumns[state]
	}
	return askColumns[laneOf(figs.Phase(state))]
}

// move notes that a record comes to a state; was is nil when it is new.
func (t tally) move(kind int, was *recordRow, state int) {
	t[columnOf(kind, state)]++
	if was != nil {
		t[columnOf(kind, was.state)]--
		return
	}
	t[[...]string{sqldb.KindRun: "jobs", sqldb.KindAsk: "asks"}[kind]]++
}

// tallied are the columns of agents that a tally moves.
var tallied = []string{"jobs", "in_flight", "failed", "warned", "unknown", "asks", "needs", "waiting", "closed", "orphans"}

// setCounts is one statement, whatever moved: what is the same each time is prepared once. Beside the counts it looks up since
// when the agent's oldest ask needs a human, and its newest line; and keeps its oldest.
var setCounts = func() string {
	const newest = `SELECT * FROM (SELECT at, ts, %d AS place FROM records WHERE agent = $1 AND kind = %d AND lane = %d ORDER BY at DESC, no DESC LIMIT 1) n%[1]d UNION ALL `
	var lines strings.Builder
	for i, of := range [...][2]int{{sqldb.KindRun, laneNone}, {sqldb.KindAsk, laneNeeds}, {sqldb.KindAsk, laneWaiting}, {sqldb.KindAsk, laneClosed}} {
		fmt.Fprintf(&lines, newest, i, of[0], of[1])
	}
	set := `UPDATE agents SET seq = $2, refused = (SELECT count(*) FROM refusals WHERE agent = $1), messages = messages + $3,
		messages_seq = CASE WHEN $3 > 0 THEN $2 ELSE messages_seq END,
		oldest = coalesce((SELECT since FROM records WHERE agent = $1 AND lane = 0 ORDER BY since, no LIMIT 1), $4),
		(last_at, last_ts) = (SELECT at, ts FROM (` + lines.String() + `SELECT $4, '', 9) l ORDER BY at DESC, place LIMIT 1)`
	set += `, first_at = CASE WHEN ` + earlier + ` THEN $5 ELSE first_at END, first_kind = CASE WHEN ` + earlier + ` THEN $6 ELSE first_kind END`
	for i, column := range tallied {
		set += fmt.Sprintf(", %[1]s = %[1]s + $%[2]d", column, i+7)
	}
	return set + ` WHERE id = $1`
}()

// earlier says that the change has a line with a time of its own that is older than all that the agent has.
const earlier = `$5 <> $4 AND (first_at = $4 OR first_at > $5 OR first_at = $5 AND first_kind > $6)`

// count adds what the change moved to the agent's own row; messages is how many replies are new.
func (c *change) count(ctx context.Context, workspace, agent string, seq int64, messages int) error {
	args := []any{agent, seq, int64(messages), int64(figs.NoTime), c.first.at, int64(c.first.kind)}
	for _, column := range tallied {
		args = append(args, int64(c.moved[column]))
	}
	if err := c.Later(ctx, setCounts, args...); err != nil {
		return err
	}
	return c.addBeats(ctx, workspace, c.beats, "", agent)
}

// recount counts all of the agent's records.
func (c *change) recount(ctx context.Context, workspace, agent string, seq int64) error {
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
	clear(c.moved)
	for _, g := range groups {
		c.moved[columnOf(g.kind, g.state)] += g.n
		c.moved[[...]string{sqldb.KindRun: "jobs", sqldb.KindAsk: "asks"}[g.kind]] += g.n
	}
	return c.count(ctx, workspace, agent, seq, 0)
}
