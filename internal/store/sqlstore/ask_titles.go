package sqlstore

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const (
	// maxTitleDocs is how many documents AsksByTitle looks at, jobs and replies among them.
	maxTitleDocs = 1000
	// maxTitles is how many asks among them it compares.
	maxTitles = 200
	// minTitleWord is the shortest word, in folded bytes, that AsksByTitle looks up: a single letter is in most documents.
	minTitleWord = 2
)

// AsksByTitle implements store.Reader. The index has words of the whole record, so titles and ids are compared afterwards.
func (s *Store) AsksByTitle(ctx context.Context, workspace, words string, n int) ([]store.AskTitle, error) {
	var terms []sqldb.SearchWords
	var folded []string
	for _, term := range searchTerms(words) {
		if len(term.Words) >= minTitleWord {
			terms = append(terms, sqldb.SearchWords{Words: term.Words})
		}
		folded = append(folded, term.Words)
	}
	if len(terms) == 0 || n <= 0 {
		return nil, nil
	}
	roster, err := s.Roster(ctx, workspace)
	if err != nil {
		return nil, err
	}
	column, from, args := s.Matches(sqldb.CleanText(workspace), "", roster.Archived, terms, 1)
	k := len(args)
	query := fmt.Sprintf(`SELECT no, agent, id, title, type, state, reported, round, since FROM records
		WHERE no IN (SELECT %s %s ORDER BY %s LIMIT $%d) AND kind = %d ORDER BY no DESC LIMIT $%d`, column, from, s.NewestFirst(), k+1, sqldb.KindAsk, k+2)
	rows, err := s.Rows(ctx, query, s.PlanEachTime(append(args, maxTitleDocs, maxTitles))...)
	type row struct {
		store.AskTitle
		no              int64
		state, reported int
	}
	found, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row) error {
		return r.Scan(&x.no, &x.Agent, &x.ID, &x.Title, &x.Type, &x.state, &x.reported, &x.State.Round, &x.State.Since)
	})
	if err != nil {
		return nil, err
	}
	var titles []store.AskTitle
	for _, x := range found {
		x.ID = sqldb.DecodeID(x.ID)
		if len(titles) < n && (hasWords(x.Title, folded) || hasWords(x.ID, folded)) {
			x.State.Phase, x.State.Reported, x.State.Reply = figs.Phase(x.state), x.reported != 0, -1
			titles = append(titles, x.AskTitle)
		}
	}
	return titles, nil
}

// hasWords reports whether each of the folded words begins a word of a text.
func hasWords(text string, words []string) bool {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	folded := string(find.AppendFolded(nil, []byte(text)))
	for _, word := range words {
		if !strings.Contains(folded, " "+word) {
			return false
		}
	}
	return true
}
