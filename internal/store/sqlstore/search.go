package sqlstore

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/figs/jsonl"
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

// wanted are words that stand together, as package find folds them; unless it is whole, the last one
// is the beginning of a word.
type wanted struct {
	words string
	whole bool
}

// wordsOf lists the texts of a record.
func wordsOf(line []byte) string {
	b := figs.AppendWords(make([]byte, 0, len(line)), jsonl.Value{Kind: jsonl.Object, Raw: line})
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
	rows = make([][]any, len(docs))
	var of doc
	var scopes any // of one agent after the other
	for i, d := range docs {
		if i == 0 || d.workspace != of.workspace || d.agent != of.agent {
			of, scopes = d, scope("w", d.workspace)+" "+scope("a", d.agent)
		}
		rows[i] = []any{d.no, scopes, d.words}
	}
	return "search", "rowid, scope, body", rows
}

// prepareIndex has SQLite collect 4 MiB of words before it writes them to the index, instead of 1 MiB: what it writes in
// fewer pieces it merges less often. The database keeps the setting, which smaller changes don't reach.
func (sqlite) prepareIndex(ctx context.Context, c *change) error {
	_, err := c.do(ctx, `INSERT INTO search (search, rank) VALUES ('hashsize', 4194304)`)
	return err
}

func (sqlite) unindex() string { return `DELETE FROM search WHERE rowid = $1` }

func (sqlite) newest() string { return "rowid DESC" }

func (sqlite) anew(args []any) []any { return args }

// matches quotes every term, so that none of them is an operator.
func (sqlite) matches(workspace, agent string, without []string, terms []wanted, first int) (no, from string, args []any) {
	match := "scope : ("
	if workspace != "" {
		match += scope("w", workspace)
	}
	if agent != "" {
		match += " " + scope("a", agent)
	}
	match += ") AND body : ("
	for _, term := range terms {
		match += ` "` + term.words + `"`
		if !term.whole {
			match += "*"
		}
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

// index lists each word once, as package find folds it: PostgreSQL's own idea of words takes
// "-00007" for a number below zero.
func (postgres) index(docs []doc) (table, columns string, rows [][]any) {
	for _, d := range docs {
		list := strings.Fields(string(find.AppendFolded(nil, []byte(d.words))))
		for i := range list {
			list[i] = lexeme(list[i])
		}
		slices.Sort(list)
		rows = append(rows, []any{d.no, d.workspace, d.agent, strings.Join(slices.Compact(list), " ")})
	}
	return "search", "no, workspace, agent, body", rows
}

func (postgres) prepareIndex(context.Context, *change) error { return nil }

func (postgres) unindex() string { return `DELETE FROM search WHERE no = $1` }

// A sum has no index but those of one workspace and of one agent, so that nobody else's documents are walked through.
func (postgres) newest() string { return "no + 0 DESC" }

func (postgres) anew(args []any) []any { return append([]any{pgx.QueryExecModeCacheDescribe}, args...) }

// lexeme is a word as PostgreSQL reads it; there is no quote and no backslash in one.
func lexeme(word string) string { return "'" + clean(cut(word, longestLexeme)) + "'" }

// longestLexeme is how much of one word is indexed, in bytes.
const longestLexeme = 500

// matches asks for each word by itself: in which order they stand, package find sees.
func (d postgres) matches(workspace, agent string, without []string, terms []wanted, first int) (no, from string, args []any) {
	var query []string
	for _, term := range terms {
		list := strings.Fields(term.words)
		for i, word := range list {
			word = lexeme(word)
			if i == len(list)-1 && !term.whole {
				word += ":*"
			}
			query = append(query, word)
		}
	}
	w := where{args: make([]any, first-1)}
	w.and("FROM search WHERE body @@ CAST($%d AS tsquery)", strings.Join(query, " & "))
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
