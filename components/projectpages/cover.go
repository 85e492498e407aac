package projectpages

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/agentfile"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
)

// What the cover lists of each agent, and of each kind of thing in a root, before it only counts.
const (
	mostAsked  = 12 // as many as an overview has
	mostNeeded = 6
	mostLooked = 40 // agents whose asks it looks at
	MostListed = 60 // things that need someone, before it only counts the rest
)

// needs is everything in what was opened that needs a human, in one list.
type needs struct {
	ctx   context.Context
	site  ui.Site
	asks  int // how many of all are asks
	all   int
	items []ui.Item
}

// Cover is the first page of what holds more than one agent: what needs a human, and what is here. The query filters
// and pages the agents.
func Cover(ctx context.Context, site ui.Site, j journal.Journal, agents []journal.Agent, q journal.Query) (ui.View, error) {
	n := &needs{ctx: ctx, site: site}
	for i := range agents {
		if err := n.agent(j, &agents[i], i < mostLooked); err != nil {
			return ui.View{}, err
		}
	}
	var roots []*project.Root
	var notes []string
	if site.Project != nil {
		roots, notes = site.Project.Roots, site.Project.Notes
	}
	for _, step := range [...]func(*rootRequest){n.approvals, n.competing, n.expired} {
		for _, root := range roots {
			step(&rootRequest{ctx: ctx, site: site, root: root})
		}
	}
	for i := range agents {
		n.broken(&agents[i])
	}
	for _, root := range roots {
		n.faults(&rootRequest{ctx: ctx, site: site, root: root})
	}
	news, lede := coverNews(ctx, n, agents, roots)
	list := agentList{q: q, all: len(agents)}
	if rest := len(n.items) - MostListed; rest > 0 && len(agents) > q.Size() {
		n.items, list.unlisted = n.items[:MostListed], rest
	}
	list.page(agents)
	return ui.View{Status: ui.StatusOK, Title: i18n.Say(ctx, "Everything here"), Body: CoverPage(site, news, lede, n.items, &list, roots, notes)}, nil
}

// agentList is one page of the agents that a filter finds.
type agentList struct {
	q        journal.Query
	agents   []journal.Agent
	all      int // agents without the filter
	total    int // agents that the filter finds
	unlisted int // things that need someone and are not on the page
}

// page takes the agents of the page whose name, role or path has every word of the filter.
func (l *agentList) page(agents []journal.Agent) {
	words := strings.Fields(strings.ToLower(l.q.Text))
	for i := range agents {
		a := &agents[i]
		text := ""
		if len(words) > 0 {
			text = strings.ToLower(a.DisplayName() + "\n" + a.Charter.Role + "\n" + a.Path)
		}
		if slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) }) {
			continue
		}
		if l.total >= l.q.From && len(l.agents) < l.q.Size() {
			l.agents = append(l.agents, *a)
		}
		l.total++
	}
}

// add puts things into the list: those of one source, and a row that leads to the rest.
func (n *needs) add(lead templ.Component, all int, items []ui.Item, rest templ.SafeURL, words string) {
	n.all += all
	if more := all - len(items); more > 0 {
		items = append(items, ui.Item{Href: rest, Title: ui.SentenceText(i18n.Say(n.ctx, words, i18n.Number(n.ctx, more)))})
	}
	for i := range items {
		items[i].Lead = lead
	}
	n.items = append(n.items, items...)
}

// agent adds the asks that need a human. Whoever knows only one agent at a time has them counted.
func (n *needs) agent(j journal.Journal, a *journal.Agent, look bool) error {
	c := a.Counts
	if c.NeedsYou == 0 {
		return nil
	}
	n.asks += c.NeedsYou
	var items []ui.Item
	if look {
		o, err := j.Overview(n.ctx, a.Key)
		if err != nil && !errors.Is(err, journal.ErrNotFound) {
			return err
		}
		if err == nil {
			for i := range o.Needs[:min(len(o.Needs), mostAsked)] {
				items = append(items, n.ask(a, &o.Needs[i]))
			}
		}
	}
	list := n.site.List(journal.Query{State: "needs"}, a.Key, "asks")
	if len(items) == 0 {
		it := ui.Item{Lead: ui.Avatar(a), Href: list, Title: agenttext.Line(a.DisplayName()), Gist: ui.SentenceText(i18n.Count(n.ctx, c.NeedsYou, "One ask needs you.", "%d asks need you.")), Needed: true}
		it.Sign("need", i18n.Say(n.ctx, "needs you"))
		if a.Oldest != "" {
			it.Side = ui.When(n.site, a.Oldest)
		}
		if x := a.Needed; x != nil && x.Title != "" {
			it.Href, it.Title, it.Gist = n.site.Href(a.Key, "asks", x.Key), agenttext.Line(x.Title), nil
			it.Side = recordviews.AskSince(n.site, &journal.Ask{Ask: figs.Ask{TS: a.Oldest}, State: figs.AskState{Since: ui.Instant(a.Oldest)}})
			it.AgentNote(a.DisplayName())
			it.Note(ui.SentenceText(ui.TypeWord(n.ctx, &figs.Ask{Type: x.Type})))
			if c.NeedsYou > 1 {
				it.Note(ui.SentenceText(i18n.Say(n.ctx, "and %s more", i18n.Number(n.ctx, c.NeedsYou-1))))
			}
		}
		n.all += c.NeedsYou
		n.items = append(n.items, it)
		return nil
	}
	n.add(ui.Avatar(a), c.NeedsYou, items, list, "%s more asks need you")
	return nil
}

func (n *needs) ask(a *journal.Agent, ask *journal.Ask) ui.Item {
	s := recordviews.AskSignFor(n.ctx, n.site, ask)
	it := ui.Item{Href: n.site.Href(a.Key, "asks", ask.Key), Title: agenttext.Line(ui.AskHeadline(&ask.Ask)), Signs: []ui.Sign{s}, Needed: s.Kind == "need", Side: recordviews.AskSince(n.site, ask)}
	it.AgentNote(a.DisplayName())
	it.Note(ui.SentenceText(ui.TypeWord(n.ctx, &ask.Ask)))
	if ask.Ask.Found != "" {
		it.Gist = agenttext.Line(ask.Ask.Found)
	}
	return it
}

// approvals adds the steps of workflows that wait for a person.
func (n *needs) approvals(r *rootRequest) {
	if r.root.Workflows == nil {
		return
	}
	waiting := r.root.Workflows.Waiting()
	items := r.waitingItems(waiting[:min(len(waiting), mostNeeded)])
	n.add(kindMark(r.root.Kind), len(waiting), items, r.to(), "%s more steps wait for approval")
}

// competing adds the artifacts of which several revisions compete.
func (n *needs) competing(r *rootRequest) {
	c := r.root.Channels
	if c == nil {
		return
	}
	var items []ui.Item
	for i := range c.Competitions[:min(len(c.Competitions), mostNeeded)] {
		x := &c.Competitions[i]
		records := r.numbered(x.Revisions)
		it := ui.Item{Href: r.to("records", strconv.Itoa(x.Revisions[0])), Title: agenttext.Line(recordTitle(records[0])), Side: ui.When(r.site, newestOf(records).Created), Needed: true,
			Gist: ui.SentenceText(i18n.Count(r.ctx, len(records), "%d revision of one artifact", "%d revisions of one artifact compete. Someone must choose one."))}
		it.Sign("warn", r.say("competing revisions"))
		it.AgentNote(r.root.Name)
		it.Note(channelName(records[0].Channel))
		items = append(items, it)
	}
	n.add(kindMark(r.root.Kind), len(c.Competitions), items, r.to(), "%s more artifacts have competing revisions")
}

func newestOf(records []*artifacts.Record) *artifacts.Record {
	newest := records[0]
	for _, x := range records {
		if x.At > newest.At {
			newest = x
		}
	}
	return newest
}

// expired adds the entries of registries that are past their ttl.
func (n *needs) expired(r *rootRequest) {
	if r.root.Registry == nil {
		return
	}
	past := r.root.Registry.List(findings.Filter{Expired: true})
	var items []ui.Item
	for _, e := range past[:min(len(past), mostNeeded)] {
		it := r.entryItem(e)
		it.Gist = ui.SentenceText(r.say("Expired. Check whether it still applies."))
		it.Signs, it.Side = []ui.Sign{{Kind: "warn", Word: r.say("expired")}}, ui.WhenAt(r.site, e.Expires)
		it.Notes = nil
		it.AgentNote(r.root.Name)
		it.AgentNote(e.Category)
		items = append(items, it)
	}
	n.add(kindMark(r.root.Kind), len(past), items, asked(r.site, r.root, "expired", "1"), "%s more entries have expired")
}

// broken adds the errors of an agent's journal.
func (n *needs) broken(a *journal.Agent) {
	if errs := a.Counts.Errors; errs > 0 {
		n.fault(ui.Avatar(a), agenttext.Line(a.DisplayName()), n.site.List(journal.Query{Severity: "error"}, a.Key, "findings"), errs, "")
	}
}

// faults adds the findings of severity error of a root.
func (n *needs) faults(r *rootRequest) {
	if report := r.root.Report; report.Errors > 0 {
		first := ""
		if len(report.Findings) > 0 { // errors come first
			first = report.Findings[0].Message
		}
		n.fault(kindMark(r.root.Kind), i18n.Sentence("{0}: {1}", agenttext.Line(r.root.Name), ui.SentenceText(ui.LowerFirst(kindName(r.ctx, r.root.Kind)))), r.site.List(journal.Query{Severity: "error"}, r.root.Kind.String(), strconv.Itoa(r.root.No), "findings"), report.Errors, first)
	}
}

func (n *needs) fault(lead, title templ.Component, to templ.SafeURL, errs int, first string) {
	it := ui.Item{Lead: lead, Href: to, Title: title, Gist: ui.SentenceText(i18n.Say(n.ctx, "Content that breaks a rule may be misread or left out."))}
	if first != "" {
		it.Gist = ui.RuleText(first)
	}
	it.Sign("fail", i18n.Count(n.ctx, errs, "%d error", "%d errors"))
	n.all++
	n.items = append(n.items, it)
}

func coverNews(ctx context.Context, n *needs, agents []journal.Agent, roots []*project.Root) (news, lede string) {
	if len(agents)+len(roots) == 0 {
		return recordviews.AgentsNews(ctx, agents)
	}
	var parts []string
	if len(agents) > 0 {
		parts = append(parts, i18n.Count(ctx, len(agents), "%d agent", "%d agents"))
	}
	var kinds [3]int
	for _, root := range roots {
		kinds[root.Kind]++
	}
	for k, words := range [...][2]string{{"%d folder of artifact channels", "%d folders of artifact channels"}, {"%d finding registry", "%d finding registries"}, {"%d project with workflows", "%d projects with workflows"}} {
		if kinds[k] > 0 {
			parts = append(parts, i18n.Count(ctx, kinds[k], words[0], words[1]))
		}
	}
	lede = agenttext.JoinFacts(parts...)
	if n.all == n.asks {
		return recordviews.SummaryNews(ctx, agents, n.asks, recordviews.OpenNews(ctx, n.asks, nil)), lede
	}
	return recordviews.SummaryNews(ctx, agents, n.all, i18n.CountWords(ctx, n.all, "One thing needs attention", "%s things need attention")), lede
}

// rootSays is what the card of a root says of it.
func rootSays(ctx context.Context, root *project.Root) (news, lede string) {
	switch {
	case root.Channels != nil:
		return channelsNews(ctx, root.Channels)
	case root.Registry != nil:
		return entriesNews(ctx, root.Registry)
	}
	w := root.Workflows
	if w == nil {
		w = &agentfile.Workflows{}
	}
	return flowsNews(ctx, w, len(w.Waiting()))
}

// trouble are the signs of a report's errors and warnings.
func trouble(ctx context.Context, report *figs.Report) (signs []ui.Sign) {
	if report.Errors > 0 {
		signs = append(signs, ui.Sign{Kind: "fail", Word: i18n.Count(ctx, report.Errors, "%d error", "%d errors")})
	}
	if report.Warnings > 0 {
		signs = append(signs, ui.Sign{Kind: "warn", Word: i18n.Count(ctx, report.Warnings, "%d warning", "%d warnings")})
	}
	if len(signs) == 0 {
		signs = append(signs, ui.Sign{Kind: "ok", Word: i18n.Say(ctx, "no errors, no warnings")})
	}
	return signs
}
