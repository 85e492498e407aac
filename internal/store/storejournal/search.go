package storejournal

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// Search implements journal.Journal.
func (j *Journal) Search(ctx context.Context, key string, q journal.Query) (*journal.Page[journal.Hit], error) {
	report, err := j.SearchReport(ctx, key, q)
	if err != nil {
		return nil, err
	}
	return &report.Page, nil
}

// SearchReport implements journal.SearchReporter.
func (j *Journal) SearchReport(ctx context.Context, key string, q journal.Query) (*journal.SearchReport, error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	report, hits, err := j.search(ctx, a.ID, q, nil)
	if err != nil {
		return nil, err
	}
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
	report, hits, err := j.search(ctx, "", q, roster)
	if err != nil {
		return nil, err
	}
	found := &journal.WorkspaceHits{Report: *report}
	words := find.Parse(q.Text)
	for i := range hits {
		found.Items = append(found.Items, journal.WorkspaceHit{Agent: j.rosterAgent(roster, hits[i].Agent), Hit: hitOf(&hits[i], words)})
	}
	return found, nil
}

// search searches one agent, or with a roster all of its agents.
func (j *Journal) search(ctx context.Context, agent string, q journal.Query, roster *store.Roster) (*journal.SearchReport, []store.SearchHit, error) {
	x := store.SearchQuery{Workspace: j.workspace, Agent: agent, Text: q.Text, Before: parseCursor(q.After), N: q.Size(), Archived: q.Archived, Count: true}
	found, err := j.s.Search(ctx, x)
	if err != nil {
		return nil, nil, err
	}
	report := &journal.SearchReport{Next: formatCursor(found.Next)}
	if c := found.Counts; c != nil {
		report.Total, report.More = c.Hits, c.More
		report.Counts = &journal.HitCounts{Jobs: c.Kinds[figs.Runs], Asks: c.Kinds[figs.Asks], Replies: c.Kinds[figs.Messages], Files: c.Kinds[find.Attached]}
		report.Facets = j.searchFacets(c, roster)
	}
	if len(found.Hits) == 0 {
		report.Scope, err = j.searchScope(ctx, x, roster)
	}
	return report, found.Hits, err
}

// parseCursor returns the number of a document; 0, the first page, if s has none.
func parseCursor(s string) int64 {
	no, err := strconv.ParseInt(s, 36, 64)
	if err != nil || no < 0 {
		return 0
	}
	return no
}

func formatCursor(no int64) string {
	if no == 0 {
		return ""
	}
	return strconv.FormatInt(no, 36)
}

// searchScope says what a search that found nothing has looked through.
func (j *Journal) searchScope(ctx context.Context, x store.SearchQuery, roster *store.Roster) (*journal.SearchScope, error) {
	of, err := j.s.SearchScope(ctx, x)
	scope := &journal.SearchScope{Agents: of.Agents, Records: of.Records, Replies: of.Replies, Files: of.Files}
	if roster != nil && !x.Archived {
		scope.Archived = len(roster.Archived)
	}
	return scope, err
}

const maxFacets = 6

// searchFacets sorts what was counted.
func (j *Journal) searchFacets(c *store.SearchCounts, roster *store.Roster) *journal.SearchFacets {
	f := &journal.SearchFacets{}
	for _, part := range [...]string{"is:needs", "is:waiting", "is:closed", "is:in-flight", "status:fail", "status:warn", "status:unknown", "status:ok"} {
		if n := c.States[part]; n > 0 {
			f.States = append(f.States, journal.SearchFacet{Part: part, Count: n})
		}
	}
	months := slices.Sorted(maps.Keys(c.Months))
	slices.Reverse(months)
	for _, month := range months[:min(maxFacets, len(months))] {
		f.Months = append(f.Months, journal.SearchFacet{Part: "on:" + month, Count: c.Months[month]})
	}
	if roster == nil {
		return f
	}
	for id, n := range c.Agents {
		agent := j.rosterAgent(roster, id)
		f.Agents = append(f.Agents, journal.SearchFacet{Part: `agent:"` + id + `"`, Agent: &agent, Count: n}) // the id, since addresses have no names
	}
	slices.SortFunc(f.Agents, func(a, b journal.SearchFacet) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Agent.DisplayName(), b.Agent.DisplayName()), strings.Compare(a.Agent.Key, b.Agent.Key))
	})
	f.Agents = f.Agents[:min(maxFacets, len(f.Agents))]
	return f
}

func hitOf(h *store.SearchHit, words *find.Query) journal.Hit {
	hit := journal.Hit{Owner: recordAddress(h.File, h.ID)}
	text := h.Text
	switch h.File {
	case figs.NoFile:
		hit.Title = h.ID
	case figs.Messages:
		reply := figs.ReadMessage(object(h.Text))
		hit.Title, hit.Position = journal.ReplySummary(&reply), positionOf(h.File, h.Text)
	default:
		hit.Title, hit.Position = titleOf(&store.Record{ID: h.ID, Fold: h.Text}), positionOf(h.File, h.Text)
	}
	switch h.File {
	case figs.Runs:
		run := figs.ReadRun(object(h.Text))
		hit.Run = &figs.Run{State: run.State, Status: run.Status}
	case figs.Asks:
		hit.Ask = &journal.Ask{Ask: figs.Ask{Type: object(h.Text).Get("type").Text()}, State: figs.AskState{Phase: figs.Phase(h.State), Reported: h.Reported}}
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
