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

// Doc is the indexed text of a record, reply or attachment, with the number of its row.
type Doc struct {
	No               int64
	Workspace, Agent string
	Words            string
}

// MaxDocSize is how much of a document is indexed, in bytes. PostgreSQL's limit is a million bytes in its own encoding.
const MaxDocSize = 256 << 10

// SearchWords are consecutive words, as package find folds them. Unless Whole is set, the last one matches as a prefix.
type SearchWords struct {
	Words string
	Whole bool
}

// DocWords returns all text of a record.
func DocWords(line []byte) string {
	b := figs.AppendWords(make([]byte, 0, len(line)), jsonl.Value{Kind: jsonl.Object, Raw: line})
	return CleanText(CutText(string(b), MaxDocSize))
}

// AddDocs adds documents to the index.
func (c *Tx) AddDocs(ctx context.Context, docs []Doc) error {
	table, columns, rows := c.DB.index(docs)
	return c.Insert(ctx, table, columns, rows)
}

// ReplaceDoc replaces a document in the index.
func (c *Tx) ReplaceDoc(ctx context.Context, d Doc) error {
	if err := c.Later(ctx, c.DB.Unindex(), d.No); err != nil {
		return err
	}
	return c.AddDocs(ctx, []Doc{d})
}

// ScopeWord returns the word that represents a workspace or an agent in the index of SQLite.
func ScopeWord(kind, id string) string { return kind + hex.EncodeToString([]byte(id)) }

func (SQLite) index(docs []Doc) (table, columns string, rows [][]any) {
	rows = make([][]any, len(docs))
	var of Doc
	var scopes any // reused for consecutive documents of an agent
	for i, d := range docs {
		if i == 0 || d.Workspace != of.Workspace || d.Agent != of.Agent {
			of, scopes = d, ScopeWord("w", d.Workspace)+" "+ScopeWord("a", d.Agent)
		}
		rows[i] = []any{d.No, scopes, d.Words}
	}
	return "search", "rowid, scope, body", rows
}

// PrepareIndex lets SQLite collect 4 MiB of words instead of 1 MiB before it writes them, so that it merges less often. The
// database keeps the setting, but smaller changes don't reach it.
func (SQLite) PrepareIndex(ctx context.Context, c *Tx) error {
	_, err := c.Exec(ctx, `INSERT INTO search (search, rank) VALUES ('hashsize', 4194304)`)
	return err
}

func (SQLite) Unindex() string { return `DELETE FROM search WHERE rowid = $1` }

func (SQLite) NewestFirst() string { return "rowid DESC" }

func (SQLite) PlanEachTime(args []any) []any { return args }

// Matches quotes every term, so that none of them is parsed as an operator.
func (SQLite) Matches(workspace, agent string, without []string, terms []SearchWords, first int) (no, from string, args []any) {
	return "rowid", fmt.Sprintf("FROM search WHERE search MATCH $%d", first), []any{matchExpression(workspace, agent, without, terms)}
}

func (SQLite) TitleMatches(workspace string, without []string, terms []SearchWords) (from string, args []any) {
	return "FROM titles JOIN records r ON r.no = titles.rowid WHERE titles MATCH $1 ORDER BY titles.rowid DESC", []any{matchExpression(workspace, "", without, terms)}
}

func matchExpression(workspace, agent string, without []string, terms []SearchWords) string {
	match := "scope : ("
	if workspace != "" {
		match += ScopeWord("w", workspace)
	}
	if agent != "" {
		match += " " + ScopeWord("a", agent)
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
		match += map[bool]string{true: " NOT scope : (", false: " OR "}[i == 0] + ScopeWord("a", id)
	}
	if len(without) > 0 {
		match += ")"
	}
	return match
}

// index adds each word once, as package find folds it. PostgreSQL's own parser would read "-00007" as a negative number.
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

// An expression without an index, so that the planner uses the index on the workspace or the agent, and doesn't scan the
// documents of others.
func (PostgreSQL) NewestFirst() string { return "no + 0 DESC" }

func (PostgreSQL) PlanEachTime(args []any) []any {
	return append([]any{pgx.QueryExecModeCacheDescribe}, args...)
}

// lexeme quotes a word for PostgreSQL; words contain no quotes and no backslashes.
func lexeme(word string) string { return "'" + CleanText(CutText(word, maxLexeme)) + "'" }

// maxLexeme is how much of a word is indexed, in bytes.
const maxLexeme = 500

// Matches looks for each word separately; package find checks their order.
func (d PostgreSQL) Matches(workspace, agent string, without []string, terms []SearchWords, first int) (no, from string, args []any) {
	w := Where{Args: make([]any, first-1)}
	w.And("FROM search WHERE body @@ CAST($%d AS tsquery)", tsquery(terms))
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

// titleWords is the expression of the index records_titles.
const titleWords = `to_tsvector('simple', translate(id || ' ' || title, '-_./:@#&+%=?~<>', '               '))`

// TitleMatches looks at the newest asks of the workspace, and through the index at a limited number of those that match: a
// word of very many titles is found in the newest ones, and sorting all of them would take too long.
func (d PostgreSQL) TitleMatches(workspace string, without []string, terms []SearchWords) (from string, args []any) {
	args = []any{workspace, tsquery(terms)}
	of := "kind = 1 AND workspace = $1"
	if len(without) > 0 {
		of, args = of+" AND NOT agent "+d.TextsIn(3), append(args, JSONList(without))
	}
	match := titleWords + " @@ CAST($2 AS tsquery)"
	return fmt.Sprintf(`FROM records r WHERE no IN (
		SELECT no FROM (SELECT no, id, title FROM records WHERE %s ORDER BY no + 0 DESC LIMIT 500) n WHERE %s
		UNION ALL (SELECT no FROM records WHERE %s AND %s LIMIT 1000)) ORDER BY no DESC`, of, match, of, match), args
}

func tsquery(terms []SearchWords) string {
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
	return strings.Join(query, " & ")
}
