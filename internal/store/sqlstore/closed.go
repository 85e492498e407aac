package sqlstore

import (
	"context"
	"slices"
	"strconv"

	"github.com/figs-web/figs-web/internal/store"
)

// few is up to how many agents each is asked for its own newest asks.
const few = 32

// otherAsks lists the first n asks of a tab that may be long: waiting or closed, newest first.
func (s *Store) otherAsks(ctx context.Context, q *store.InboxQuery, f *filter, n int) ([]entry, error) {
	lane := laneWaiting
	if q.Tab == store.Closed {
		lane = laneClosed
	}
	var agents []string
	if !f.any {
		agents = f.agents()
	}
	if f.any || len(agents) > few {
		return s.newestAsks(ctx, q.Workspace, "", lane, f, n)
	}
	var all []entry
	for _, agent := range agents {
		part, err := s.newestAsks(ctx, "", agent, lane, f, n)
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
	}
	slices.SortFunc(all, func(a, b entry) int { // since is when it last changed here
		if a.since != b.since {
			return compare(b.since, a.since)
		}
		return compare(b.no, a.no)
	})
	return all[:min(n, len(all))], nil
}

// newestAsks reads the index of a tab, of a workspace or of one agent, until it has n.
func (s *Store) newestAsks(ctx context.Context, workspace, agent string, lane int, f *filter, n int) ([]entry, error) {
	// The lane is no parameter: each has an index of its own. What is only reported has its own tab.
	w := where{sql: `SELECT r.no, r.at, r.agent, r.asked FROM records r WHERE r.lane = ` + strconv.Itoa(lane)}
	if lane == laneWaiting {
		w.sql += ` AND r.reported = 0`
	}
	if agent != "" {
		w.and(` AND r.kind = 1 AND r.agent = $%d`, agent)
	} else {
		w.and(` AND r.workspace = $%d`, clean(workspace))
	}
	f.conditions(&w)
	rows, err := s.rows(ctx, w.sql+` ORDER BY r.at DESC, r.no DESC`, w.args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []entry
	for len(all) < n && rows.Next() {
		var e entry
		if err := rows.Scan(&e.no, &e.since, &e.agent, &e.asked); err != nil {
			return nil, err
		}
		if f.takes(&e) {
			all = append(all, e)
		}
	}
	return all, rows.Err()
}
