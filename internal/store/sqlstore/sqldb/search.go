package sqldb

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

// Doc is what search knows of a record, a reply or an attachment, by the number of its row.
type Doc struct {
	No               int64
	Workspace, Agent string
	Words            string
}

// LongestDoc is how much of one document is indexed, in bytes; PostgreSQL takes no more than a
// million of them after its own encoding.
const LongestDoc = 256 << 10

// SearchWords are words that stand together, as package find folds them; unless it is whole, the last one
// is the beginning of a word.
type SearchWords struct {
	Words string
	Whole bool
}

// WordsOf lists the texts of a record.
func WordsOf(line []byte) string {
	b := figs.AppendWords(make([]byte, 0, len(line)), jsonl.Value{Kind: jsonl.Object, Raw: line})
	return CleanText(CutText(string(b), LongestDoc))
}

// AddDocs puts documents into the index.
func (c *Tx) AddDocs(ctx context.Context, docs []Doc) error {
	table, columns, rows := c.DB.index(docs)
	return c.Insert(ctx, table, columns, rows)
}

// ReplaceDoc indexes a document again.
func (c *Tx) ReplaceDoc(ctx context.Context, d Doc) error {
	if err := c.Later(ctx, c.DB.Unindex(), d.No); err != nil {
		return err
	}
	return c.AddDocs(ctx, []Doc{d})
}

// Scope is a word that stands for a workspace or an agent in the index of SQLite.
func Scope(kind, id string) string { return kind + hex.EncodeToString([]byte(id)) }

func (SQLite) index(docs []Doc) (table, columns string, rows [][]any) {
	rows = make([][]any, len(docs))
	var of Doc
	var scopes any // of one agent after the other
	for i, d := range docs {
		if i == 0 || d.Workspace != of.Workspace || d.Agent != of.Agent {
			of, scopes = d, Scope("w", d.Workspace)+" "+Scope("a", d.Agent)
		}
		rows[i] = []any{d.No, scopes, d.Words}
	}
	return "search", "rowid, scope, body", rows
}

// PrepareIndex has SQLite collect 4 MiB of words before it writes them to the index, instead of 1 MiB: what it writes in
// fewer pieces it merges less often. The database keeps the setting, which smaller changes don't reach.
func (SQLite) PrepareIndex(ctx context.Context, c *Tx) error {
	_, err := c.Exec(ctx, `INSERT INTO search (search, rank) VALUES ('hashsize', 4194304)`)
	return err
}

func (SQLite) Unindex() string { return `DELETE FROM search WHERE rowid = $1` }

func (SQLite) NewestFirst() string { return "rowid DESC" }

func (SQLite) PlanEachTime(args []any) []any { return args }

// Matches quotes every term, so that none of them is an operator.
func (SQLite) Matches(workspace, agent string, without []string, terms []SearchWords, first int) (no, from string, args []any) {
	match := "scope : ("
	if workspace != "" {
		match += Scope("w", workspace)
	}
	if agent != "" {
		match += " " + Scope("a", agent)
	}
	match += ") AND body : ("
	for _, term := range terms {
		match += ` "` + term.Words + `"`
		if !term.Whole {
			match += "*"
		}
	}
	match += ")"
	for i, id := range without {
		match += map[bool]string{true: " NOT scope : (", false: " OR "}[i == 0] + Scope("a", id)
	}
	if len(without) > 0 {
		match += ")"
	}
	return "rowid", fmt.Sprintf("FROM search WHERE search MATCH $%d", first), []any{match}
}

// index lists each word once, as package find folds it: PostgreSQL's own idea of words takes
// "-00007" for a number below zero.
func (PostgreSQL) index(docs []Doc) (table, columns string, rows [][]any) {
	for _, d := range docs {
		list := strings.Fields(string(find.AppendFolded(nil, []byte(d.Words))))
		for i := range list {
			list[i] = lexeme(list[i])
		}
		slices.Sort(list)
		rows = append(rows, []any{d.No, d.Workspace, d.Agent, strings.Join(slices.Compact(list), " ")})
	}
	return "search", "no, workspace, agent, body", rows
}

func (PostgreSQL) PrepareIndex(context.Context, *Tx) error { return nil }

func (PostgreSQL) Unindex() string { return `DELETE FROM search WHERE no = $1` }

// A sum has no index but those of one workspace and of one agent, so that nobody else's documents are walked through.
func (PostgreSQL) NewestFirst() string { return "no + 0 DESC" }

func (PostgreSQL) PlanEachTime(args []any) []any {
	return append([]any{pgx.QueryExecModeCacheDescribe}, args...)
}

// lexeme is a word as PostgreSQL reads it; there is no quote and no backslash in one.
func lexeme(word string) string { return "'" + CleanText(CutText(word, longestLexeme)) + "'" }

// longestLexeme is how much of one word is indexed, in bytes.
const longestLexeme = 500

// Matches asks for each word by itself: in which order they stand, package find sees.
func (d PostgreSQL) Matches(workspace, agent string, without []string, terms []SearchWords, first int) (no, from string, args []any) {
	var query []string
	for _, term := range terms {
		list := strings.Fields(term.Words)
		for i, word := range list {
			word = lexeme(word)
			if i == len(list)-1 && !term.Whole {
				word += ":*"
			}
			query = append(query, word)
		}
	}
	w := Where{Args: make([]any, first-1)}
	w.And("FROM search WHERE body @@ CAST($%d AS tsquery)", strings.Join(query, " & "))
	if workspace != "" {
		w.And(" AND workspace = $%d", workspace)
	}
	if agent != "" {
		w.And(" AND agent = $%d", agent)
	}
	if len(without) > 0 {
		w.And(" AND NOT agent "+d.TextsIn(len(w.Args)+1), JSONList(without))
	}
	return "no", w.SQL, w.Args[first-1:]
}
