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

// nameKey is the same for two names if and only if store.MemberNamed takes one for the other; what it says
// of since when a name was somebody's does not matter to who is shown a report. A name
// that is longer than people's, or that holds what ends parts of reportedText, is nobody's.
func nameKey(name string) string {
	name = strings.TrimSpace(name)
	if len(name) > longest/10 || strings.ContainsFunc(name, unicode.IsControl) || name != sqldb.CleanText(name) {
		return ""
	}
	return strings.Map(func(r rune) rune { // to the least of those that differ in their case alone
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, name)
}

// reportedAsks counts what is only reported, and lists all that is counted. What is held tells it,
// or the index where there is more.
func (s *Store) reportedAsks(ctx context.Context, in *store.Inbox, f *filter) ([]entry, error) {
	list, whole := f.held.reported, !f.kindUnknown() && len(f.held.reported) <= s.mostOpen()
	if len(list) == 0 {
		return nil, nil
	}
	names, err := s.nameKeys(ctx, f.q.Mine)
	if err != nil {
		return nil, err
	}
	if !whole {
		if list, err = s.moreReported(ctx, f, names); err != nil {
			return nil, err
		}
	}
	all := make([]entry, 0, len(list))
	for i := range list {
		if e := &list[i]; (!whole || f.fits(e)) && f.takesReported(e) {
			all = append(all, *e)
		}
	}
	in.Reported = len(all)
	return all, nil
}

// nameKeys are what agents may call a person.
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

// takesReported reports whether a reported ask is left in: whom it was put to does not matter,
// since whoever answers for the agent is to know what it writes in people's names.
func (f *filter) takesReported(e *entry) bool {
	face := f.roster.Agent(e.agent)
	return f.takesAgent(face) && !f.hidden[e.no] && (f.q.Mine == "" || slices.Contains(f.roster.AskedOf(e.agent, ""), f.q.Mine) || slices.Contains(f.roster.Confirmers(e.agent, e.nameKey, e.arrived), f.q.Mine))
}

// unconfirmed is what of the reports the person of the query is asked to confirm, longest wait first.
func (f *filter) unconfirmed(reported []entry) (all []entry) {
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

// reportedText is an entry in one text of parts, with what its tab is sorted by; parts end with a
// character that none of them holds.
const reportedText = `CAST(r.no AS TEXT) || ' ' || CAST(r.since AS TEXT) || ' ' || CAST(r.lane AS TEXT) || ' ' || CAST(r.at AS TEXT) || ' ' || r.asked || ' ' || ` +
	kindText + ` || ' ' || r.agent || ' ' || ` + reportArrived + ` || ' ' || r.named_key`

// reportArrived is when the newest reply to an ask arrived. A name counts only for whoever had it by then (store.MemberNamed).
const reportArrived = `CAST(coalesce((SELECT max(m.received_at) FROM messages m WHERE m.agent = r.agent AND m.ask = r.id), r.since) AS TEXT)`

const (
	reportedOf    = `SELECT coalesce(string_agg(e.x, '` + "\x1e" + `'), '') FROM (SELECT ` + reportedText + ` AS x FROM records r WHERE r.reported = 1`
	reportedOrder = ` ORDER BY r.lane, r.at DESC, r.no DESC LIMIT `
)

// readReported reads what is only reported, or one more than are held.
func (s *Store) readReported(ctx context.Context, workspace string, h *held) error {
	var text string
	err := s.Row(ctx, reportedOf+` AND r.workspace = $1`+reportedOrder+strconv.Itoa(s.mostOpen()+1)+`) e`, workspace).Scan(&text)
	h.reported = readReportedText(text)
	return err
}

// reportedQuery is what a query for reported asks depends on. names holds several, joined.
type reportedQuery struct{ mine, names, agent, department, kind, to string }

const mostReportedQueries = 16 // of a workspace

// moreReported reads the reported asks of a query where they are too many to be held.
func (s *Store) moreReported(ctx context.Context, f *filter, names []string) ([]entry, error) {
	read := func() ([]entry, error) { return s.readMore(ctx, f, names) }
	q := f.q
	if q.Before != 0 { // another time with each request
		return read()
	}
	return f.held.more.Get(ctx, reportedQuery{q.Mine, strings.Join(names, "\x1e"), q.Agent, q.Department, q.Type, q.To}, struct{}{}, read)
}

func (s *Store) readMore(ctx context.Context, f *filter, names []string) ([]entry, error) {
	w := sqldb.Where{SQL: reportedOf}
	w.And(` AND r.workspace = $%d`, sqldb.CleanText(f.q.Workspace))
	f.conditions(&w)
	var agents []string
	for i := range f.roster.Agents {
		if face := &f.roster.Agents[i]; f.takesOf(face, "") {
			agents = append(agents, face.ID)
		}
	}
	if len(agents) < len(f.roster.Agents) && !slices.Contains(f.roster.Owners, f.q.Mine) { // owners get the claims in nobody's name
		w.And(` AND (r.agent `+s.TextsIn(len(w.Args)+1), sqldb.JSONList(agents))
		w.And(` OR r.named_key `+s.TextsIn(len(w.Args)+1)+`)`, sqldb.JSONList(names))
	}
	var text string
	err := s.Row(ctx, w.SQL+reportedOrder+strconv.Itoa(store.MaxReportedCount)+`) e`, w.Args...).Scan(&text)
	return readReportedText(text), err
}

// readReportedText reads what reportedOf gives.
func readReportedText(text string) []entry {
	type sorted struct {
		entry
		lane, at int64
	}
	var all []sorted
	for text != "" {
		var one string
		one, text, _ = strings.Cut(text, "\x1e")
		parts := strings.SplitN(one, " ", 9)
		if len(parts) < 9 {
			continue
		}
		e := sorted{entry: entry{asked: parts[4], kind: parts[5], agent: parts[6], nameKey: parts[8]}}
		for i, n := range map[int]*int64{0: &e.no, 1: &e.since, 2: &e.lane, 3: &e.at, 7: &e.arrived} {
			*n, _ = strconv.ParseInt(parts[i], 10, 64)
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b sorted) int {
		switch {
		case a.lane != b.lane:
			return compare(a.lane, b.lane)
		case a.at != b.at:
			return compare(b.at, a.at)
		}
		return compare(b.no, a.no)
	})
	list := make([]entry, len(all))
	for i := range all {
		list[i] = all[i].entry
	}
	return list
}
