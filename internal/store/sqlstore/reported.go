package sqlstore

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// nameKey returns a key that is the same for two names if and only if store.MemberNamed treats them as equal, apart from
// since when a member has the name. For a name that is too long for a member, or contains a separator of reportedText, it
// returns "".
func nameKey(name string) string {
	name = strings.TrimSpace(name)
	if len(name) > maxText/10 || strings.ContainsFunc(name, unicode.IsControl) || name != sqldb.CleanText(name) {
		return ""
	}
	return strings.Map(func(r rune) rune { // the smallest of the characters that differ only in case
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, name)
}

// reportedAsks counts the reported asks and returns all that are counted, from the cache if possible.
func (s *Store) reportedAsks(ctx context.Context, in *store.Inbox, f *inboxFilter, at workspaceVersion) ([]inboxEntry, error) {
	list, err := s.allReported(ctx, f.q.Workspace, at)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	names, err := s.nameKeys(ctx, f.q.Mine)
	if err != nil {
		return nil, err
	}
	whole := !f.isOtherType() && len(list) <= s.maxCachedAsks()
	if !whole {
		if list, err = s.reportedMatching(ctx, f, names, at); err != nil {
			return nil, err
		}
	}
	all := make([]inboxEntry, 0, len(list))
	for i := range list {
		if e := &list[i]; (!whole || f.matches(e)) && f.includesReported(e) {
			all = append(all, *e)
		}
	}
	in.Reported = len(all)
	return all, nil
}

// nameKeys returns the keys of the names that agents may use for a person.
func (s *Store) nameKeys(ctx context.Context, person string) ([]string, error) {
	if person == "" {
		return nil, nil
	}
	var u store.User
	err := s.Row(ctx, `SELECT name, email FROM users WHERE id = $1`, sqldb.CleanText(person)).Scan(&u.Name, &u.Email)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return slices.DeleteFunc([]string{nameKey(u.Name), nameKey(u.Email)}, func(key string) bool { return key == "" }), err
}

// includesReported reports whether the filter includes a reported ask. Who was asked doesn't matter, because whoever
// answers for the agent should know what it reports in people's names.
func (f *inboxFilter) includesReported(e *inboxEntry) bool {
	agent := f.roster.Agent(e.agent)
	return f.includesAgent(agent) && !f.hidden[e.no] && (f.q.Mine == "" || f.roster.IsAsked(e.agent, "", f.q.Mine) || slices.Contains(f.roster.Confirmers(e.agent, e.nameKey, e.arrived), f.q.Mine))
}

// unconfirmed returns the reports that the person of the query is asked to confirm, longest wait first.
func (f *inboxFilter) unconfirmed(reported []inboxEntry) (all []inboxEntry) {
	if f.q.Mine == "" {
		return nil
	}
	for i := range reported {
		if e := &reported[i]; slices.Contains(f.roster.Confirmers(e.agent, e.nameKey, e.arrived), f.q.Mine) {
			all = append(all, *e)
		}
	}
	slices.SortFunc(all, bySince)
	return all
}

// reportedText is an entry as text, with the columns by which its tab is sorted, and with when its newest reply arrived. Its
// parts end with a character that they can't contain.
func reportedText(arrived string) string {
	return `CAST(r.no AS TEXT) || ' ' || CAST(r.since AS TEXT) || ' ' || CAST(r.lane AS TEXT) || ' ' || CAST(r.at AS TEXT) || ' ' || r.asked || ' ' || ` +
		kindText + ` || ' ' || r.agent || ' ' || ` + arrived + ` || ' ' || r.named_key`
}

// reportArrived is the arrival of the newest reply to an ask. A name counts only for a member who had it by then; see
// store.MemberNamed.
const reportArrived = `CAST(coalesce((SELECT max(m.received_at) FROM messages m WHERE m.agent = r.agent AND m.ask = r.id), r.since) AS TEXT)`

const reportedOrder = ` ORDER BY r.lane, r.at DESC, r.no DESC LIMIT `

// reportedOf begins a query of all reported asks as one text.
func reportedOf(arrived string) string {
	return `SELECT coalesce(string_agg(e.x, '` + "\x1e" + `'), '') FROM (SELECT ` + reportedText(arrived) + ` AS x FROM records r WHERE r.reported = 1`
}

// reportedQuery is the part of a query on which the reported asks depend. names are joined. allReported sets only workspace.
type reportedQuery struct{ workspace, mine, names, agent, words, department, kind, to string }

// reportedVersion is the version of what reportedQuery selects from.
type reportedVersion struct{ roster, common, changes int64 }

// reportedList is what a reportedQuery has selected.
type reportedList struct {
	all     []inboxEntry // as their tab orders them
	numbers []int64      // of all, in order
	seq     int64        // of the workspace, before they were read
}

// allReported returns the reported asks of a workspace, up to one more than are cached of it.
func (s *Store) allReported(ctx context.Context, workspace string, at workspaceVersion) ([]inboxEntry, error) {
	workspace = sqldb.CleanText(workspace)
	return s.cachedReported(ctx, reportedQuery{workspace: workspace}, at, func() ([]inboxEntry, error) {
		var text string
		err := s.Row(ctx, reportedOf(reportArrived)+` AND r.workspace = $1`+reportedOrder+strconv.Itoa(s.maxCachedAsks()+1)+`) e`, workspace).Scan(&text)
		return readReportedText(text), err
	})
}

// reportedMatching returns the reported asks of a query, if there are too many to cache all.
func (s *Store) reportedMatching(ctx context.Context, f *inboxFilter, names []string, at workspaceVersion) ([]inboxEntry, error) {
	read := func() ([]inboxEntry, error) { return s.queryReported(ctx, f, names) }
	q := f.q
	if q.SinceBefore != 0 { // differs with each request
		return read()
	}
	key := reportedQuery{sqldb.CleanText(q.Workspace), q.Mine, " " + strings.Join(names, "\x1e"), q.Agent, q.AgentWords, q.Department, q.Type, q.To}
	return s.cachedReported(ctx, key, at, read)
}

// cachedReported returns what a query selects, from the cache if no ask that is or was among them has changed since.
func (s *Store) cachedReported(ctx context.Context, key reportedQuery, at workspaceVersion, read func() ([]inboxEntry, error)) ([]inboxEntry, error) {
	version := reportedVersion{at.roster, at.common, at.changes}
	list, err := s.reported.Get(ctx, key, version, func() (*reportedList, error) {
		if had, of, ok := s.reported.Kept(key); ok && of.roster == at.roster && of.common == at.common {
			if same, err := s.isReportedSame(ctx, key.workspace, had, at.seq); err != nil || same {
				return &reportedList{had.all, had.numbers, at.seq}, err
			}
		}
		all, err := read()
		numbers := make([]int64, len(all))
		for i := range all {
			numbers[i] = all[i].no
		}
		slices.Sort(numbers)
		return &reportedList{all, numbers, at.seq}, err
	})
	if err != nil {
		return nil, err
	}
	return list.all, nil
}

// maxReportedChanges is the number of changes since a list was read from which reading it again is cheaper than comparing.
const maxReportedChanges = 1000

// isReportedSame reports whether a list is still right: since it was read, no ask in it has changed, and no reported one.
func (s *Store) isReportedSame(ctx context.Context, workspace string, had *reportedList, seq int64) (bool, error) {
	if seq-had.seq > maxReportedChanges {
		return false, nil
	}
	rows, err := s.Rows(ctx, `SELECT r.no, r.reported FROM records r WHERE r.workspace = $1 AND r.seq > $2 AND r.kind + 0 = 1`, workspace, had.seq)
	type change struct {
		no       int64
		reported int
	}
	changes, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, c *change) error { return r.Scan(&c.no, &c.reported) })
	return err == nil && !slices.ContainsFunc(changes, func(c change) bool {
		_, listed := slices.BinarySearch(had.numbers, c.no)
		return c.reported == 1 || listed
	}), err
}

// queryReported reads the reported asks of a query. An entry has its arrival only if it decides whether Mine may confirm it.
func (s *Store) queryReported(ctx context.Context, f *inboxFilter, names []string) ([]inboxEntry, error) {
	isOwner := slices.Contains(f.roster.Owners, f.q.Mine) // owners confirm replies in a name that no member has
	w := sqldb.Where{SQL: reportedOf(`'0'`)}
	if isOwner {
		w.SQL = reportedOf(reportArrived)
	} else if len(names) > 0 {
		w = sqldb.Where{SQL: reportedOf(`CASE WHEN r.named_key ` + s.TextsIn(1) + ` THEN ` + reportArrived + ` ELSE '0' END`), Args: []any{sqldb.JSONList(names)}}
	}
	w.And(` AND r.workspace = $%d`, sqldb.CleanText(f.q.Workspace))
	f.addConditions(&w)
	var agents []string
	for i := range f.roster.Agents {
		if agent := &f.roster.Agents[i]; f.includesAsked(agent, "") {
			agents = append(agents, agent.ID)
		}
	}
	if len(agents) < len(f.roster.Agents) && !isOwner {
		w.And(` AND (r.agent `+s.TextsIn(len(w.Args)+1), sqldb.JSONList(agents))
		w.And(` OR r.named_key `+s.TextsIn(len(w.Args)+1)+`)`, sqldb.JSONList(names))
	}
	var text string
	err := s.Row(ctx, w.SQL+reportedOrder+strconv.Itoa(store.MaxReportedCount)+`) e`, w.Args...).Scan(&text)
	return readReportedText(text), err
}

// readReportedText parses the text of reportedOf.
func readReportedText(text string) []inboxEntry {
	if text == "" {
		return nil
	}
	all := make([]inboxEntry, 0, strings.Count(text, "\x1e")+1)
	texts := map[string]string{} // so that entries share theirs, and don't keep all of text
	share := func(text string) string {
		shared, ok := texts[text]
		if !ok {
			shared = strings.Clone(text)
			texts[shared] = shared
		}
		return shared
	}
	for text != "" {
		var one string
		one, text, _ = strings.Cut(text, "\x1e")
		parts := strings.SplitN(one, " ", 9)
		if len(parts) < 9 {
			continue
		}
		e := inboxEntry{asked: share(parts[4]), kind: share(parts[5]), agent: share(parts[6]), nameKey: share(parts[8])}
		for i, n := range map[int]*int64{0: &e.no, 1: &e.since, 2: &e.lane, 3: &e.at, 7: &e.arrived} {
			*n, _ = strconv.ParseInt(parts[i], 10, 64)
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b inboxEntry) int {
		switch {
		case a.lane != b.lane:
			return compareInt64(a.lane, b.lane)
		case a.at != b.at:
			return compareInt64(b.at, a.at)
		}
		return compareInt64(b.no, a.no)
	})
	return all
}
