package sqlstore

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// derive works out where asks stand, from their trails and replies.
func derive(asks []string, trail func(ask string) []figs.Version, thread func(ask string) []store.Message) *figs.Desk {
	desk := figs.NewDesk()
	for _, ask := range asks {
		for _, v := range trail(ask) {
			desk.Version(v)
		}
	}
	for _, ask := range asks {
		for _, m := range thread(ask) {
			desk.Reply(m.Line, m.Received, m.Verified)
		}
	}
	desk.Finish()
	return desk
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
		state, _ := desk.State(ask.id)
		f := askFacts(figs.Fold([][]byte{ask.fold}), state, ask.received)
		if err := c.setFacts(ctx, ask.no, &f, seq); err != nil {
			return err
		}
	}
	return nil
}

// count sums up an agent's records in its own row. messages says that replies changed.
func (c *change) count(ctx context.Context, agent string, seq int64, messages bool) error {
	rows, err := c.rows(ctx, `SELECT kind, lane, state, count(*) FROM records WHERE agent = $1 GROUP BY kind, lane, state`, agent)
	type group struct{ kind, lane, state, n int }
	groups, err := collect(rows, err, func(r scanner, g *group) error { return r.Scan(&g.kind, &g.lane, &g.state, &g.n) })
	if err != nil {
		return err
	}
	var n store.Counts
	for _, g := range groups {
		if g.kind == kindRun {
			n.Jobs += g.n
			*[...]*int{new(int), &n.Warned, &n.Failed, &n.InFlight}[g.state] += g.n
			continue
		}
		n.Asks += g.n
		*[...]*int{&n.NeedsYou, &n.Waiting, &n.Closed}[g.lane] += g.n
	}
	oldest, last, lastTS := int64(figs.NoTime), int64(figs.NoTime), ""
	if n.NeedsYou > 0 {
		if err := c.row(ctx, `SELECT min(since) FROM records WHERE agent = $1 AND kind = $2 AND lane = 0`, agent, kindAsk).Scan(&oldest); err != nil {
			return err
		}
	}
	for _, of := range [...][2]int{{kindRun, laneNone}, {kindAsk, laneNeeds}, {kindAsk, laneWaiting}, {kindAsk, laneClosed}} {
		var at int64
		var ts string
		err := c.row(ctx, `SELECT at, ts FROM records WHERE agent = $1 AND kind = $2 AND lane = $3 ORDER BY at DESC, no DESC LIMIT 1`, agent, of[0], of[1]).Scan(&at, &ts)
		if err == nil && at > last {
			last, lastTS = at, ts
		} else if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	_, err = c.do(ctx, `UPDATE agents SET seq = $2, jobs = $3, in_flight = $4, failed = $5, warned = $6, asks = $7, needs = $8, waiting = $9, closed = $10,
		oldest = $11, last_at = $12, last_ts = $13,
		refused = (SELECT count(*) FROM refusals WHERE agent = $1),
		messages = CASE WHEN $14 = 1 THEN (SELECT count(*) FROM messages WHERE agent = $1) ELSE messages END,
		messages_seq = CASE WHEN $14 = 1 THEN $2 ELSE messages_seq END
		WHERE id = $1`, agent, seq, n.Jobs, n.InFlight, n.Failed, n.Warned, n.Asks, n.NeedsYou, n.Waiting, n.Closed, oldest, last, lastTS, flag(messages))
	return err
}
