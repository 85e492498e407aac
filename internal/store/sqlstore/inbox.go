package sqlstore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// where collects conditions with their parameters.
type where struct {
	sql  string
	args []any
}

func (w *where) and(condition string, arg any) {
	w.args = append(w.args, arg)
	w.sql += strings.ReplaceAll(condition, "$%d", "$"+strconv.Itoa(len(w.args)))
}

// Inbox implements store.Reader. Each tab has an index of just its asks, in the order in which
// the tab shows them: closed asks, however many, cost the open ones nothing. Of whom an ask is
// asked, figs says, with what the roster knows; so the index is filtered here.
func (s *Store) Inbox(ctx context.Context, q store.InboxQuery) (*store.Inbox, error) {
	roster, err := s.Roster(ctx, q.Workspace)
	if err != nil {
		return nil, err
	}
	in := &store.Inbox{From: max(0, q.From), Oldest: figs.NoTime, Roster: roster}
	f := newFilter(&q, roster)
	open, err := s.openAsks(ctx, q.Workspace, &f)
	if err != nil {
		return nil, err
	}
	if in.Total = len(open); in.Total > 0 {
		in.Oldest = open[0].since
	}
	if q.N < 0 {
		return in, nil
	}
	page, n := open[min(in.From, len(open)):], size(q.N)
	if q.Tab == store.Waiting || q.Tab == store.Closed {
		if page, err = s.otherAsks(ctx, &q, &f, in.From+n+1); err != nil {
			return nil, err
		}
		page = page[min(in.From, len(page)):]
	}
	if len(page) > n {
		page, in.More = page[:n], true
	}
	in.Items, err = s.inboxItems(ctx, page, roster)
	return in, err
}

// entry is an ask of the inbox as its index has it.
type entry struct {
	no, since int64
	agent     string
	asked     string
}

// filter is what a query leaves in.
type filter struct {
	q      *store.InboxQuery
	agents map[string]*choice // nil: all
}

// choice is whether an agent's asks are left in, by whom they name.
type choice struct{ manager, builder, nobody bool }

// newFilter finds the agents that a query is about.
func newFilter(q *store.InboxQuery, roster *store.Roster) filter {
	f := filter{q: q}
	if q.Mine == "" && q.Department == "" && q.Agent == "" {
		return f
	}
	f.agents = map[string]*choice{}
	admin := roster.Admins[q.Mine]
	for i := range roster.Faces {
		face := &roster.Faces[i]
		if q.Agent != "" && q.Agent != face.ID || q.Department != "" && q.Department != face.Department {
			continue
		}
		who := figs.Addressees{Manager: face.Manager, Builder: face.Builder}
		mine := func(to string) bool {
			people := figs.AskedOf(to, who)
			return q.Mine == "" || slices.Contains(people, q.Mine) || len(people) == 0 && admin
		}
		if c := (choice{mine("manager"), mine("builder"), mine("")}); c != (choice{}) {
			f.agents[face.ID] = &c
		}
	}
	return f
}

// takes reports whether an ask of an agent is left in.
func (f *filter) takes(agent, asked string) bool {
	if f.agents == nil {
		return true
	}
	c := f.agents[agent]
	switch {
	case c == nil:
		return false
	case asked == "manager":
		return c.manager
	case asked == "builder":
		return c.builder
	}
	return c.nobody
}

// conditions are those of a query that the index answers itself.
func (f *filter) conditions(w *where) {
	if f.q.Agent != "" {
		w.and(` AND r.agent = $%d`, clean(f.q.Agent))
	}
	if f.q.Type != "" {
		w.and(` AND r.type = $%d`, clean(f.q.Type))
	}
	if f.q.To != "" {
		w.and(` AND r.asked = $%d`, clean(f.q.To))
	}
	if f.q.Before != 0 {
		w.and(` AND r.since < $%d`, f.q.Before)
	}
}

// openAsks lists what needs a human, longest wait first. One long text crosses the border to
// the driver in a fraction of the time that as many rows take.
func (s *Store) openAsks(ctx context.Context, workspace string, f *filter) ([]entry, error) {
	w := where{sql: `SELECT coalesce(string_agg(e.x, ','), '') FROM (SELECT CAST(r.no AS TEXT) || ' ' || CAST(r.since AS TEXT) || ' ' || r.asked || ' ' || r.agent AS x
		FROM records r WHERE r.lane = 0`}
	w.and(` AND r.workspace = $%d`, clean(workspace))
	f.conditions(&w)
	var text string
	if err := s.row(ctx, w.sql+` ORDER BY r.since, r.no) e`, w.args...).Scan(&text); err != nil || text == "" {
		return nil, err
	}
	all := make([]entry, 0, strings.Count(text, ",")+1)
	for text != "" {
		var e entry
		var no, since string
		no, text, _ = strings.Cut(text, " ")
		since, text, _ = strings.Cut(text, " ")
		e.asked, text, _ = strings.Cut(text, " ")
		e.agent, text, _ = strings.Cut(text, ",")
		e.no, _ = strconv.ParseInt(no, 10, 64)
		e.since, _ = strconv.ParseInt(since, 10, 64)
		if f.takes(e.agent, e.asked) {
			all = append(all, e)
		}
	}
	byWait := func(a, b entry) int {
		if a.since != b.since {
			return compare(a.since, b.since)
		}
		return compare(a.no, b.no)
	}
	if !slices.IsSortedFunc(all, byWait) { // a database need not keep the order
		slices.SortFunc(all, byWait)
	}
	return all, nil
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
