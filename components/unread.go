package components

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// unknownLedgersNews is the headline of an agent some of whose ledgers could not be read or were not given; "" when all are known.
// Replies and jobs that are unknown never hide an ask: without replies too much seems to wait, not too little.
func unknownLedgersNews(ctx context.Context, site Site, o *journal.Overview) (news, lede string) {
	c := &o.Agent.Counts
	asks, replies, jobs := c.IsUnread(figs.Asks), c.IsUnread(figs.Messages), c.IsUnread(figs.Runs)
	news = unknownAsksNews(ctx, c)
	switch {
	case c.Unread|c.Absent == 0:
		return "", ""
	case news != "":
	case replies:
		news = say(ctx, "Nothing needs you, but messages.jsonl could not be read")
	case c.NeedsYou > 0:
		news = needsNews(ctx, site, &o.Agent, c.NeedsYou, o.Needs)
	case jobs:
		news = say(ctx, "Nothing needs you, but runs.jsonl could not be read")
	case c.Broken > 0:
		news = say(ctx, "Nothing needs you, as far as the lines can be read")
	default:
		news = say(ctx, "Nothing in asks.jsonl needs you")
	}
	var parts []string
	if wait := waitLede(ctx, site, o); wait != "" && c.Unread == 0 {
		parts = append(parts, wait)
	}
	if asks {
		parts = append(parts, say(ctx, "An ask may be waiting that this page can't show."))
	}
	if replies {
		parts = append(parts, say(ctx, "The replies could not be read (messages.jsonl), so what waits may already be answered."))
	}
	if jobs {
		parts = append(parts, say(ctx, "The jobs could not be read (runs.jsonl), so what the agent did is unknown."))
	}
	if c.Absent != 0 {
		parts = append(parts, say(ctx, journal.AbsentSays(c.Absent)))
	}
	return news, strings.Join(parts, " ")
}

// unknownAsksNews is the headline where nobody can tell what needs a human, or whether it still does; "" elsewhere.
func unknownAsksNews(ctx context.Context, c *journal.Counts) string {
	switch {
	case c.IsUnread(figs.Asks) && c.NeedsYou > 0:
		return say(ctx, "Can't tell what else needs you: asks.jsonl could not be read")
	case c.IsUnread(figs.Asks):
		return say(ctx, "Can't tell what needs you: asks.jsonl could not be read")
	case c.IsAbsent(figs.Asks):
		return say(ctx, "Can't tell what needs you: asks.jsonl is not here")
	case c.IsUnknown(figs.Messages) && c.NeedsYou > 0:
		return mayWait(ctx, c.NeedsYou)
	}
	return ""
}

func mayWait(ctx context.Context, n int) string {
	return countSpelled(ctx, n, "One decision may wait for you", "%s decisions may wait for you")
}

// keepsRules says that the rules are kept by what was given, and by nothing else.
func keepsRules(ctx context.Context, c *journal.Counts) string {
	if c.Absent == 0 {
		return say(ctx, "The journal keeps every rule.")
	}
	names := c.GivenFiles()
	if last := len(names) - 1; last > 0 {
		given := say(ctx, "%s and %s", strings.Join(names[:last], ", "), names[last])
		return say(ctx, "%s keep every rule.", given) + " " + say(ctx, journal.AbsentSays(c.Absent))
	}
	return say(ctx, "%s keeps every rule.", strings.Join(names, "")) + " " + say(ctx, journal.AbsentSays(c.Absent))
}

// unknownLedger says that nothing, or not everything, is known of a ledger, without a full stop; "" when all of it is.
func unknownLedger(ctx context.Context, c *journal.Counts, file figs.File) string {
	switch {
	case c.IsUnread(file):
		return say(ctx, "%s could not be read", file.String())
	case c.IsAbsent(file):
		return say(ctx, "%s is not here", file.String())
	}
	return ""
}

// orUnknown is what a page says of a ledger that holds nothing, unless that is unknown.
func orUnknown(ctx context.Context, c *journal.Counts, file figs.File, empty string) string {
	if word := unknownLedger(ctx, c, file); word != "" {
		return word + "."
	}
	return empty
}

// keptSign says that no rule is broken; it is green only where everything was there to be checked.
func keptSign(ctx context.Context, c *journal.Counts) sign {
	if c.Absent != 0 {
		return sign{"note", say(ctx, "no errors, no warnings")}
	}
	return sign{"ok", say(ctx, "valid: no errors, no warnings")}
}

// unknownSigns say on an agent's card which ledgers are unknown.
func unknownSigns(ctx context.Context, c *journal.Counts) (signs []sign) {
	for file := range figs.File(figs.Ledgers) {
		if word := unknownLedger(ctx, c, file); word != "" {
			signs = append(signs, sign{"warn", word})
		}
	}
	return signs
}

// sumNews is the headline of several agents: waits says what waits in the ledgers that are known.
func sumNews(ctx context.Context, agents []journal.Agent, waiting int, waits string) string {
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
		return count(ctx, unread, "Can't tell what else needs you: one agent's asks.jsonl could not be read", "Can't tell what else needs you: asks.jsonl of %d agents could not be read")
	case unread > 0:
		return count(ctx, unread, "Can't tell what needs you: one agent's asks.jsonl could not be read", "Can't tell what needs you: asks.jsonl of %d agents could not be read")
	case absent > 0 && waiting > 0:
		return count(ctx, absent, "Can't tell what else needs you: one agent's asks.jsonl is not here", "Can't tell what else needs you: asks.jsonl of %d agents is not here")
	case absent > 0:
		return count(ctx, absent, "Can't tell what needs you: one agent's asks.jsonl is not here", "Can't tell what needs you: asks.jsonl of %d agents is not here")
	case unconfirmed > 0 && unconfirmed == waiting:
		return mayWait(ctx, waiting)
	case unconfirmed > 0:
		return say(ctx, "%s; %s may already be answered", waits, grouped(ctx, unconfirmed))
	}
	return waits
}
