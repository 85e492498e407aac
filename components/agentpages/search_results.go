package agentpages

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/internal/journal"
)

// marks are the places in a text where words of the search are. With inside, the text begins within a word.
func (s *SearchView) marks(text string, inside bool) [][2]int {
	spans := s.Parsed.Marks([]byte(text), inside)
	marks := make([][2]int, len(spans))
	for i, m := range spans {
		marks[i] = [2]int{m.Start, m.End}
	}
	return marks
}

// HitTitle is a title with the words of the search marked.
func (s *SearchView) HitTitle(title string) templ.Component {
	return agenttext.MarkedLine(title, s.marks(title, false))
}

func (s *SearchView) excerptText(e *journal.Excerpt) templ.Component {
	text := strings.ToValidUTF8(string(e.Before)+string(e.Marked)+string(e.After), "�")
	return agenttext.Marked(text, s.marks(text, e.CutBefore))
}

// hitSigns is the state of a job or an ask, as other lists show it.
func hitSigns(ctx context.Context, h *journal.Hit) []ui.Sign {
	switch {
	case h.Run != nil:
		return ui.RunSigns(ctx, h.Run)
	case h.Ask != nil:
		return []ui.Sign{ui.AskSign(ctx, h.Ask)}
	}
	return nil
}

// facet is a list of parts that one click puts into the search, with the number of hits.
type facet struct {
	label string
	parts []seekPart
}

// facets are what can narrow the hits; nil if they aren't counted.
func (s *SearchView) facets(ctx context.Context) (all []facet) {
	f := s.Looked.Facets
	if f == nil || s.Looked.Total == 0 {
		return nil
	}
	words := map[string]string{"is:needs": i18n.Say(ctx, "Needs you"), "is:waiting": i18n.Say(ctx, "Waiting for the agent"), "is:closed": i18n.Say(ctx, "Closed"), "is:in-flight": i18n.Say(ctx, "Running"),
		"status:ok": i18n.Say(ctx, "OK"), "status:warn": i18n.Say(ctx, "Warning"), "status:fail": i18n.Say(ctx, "Failed"), "status:unknown": i18n.Say(ctx, "Unknown status")}
	add := func(label string, counted []journal.SearchFacet) {
		list := facet{label: label}
		for i := range counted {
			c := &counted[i]
			part := seekPart{word: words[c.Part], part: c.Part, count: c.Count, on: s.Parsed.Has(c.Part)}
			if c.Agent != nil {
				part.agent = c.Agent.DisplayName()
			} else if part.word == "" {
				_, part.word, _ = strings.Cut(c.Part, ":")
			}
			list.parts = append(list.parts, part)
		}
		if len(list.parts) > 0 {
			all = append(all, list)
		}
	}
	add(i18n.Say(ctx, "State"), f.States)
	add(i18n.Say(ctx, "Agent"), f.Agents)
	add(i18n.Say(ctx, "Month"), f.Months)
	return all
}

// FoundWords says how many results there are; "1,000+ results" if not all are counted.
func FoundWords(ctx context.Context, l *journal.SearchReport) string {
	if l.More {
		return i18n.Say(ctx, "%s+ results", i18n.Number(ctx, l.Total))
	}
	return i18n.CountWords(ctx, l.Total, "One result", "%s results")
}

// countedWord says which results the counts are of, if there may be others; "" otherwise.
func (s *SearchView) countedWord(ctx context.Context) string {
	if !s.Looked.More || s.Looked.Facets == nil {
		return ""
	}
	return i18n.Say(ctx, "The counts are of the newest %s results.", i18n.Number(ctx, s.Looked.Total))
}

// scopeWord says what was searched without a result.
func (s *SearchView) scopeWord(ctx context.Context) string {
	of := s.Looked.Scope
	if of == nil {
		return ""
	}
	return i18n.Say(ctx, "Searched: %s, %s, %s and %s.", i18n.Count(ctx, of.Agents, "%d agent", "%d agents"), i18n.Count(ctx, of.Records, "%d job or ask", "%d jobs and asks"),
		i18n.Count(ctx, of.Replies, "%d reply", "%d replies"), i18n.Count(ctx, of.Files, "%d file", "%d files"))
}

// wider are searches that may find more, unless nothing can match at all.
func (s *SearchView) wider() []find.Wider { return s.Parsed.Wider() }

// archivedAt is the address of the same search in archived agents too.
func (s *SearchView) archivedAt() templ.SafeURL {
	q := s.first()
	q.Archived = true
	return s.turned(q)
}

// first is the query of the first page.
func (s *SearchView) first() journal.Query {
	return journal.Query{Text: s.Q.Text, At: s.Q.At, N: s.Q.N, Archived: s.Q.Archived}
}

// next is the address of the next page of a list whose pages have no numbers.
func (s *SearchView) next() templ.SafeURL {
	q := s.first()
	q.After = s.Looked.Next
	return s.turned(q)
}

// hint is a part of a search that its field suggests.
type hint struct{ part, agent string }

// hints are what a search field suggests: fields with their values, and agents that have hits.
func (s *SearchView) hints() (all []hint) {
	for _, name := range find.Fields() {
		if name == "agent" && (s.Site.Shell == nil || len(s.path) > 0) {
			continue
		}
		values := find.Values(name)
		for _, v := range values {
			all = append(all, hint{part: name + ":" + v})
		}
		if len(values) == 0 {
			all = append(all, hint{part: name + ":"})
		}
	}
	if f := s.Looked.Facets; f != nil {
		for i := range f.Agents {
			all = append(all, hint{f.Agents[i].Part, f.Agents[i].Agent.DisplayName()})
		}
	}
	return all
}
