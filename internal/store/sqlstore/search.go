package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
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
	// numbersRead is how many numbers of documents that may match are read at once: finding the first of them can take a
	// while, others follow quickly.
	numbersRead = maxReadToCount
	// documentsRead is how many documents are read at once.
	documentsRead = 250
	// maxReadTotal is how many documents a search reads for a page before it stops, although there may be more hits.
	maxReadTotal = 200_000
	// maxReadToCount is how many documents a search reads to count hits, if they are enough for the page.
	maxReadToCount = 1900
	// maxScopes is how many agents are named in a query. Documents of more agents are read, and then passed over.
	maxScopes = 300
	// fewRecords is how many records in some states are read to look for words in them; of more, the index is asked first.
	fewRecords = 3000
	// shortWord is up to how many letters so many words begin with a word that asking the index takes longer than reading the
	// newest documents.
	shortWord = 2
)

// Search implements store.Reader. The index, or derived columns, select the documents that may match, newest first; package
// find checks them.
func (s *Store) Search(ctx context.Context, x store.SearchQuery) (*store.SearchResult, error) {
	scan, err := s.newSearchScan(ctx, &x)
	result := &store.SearchResult{}
	if err != nil || scan == nil {
		return result, err
	}
	n := sqldb.PageSize(x.N)
	page := func(h *searchHit) bool {
		if len(result.Hits) == n {
			result.Next = result.Hits[n-1].No
			return false
		}
		result.Hits = append(result.Hits, h.SearchHit)
		return true
	}
	var count func(h *searchHit) bool
	if x.Count {
		result.Counts = &store.SearchCounts{Agents: map[string]int{}, States: map[string]int{}, Months: map[string]int{}}
		count = func(h *searchHit) bool { return countHit(result.Counts, h) }
	}
	switch {
	case x.Count && x.Before <= 0: // hits of the page are counted on the way
		result.Next, err = scan.run(ctx, 0, page, count)
	case x.Count:
		if result.Next, err = scan.run(ctx, x.Before, page, nil); err == nil {
			_, err = scan.run(ctx, 0, nil, count)
		}
	default:
		result.Next, err = scan.run(ctx, x.Before, page, nil)
	}
	if x.Count && !scan.whole {
		result.Counts.More = true
	}
	return result, err
}

// SearchScope implements store.Reader.
func (s *Store) SearchScope(ctx context.Context, x store.SearchQuery) (of store.SearchScope, err error) {
	scan, err := s.newSearchScan(ctx, &x)
	if err != nil || scan == nil {
		return of, err
	}
	err = s.Row(ctx, `SELECT count(*), coalesce(sum(jobs + asks), 0), coalesce(sum(messages), 0), coalesce(sum(files), 0) FROM agents WHERE id `+s.TextsIn(1),
		sqldb.JSONList(scan.agents)).Scan(&of.Agents, &of.Records, &of.Replies, &of.Files)
	return of, err
}

// searchScan reads the documents that may match a search.
type searchScan struct {
	s         *Store
	q         *find.Query
	workspace string
	agents    []string          // whose documents are searched
	searched  map[string][]byte // the same, with their names as find.FoldAgent writes them
	all       bool              // they are all agents of the workspace
	without   []string          // archived agents, if they are all others
	words     []sqldb.SearchWords
	short     bool        // all words are short prefixes
	states    [2][]string // the states of runs and asks that may match
	few       bool        // there are few records in these states, and nothing else may match
	whole     bool        // the last run counted all hits
}

// searchHit is a hit with what is counted of it.
type searchHit struct {
	store.SearchHit
	at int64 // figs.NoTime if it has no time
}

// newSearchScan returns nil if nothing can match.
func (s *Store) newSearchScan(ctx context.Context, x *store.SearchQuery) (*searchScan, error) {
	scan := &searchScan{s: s, q: find.Parse(sqldb.CleanText(x.Text)), workspace: sqldb.CleanText(x.Workspace), searched: map[string][]byte{}}
	if scan.q.Empty() {
		return nil, nil
	}
	roster, err := s.Roster(ctx, scan.workspace)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	agent := sqldb.CleanText(x.Agent)
	archived := 0
	for i := range roster.Agents {
		f := &roster.Agents[i]
		if agent != f.ID && (agent != "" || f.Archived && !x.Archived) {
			continue
		}
		if folded := find.FoldAgent(f.Name, f.ID); scan.q.OfAgent(folded) {
			scan.agents = append(scan.agents, f.ID)
			scan.searched[f.ID] = folded
			archived += sqldb.BoolInt(f.Archived)
		}
	}
	switch n := len(scan.agents); {
	case n == 0:
		return nil, nil
	case n == len(roster.Agents):
		scan.all = true
	case agent == "" && archived == 0 && n == len(roster.Agents)-len(roster.Archived) && len(roster.Archived) <= maxScopes:
		scan.all, scan.without = true, roster.Archived
	}
	scan.readWords()
	return scan, scan.readStates(ctx)
}

// readWords collects the words that the index is asked for. Short ones say too little, unless there are no others.
func (x *searchScan) readWords() {
	var short []sqldb.SearchWords
	x.q.Needs(func(words, other string, whole bool) {
		switch w := (sqldb.SearchWords{Words: words, Other: other, Whole: whole}); {
		case !isIndexed(words):
		case !whole && len(words) <= shortWord:
			short = append(short, w)
		default:
			x.words = append(x.words, w)
		}
	})
	if x.short = len(x.words) == 0 && len(short) > 0; x.short {
		x.words = short
	}
}

// onlyRecords reports whether only runs and asks may match.
func (x *searchScan) onlyRecords() bool {
	return !x.q.Wants(figs.Messages) && !x.q.Wants(find.Attached)
}

// readStates finds out in which states records may match, and if words are looked for, whether there are few of them.
func (x *searchScan) readStates(ctx context.Context) error {
	const last = int(figs.Rejected) + 1 // above every outcome and phase
	restricted := false
	for file := range x.states {
		n := 0
		for state := range last {
			it := itemOf(figs.File(file), state, 0)
			if x.q.DerivedInAnyRound(&it) {
				x.states[file] = append(x.states[file], strconv.Itoa(state))
				n++
			}
		}
		restricted = restricted || n > 0 && n < last
	}
	if !restricted || len(x.words) == 0 || !x.onlyRecords() {
		return nil
	}
	query, args := x.recordsByState()
	var n int
	err := x.s.Row(ctx, `SELECT count(*) FROM (`+query+`) c`, x.s.PlanEachTime(append(args, int64(1)<<62, fewRecords+1))...).Scan(&n)
	x.few = n <= fewRecords
	return err
}

// run calls page and count with the hits that have a smaller number than before, newest first, each until it returns false or its
// limit of documents is reached. It returns the number after which the next page begins, or 0 if there is none. A before of 0
// is no limit; page and count may be nil.
func (x *searchScan) run(ctx context.Context, before int64, page, count func(*searchHit) bool) (next int64, err error) {
	if before <= 0 {
		before = 1 << 62
	}
	x.whole = false
	shown := int64(0)
	for read := 0; page != nil || count != nil; {
		numbers, err := x.candidates(ctx, before, read)
		if err != nil {
			return 0, err
		}
		for i := 0; i < len(numbers) && (page != nil || count != nil); i += documentsRead {
			some := numbers[i:min(i+documentsRead, len(numbers))]
			found, err := x.matching(ctx, some)
			if err != nil {
				return 0, err
			}
			for i := range found {
				if page != nil {
					if page(&found[i]) {
						shown = found[i].No
					} else {
						page, next = nil, shown
					}
				}
				if count != nil && !count(&found[i]) {
					count = nil
				}
			}
			before = some[len(some)-1]
			if read += len(some); read >= maxReadToCount && page == nil {
				count = nil
			}
			if read >= maxReadTotal && page != nil {
				page, next = nil, before
			}
		}
		if len(numbers) < numbersRead {
			x.whole = count != nil
			break
		}
	}
	return next, nil
}

// countHit counts a hit, unless enough are counted.
func countHit(c *store.SearchCounts, h *searchHit) bool {
	if c.Hits == store.MaxSearchCount {
		return false
	}
	c.Hits++
	c.Agents[h.Agent]++
	c.Kinds[h.File]++
	if state := searchedState(h.File, h.State); state != "" {
		c.States[state]++
	}
	if h.at != figs.NoTime {
		c.Months[time.UnixMicro(h.at).UTC().Format("2006-01")]++
	}
	return true
}

// searchedState returns the part of a search that asks for the state of a record.
func searchedState(file figs.File, state int) string {
	switch {
	case file == figs.Runs && figs.Outcome(state) == figs.OutcomeInFlight:
		return "is:in-flight"
	case file == figs.Runs:
		return "status:" + figs.Outcome(state).String()
	case file != figs.Asks:
		return ""
	}
	return [...]string{laneNeeds: "is:needs", laneWaiting: "is:waiting", laneClosed: "is:closed"}[laneOf(figs.Phase(state))]
}

// candidates returns the numbers of the newest documents below a number that may match, up to numbersRead of them. read is how many
// documents this run has read.
func (x *searchScan) candidates(ctx context.Context, before int64, read int) ([]int64, error) {
	s := x.s
	var query string
	var args []any
	if x.few || len(x.words) == 0 && x.onlyRecords() {
		if query, args = x.recordsByState(); query == "" {
			return nil, nil
		}
		args = append(args, before, numbersRead)
	} else {
		of := sqldb.Scope{Workspace: x.workspace, Without: x.without}
		if !x.all && len(x.agents) <= maxScopes {
			of.Agents = x.agents
		}
		words := x.words
		if x.short && read == 0 {
			words = nil
		}
		var column, where string
		column, where, args = s.Matches(of, words, 1)
		k := len(args)
		query = fmt.Sprintf("SELECT %s %s AND %s < $%d ORDER BY %s LIMIT $%d", column, where, column, k+1, s.NewestFirst(), k+2)
		args = append(args, before, numbersRead)
	}
	rows, err := s.Rows(ctx, query, s.PlanEachTime(args)...)
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, no *int64) error { return r.Scan(no) })
}

// recordsByState returns a query for the numbers of the records in the states that may match, without its last two
// parameters, a number and a limit; "" if there is no such state. Each state of a workspace has its part of an index, in the
// order of numbers.
func (x *searchScan) recordsByState() (query string, args []any) {
	some := !x.all && len(x.agents) <= maxScopes
	var parts []string
	for file, states := range x.states {
		if some && len(states) > 0 {
			parts = append(parts, fmt.Sprintf(`SELECT no FROM records WHERE agent %s AND kind = %d AND state IN (%s) AND no < $2`, x.s.TextsIn(1), file, strings.Join(states, ", ")))
			continue
		}
		for _, state := range states {
			parts = append(parts, fmt.Sprintf(`SELECT * FROM (SELECT no FROM records WHERE workspace = $1 AND kind = %d AND state = %s AND no < $2 ORDER BY no DESC LIMIT $3) s%d_%[1]d`, file, state, len(parts)))
		}
	}
	if len(parts) == 0 {
		return "", nil
	}
	args = []any{x.workspace}
	if some {
		args = []any{sqldb.JSONList(x.agents)}
	}
	return `SELECT no FROM (` + strings.Join(parts, " UNION ALL ") + `) r ORDER BY no DESC LIMIT $3`, args
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

// stateCondition is true of records in the states that may match.
func (x *searchScan) stateCondition() string {
	var parts []string
	for file, states := range x.states {
		if len(states) > 0 {
			parts = append(parts, fmt.Sprintf("kind = %d AND state IN (%s)", file, strings.Join(states, ", ")))
		}
	}
	return strings.Join(append(parts, "FALSE"), " OR ")
}

// matching reads documents by number and returns those that match, newest first.
func (x *searchScan) matching(ctx context.Context, numbers []int64) ([]searchHit, error) {
	type row struct {
		searchHit
		round, reported int
	}
	if len(numbers) == 0 {
		return nil, nil
	}
	in := x.s.NumbersIn(1)
	query := ""
	if x.q.Wants(figs.Runs) || x.q.Wants(figs.Asks) {
		query = `SELECT no, agent, kind, id, fold, state, round, reported FROM records WHERE no ` + in + ` AND (` + x.stateCondition() + `)`
	}
	for _, of := range [...]struct {
		file  figs.File
		query string
	}{{figs.Messages, `id, line, 0, 0, 0 FROM messages`}, {find.Attached, `name, words, 0, 0, 0 FROM attachments`}} {
		if x.q.Wants(of.file) {
			if query != "" {
				query += " UNION ALL "
			}
			query += fmt.Sprintf(`SELECT no, agent, %d, %s WHERE no %s`, of.file, of.query, in)
		}
	}
	if query == "" {
		return nil, nil
	}
	rows, err := x.s.Rows(ctx, query, sqldb.JSONList(numbers))
	found, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row) error {
		return r.Scan(&x.No, &x.Agent, &x.File, &x.ID, &x.Text, &x.State, &x.round, &x.reported)
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b row) int { return compareInt64(b.No, a.No) })
	var hits []searchHit
	var folded []byte
	texts := x.q.ReadsTexts()
	for i := range found {
		h := &found[i]
		it := itemOf(h.File, h.State, h.round)
		if it.Agent = x.searched[h.Agent]; it.Agent == nil || !x.q.Derived(&it) {
			continue
		}
		if h.File == find.Attached {
			folded = find.AppendFile(folded[:0], h.ID, h.Text)
		} else {
			h.ID = sqldb.DecodeID(h.ID)
			it.Fold = figs.Fold([][]byte{h.Text})
			it.At, _ = figs.ParseTime(it.Fold.Get("ts").Text())
			if folded = folded[:0]; texts {
				folded = find.AppendRecord(folded, it.Fold)
			}
		}
		h.Reported, h.at = h.reported != 0, it.At
		if it.ID, it.Folded = h.ID, folded; x.q.Match(&it) {
			hits = append(hits, h.searchHit)
		}
	}
	return hits, nil
}
