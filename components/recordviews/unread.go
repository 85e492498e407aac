package recordviews

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// unknownLedgersNews is the headline of an agent some of whose ledgers could not be read or were not given; "" when all are known.
// Replies and jobs that are unknown never hide an ask: without replies too much seems to wait, not too little.
func unknownLedgersNews(ctx context.Context, site ui.Site, o *journal.Overview) (news, lede string) {
	c := &o.Agent.Counts
	asks, replies, jobs := c.IsUnread(figs.Asks), c.IsUnread(figs.Messages), c.IsUnread(figs.Runs)
	news = UnknownAsksNews(ctx, c)
	switch {
	case c.Unread|c.Absent == 0:
		return "", ""
	case news != "":
	case replies:
		news = i18n.Say(ctx, "Nothing needs you, but messages.jsonl could not be read")
	case c.NeedsYou > 0:
		news = NeedsNews(ctx, site, &o.Agent, c.NeedsYou, o.Needs)
	case jobs:
		news = i18n.Say(ctx, "Nothing needs you, but runs.jsonl could not be read")
	case c.Broken > 0:
		news = i18n.Say(ctx, "Nothing needs you in the lines that can be read")
	default:
		news = i18n.Say(ctx, "Nothing in asks.jsonl needs you")
	}
	var parts []string
	if wait := waitLede(ctx, site, o); wait != "" && c.Unread == 0 {
		parts = append(parts, wait)
	}
	if asks {
		parts = append(parts, i18n.Say(ctx, "An ask may be waiting that this page can't show."))
	}
	if replies {
		parts = append(parts, i18n.Say(ctx, "The replies could not be read (messages.jsonl), so what waits may already be answered."))
	}
	if jobs {
		parts = append(parts, i18n.Say(ctx, "The jobs could not be read (runs.jsonl), so what the agent did is unknown."))
	}
	if c.Absent != 0 {
		parts = append(parts, i18n.Say(ctx, journal.AbsentSays(c.Absent)))
	}
	return news, strings.Join(parts, " ")
}

// UnknownAsksNews is the headline when it is unknown what needs a human, or whether it still does; "" otherwise.
func UnknownAsksNews(ctx context.Context, c *journal.Counts) string {
	switch {
	case c.IsUnread(figs.Asks) && c.NeedsYou > 0:
		return i18n.Say(ctx, "Can't tell what else needs you: asks.jsonl could not be read")
	case c.IsUnread(figs.Asks):
		return i18n.Say(ctx, "Can't tell what needs you: asks.jsonl could not be read")
	case c.IsAbsent(figs.Asks):
		return i18n.Say(ctx, "Can't tell what needs you: asks.jsonl is not here")
	case c.IsUnknown(figs.Messages) && c.NeedsYou > 0:
		return mayWait(ctx, c.NeedsYou)
	}
	return ""
}

func mayWait(ctx context.Context, n int) string {
	return i18n.CountWords(ctx, n, "One decision may wait for you", "%s decisions may wait for you")
}

// RulesSentence says that the rules are kept by what was given, and by nothing else.
func RulesSentence(ctx context.Context, c *journal.Counts) string {
	if c.Absent == 0 {
		return i18n.Say(ctx, "The journal follows every rule.")
	}
	names := c.GivenFiles()
	if last := len(names) - 1; last > 0 {
		given := i18n.Say(ctx, "%s and %s", strings.Join(names[:last], ", "), names[last])
		return i18n.Say(ctx, "%s follow every rule.", given) + " " + i18n.Say(ctx, journal.AbsentSays(c.Absent))
	}
	return i18n.Say(ctx, "%s follows every rule.", strings.Join(names, "")) + " " + i18n.Say(ctx, journal.AbsentSays(c.Absent))
}

// UnknownLedger says that nothing, or not everything, is known of a ledger, without a full stop; "" when all of it is.
func UnknownLedger(ctx context.Context, c *journal.Counts, file figs.File) string {
	switch {
	case c.IsUnread(file):
		return i18n.Say(ctx, "%s could not be read", file.String())
	case c.IsAbsent(file):
		return i18n.Say(ctx, "%s is not here", file.String())
	}
	return ""
}

// OrUnknown is what a page says of a ledger that holds nothing, unless that is unknown.
func OrUnknown(ctx context.Context, c *journal.Counts, file figs.File, empty string) string {
	if word := UnknownLedger(ctx, c, file); word != "" {
		return word + "."
	}
	return empty
}

// RulesSign says that no rule is broken; it is green only where everything was there to be checked.
func RulesSign(ctx context.Context, c *journal.Counts) ui.Sign {
	if c.Absent != 0 {
		return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "no errors, no warnings")}
	}
	return ui.Sign{Kind: "ok", Word: i18n.Say(ctx, "valid: no errors, no warnings")}
}

// unknownSigns say on an agent's card which ledgers are unknown.
func unknownSigns(ctx context.Context, c *journal.Counts) (signs []ui.Sign) {
	for file := range figs.File(figs.Ledgers) {
		if word := UnknownLedger(ctx, c, file); word != "" {
			signs = append(signs, ui.Sign{Kind: "warn", Word: word})
		}
	}
	return signs
}

// SummaryNews is the headline of several agents: waits says what waits in the ledgers that are known.
func SummaryNews(ctx context.Context, agents []journal.Agent, waiting int, waits string) string {
	var unread, absent, unconfirmed int // asks.jsonl could not be read, was not given; replies to what waits are unknown
	for i := range agents {
		c := &agents[i].Counts
		switch {
		case c.IsUnread(figs.Asks):
			unread++
		case c.IsAbsent(figs.Asks):
			absent++
		case c.IsUnknown(figs.Messages):
			unconfirmed += c.NeedsYou
		}
	}
	switch {
	case unread > 0 && waiting > 0:
		return i18n.Count(ctx, unread, "Can't tell what else needs you: one agent's asks.jsonl could not be read", "Can't tell what else needs you: asks.jsonl of %d agents could not be read")
	case unread > 0:
		return i18n.Count(ctx, unread, "Can't tell what needs you: one agent's asks.jsonl could not be read", "Can't tell what needs you: asks.jsonl of %d agents could not be read")
	case absent > 0 && waiting > 0:
		return i18n.Count(ctx, absent, "Can't tell what else needs you: one agent's asks.jsonl is not here", "Can't tell what else needs you: asks.jsonl of %d agents is not here")
	case absent > 0:
		return i18n.Count(ctx, absent, "Can't tell what needs you: one agent's asks.jsonl is not here", "Can't tell what needs you: asks.jsonl of %d agents is not here")
	case unconfirmed > 0 && unconfirmed == waiting:
		return mayWait(ctx, waiting)
	case unconfirmed > 0:
		return i18n.Say(ctx, "%s; %s may already be answered", waits, i18n.Number(ctx, unconfirmed))
	}
	return waits
}
