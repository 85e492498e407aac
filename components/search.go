package components

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/internal/journal"
)

// seeking is a page that looks for something: one agent's, or the workspace's.
type seeking struct {
	site   Site
	path   []string // of the page, below the workspace
	q      journal.Query
	parsed *find.Query
	looked *journal.Looked
	label  string
}

// at is the address of the page with another search.
func (s *seeking) at(text string) templ.SafeURL {
	return s.turned(journal.Query{Text: text, At: s.q.At, N: s.q.N})
}

func (s *seeking) turned(q journal.Query) templ.SafeURL {
	if s.site.Shell != nil && len(s.path) == 0 {
		if q == (journal.Query{}) {
			return s.site.Shell.To("search")
		}
		return searchAt(s.site, q)
	}
	return s.site.list(q, s.path...)
}

// search is the page that looks through one agent.
func (r *request) search() (view, error) {
	s := &seeking{site: r.site, path: []string{r.agent.Key, "search"}, q: r.query, parsed: find.Parse(r.query.Text), looked: &journal.Looked{}, label: say(r.ctx, "Find in this journal")}
	var err error
	if r.query.Text != "" {
		s.looked, err = look(r.ctx, r.j, r.agent.Key, r.query)
	}
	return r.page(say(r.ctx, "Search"), err, func() templ.Component { return SearchPage(r.agent, s) })
}

// look asks a journal for all that it can say of a search.
func look(ctx context.Context, j journal.Journal, agent string, q journal.Query) (*journal.Looked, error) {
	if l, ok := j.(journal.Looker); ok {
		return l.Look(ctx, agent, q)
	}
	page, err := j.Search(ctx, agent, q)
	if err != nil {
		return nil, err
	}
	return &journal.Looked{Page: *page}, nil
}

func searchNews(ctx context.Context, s *seeking) (news, lede string) {
	total := s.looked.Total
	switch {
	case s.q.Text == "":
		return say(ctx, "Search this journal"), say(ctx, "Jobs, asks, replies and the text of attachments, by words, by a part of an id, or by what they are.")
	case total == 0 && s.looked.Left > 0:
		return say(ctx, "Nothing found yet"), say(ctx, "for “%s”", plain(s.q.Text))
	case total == 0:
		return say(ctx, "Nothing found"), say(ctx, "for “%s”", plain(s.q.Text))
	case s.looked.More || s.looked.Left > 0:
		return say(ctx, "%s found so far", grouped(ctx, total)), say(ctx, "for “%s”", plain(s.q.Text))
	}
	return countSpelled(ctx, total, "One found", "%s found"), say(ctx, "for “%s”", plain(s.q.Text))
}

// seekPart is a part of a search that can be put into it and taken out.
type seekPart struct {
	word, part string
	count      int // -1: nobody has counted
	on         bool
}

// kindParts are those that choose between jobs, asks, replies and files, without the kinds of which there is nothing.
func (s *seeking) kindParts(ctx context.Context) (some []seekPart) {
	parts := []seekPart{{word: say(ctx, "Jobs"), part: "in:jobs"}, {word: say(ctx, "Asks"), part: "in:asks"}, {word: say(ctx, "Replies"), part: "in:replies"}, {word: say(ctx, "Files"), part: "in:files"}}
	counts := s.looked.Counts
	for i := range parts {
		p := &parts[i]
		p.count, p.on = -1, s.parsed.Has(p.part)
		if counts != nil && (p.on || !s.parsed.HasField("in")) {
			p.count = [...]int{counts.Jobs, counts.Asks, counts.Replies, counts.Files}[i]
		}
		if p.count != 0 || p.on {
			some = append(some, *p)
		}
	}
	return some
}

// usualParts are what people often ask for.
func (s *seeking) usualParts(ctx context.Context) []seekPart {
	parts := []seekPart{{word: say(ctx, "Needs you"), part: "is:needs"}, {word: say(ctx, "Waiting on the agent"), part: "is:waiting"}, {word: say(ctx, "Sign-offs"), part: "type:sign-off"},
		{word: say(ctx, "In flight"), part: "is:in-flight"}, {word: say(ctx, "Failed"), part: "status:fail"}, {word: say(ctx, "With attachments"), part: "has:attachment"}}
	for i := range parts {
		parts[i].count, parts[i].on = -1, s.parsed.Has(parts[i].part)
	}
	return parts
}

// lesson is one line of the help: what to type, and what it finds.
type lesson struct {
	examples []string
	means    string
}

func searchLessons(ctx context.Context) []lesson {
	return []lesson{
		{[]string{"invoice", "acme-2026"}, say(ctx, "Words, or their beginnings. All of them must occur; capitals do not matter.")},
		{[]string{`"bank statement"`}, say(ctx, "These very words, in this order.")},
		{[]string{"-draft", "-is:closed"}, say(ctx, "Not this: a minus before any part.")},
		{[]string{"in:jobs", "in:asks", "in:replies", "in:files"}, say(ctx, "Only jobs, asks, replies, or attachments.")},
		{[]string{"is:needs", "is:waiting", "is:open", "is:closed"}, say(ctx, "Asks by state.")},
		{[]string{"is:in-flight", "is:settled", "status:fail"}, say(ctx, "Jobs by state, or by how they ended: ok, warn, fail.")},
		{[]string{"type:sign-off", "type:question", "to:manager"}, say(ctx, "Asks by what they want, and of whom.")},
		{[]string{"round:>1"}, say(ctx, "Asks that were put more than once. Also 2, >=3 or <3.")},
		{[]string{"by:"}, say(ctx, "Replies by who gave them, as the reply says it.")},
		{[]string{"unit:", "id:", "file:"}, say(ctx, "By unit, by the beginning of an id, by the name of an attachment.")},
		{[]string{"has:attachment"}, say(ctx, "Jobs and asks that attach something.")},
		{[]string{"after:2026-05", "before:2026", "on:2026-05-04"}, say(ctx, "By the time of the newest line: a day, a month or a year of UTC. The time named is not in before or after.")},
	}
}

// tried is the search with an example of the help.
func (s *seeking) tried(example string) templ.SafeURL { return s.at(s.parsed.With(example)) }

// noteText says what was not understood.
func noteText(ctx context.Context, n *find.Note) string {
	field, value := plain(n.Field), plain(n.Value)
	choices := strings.Join(n.Choices, ", ")
	switch n.Kind {
	case find.UnknownField:
		return say(ctx, "The search has no field “%s:”, so this is looked for as words.", field)
	case find.UnknownValue:
		return say(ctx, "“%s:” takes one of %s. “%s” is looked for as words.", field, choices, value)
	case find.NoDate:
		return say(ctx, "“%s:” takes a day, a month or a year: 2026-05-04, 2026-05 or 2026. “%s” is looked for as words.", field, value)
	case find.NoNumber:
		return say(ctx, "“%s:” takes a number: 2, >1, >=2, <3 or <=3. “%s” is looked for as words.", field, value)
	case find.NoValue:
		if len(n.Choices) > 0 {
			return say(ctx, "“%s:” waits for its value: %s.", field, choices)
		}
		return say(ctx, "“%s:” waits for its value.", field)
	case find.NoLetters:
		return say(ctx, "What has no letter and no digit is passed over.")
	case find.TooMany:
		return say(ctx, "Only the first sixteen parts count.")
	case find.TooLong:
		return say(ctx, "A search is read up to 1,000 bytes. What stands behind them is passed over.")
	}
	return say(ctx, "Nothing can be all of this at once: status: and is:in-flight are of jobs, type:, to:, round: and the other is: of asks, by: of replies; an attachment has none of them.")
}

// heldWord says of what the search is, and of what not, where that is not everything; "" otherwise.
func (s *seeking) heldWord(ctx context.Context) string {
	l := s.looked
	switch {
	case s.q.Text == "":
		return ""
	case l.IDsOnly:
		return say(ctx, "These ledgers are too large for this page to keep. Ids, states and dates are searched, words inside of records are not. In a terminal, figs-web search reads them all.")
	case l.Read < l.Texts:
		return say(ctx, "The text of %s of %s attachments is read so far.", grouped(ctx, l.Read), grouped(ctx, l.Texts))
	}
	return ""
}

// emptyWord is the next step where nothing was found.
func (s *seeking) emptyWord(ctx context.Context) string {
	for i := range s.parsed.Notes {
		if s.parsed.Notes[i].Kind == find.Nothing {
			return ""
		}
	}
	if s.parsed.HasWords() {
		return say(ctx, "A word is found where a word begins with it. Try fewer words, or shorter ones.")
	}
	return say(ctx, "Take a part out of the search to find more.")
}

// hitKind is what was found, as a word, and its shape.
func hitKind(ctx context.Context, site Site, owner string) (word, shape string) {
	if served && site.Shell != nil {
		return hitWord(ctx, owner), hitSign(owner)
	}
	if key, ok := strings.CutPrefix(owner, "files/"); ok {
		return say(ctx, "attachment %s", key), hitSign(owner)
	}
	return ownerWord(ctx, owner), hitSign(owner)
}
