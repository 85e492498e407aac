package recordviews

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// InDevelopment reports an agent in development that has recorded nothing: that is no fault (§6).
func InDevelopment(a *journal.Agent) bool {
	return HasNoRecords(a.Counts) && a.Charter.Status == "in_dev"
}

// HasNoRecords reports a journal that holds nothing: no line offline, no record hosted. One that is not wholly known may hold something.
func HasNoRecords(c journal.Counts) bool {
	return c.Lines+c.Jobs+c.Asks+c.Messages+c.Unread+c.Absent == 0
}

func AgentsNews(ctx context.Context, agents []journal.Agent) (news, lede string) {
	var needs, flight, errors int
	for i := range agents {
		c := agents[i].Counts
		needs, flight, errors = needs+c.NeedsYou, flight+c.InFlight, errors+c.Errors
	}
	if len(agents) == 0 {
		return i18n.Say(ctx, "No agents found"), ""
	}
	parts := []string{i18n.Count(ctx, len(agents), "%d agent", "%d agents")}
	if flight > 0 {
		parts = append(parts, i18n.Count(ctx, flight, "%d running job", "%d running jobs"))
	}
	if errors > 0 {
		parts = append(parts, i18n.Count(ctx, errors, "%d error", "%d errors"))
	}
	return SummaryNews(ctx, agents, needs, OpenNews(ctx, needs, nil)), agenttext.JoinFacts(parts...)
}

// WaitsNews says how many decisions wait; kinds are the words for one and many of them.
func WaitsNews(ctx context.Context, n int, kind string, asks []journal.Ask) string {
	if len(asks) == n && n > 0 {
		kind = asks[0].Ask.Type
		forBuilder := true
		for i := range asks {
			if asks[i].Ask.Type != kind {
				kind = ""
			}
			forBuilder = forBuilder && asks[i].Ask.To == "builder"
		}
		if forBuilder {
			return i18n.CountWords(ctx, n, "One decision waits for the builder", "%s decisions wait for the builder")
		}
	}
	switch {
	case n == 0:
		return i18n.Say(ctx, "Nothing needs you")
	case n == 1 && kind == "question":
		return i18n.Say(ctx, "One question waits for you")
	case n == 1:
		return i18n.Say(ctx, "One decision waits for you")
	case kind == "question":
		return i18n.Say(ctx, "%s questions wait for you", i18n.NumberWord(ctx, n))
	}
	return i18n.Say(ctx, "%s decisions wait for you", i18n.NumberWord(ctx, n))
}

// OpenNews is WaitsNews for an unknown reader: it names whom the asks are put to, where all are put to the same. asks are
// those that are known.
func OpenNews(ctx context.Context, n int, asks []journal.Ask) string {
	if n == 0 {
		return i18n.Say(ctx, "Nothing needs you")
	}
	questions, same := len(asks) == n, len(asks) == n
	for i := range asks {
		questions = questions && asks[i].Ask.Type == "question"
		same = same && asks[i].Ask.To == asks[0].Ask.To
	}
	news := i18n.CountWords(ctx, n, "One decision waits", "%s decisions wait")
	if questions {
		news = i18n.CountWords(ctx, n, "One question waits", "%s questions wait")
	}
	if !same {
		return news
	}
	switch asks[0].Ask.To {
	case "manager":
		return i18n.Say(ctx, "%s, for the manager", news)
	case "builder":
		return i18n.Say(ctx, "%s, for the builder", news)
	case "":
		return i18n.Say(ctx, "%s, for anyone who manages or built it", news)
	}
	return news
}

// brokenNews adds to a headline that the journal breaks rules.
func brokenNews(ctx context.Context, c journal.Counts, news, lede string) (string, string) {
	if c.Errors == 0 {
		return news, lede
	}
	if c.NeedsYou > 0 {
		news = i18n.Say(ctx, "%s; the journal is not valid", news)
	} else {
		news = i18n.Say(ctx, "%s, but the journal is not valid", news)
	}
	return news, strings.TrimSpace(lede + " " + i18n.Count(ctx, c.Errors, "One error breaks the rules.", "%d errors break the rules."))
}

// NeedsWord is a badge: how many wait, and how long the oldest has.
func NeedsWord(ctx context.Context, site ui.Site, a *journal.Agent) string {
	word := i18n.Number(ctx, a.Counts.NeedsYou)
	if at := ui.Instant(a.Oldest); at != figs.NoTime && site.HasClock() {
		word = agenttext.JoinFacts(word, ui.Span(ctx, site.Now-at))
	}
	return word
}

// GlanceNews is the headline of At a glance: what a person must know before all else.
func GlanceNews(ctx context.Context, site ui.Site, o *journal.Overview) (news, lede string) {
	c := o.Agent.Counts
	if news, lede = unknownLedgersNews(ctx, site, o); news != "" {
		return news, lede
	}
	news, lede = readNews(ctx, site, o)
	return brokenNews(ctx, c, news, lede)
}

// readNews is GlanceNews of ledgers that could be read, whether or not they keep the rules.
func readNews(ctx context.Context, site ui.Site, o *journal.Overview) (news, lede string) {
	switch c := o.Agent.Counts; {
	case c.NeedsYou > 0:
		return NeedsNews(ctx, site, &o.Agent, c.NeedsYou, o.Needs), waitLede(ctx, site, o)
	case InDevelopment(&o.Agent):
		return i18n.Say(ctx, "This agent is still being built"), i18n.Say(ctx, "It has a charter but no jobs yet. Its first job will appear here.")
	case HasNoRecords(c):
		return i18n.Say(ctx, "Nothing is recorded yet"), i18n.Say(ctx, "Jobs, asks and replies will appear here.")
	case c.Broken > 0:
		return i18n.Say(ctx, "Nothing needs you in the lines that can be read"), i18n.CountWords(ctx, c.Broken, "One line can't be read and is skipped; everything else is shown.", "%s lines can't be read and are skipped; everything else is shown.")
	case c.Waiting > 0:
		return i18n.Say(ctx, "Nothing needs you"), i18n.Count(ctx, c.Waiting, "The agent has one reply to act on.", "The agent has %d replies to act on.")
	case c.InFlight > 0:
		return i18n.Say(ctx, "Nothing needs you"), i18n.CountWords(ctx, c.InFlight, "One job is running.", "%s jobs are running.")
	}
	return i18n.Say(ctx, "Nothing needs you"), i18n.Say(ctx, "All jobs are settled.")
}

// waitLede says how long the oldest ask has waited, and what else moves.
func waitLede(ctx context.Context, site ui.Site, o *journal.Overview) string {
	var parts []string
	if at := oldest(o.Needs); at != figs.NoTime && site.HasClock() && site.Now-at >= ui.Second { // at the very moment of its line nothing has waited
		if len(o.Needs) == 1 {
			parts = append(parts, i18n.Say(ctx, "It has been waiting for %s.", ui.Span(ctx, site.Now-at)))
		} else {
			parts = append(parts, i18n.Say(ctx, "The oldest has been waiting for %s.", ui.Span(ctx, site.Now-at)))
		}
	}
	c := o.Agent.Counts
	if c.InFlight > 0 {
		parts = append(parts, i18n.CountWords(ctx, c.InFlight, "One job is running.", "%s jobs are running."))
	}
	if c.Broken > 0 {
		parts = append(parts, i18n.CountWords(ctx, c.Broken, "One line can't be read.", "%s lines can't be read."))
	}
	return strings.Join(parts, " ")
}

func oldest(asks []journal.Ask) int64 {
	at := int64(figs.NoTime)
	for i := range asks {
		if since := asks[i].State.Since; since != figs.NoTime && (at == figs.NoTime || since < at) {
			at = since
		}
	}
	return at
}

// CountsSentence sums up a journal in numbers.
func CountsSentence(ctx context.Context, c journal.Counts) string {
	parts := []string{
		i18n.Count(ctx, c.Jobs, "%d job", "%d jobs"),
		i18n.Count(ctx, c.Asks, "%d ask", "%d asks"),
		i18n.Count(ctx, c.Messages, "%d reply", "%d replies"),
		i18n.Count(ctx, c.Files, "%d file", "%d files"),
	}
	if c.Lines > 0 || c.Bytes > 0 {
		parts = append(parts, i18n.Count(ctx, c.Lines, "%d line", "%d lines"), i18n.ByteSize(ctx, c.Bytes))
	}
	return agenttext.JoinFacts(parts...)
}

func RepliesNews(ctx context.Context, c journal.Counts) (news, lede string) {
	unknown := UnknownLedger(ctx, &c, figs.Messages)
	switch {
	case unknown != "":
		return i18n.Say(ctx, "Can't tell who replied: %s", unknown), ""
	case c.Messages == 0:
		return i18n.Say(ctx, "No replies yet"), ""
	}
	news = i18n.CountWords(ctx, c.Messages, "One reply from a person", "%s replies from people")
	if c.Orphans > 0 {
		return news, i18n.CountWords(ctx, c.Orphans, "One answers an ask that is not in this journal.", "%s answer asks that are not in this journal.")
	}
	return news, i18n.Say(ctx, "Shown as recorded in the journal. Replies that an agent reported are marked as not verified.")
}
