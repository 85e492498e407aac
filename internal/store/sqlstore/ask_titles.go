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
	// maxTitles is how many asks AsksByTitle compares.
	maxTitles = 200
	// minTitleWord is the shortest word, in folded bytes, that AsksByTitle looks up: a single letter begins a word of most
	// titles.
	minTitleWord = 2
)

// AsksByTitle implements store.Reader. The index of each database splits words in its own way, so titles and ids are compared
// afterwards.
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
	from, args := s.TitleMatches(sqldb.CleanText(workspace), roster.Archived, terms)
	query := fmt.Sprintf(`SELECT r.agent, r.id, r.title, r.type, r.state, r.reported, r.round, r.since %s LIMIT $%d`, from, len(args)+1)
	rows, err := s.Rows(ctx, query, s.PlanEachTime(append(args, maxTitles))...)
	type row struct {
		store.AskTitle
		state, reported int
	}
	found, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row) error {
		return r.Scan(&x.Agent, &x.ID, &x.Title, &x.Type, &x.state, &x.reported, &x.State.Round, &x.State.Since)
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
