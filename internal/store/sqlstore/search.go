package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// searchTerms returns the words by which a list is filtered, at most 16.
func searchTerms(words string) []sqldb.SearchWords {
	var all []sqldb.SearchWords
	for _, word := range strings.Fields(sqldb.CleanText(sqldb.CutText(words, 1000))) {
		if folded := strings.TrimSpace(string(find.AppendFolded(nil, []byte(word)))); len(all) < 16 && isIndexed(folded) {
			all = append(all, sqldb.SearchWords{Words: folded, Whole: true})
		}
	}
	return all
}

// isIndexed reports whether the index has such words: it only has letters and digits.
func isIndexed(words string) bool {
	return strings.ContainsFunc(words, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

const (
	// firstLook is how many documents a search reads first; each further read is twice as large, up to mostLook.
	minRead, maxRead = 200, 2000
	// mostLooked is how many documents a search reads before it stops, although there may be more hits.
	maxReadTotal = 200_000
)

// Search implements store.Reader. The index, or derived columns, select the documents that may match, newest first; package
// find checks them.
func (s *Store) Search(ctx context.Context, workspace, agent, words string, from, n int) ([]store.SearchHit, bool, error) {
	q := find.Parse(sqldb.CleanText(words))
	if q.Empty() {
		return nil, false, nil
	}
	roster, err := s.Roster(ctx, workspace)
	if errors.Is(err, store.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	from, n = max(0, from), sqldb.PageSize(n)
	var hits []store.SearchHit
	next := s.candidates(q, workspace, agent, roster)
	for looked, look := 0, minRead; looked < maxReadTotal; look = min(2*look, maxRead) {
		numbers, err := next(ctx, look)
		if err != nil {
			return nil, false, err
		}
		found, err := s.matchingHits(ctx, q, numbers)
		if err != nil {
			return nil, false, err
		}
		skipped := min(from, len(found))
		from -= skipped
		if hits = append(hits, found[skipped:]...); len(hits) > n {
			return hits[:n], true, nil
		}
		if len(numbers) < look {
			return hits, false, nil
		}
		looked += len(numbers)
	}
	return hits, true, nil
}

// candidates returns a function that returns the numbers of the next documents that may match.
func (s *Store) candidates(q *find.Query, workspace, agent string, roster *store.Roster) func(ctx context.Context, n int) ([]int64, error) {
	var list []sqldb.SearchWords
	q.Words(func(words string, whole bool) {
		if isIndexed(words) {
			list = append(list, sqldb.SearchWords{Words: words, Whole: whole})
		}
	})
	number := func(r sqldb.Scanner, no *int64) error { return r.Scan(no) }
	if len(list) > 0 {
		var without []string
		if agent == "" {
			without = roster.Archived
		}
		column, where, args := s.Matches(sqldb.CleanText(workspace), sqldb.CleanText(agent), without, list, 1)
		last := int64(1) << 62
		return func(ctx context.Context, n int) ([]int64, error) {
			k := len(args)
			query := fmt.Sprintf("SELECT %s %s AND %s < $%d ORDER BY %s LIMIT $%d", column, where, column, k+1, s.NewestFirst(), k+2)
			rows, err := s.Rows(ctx, query, s.PlanEachTime(append(slices.Clone(args), last, n))...)
			numbers, err := sqldb.Collect(rows, err, number)
			if len(numbers) > 0 {
				last = numbers[len(numbers)-1]
			}
			return numbers, err
		}
	}
	var all []int64
	read := false
	return func(ctx context.Context, n int) ([]int64, error) {
		if !read {
			var err error
			if all, err = s.derivedCandidates(ctx, q, searchedAgents(roster, sqldb.CleanText(agent))); err != nil {
				return nil, err
			}
			read = true
		}
		numbers := all[:min(n, len(all))]
		all = all[len(numbers):]
		return numbers, nil
	}
}

// searchedAgents returns the agents whose documents are searched: one of the workspace, or all that aren't archived.
func searchedAgents(roster *store.Roster, agent string) (ids []string) {
	for i := range roster.Agents {
		if f := &roster.Agents[i]; agent == "" && !f.Archived || agent == f.ID {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// derivedCandidates returns the numbers of records that may match by kind and derived state, newest first.
func (s *Store) derivedCandidates(ctx context.Context, q *find.Query, agents []string) ([]int64, error) {
	type row struct {
		no                 int64
		file, state, round int
	}
	var parts []string
	for _, file := range [...]figs.File{figs.Runs, figs.Asks} {
		if q.Wants(file) {
			parts = append(parts, fmt.Sprintf(`SELECT no, kind, state, round FROM records WHERE kind = %d AND agent `, file)+s.TextsIn(1))
		}
	}
	if q.Wants(figs.Messages) {
		parts = append(parts, fmt.Sprintf(`SELECT no, %d, 0, 0 FROM messages WHERE agent `, figs.Messages)+s.TextsIn(1))
	}
	if q.Wants(find.Attached) {
		parts = append(parts, fmt.Sprintf(`SELECT no, %d, 0, 0 FROM attachments WHERE agent `, find.Attached)+s.TextsIn(1))
	}
	if len(parts) == 0 || len(agents) == 0 {
		return nil, nil
	}
	rows, err := s.Rows(ctx, strings.Join(parts, " UNION ALL "), sqldb.JSONList(agents))
	found, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row) error { return r.Scan(&x.no, &x.file, &x.state, &x.round) })
	if err != nil {
		return nil, err
	}
	var numbers []int64
	for _, x := range found {
		it := itemOf(figs.File(x.file), x.state, x.round)
		if q.Derived(&it) {
			numbers = append(numbers, x.no)
		}
	}
	slices.SortFunc(numbers, func(a, b int64) int { return compareInt64(b, a) })
	return numbers, nil
}

// itemOf returns the derived state of a record, for package find.
func itemOf(file figs.File, state, round int) find.Item {
	it := find.Item{File: file, At: figs.NoTime}
	switch file {
	case figs.Runs:
		it.Outcome = figs.Outcome(state)
	case figs.Asks:
		it.Phase, it.Round = figs.Phase(state), round
	}
	return it
}

// matchingHits reads documents by number and returns those that match, newest first.
func (s *Store) matchingHits(ctx context.Context, q *find.Query, numbers []int64) ([]store.SearchHit, error) {
	type row struct {
		no           int64
		state, round int
		h            store.SearchHit
	}
	if len(numbers) == 0 {
		return nil, nil
	}
	in := s.NumbersIn(1)
	rows, err := s.Rows(ctx, `SELECT no, agent, kind, id, fold, state, round FROM records WHERE no `+in+`
		UNION ALL SELECT no, agent, `+strconv.Itoa(int(figs.Messages))+`, id, line, 0, 0 FROM messages WHERE no `+in+`
		UNION ALL SELECT no, agent, `+strconv.Itoa(int(find.Attached))+`, name, words, 0, 0 FROM attachments WHERE no `+in, sqldb.JSONList(numbers))
	found, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row) error {
		return r.Scan(&x.no, &x.h.Agent, &x.h.File, &x.h.ID, &x.h.Text, &x.state, &x.round)
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b row) int { return compareInt64(b.no, a.no) })
	var hits []store.SearchHit
	var folded []byte
	for _, x := range found {
		it := itemOf(x.h.File, x.state, x.round)
		if x.h.File == find.Attached {
			folded = find.AppendFile(folded[:0], x.h.ID, x.h.Text)
		} else {
			x.h.ID = sqldb.DecodeID(x.h.ID)
			it.Fold = figs.Fold([][]byte{x.h.Text})
			it.At, _ = figs.ParseTime(it.Fold.Get("ts").Text())
			folded = find.AppendRecord(folded[:0], it.Fold)
		}
		if it.ID, it.Folded = x.h.ID, folded; q.Match(&it) {
			hits = append(hits, x.h)
		}
	}
	return hits, nil
}
