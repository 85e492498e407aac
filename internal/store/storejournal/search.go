package storejournal

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// Search implements journal.Journal. The index does not say how many it found: Total is one
// more than what is shown where there are more.
func (j *Journal) Search(ctx context.Context, key string, q journal.Query) (*journal.Page[journal.Hit], error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	hits, more, err := j.s.Search(ctx, j.workspace, a.ID, q.Text, q.From, q.Size())
	page := &journal.Page[journal.Hit]{From: q.From, Total: q.From + len(hits)}
	if more {
		page.Total++
	}
	words := strings.Fields(q.Text)
	for i := range hits {
		page.Items = append(page.Items, hitOf(&hits[i], words))
	}
	return page, err
}

// Everywhere implements journal.Workspace.
func (j *Journal) Everywhere(ctx context.Context, q journal.Query) (*journal.Found, error) {
	roster, err := j.s.Roster(ctx, j.workspace)
	if err != nil {
		return nil, missing(err)
	}
	hits, more, err := j.s.Search(ctx, j.workspace, "", q.Text, q.From, q.Size())
	found := &journal.Found{From: q.From, More: more}
	words := strings.Fields(q.Text)
	for i := range hits {
		found.Items = append(found.Items, journal.FoundItem{Agent: j.faceOf(roster, hits[i].Agent), Hit: hitOf(&hits[i], words)})
	}
	return found, err
}

func hitOf(h *store.Hit, words []string) journal.Hit {
	hit := journal.Hit{Owner: owner(h.File, h.ID)}
	text := h.Text
	switch h.File {
	case figs.NoFile:
		hit.Title = h.ID
	case figs.Messages:
		hit.Title, hit.Place = said(h.Text), place(h.File, h.Text)
	default:
		hit.Title, hit.Place = titleOf(&store.Record{ID: h.ID, Fold: h.Text}), place(h.File, h.Text)
	}
	if h.File != figs.NoFile {
		text = figs.AppendWords(nil, jsonl.Value{Kind: jsonl.Object, Raw: h.Text})
	}
	hit.Excerpt = excerpt(text, words)
	return hit
}

// around is how many bytes of a text stand before and after what was found.
const around = 120

// excerpt shows the first of the words that the text has; where none of them stands in it as it
// was typed, the text's beginning.
func excerpt(text []byte, words []string) journal.Excerpt {
	for _, word := range words {
		if at, end := find(text, strings.Trim(word, `"`)); at >= 0 {
			return cut(text, at, end)
		}
	}
	return cut(text, 0, 0)
}

// cut shows a part of a text with what is around it.
func cut(text []byte, at, end int) journal.Excerpt {
	from, to := max(0, at-around), min(len(text), end+around)
	for from < at && !utf8.RuneStart(text[from]) {
		from++
	}
	for to > end && to < len(text) && !utf8.RuneStart(text[to]) {
		to--
	}
	return journal.Excerpt{Before: text[from:at], Marked: text[at:end], After: text[end:to], CutBefore: from > 0, CutAfter: to < len(text)}
}

// find looks for a word without regard to case, the way of the index; -1 when it is not there.
func find(text []byte, word string) (at, end int) {
	if word == "" {
		return -1, -1
	}
	folded := []rune(word)
	for i, r := range folded {
		folded[i] = unicode.ToLower(r)
	}
	for at := 0; at < len(text); {
		if end := at + match(text[at:], folded); end > at {
			return at, end
		}
		_, n := utf8.DecodeRune(text[at:])
		at += n
	}
	return -1, -1
}

// match is how many bytes of a text's beginning are the word; 0 when they are not.
func match(text []byte, word []rune) int {
	n := 0
	for _, want := range word {
		r, size := utf8.DecodeRune(text[n:])
		if size == 0 || unicode.ToLower(r) != want {
			return 0
		}
		n += size
	}
	return n
}
