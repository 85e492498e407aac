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

// Scope is whose documents are searched: those of some agents, or if there are none, of a workspace without some agents.
type Scope struct {
	Workspace string
	Agents    []string
	Without   []string
}

// SearchWords are consecutive words, as package find folds them. Unless Whole is set, the last one matches as a prefix. If Other
// isn't "", documents with Other as a prefix match as well.
type SearchWords struct {
	Words, Other string
	Whole        bool
}

// spelling is a way in which an index may have words.
type spelling struct {
	words string
	whole bool
}

// spellings returns the ways in which an index may have the words. An index has words with their umlauts, or as package find
// folds them, "ueber". What matches is never missed; more than that may be found.
func (w SearchWords) spellings() []spelling {
	all := spellingsOf(w.Words, w.Whole)
	if w.Other != "" {
		all = append(all, spellingsOf(w.Other, false)...)
	}
	return all
}

// maxUmlauts is how many places of words may be spelled in two ways; longer words are searched for as far as the next such
// place.
const maxUmlauts = 4

func spellingsOf(words string, whole bool) []spelling {
	return appendSpellings(nil, "", words, whole, maxUmlauts)
}

// appendSpellings adds the spellings that begin with some letters, and go on with any spelling of words.
func appendSpellings(list []spelling, begun, words string, whole bool, umlauts int) []spelling {
	for i := range len(words) {
		length, umlaut := umlautAt(words[i:], whole)
		if umlaut == "" {
			continue
		}
		begun += words[:i]
		if umlauts == 0 {
			return append(list, spelling{begun, false})
		}
		list = appendSpellings(list, begun+umlaut, words[i+length:], whole, umlauts-1)
		// The second letter can begin the next place: sss is sß as well.
		return appendSpellings(list, begun+words[i:i+1], words[i+1:], whole, umlauts-1)
	}
	return append(list, spelling{begun + words, whole})
}

// umlautAt returns the letter that folded words may begin with instead of their first length bytes, or "". The last letter of a
// prefix can be the first of two.
func umlautAt(words string, whole bool) (length int, umlaut string) {
	for _, u := range [...][2]string{{"ae", "ä"}, {"oe", "ö"}, {"ue", "ü"}, {"ss", "ß"}} {
		if strings.HasPrefix(words, u[0]) {
			return 2, u[1]
		}
		if !whole && words == u[0][:1] {
			return 1, u[1]
		}
	}
	return 0, ""
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
func (SQLite) Matches(of Scope, terms []SearchWords, first int) (no, from string, args []any) {
	return "rowid", fmt.Sprintf("FROM search WHERE search MATCH $%d", first), []any{matchExpression(of, terms)}
}

func (SQLite) TitleMatches(workspace string, without []string, terms []SearchWords) (from string, args []any) {
	return "FROM titles JOIN records r ON r.no = titles.rowid WHERE titles MATCH $1 ORDER BY titles.rowid DESC", []any{matchExpression(Scope{Workspace: workspace, Without: without}, terms)}
}

func matchExpression(of Scope, terms []SearchWords) string {
	scope := func(kind string, ids ...string) string {
		words := make([]string, len(ids))
		for i, id := range ids {
			words[i] = ScopeWord(kind, id)
		}
		return "scope : (" + strings.Join(words, " OR ") + ")"
	}
	match := ""
	if of.Workspace != "" {
		match = scope("w", of.Workspace)
	}
	if len(of.Agents) > 0 {
		if match != "" {
			match += " AND "
		}
		match += scope("a", of.Agents...)
	}
	for _, term := range terms {
		match += " AND body : ("
		for i, s := range term.spellings() {
			if i > 0 {
				match += " OR "
			}
			match += `"` + s.words + `"`
			if !s.whole {
				match += "*"
			}
		}
		match += ")"
	}
	if len(of.Without) > 0 {
		match += " NOT " + scope("a", of.Without...)
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
func (d PostgreSQL) Matches(of Scope, terms []SearchWords, first int) (no, from string, args []any) {
	w := Where{Args: make([]any, first-1)}
	w.SQL = "FROM search WHERE TRUE"
	if len(terms) > 0 {
		w.And(" AND body @@ CAST($%d AS tsquery)", tsquery(terms))
	}
	if of.Workspace != "" {
		w.And(" AND workspace = $%d", of.Workspace)
	}
	switch n := len(of.Agents); {
	case n == 1:
		w.And(" AND agent = $%d", of.Agents[0])
	case n > 1:
		w.And(" AND agent "+d.TextsIn(len(w.Args)+1), JSONList(of.Agents))
	}
	if len(of.Without) > 0 {
		w.And(" AND NOT agent "+d.TextsIn(len(w.Args)+1), JSONList(of.Without))
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
		var any []string
		for _, s := range term.spellings() {
			list := strings.Fields(s.words)
			for i, word := range list {
				list[i] = lexeme(word)
				if i == len(list)-1 && !s.whole {
					list[i] += ":*"
				}
			}
			any = append(any, strings.Join(list, " & "))
		}
		query = append(query, "("+strings.Join(any, " | ")+")")
	}
	return strings.Join(query, " & ")
}
