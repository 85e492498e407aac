package sqlstore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// Inbox implements store.Reader. Each tab has an index of just its asks, in the order in which
// the tab shows them: closed asks, however many, cost the open ones nothing. Of whom an ask is
// asked, figs says, with what the roster knows; so the index is filtered here.
func (s *Store) Inbox(ctx context.Context, q store.InboxQuery) (*store.Inbox, error) {
	if q.Viewer == "" {
		q.Viewer = q.Mine
	}
	roster, at, err := s.rosterAt(ctx, q.Workspace)
	if err != nil {
		return nil, err
	}
	held, err := s.hold(ctx, q.Workspace, at.changes, q.Now)
	if err != nil {
		return nil, err
	}
	in := &store.Inbox{From: max(0, q.From), Oldest: figs.NoTime, Roster: roster, Seq: at.seq, Pending: held.pendingOf(q.Viewer)}
	f := newFilter(&q, roster, held)
	n := sqldb.PageSize(q.N)
	all, err := s.needing(ctx, in, &f, in.From+n+1)
	if err != nil {
		return nil, err
	}
	reported, err := s.reportedAsks(ctx, in, &f)
	if err != nil {
		return nil, err
	}
	if asked := f.unconfirmed(reported); len(asked) > 0 {
		if in.Total == 0 || asked[0].since < in.Oldest {
			in.Oldest = asked[0].since
		}
		if in.Total += len(asked); q.N >= 0 && (q.Tab == "" || q.Tab == store.TabNeeds) {
			all = append(asked, all...)
			if !q.LongestFirst { // in the order of cost, reports to confirm come first
				slices.SortStableFunc(all, bySince)
			}
			all = all[:min(len(all), in.From+n+1)]
		}
	}
	snoozed := f.snoozedAsks()
	if in.Snoozed = len(snoozed); q.N < 0 {
		return in, nil
	}
	switch q.Tab {
	case store.TabWaiting, store.TabClosed:
		if all, err = s.otherAsks(ctx, &q, &f, in.From+n+1); err != nil {
			return nil, err
		}
	case store.TabReported:
		all = reported
	case store.TabSnoozed:
		all = snoozed
	}
	page := all[min(in.From, len(all)):]
	if len(page) > n {
		page, in.More = page[:n], true
	}
	in.Items, err = s.inboxItems(ctx, at.seq, page, &f)
	return in, err
}

// entry is an ask of the inbox as its index has it.
type entry struct {
	no, since int64
	agent     string
	asked     string
	kind      string // "question", "sign-off", else ""
	nameKey   string // of a reported one
	arrived   int64  // of a reported one: when its newest reply came
	past      int64  // how long it had waited in rounds that are over, where asks stand in the order of their cost
}

// filter is what a query leaves in.
type filter struct {
	q      *store.InboxQuery
	roster *store.Roster
	held   *held
	any    bool           // the index alone can tell
	off    []snooze       // what Viewer has put off now
	hidden map[int64]bool // of it, what Mine does not show; nil: nothing
}

func newFilter(q *store.InboxQuery, roster *store.Roster, held *held) filter {
	f := filter{q: q, roster: roster, held: held, any: q.Mine == "" && q.Department == "" && q.Agent == "" && len(roster.Archived) == 0}
	f.off = held.putOff(q.Viewer, q.Now)
	for _, z := range f.off {
		if q.Mine == q.Viewer {
			if f.hidden == nil {
				f.hidden = make(map[int64]bool, len(f.off))
			}
			f.hidden[z.no] = true
		}
	}
	return f
}

// takes reports whether an ask is left in.
func (f *filter) takes(e *entry) bool {
	return f.any || f.takesOf(f.roster.Agent(e.agent), e.asked) && !f.hidden[e.no]
}

// takesAgent reports whether anything of an agent is.
func (f *filter) takesAgent(face *store.RosterAgent) bool {
	return face != nil && !face.Archived && (f.q.Agent == "" || f.q.Agent == face.ID) && (f.q.Department == "" || f.q.Department == face.Department)
}

func (f *filter) takesOf(face *store.RosterAgent, asked string) bool {
	switch {
	case !f.takesAgent(face):
		return false
	case f.q.Mine == "":
		return true
	}
	return slices.Contains(f.roster.AskedOf(face.ID, asked), f.q.Mine)
}

// agents lists those of which something may be left in.
func (f *filter) agents() (ids []string) {
	for i := range f.roster.Agents {
		face := &f.roster.Agents[i]
		if f.takesOf(face, "") || f.takesOf(face, "manager") || f.takesOf(face, "builder") {
			ids = append(ids, face.ID)
		}
	}
	return ids
}

// fits reports whether an ask that is held meets the conditions; its kind must be known.
func (f *filter) fits(e *entry) bool {
	return (f.q.Type == "" || e.kind == f.q.Type) && (f.q.To == "" || e.asked == f.q.To) && (f.q.Before == 0 || e.since < f.q.Before)
}

// kindUnknown reports whether what is held does not tell apart what the query wants.
func (f *filter) kindUnknown() bool {
	return f.q.Type != "" && f.q.Type != "question" && f.q.Type != "sign-off"
}

// conditions are those of a query that the index answers itself.
func (f *filter) conditions(w *sqldb.Where) {
	if f.q.Agent != "" {
		w.And(` AND r.agent = $%d`, sqldb.CleanText(f.q.Agent))
	}
	if f.q.Type != "" {
		w.And(` AND r.type = $%d`, sqldb.CleanText(f.q.Type))
	}
	if f.q.To != "" {
		w.And(` AND r.asked = $%d`, sqldb.CleanText(f.q.To))
	}
	if f.q.Before != 0 {
		w.And(` AND r.since < $%d`, f.q.Before)
	}
}

// openAsks counts what needs a human, and lists at least the first n of it, longest wait first,
// where the query is about them.
func (s *Store) openAsks(ctx context.Context, in *store.Inbox, f *filter, n int) ([]entry, error) {
	w := sqldb.Where{SQL: ` FROM records r WHERE r.lane = 0`}
	w.And(` AND r.workspace = $%d`, sqldb.CleanText(f.q.Workspace))
	f.conditions(&w)
	if f.any {
		err := s.Row(ctx, `SELECT count(*), coalesce(min(r.since), $`+strconv.Itoa(len(w.Args)+1)+`)`+w.SQL, append(w.Args, int64(figs.NoTime))...).Scan(&in.Total, &in.Oldest)
		if err != nil || f.q.N < 0 || f.q.Tab != "" && f.q.Tab != store.TabNeeds {
			return nil, err
		}
	} else {
		n = 1 << 40 // how many there are is known only here
	}
	w.And(` ORDER BY r.since, r.no LIMIT $%d`, n)
	// One long text crosses the border to the driver in a fraction of the time that as many rows take.
	var text string
	if err := s.Row(ctx, `SELECT coalesce(string_agg(e.x, ','), '') FROM (SELECT `+entryText+` AS x`+w.SQL+`) e`,
		w.Args...).Scan(&text); err != nil {
		return nil, err
	}
	all := readEntries(text, f)
	if !f.any {
		if in.Total = len(all); in.Total > 0 {
			in.Oldest = all[0].since
		}
	}
	return all, nil
}

// kindText is the type of an ask where it is one of the two.
const kindText = `CASE WHEN r.type IN ('question', 'sign-off') THEN r.type ELSE '' END`

// entryText is an entry in one text; none of its parts holds a space or a comma.
const entryText = `CAST(r.no AS TEXT) || ' ' || CAST(r.since AS TEXT) || ' ' || r.asked || ' ' || ` + kindText + ` || ' ' || r.agent`

// readEntries reads what entryText makes, as far as the filter takes it, longest wait first.
func readEntries(text string, f *filter) []entry {
	all := make([]entry, 0, strings.Count(text, ",")+1)
	for text != "" {
		var e entry
		var no, since string
		no, text, _ = strings.Cut(text, " ")
		since, text, _ = strings.Cut(text, " ")
		e.asked, text, _ = strings.Cut(text, " ")
		e.kind, text, _ = strings.Cut(text, " ")
		e.agent, text, _ = strings.Cut(text, ",")
		e.no, _ = strconv.ParseInt(no, 10, 64)
		e.since, _ = strconv.ParseInt(since, 10, 64)
		if f == nil || f.takes(&e) {
			all = append(all, e)
		}
	}
	if !slices.IsSortedFunc(all, bySince) { // a database need not keep the order
		slices.SortFunc(all, bySince)
	}
	return all
}

// bySince has who waits longest first.
func bySince(a, b entry) int {
	if a.since != b.since {
		return compare(a.since, b.since)
	}
	return compare(a.no, b.no)
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
