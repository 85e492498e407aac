package sqlstore

import (
	"context"
	"slices"
	"strconv"

	"github.com/figs-web/figs-web/figs"
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
	// The lane is no parameter: each has an index of its own.
	w := where{sql: `SELECT r.no, r.at, r.agent, r.asked FROM records r WHERE r.lane = ` + strconv.Itoa(lane)}
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
		if f.takes(e.agent, e.asked) {
			all = append(all, e)
		}
	}
	return all, rows.Err()
}

// inboxItems reads asks in the order of their entries.
func (s *Store) inboxItems(ctx context.Context, asks []entry, roster *store.Roster) ([]store.InboxItem, error) {
	if len(asks) == 0 {
		return nil, nil
	}
	numbers := make([]int64, len(asks))
	place := make(map[int64]int, len(asks))
	for i, e := range asks {
		numbers[i], place[e.no] = e.no, i
	}
	// Small numbers travel as one: columns are dear to cross the border to the driver.
	rows, err := s.rows(ctx, `SELECT r.no, r.fold, r.since, coalesce(j.title, ''), ((r.round * 16 + coalesce(j.state, 15)) * 16 + r.state) * 2 + r.reported
		FROM records r LEFT JOIN records j ON j.agent = r.agent AND j.kind = 0 AND j.id = r.run AND r.run <> '' WHERE r.no IN `+s.numbersIn(1), jsonList(numbers))
	type numbered struct {
		no   int64
		item store.InboxItem
	}
	found, err := collect(rows, err, func(r scanner, x *numbered) error { return scanInboxItem(withFirst{r, &x.no}, &x.item) })
	if err != nil {
		return nil, err
	}
	items := make([]store.InboxItem, len(asks))
	for i := range found {
		at := place[found[i].no]
		items[at] = found[i].item
		items[at].Agent = asks[at].agent
		items[at].AskedOf = askedOf(asks[at].asked, roster.Face(asks[at].agent))
	}
	return slices.DeleteFunc(items, func(i store.InboxItem) bool { return i.Agent == "" }), nil
}

func askedOf(to string, face *store.Face) []string {
	if face == nil {
		return nil
	}
	return figs.AskedOf(to, figs.Addressees{Manager: face.Manager, Builder: face.Builder})
}

func scanInboxItem(r scanner, i *store.InboxItem) error {
	var packed int
	err := r.Scan(&i.Fold, &i.Since, &i.JobTitle, &packed)
	job := packed >> 5 & 15
	i.Reported, i.Phase, i.Round = packed&1 != 0, figs.Phase(packed>>1&15), packed>>9
	i.Job, i.JobFlying = job != 15, job == int(figs.OutcomeInFlight)
	return err
}
