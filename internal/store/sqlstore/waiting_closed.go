package sqlstore

import (
	"context"
	"slices"
	"strconv"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// fewAgents is up to how many agents are queried one by one for their newest asks.
const fewAgents = 32

// otherAsks returns the first n asks of the tab for waiting or closed asks, newest first.
func (s *Store) otherAsks(ctx context.Context, q *store.InboxQuery, f *inboxFilter, n int) ([]inboxEntry, error) {
	lane := laneWaiting
	if q.Tab == store.TabClosed {
		lane = laneClosed
	}
	var agents []string
	if !f.isUnfiltered {
		agents = f.agents()
	}
	if f.isUnfiltered || len(agents) > fewAgents {
		return s.newestAsks(ctx, q.Workspace, "", lane, f, n)
	}
	var all []inboxEntry
	for _, agent := range agents {
		part, err := s.newestAsks(ctx, "", agent, lane, f, n)
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
	}
	slices.SortFunc(all, func(a, b inboxEntry) int { // here, since is the time of the last change
		if a.since != b.since {
			return compareInt64(b.since, a.since)
		}
		return compareInt64(b.no, a.no)
	})
	return all[:min(n, len(all))], nil
}

// batchSize is how many asks are read at once if some of them may be filtered out.
const batchSize = 500

// newestAsks reads a tab of a workspace or of one agent from its index until it has n asks.
func (s *Store) newestAsks(ctx context.Context, workspace, agent string, lane int, f *inboxFilter, n int) (all []inboxEntry, err error) {
	most := batchSize
	if f.isUnfiltered {
		most = n + len(f.skip)
	}
	for last := (*inboxEntry)(nil); len(all) < n; {
		rows, err := s.olderAsks(ctx, workspace, agent, lane, f, last, most)
		if err != nil {
			return nil, err
		}
		for i := range rows {
			if len(all) < n && !f.skip[rows[i].no] && f.includes(&rows[i]) {
				all = append(all, rows[i])
			}
		}
		if len(rows) < most {
			break
		}
		last = &rows[len(rows)-1]
	}
	return all, nil
}

// olderAsks reads the next asks of a tab after last, newest first.
func (s *Store) olderAsks(ctx context.Context, workspace, agent string, lane int, f *inboxFilter, last *inboxEntry, most int) ([]inboxEntry, error) {
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
	if last != nil {
		w.And(` AND (r.at, r.no) < ($%d`, last.since)
		w.And(`, $%d)`, last.no)
	}
	w.And(` ORDER BY r.at DESC, r.no DESC LIMIT $%d`, most)
	rows, err := s.Rows(ctx, w.SQL, w.Args...)
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, e *inboxEntry) error { return r.Scan(&e.no, &e.since, &e.agent, &e.asked) })
}
