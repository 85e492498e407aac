package sqlstore

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/store"
)

// doc is what search knows of a record, a reply or an attachment, by the number of its row.
type doc struct {
	no               int64
	workspace, agent string
	words            string
}

// longestDoc is how much of one document is indexed, in bytes; PostgreSQL takes no more than a
// million of them after its own encoding.
const longestDoc = 256 << 10

// wordsOf lists the texts of a record.
func wordsOf(line []byte) string {
	b := figs.AppendWords(nil, jsonl.Value{Kind: jsonl.Object, Raw: line})
	return clean(cut(string(b), longestDoc))
}

// addDocs puts documents into the index.
func (c *change) addDocs(ctx context.Context, docs []doc) error {
	table, columns, rows := c.s.index(docs)
	return c.insert(ctx, table, columns, rows)
}

// replaceDoc indexes a document again.
func (c *change) replaceDoc(ctx context.Context, d doc) error {
	if err := c.later(ctx, c.s.unindex(), d.no); err != nil {
		return err
	}
	return c.addDocs(ctx, []doc{d})
}

// scope is a word that stands for a workspace or an agent in the index of SQLite.
func scope(kind, id string) string { return kind + hex.EncodeToString([]byte(id)) }

func (sqlite) index(docs []doc) (table, columns string, rows [][]any) {
	for _, d := range docs {
		rows = append(rows, []any{d.no, scope("w", d.workspace) + " " + scope("a", d.agent), d.words})
	}
	return "search", "rowid, scope, body", rows
}

func (sqlite) unindex() string { return `DELETE FROM search WHERE rowid = $1` }

func (sqlite) newest() string { return "rowid DESC" }

func (sqlite) anew(args []any) []any { return args }

// matches quotes every term, so that none of them is an operator.
func (sqlite) matches(workspace, agent string, without, terms []string, first int) (no, from string, args []any) {
	match := "scope : ("
	if workspace != "" {
		match += scope("w", workspace)
	}
	if agent != "" {
		match += " " + scope("a", agent)
	}
	match += ") AND body : ("
	for _, term := range terms {
		match += ` "` + strings.ReplaceAll(term, `"`, `""`) + `"`
	}
	match += ")"
	for i, id := range without {
		match += map[bool]string{true: " NOT scope : (", false: " OR "}[i == 0] + scope("a", id)
	}
	if len(without) > 0 {
		match += ")"
	}
	return "rowid", fmt.Sprintf("FROM search WHERE search MATCH $%d", first), []any{match}
}

func (postgres) index(docs []doc) (table, columns string, rows [][]any) {
	for _, d := range docs {
		rows = append(rows, []any{d.no, d.workspace, d.agent, d.words})
	}
	return "search", "no, workspace, agent, body", rows
}

func (postgres) unindex() string { return `DELETE FROM search WHERE no = $1` }

// A sum has no index but those of one workspace and of one agent, so that nobody else's documents are walked through.
func (postgres) newest() string { return "no + 0 DESC" }

func (postgres) anew(args []any) []any { return append([]any{pgx.QueryExecModeCacheDescribe}, args...) }

func (d postgres) matches(workspace, agent string, without, terms []string, first int) (no, from string, args []any) {
	var query []string
	for _, term := range terms {
		query = append(query, `"`+strings.ReplaceAll(term, `"`, " ")+`"`)
	}
	w := where{args: make([]any, first-1)}
	w.and("FROM search WHERE body @@ websearch_to_tsquery('simple', $%d)", strings.Join(query, " "))
	if workspace != "" {
		w.and(" AND workspace = $%d", workspace)
	}
	if agent != "" {
		w.and(" AND agent = $%d", agent)
	}
	if len(without) > 0 {
		w.and(" AND NOT agent "+d.textsIn(len(w.args)+1), jsonList(without))
	}
	return "no", w.sql, w.args[first-1:]
}

// terms are the words that a person looks for: at most 16, each with a letter or a digit.
func terms(words string) []string {
	var all []string
	for _, term := range strings.Fields(clean(cut(words, 1000))) {
		if len(all) < 16 && strings.ContainsFunc(term, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			all = append(all, term)
		}
	}
	return all
}

// Search implements store.Reader.
func (s *Store) Search(ctx context.Context, workspace, agent, words string, from, n int) ([]store.Hit, bool, error) {
	list := terms(words)
	if len(list) == 0 {
		return nil, false, nil
	}
	n = size(n)
	var without []string
	if agent == "" {
		roster, err := s.Roster(ctx, workspace)
		if errors.Is(err, store.ErrNotFound) {
			return nil, false, nil
		}
		if err != nil {
			return nil, false, err
		}
		without = roster.Archived
	}
	column, where, args := s.matches(clean(workspace), clean(agent), without, list, 1)
	k := len(args)
	query := fmt.Sprintf("SELECT %s %s ORDER BY %s LIMIT $%d OFFSET $%d", column, where, s.newest(), k+1, k+2)
	rows, err := s.rows(ctx, query, s.anew(append(args, n+1, max(0, from)))...)
	numbers, err := collect(rows, err, func(r scanner, no *int64) error { return r.Scan(no) })
	if err != nil {
		return nil, false, err
	}
	more := len(numbers) > n
	numbers = numbers[:min(n, len(numbers))]
	type numbered struct {
		no int64
		h  store.Hit
	}
	in := s.numbersIn(1)
	rows, err = s.rows(ctx, `SELECT no, agent, kind, id, fold FROM records WHERE no `+in+`
		UNION ALL SELECT no, agent, `+strconv.Itoa(int(figs.Messages))+`, id, line FROM messages WHERE no `+in+`
		UNION ALL SELECT no, agent, `+strconv.Itoa(int(figs.NoFile))+`, name, words FROM attachments WHERE no `+in, jsonList(numbers))
	found, err := collect(rows, err, func(r scanner, x *numbered) error {
		return r.Scan(&x.no, &x.h.Agent, &x.h.File, &x.h.ID, &x.h.Text)
	})
	if err != nil {
		return nil, false, err
	}
	slices.SortFunc(found, func(a, b numbered) int { return compare(b.no, a.no) })
	var hits []store.Hit
	for _, x := range found {
		if x.h.File != figs.NoFile {
			x.h.ID = idOf(x.h.ID)
		}
		hits = append(hits, x.h)
	}
	return hits, more, nil
}
