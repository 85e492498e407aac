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
	in := &store.Inbox{From: max(0, q.From), Oldest: figs.NoTime, Roster: roster, Seq: at.seq, Pending: held.pendingOf(q.Viewer)}
	f := newFilter(&q, roster, held)
	n := sqldb.PageSize(q.N)
	all, err := s.openAsks(ctx, in, &f, in.From+n+1)
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
			if !q.LongestFirst { // ordered by total wait, reports to confirm come first
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
	case store.TabWaiting:
		if all, err = s.waitingAsks(ctx, &q, &f, in.From+n+1); err != nil {
			return nil, err
		}
	case store.TabClosed:
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

// inboxEntry is an ask of the inbox, as its index has it.
type inboxEntry struct {
	no, since   int64
	agent       string
	asked       string
	kind        string // "question", "sign-off", or ""
	nameKey     string // of a reported ask
	arrived     int64  // of a reported ask: arrival of its newest reply
	earlierWait int64  // waiting time of earlier rounds, microseconds, if sorted by total wait
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
	return slices.Contains(f.roster.AskedOf(agent.ID, asked), f.q.Mine)
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
	return (f.q.Type == "" || e.kind == f.q.Type) && (f.q.To == "" || e.asked == f.q.To) && (f.q.Before == 0 || e.since < f.q.Before)
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
	if f.q.Before != 0 {
		w.And(` AND r.since < $%d`, f.q.Before)
	}
}

// queryOpenAsks counts the asks that need a human, and if the query is about them, returns at least the first n, longest
// wait first.
func (s *Store) queryOpenAsks(ctx context.Context, in *store.Inbox, f *inboxFilter, n int) ([]inboxEntry, error) {
	w := sqldb.Where{SQL: ` FROM records r WHERE r.lane = 0`}
	w.And(` AND r.workspace = $%d`, sqldb.CleanText(f.q.Workspace))
	f.addConditions(&w)
	if f.isUnfiltered {
		err := s.Row(ctx, `SELECT count(*), coalesce(min(r.since), $`+strconv.Itoa(len(w.Args)+1)+`)`+w.SQL, append(w.Args, int64(figs.NoTime))...).Scan(&in.Total, &in.Oldest)
		if err != nil || f.q.N < 0 || f.q.Tab != "" && f.q.Tab != store.TabNeeds {
			return nil, err
		}
	} else {
		n = 1 << 40 // the total is only known after filtering
	}
	w.And(` ORDER BY r.since, r.no LIMIT $%d`, n)
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
