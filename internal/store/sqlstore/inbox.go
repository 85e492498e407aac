package sqlstore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/listquery"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// Inbox implements store.Reader. Each tab has an index with only its asks, in the order of the tab, so that closed asks
// don't slow down open ones. Who is asked depends on the roster, so the result of the index is filtered here.
func (s *Store) Inbox(ctx context.Context, q store.InboxQuery) (*store.Inbox, error) {
	if q.Viewer == "" {
		q.Viewer = q.Mine
	}
	roster, at, err := s.rosterAt(ctx, q.Workspace)
	if err != nil {
		return nil, err
	}
	held, err := s.cachedInbox(ctx, q.Workspace, at.changes, q.Now)
	if err != nil {
		return nil, err
	}
	in := &store.Inbox{Oldest: figs.NoTime, Roster: roster, Seq: at.seq, Pending: held.pendingOf(q.Viewer)}
	f := newFilter(&q, roster, held)
	w := windowOf(q.Slice)
	open, err := s.openAsks(ctx, in, &f, w, w.N+1)
	if err != nil {
		return nil, err
	}
	rows := longestFirst(open, firstGroup)
	reported, err := s.reportedAsks(ctx, in, &f, at)
	if err != nil {
		return nil, err
	}
	if asked := f.unconfirmed(reported); len(asked) > 0 {
		if in.Total == 0 || asked[0].since < in.Oldest {
			in.Oldest = asked[0].since
		}
		if in.Total += len(asked); q.N >= 0 && (q.Tab == "" || q.Tab == store.TabNeeds) {
			if q.LongestFirst { // reports to confirm come first
				rows = longestFirst(open, secondGroup)
			}
			rows = append(rows, longestFirst(asked, firstGroup)...)
		}
	}
	snoozed := f.snoozedAsks()
	if in.Snoozed = len(snoozed); q.N < 0 {
		return in, nil
	}
	switch q.Tab {
	case store.TabWaiting:
		if rows, err = s.waitingAsks(ctx, &q, &f, w); err != nil {
			return nil, err
		}
	case store.TabClosed:
		if rows, err = s.otherAsks(ctx, &q, &f, w, firstGroup); err != nil {
			return nil, err
		}
	case store.TabReported:
		rows = placed(reported, func(i int) listquery.Cursor {
			return placeIn(strconv.FormatInt(reported[i].lane, 10), -reported[i].at, -reported[i].no)
		})
	case store.TabSnoozed:
		rows = placed(snoozed, func(i int) listquery.Cursor { return placeIn(firstGroup, snoozed[i].at, snoozed[i].no) })
	}
	page := pageOf(w, w.nearest(rows))
	in.Prev, in.Next = page.Prev, page.Next
	in.Items, err = s.inboxItems(ctx, at.seq, page.Items, &f)
	return in, err
}

// inboxEntry is an ask of the inbox, as its index has it.
type inboxEntry struct {
	no, since   int64
	agent       string
	asked       string
	kind        string // "question", "sign-off", or ""
	nameKey     string // of a reported ask
	arrived     int64  // of a reported ask: arrival of its newest reply
	earlierWait int64  // waiting time of earlier rounds, microseconds, if sorted by total wait
	lane, at    int64  // by which the tab of a reported ask is sorted; at of a snoozed one is when that ends
}

// inboxFilter applies a query to entries.
type inboxFilter struct {
	q            *store.InboxQuery
	roster       *store.Roster
	data         *inboxData
	isUnfiltered bool           // no filter needs the roster
	snoozes      []snooze       // snoozed by Viewer now
	hidden       map[int64]bool // snoozed asks that Mine hides, by number; nil if none
	skip         map[int64]bool // asks that are listed already, by number; nil if none
}

func newFilter(q *store.InboxQuery, roster *store.Roster, held *inboxData) inboxFilter {
	f := inboxFilter{q: q, roster: roster, data: held, isUnfiltered: q.Mine == "" && strings.TrimSpace(q.AgentWords) == "" && q.Department == "" && q.Agent == "" && len(roster.Archived) == 0}
	f.snoozes = held.snoozedBy(q.Viewer, q.Now)
	for _, z := range f.snoozes {
		if q.Mine == q.Viewer {
			if f.hidden == nil {
				f.hidden = make(map[int64]bool, len(f.snoozes))
			}
			f.hidden[z.no] = true
		}
	}
	return f
}

// includes reports whether the filter includes an ask, by its agent and who is asked.
func (f *inboxFilter) includes(e *inboxEntry) bool {
	if f.isUnfiltered {
		return true
	}
	agent := f.roster.Agent(e.agent)
	return !f.hidden[e.no] && (f.includesAsked(agent, e.asked) || f.includesAgent(agent) && f.handedTo(e.no, e.agent, f.q.Mine))
}

// includesAgent reports whether the filter includes any ask of an agent.
func (f *inboxFilter) includesAgent(agent *store.RosterAgent) bool {
	return agent != nil && !agent.Archived && (f.q.Agent == "" || f.q.Agent == agent.ID) && (f.q.Department == "" || f.q.Department == agent.Department) && f.includesWords(agent)
}

// includesWords reports whether an agent's name and department have all words of the query.
func (f *inboxFilter) includesWords(agent *store.RosterAgent) bool {
	if f.q.AgentWords == "" {
		return true
	}
	names := strings.ToLower(agent.Name + "\n" + agent.Department)
	for word := range strings.FieldsSeq(strings.ToLower(f.q.AgentWords)) {
		if !strings.Contains(names, word) {
			return false
		}
	}
	return true
}

func (f *inboxFilter) includesAsked(agent *store.RosterAgent, asked string) bool {
	switch {
	case !f.includesAgent(agent):
		return false
	case f.q.Mine == "":
		return true
	}
	return f.roster.IsAsked(agent.ID, asked, f.q.Mine)
}

// agents returns the agents of which the filter may include asks.
func (f *inboxFilter) agents() (ids []string) {
	for i := range f.roster.Agents {
		agent := &f.roster.Agents[i]
		if f.includesAsked(agent, "") || f.includesAsked(agent, "manager") || f.includesAsked(agent, "builder") {
			ids = append(ids, agent.ID)
		}
	}
	return f.handingAgents(ids)
}

// matches reports whether a cached ask matches the query's type, addressee and time. Its kind must be known.
func (f *inboxFilter) matches(e *inboxEntry) bool {
	return (f.q.Type == "" || e.kind == f.q.Type) && (f.q.To == "" || e.asked == f.q.To) && (f.q.SinceBefore == 0 || e.since < f.q.SinceBefore)
}

// isOtherType reports whether the query is for a type that entries don't distinguish.
func (f *inboxFilter) isOtherType() bool {
	return f.q.Type != "" && f.q.Type != "question" && f.q.Type != "sign-off"
}

// addConditions adds the conditions that the index can check.
func (f *inboxFilter) addConditions(w *sqldb.Where) {
	if f.q.Agent != "" {
		w.And(` AND r.agent = $%d`, sqldb.CleanText(f.q.Agent))
	}
	if f.q.Type != "" {
		w.And(` AND r.type = $%d`, sqldb.CleanText(f.q.Type))
	}
	if f.q.To != "" {
		w.And(` AND r.asked = $%d`, sqldb.CleanText(f.q.To))
	}
	if f.q.SinceBefore != 0 {
		w.And(` AND r.since < $%d`, f.q.SinceBefore)
	}
}

// queryOpenAsks counts the asks that need a human, and if the query is about them, returns at least the n nearest to the
// window's cursor, longest wait first.
func (s *Store) queryOpenAsks(ctx context.Context, in *store.Inbox, f *inboxFilter, part window, n int) ([]inboxEntry, error) {
	w := sqldb.Where{SQL: ` FROM records r WHERE r.lane = 0`}
	w.And(` AND r.workspace = $%d`, sqldb.CleanText(f.q.Workspace))
	f.addConditions(&w)
	if f.isUnfiltered {
		err := s.Row(ctx, `SELECT count(*), coalesce(min(r.since), $`+strconv.Itoa(len(w.Args)+1)+`)`+w.SQL, append(w.Args, int64(figs.NoTime))...).Scan(&in.Total, &in.Oldest)
		if err != nil || f.q.N < 0 || f.q.Tab != "" && f.q.Tab != store.TabNeeds {
			return nil, err
		}
	} else {
		part, n = window{}, 1<<40 // the total is only known after filtering
	}
	order{key: "r.since", no: "r.no"}.apply(&w, part)
	w.And(` LIMIT $%d`, n)
	// Passing one long text through the driver takes a fraction of the time of as many rows.
	var text string
	if err := s.Row(ctx, `SELECT coalesce(string_agg(e.x, ','), '') FROM (SELECT `+entryText+` AS x`+w.SQL+`) e`,
		w.Args...).Scan(&text); err != nil {
		return nil, err
	}
	all := readEntries(text, f)
	if !f.isUnfiltered {
		if in.Total = len(all); in.Total > 0 {
			in.Oldest = all[0].since
		}
	}
	return all, nil
}

// kindText is the type of an ask if it is one of the two, else "".
const kindText = `CASE WHEN r.type IN ('question', 'sign-off') THEN r.type ELSE '' END`

// entryText is an entry as text; its parts contain no space and no comma.
const entryText = `CAST(r.no AS TEXT) || ' ' || CAST(r.since AS TEXT) || ' ' || r.asked || ' ' || ` + kindText + ` || ' ' || r.agent`

// readEntries parses entryText, filters, and sorts by longest wait.
func readEntries(text string, f *inboxFilter) []inboxEntry {
	all := make([]inboxEntry, 0, strings.Count(text, ",")+1)
	for text != "" {
		var e inboxEntry
		var no, since string
		no, text, _ = strings.Cut(text, " ")
		since, text, _ = strings.Cut(text, " ")
		e.asked, text, _ = strings.Cut(text, " ")
		e.kind, text, _ = strings.Cut(text, " ")
		e.agent, text, _ = strings.Cut(text, ",")
		e.no, _ = strconv.ParseInt(no, 10, 64)
		e.since, _ = strconv.ParseInt(since, 10, 64)
		if f == nil || f.includes(&e) {
			all = append(all, e)
		}
	}
	if !slices.IsSortedFunc(all, bySince) { // aggregation need not keep the order
		slices.SortFunc(all, bySince)
	}
	return all
}

// bySince sorts by longest wait.
func bySince(a, b inboxEntry) int {
	if a.since != b.since {
		return compareInt64(a.since, b.since)
	}
	return compareInt64(a.no, b.no)
}

func compareInt64(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
