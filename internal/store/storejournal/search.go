package storejournal

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// Search implements journal.Journal.
func (j *Journal) Search(ctx context.Context, id string, q journal.Query) (*journal.Page[journal.Hit], error) {
	if _, err := j.agent(ctx, id); err != nil {
		return nil, err
	}
	hits, more, err := j.s.Search(ctx, j.workspace, id, q.Text, q.From, q.Size())
	if err != nil {
		return nil, err
	}
	page := &journal.Page[journal.Hit]{From: q.From, Total: q.From + len(hits)}
	if more {
		page.Total++ // there are more; how many, the index does not say
	}
	word, _, _ := strings.Cut(strings.TrimSpace(q.Text), " ")
	for _, h := range hits {
		hit, err := j.hit(ctx, h, word)
		if err != nil {
			return nil, err
		}
		page.Items = append(page.Items, hit)
	}
	return page, nil
}

func (j *Journal) hit(ctx context.Context, h store.Hit, word string) (journal.Hit, error) {
	switch h.File {
	case figs.NoFile:
		return journal.Hit{Owner: "files/" + h.ID, Title: h.ID}, nil
	case figs.Messages:
		m, err := j.s.Message(ctx, h.Agent, h.ID)
		if err != nil {
			return journal.Hit{}, missing(err)
		}
		return journal.Hit{Owner: owner(h.File, h.ID), Title: said(m.Line), Place: place(h.File, m.Line), Excerpt: excerpt(m.Line, word)}, nil
	}
	r, err := j.s.Record(ctx, h.Agent, h.File, h.ID)
	if err != nil {
		return journal.Hit{}, missing(err)
	}
	return journal.Hit{Owner: owner(h.File, h.ID), Title: titleOf(r), Place: place(h.File, r.Fold), Excerpt: excerpt(r.Fold, word)}, nil
}

// around is how many bytes of a text stand before and after what was found.
const around = 120

// excerpt shows a word among the texts of a record.
func excerpt(line []byte, word string) journal.Excerpt {
	text := figs.AppendWords(nil, jsonl.Value{Kind: jsonl.Object, Raw: line})
	at := indexFold(text, word)
	if at < 0 {
		return journal.Excerpt{}
	}
	end := at + len(word)
	from, to := max(0, at-around), min(len(text), end+around)
	for from < at && !utf8.RuneStart(text[from]) {
		from++
	}
	for to > end && to < len(text) && !utf8.RuneStart(text[to]) {
		to--
	}
	return journal.Excerpt{Before: text[from:at], Marked: text[at:end], After: text[end:to], CutBefore: from > 0, CutAfter: to < len(text)}
}

// indexFold finds a word, letters of ASCII folded.
func indexFold(text []byte, word string) int {
	for i := 0; word != "" && i+len(word) <= len(text); i++ {
		if strings.EqualFold(string(text[i:i+len(word)]), word) {
			return i
		}
	}
	return -1
}
