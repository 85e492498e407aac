package agentpages

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/internal/journal"
)

// SearchView is a page that looks for something: one agent's, or the workspace's.
type SearchView struct {
	Site    ui.Site
	path    []string // of the page, below the workspace
	Q       journal.Query
	Parsed  *find.Query
	Looked  *journal.SearchReport
	Caption string
}

// at is the address of the page with another search.
func (s *SearchView) at(text string) templ.SafeURL {
	return s.turned(journal.Query{Text: text, At: s.Q.At, N: s.Q.N, Archived: s.Q.Archived})
}

func (s *SearchView) turned(q journal.Query) templ.SafeURL {
	if s.Site.Shell != nil && len(s.path) == 0 {
		if q == (journal.Query{}) {
			return s.Site.Shell.To("search")
		}
		return SearchAt(s.Site, q)
	}
	return s.Site.List(q, s.path...)
}

// Search is the page that looks through one agent.
func Search(r *recordviews.Request) (ui.View, error) {
	s := &SearchView{Site: r.Site, path: []string{r.Agent.Key, "search"}, Q: r.Query, Parsed: find.Parse(r.Query.Text), Looked: &journal.SearchReport{}, Caption: i18n.Say(r.Ctx, "Find in this journal")}
	var err error
	if r.Query.Text != "" {
		s.Looked, err = look(r.Ctx, r.J, r.Agent.Key, r.Query)
	}
	return r.Page(i18n.Say(r.Ctx, "Search"), err, func() templ.Component { return SearchPage(r.Agent, s) })
}

// look asks a journal for all that it can say of a search.
func look(ctx context.Context, j journal.Journal, agent string, q journal.Query) (*journal.SearchReport, error) {
	if l, ok := j.(journal.SearchReporter); ok {
		return l.SearchReport(ctx, agent, q)
	}
	page, err := j.Search(ctx, agent, q)
	if err != nil {
		return nil, err
	}
	return &journal.SearchReport{Page: *page}, nil
}

func searchNews(ctx context.Context, s *SearchView) (news, lede string) {
	total := s.Looked.Total
	switch {
	case s.Q.Text == "":
		return i18n.Say(ctx, "Search this journal"), i18n.Say(ctx, "Find jobs, asks, replies and text of attachments by words, part of an id, or properties.")
	case total == 0 && s.Looked.Remaining > 0:
		return i18n.Say(ctx, "No results yet"), i18n.Say(ctx, "for “%s”", agenttext.Plain(s.Q.Text))
	case total == 0:
		return i18n.Say(ctx, "No results"), i18n.Say(ctx, "for “%s”", agenttext.Plain(s.Q.Text))
	case s.Looked.Remaining > 0:
		return i18n.Say(ctx, "%s results so far", i18n.Number(ctx, total)), i18n.Say(ctx, "for “%s”", agenttext.Plain(s.Q.Text))
	}
	return FoundWords(ctx, s.Looked), i18n.Say(ctx, "for “%s”", agenttext.Plain(s.Q.Text))
}

// seekPart is a part of a search that can be put into it and taken out.
type seekPart struct {
	word, part string
	agent      string // an agent's name, instead of word
	count      int    // -1: not counted
	on         bool
}

// kindParts are those that choose between jobs, asks, replies and files, without the kinds of which there is nothing.
func (s *SearchView) kindParts(ctx context.Context) (some []seekPart) {
	parts := []seekPart{{word: i18n.Say(ctx, "Jobs"), part: "in:jobs"}, {word: i18n.Say(ctx, "Asks"), part: "in:asks"}, {word: i18n.Say(ctx, "Replies"), part: "in:replies"}, {word: i18n.Say(ctx, "Files"), part: "in:files"}}
	counts := s.Looked.Counts
	for i := range parts {
		p := &parts[i]
		p.count, p.on = -1, s.Parsed.Has(p.part)
		if counts != nil && (p.on || !s.Parsed.HasField("in")) {
			p.count = [...]int{counts.Jobs, counts.Asks, counts.Replies, counts.Files}[i]
		}
		if p.count != 0 || p.on {
			some = append(some, *p)
		}
	}
	return some
}

// usualParts are what people often ask for.
func (s *SearchView) usualParts(ctx context.Context) []seekPart {
	parts := []seekPart{{word: i18n.Say(ctx, "Needs you"), part: "is:needs"}, {word: i18n.Say(ctx, "Waiting for the agent"), part: "is:waiting"}, {word: i18n.Say(ctx, "Sign-offs"), part: "type:sign-off"},
		{word: i18n.Say(ctx, "Running"), part: "is:in-flight"}, {word: i18n.Say(ctx, "Failed"), part: "status:fail"}, {word: i18n.Say(ctx, "With attachments"), part: "has:attachment"}}
	for i := range parts {
		parts[i].count, parts[i].on = -1, s.Parsed.Has(parts[i].part)
	}
	return parts
}

// lesson is one line of the help: what to type, and what it finds.
type lesson struct {
	examples []string
	means    string
}

func (s *SearchView) lessons(ctx context.Context) []lesson {
	all := []lesson{
		{[]string{"invoice", "acme-2026"}, i18n.Say(ctx, "Words, their beginnings or other forms: invoices also finds invoice. All must occur; case doesn't matter.")},
		{[]string{`"bank statement"`}, i18n.Say(ctx, "These exact words, in this order.")},
		{[]string{"-draft", "-is:closed"}, i18n.Say(ctx, "Exclude: a minus before any part.")},
		{[]string{"in:jobs", "in:asks", "in:replies", "in:files"}, i18n.Say(ctx, "Only jobs, asks, replies, or attachments.")},
		{[]string{"is:needs", "is:waiting", "is:open", "is:closed"}, i18n.Say(ctx, "Asks by state.")},
		{[]string{"is:in-flight", "is:settled", "status:fail"}, i18n.Say(ctx, "Jobs by state, or by status: ok, warn or fail.")},
		{[]string{"type:sign-off", "type:question", "to:manager"}, i18n.Say(ctx, "Asks by type and addressee.")},
		{[]string{"round:>1"}, i18n.Say(ctx, "Asks raised more than once. Also 2, >=3 or <3.")},
		{[]string{"by:"}, i18n.Say(ctx, "Replies by author, as stated in the reply.")},
		{[]string{"unit:", "id:", "file:"}, i18n.Say(ctx, "By unit, start of an id, or name of an attachment.")},
		{[]string{"has:attachment"}, i18n.Say(ctx, "Jobs and asks with attachments.")},
		{[]string{"after:2026-05", "before:2026", "on:2026-05-04"}, i18n.Say(ctx, "By the time of the latest line: a day, month or year in UTC. before and after exclude the time you name.")},
	}
	if s.Site.Shell != nil && len(s.path) == 0 {
		all = append(all, lesson{[]string{"agent:"}, i18n.Say(ctx, "By the name or id of the agent.")})
	}
	return all
}

// tried is the search with an example of the help.
func (s *SearchView) tried(example string) templ.SafeURL { return s.at(s.Parsed.With(example)) }

// noteText says what was not understood.
func noteText(ctx context.Context, n *find.Note) string {
	field, value := agenttext.Plain(n.Field), agenttext.Plain(n.Value)
	choices := strings.Join(n.Choices, ", ")
	switch n.Kind {
	case find.UnknownField:
		return i18n.Say(ctx, "There is no search field “%s:”, so this is searched as words.", field)
	case find.UnknownValue:
		return i18n.Say(ctx, "“%s:” takes one of %s. “%s” is searched as words.", field, choices, value)
	case find.NoDate:
		return i18n.Say(ctx, "“%s:” takes a day, a month or a year: 2026-05-04, 2026-05 or 2026. “%s” is searched as words.", field, value)
	case find.NoNumber:
		return i18n.Say(ctx, "“%s:” takes a number: 2, >1, >=2, <3 or <=3. “%s” is searched as words.", field, value)
	case find.NoValue:
		if len(n.Choices) > 0 {
			return i18n.Say(ctx, "“%s:” needs a value: %s.", field, choices)
		}
		return i18n.Say(ctx, "“%s:” needs a value.", field)
	case find.NoLetters:
		return i18n.Say(ctx, "Parts without a letter or digit are ignored.")
	case find.TooMany:
		return i18n.Say(ctx, "Only the first 16 parts count.")
	case find.TooLong:
		return i18n.Say(ctx, "A search can have up to 1,000 bytes. The rest is ignored.")
	}
	return i18n.Say(ctx, "No record can match all of these: status: and is:in-flight apply to jobs; type:, to:, round: and the other is: filters to asks; by: to replies. None apply to attachments.")
}

// heldWord says of what the search is, and of what not, where that is not everything; "" otherwise.
func (s *SearchView) heldWord(ctx context.Context) string {
	l := s.Looked
	switch {
	case s.Q.Text == "":
		return ""
	case l.IDsOnly:
		return i18n.Say(ctx, "These ledgers are too large for this page to keep, so it searches ids, states and dates but not the words of records. In a terminal, figs-web search searches everything.")
	case l.Read < l.Texts:
		return i18n.Say(ctx, "The text of %s of %s attachments has been read so far.", i18n.Number(ctx, l.Read), i18n.Number(ctx, l.Texts))
	}
	return ""
}

// EmptyWord is the next step where nothing was found.
func (s *SearchView) EmptyWord(ctx context.Context) string {
	for i := range s.Parsed.Notes {
		if s.Parsed.Notes[i].Kind == find.Nothing {
			return ""
		}
	}
	if s.Parsed.HasWords() {
		return i18n.Say(ctx, "Words match from their beginning. Try fewer or shorter words.")
	}
	return i18n.Say(ctx, "Remove part of the search to find more.")
}

// hitKind is what was found, as a word, and its shape.
func hitKind(ctx context.Context, site ui.Site, owner string) (word, shape string) {
	if ui.Served && site.Shell != nil {
		return HitWord(ctx, owner), HitSign(owner)
	}
	if key, ok := strings.CutPrefix(owner, "files/"); ok {
		return i18n.Say(ctx, "attachment %s", key), HitSign(owner)
	}
	return ui.OwnerWord(ctx, owner), HitSign(owner)
}

// SearchAt is the address of a search.
func SearchAt(site ui.Site, q journal.Query) templ.SafeURL {
	return site.Shell.To("search?" + q.String())
}

// HitWord is what sort of thing was found.
func HitWord(ctx context.Context, owner string) string {
	switch kind, _, _ := strings.Cut(owner, "/"); kind {
	case "jobs":
		return i18n.Say(ctx, "job")
	case "asks":
		return i18n.Say(ctx, "ask")
	case "messages":
		return i18n.Say(ctx, "reply")
	case "files":
		return i18n.Say(ctx, "attachment")
	}
	return ""
}

// HitSign is its shape.
func HitSign(owner string) string {
	switch kind, _, _ := strings.Cut(owner, "/"); kind {
	case "asks":
		return "raise"
	case "messages":
		return "reply"
	case "files":
		return "file"
	}
	return "note" // a job, however it stands: the half circle would say that it is in flight
}
