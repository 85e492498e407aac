package storejournal

import (
	"context"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// Search implements journal.Journal. The index doesn't count its hits: if there are more, Total is one more than the number
// shown.
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
	words := find.Parse(q.Text)
	for i := range hits {
		page.Items = append(page.Items, hitOf(&hits[i], words))
	}
	return page, err
}

// SearchReport implements journal.SearchReporter.
func (j *Journal) SearchReport(ctx context.Context, key string, q journal.Query) (*journal.SearchReport, error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	hits, more, err := j.s.Search(ctx, j.workspace, a.ID, q.Text, q.From, q.Size())
	if err != nil {
		return nil, err
	}
	report := &journal.SearchReport{Page: journal.Page[journal.Hit]{From: q.From, Total: q.From + len(hits)}, More: more}
	words := find.Parse(q.Text)
	for i := range hits {
		report.Items = append(report.Items, hitOf(&hits[i], words))
	}
	return report, nil
}

// SearchAll implements journal.Workspace.
func (j *Journal) SearchAll(ctx context.Context, q journal.Query) (*journal.WorkspaceHits, error) {
	roster, err := j.s.Roster(ctx, j.workspace)
	if err != nil {
		return nil, notFound(err)
	}
	hits, more, err := j.s.Search(ctx, j.workspace, "", q.Text, q.From, q.Size())
	found := &journal.WorkspaceHits{From: q.From, More: more}
	words := find.Parse(q.Text)
	for i := range hits {
		found.Items = append(found.Items, journal.WorkspaceHit{Agent: j.rosterAgent(roster, hits[i].Agent), Hit: hitOf(&hits[i], words)})
	}
	return found, err
}

func hitOf(h *store.SearchHit, words *find.Query) journal.Hit {
	hit := journal.Hit{Owner: recordAddress(h.File, h.ID)}
	text := h.Text
	switch h.File {
	case figs.NoFile:
		hit.Title = h.ID
	case figs.Messages:
		hit.Title, hit.Position = replySummary(h.Text), positionOf(h.File, h.Text)
	default:
		hit.Title, hit.Position = titleOf(&store.Record{ID: h.ID, Fold: h.Text}), positionOf(h.File, h.Text)
	}
	if h.File != figs.NoFile {
		text = find.About(words, figs.Fold([][]byte{h.Text}))
	}
	start, end := words.Mark(text)
	hit.Excerpt = excerptAt(text, start, end)
	return hit
}

// excerptMargin is how many bytes an excerpt has before and after the marked text.
const excerptMargin = 120

// excerptAt returns the excerpt that marks text[at:end].
func excerptAt(text []byte, at, end int) journal.Excerpt {
	from, to := max(0, at-excerptMargin), min(len(text), end+excerptMargin)
	if end == 0 {
		to = min(len(text), 2*excerptMargin)
	}
	for from < at && !utf8.RuneStart(text[from]) {
		from++
	}
	for to > end && to < len(text) && !utf8.RuneStart(text[to]) {
		to--
	}
	return journal.Excerpt{Before: text[from:at], Marked: text[at:end], After: text[end:to], CutBefore: from > 0, CutAfter: to < len(text)}
}
