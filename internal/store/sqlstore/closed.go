package sqlstore

import (
	"context"
	"slices"
	"strconv"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// few is up to how many agents each is asked for its own newest asks.
const few = 32

// otherAsks lists the first n asks of a tab that may be long: waiting or closed, newest first.
func (s *Store) otherAsks(ctx context.Context, q *store.InboxQuery, f *filter, n int) ([]entry, error) {
	lane := laneWaiting
	if q.Tab == store.TabClosed {
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

// piece is how many asks are read at once where some of them may not be shown.
const piece = 500

// newestAsks reads the index of a tab, of a workspace or of one agent, until it has n.
func (s *Store) newestAsks(ctx context.Context, workspace, agent string, lane int, f *filter, n int) (all []entry, err error) {
	most := piece
	if f.any {
		most = n
	}
	for last := (*entry)(nil); len(all) < n; {
		rows, err := s.olderAsks(ctx, workspace, agent, lane, f, last, most)
		if err != nil {
			return nil, err
		}
		for i := range rows {
			if len(all) < n && f.takes(&rows[i]) {
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

// olderAsks reads the next asks of a tab, newest first, from the last one that was read on.
func (s *Store) olderAsks(ctx context.Context, workspace, agent string, lane int, f *filter, last *entry, most int) ([]entry, error) {
	// The lane is no parameter: each has an index of its own. What is only reported has its own tab.
	w := sqldb.Where{SQL: `SELECT r.no, r.at, r.agent, r.asked FROM records r WHERE r.lane = ` + strconv.Itoa(lane)}
	if lane == laneWaiting {
		w.SQL += ` AND r.reported = 0`
	}
	if agent != "" {
		w.And(` AND r.kind = 1 AND r.agent = $%d`, agent)
	} else {
		w.And(` AND r.workspace = $%d`, sqldb.CleanText(workspace))
	}
	f.conditions(&w)
	if last != nil {
		w.And(` AND (r.at, r.no) < ($%d`, last.since)
		w.And(`, $%d)`, last.no)
	}
	w.And(` ORDER BY r.at DESC, r.no DESC LIMIT $%d`, most)
	rows, err := s.Rows(ctx, w.SQL, w.Args...)
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, e *entry) error { return r.Scan(&e.no, &e.since, &e.agent, &e.asked) })
}
