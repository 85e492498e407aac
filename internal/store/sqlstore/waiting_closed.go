package sqlstore

import (
	"context"
	"strconv"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// fewAgents is up to how many agents are queried one by one for their newest asks.
const fewAgents = 32

// otherAsks returns asks of the tab for waiting or closed asks, newest first, in the places of a group: at least those of a
// window.
func (s *Store) otherAsks(ctx context.Context, q *store.InboxQuery, f *inboxFilter, w window, group string) ([]placedAsk, error) {
	lane := laneWaiting
	if q.Tab == store.TabClosed {
		lane = laneClosed
	}
	var agents []string
	if !f.isUnfiltered {
		agents = f.agents()
	}
	if f.isUnfiltered || len(agents) > fewAgents {
		return s.newestAsks(ctx, q.Workspace, "", lane, f, w, group)
	}
	var all []placedAsk
	for _, agent := range agents {
		part, err := s.newestAsks(ctx, "", agent, lane, f, w, group)
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
	}
	return all, nil
}

// batchSize is how many asks are read at once if some of them may be filtered out.
const batchSize = 500

// newestAsks reads a tab of a workspace or of one agent from its index, from the window's cursor on, until it has enough
// asks.
func (s *Store) newestAsks(ctx context.Context, workspace, agent string, lane int, f *inboxFilter, at window, group string) (all []placedAsk, err error) {
	n, most := at.N+1, batchSize
	if f.isUnfiltered {
		most = n + len(f.skip)
	}
	for len(all) < n {
		rows, err := s.nextAsks(ctx, workspace, agent, lane, f, at, most)
		if err != nil {
			return nil, err
		}
		for i := range rows {
			// Here, since is the time of the last change.
			rows[i].at = placeIn(group, -rows[i].item.since, -rows[i].item.no)
			if len(all) < n && !f.skip[rows[i].item.no] && f.includes(&rows[i].item) {
				all = append(all, rows[i])
			}
		}
		if len(rows) < most {
			break
		}
		at.at = &rows[len(rows)-1].at
	}
	return all, nil
}

// nextAsks reads the asks of a tab next to the window's cursor, nearest first.
func (s *Store) nextAsks(ctx context.Context, workspace, agent string, lane int, f *inboxFilter, at window, most int) ([]placedAsk, error) {
	// The lane isn't a parameter, because each lane has its own index. Reported asks are on another tab.
	w := sqldb.Where{SQL: `SELECT r.no, r.at, r.agent, r.asked FROM records r WHERE r.lane = ` + strconv.Itoa(lane)}
	if lane == laneWaiting {
		w.SQL += ` AND r.reported = 0`
	}
	if agent != "" {
		w.And(` AND r.kind = 1 AND r.agent = $%d`, agent)
	} else {
		w.And(` AND r.workspace = $%d`, sqldb.CleanText(workspace))
	}
	f.addConditions(&w)
	if at.at != nil { // its numbers are negative, because the list is descending
		last := placeOf(-at.at.Key.Number, -numberOf(*at.at))
		at.at = &last
	}
	order{key: "r.at", no: "r.no", descending: true}.apply(&w, at)
	w.And(` LIMIT $%d`, most)
	rows, err := s.Rows(ctx, w.SQL, w.Args...)
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, x *placedAsk) error {
		return r.Scan(&x.item.no, &x.item.since, &x.item.agent, &x.item.asked)
	})
}
