package components

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// unreadLedgersNews is the headline of an agent some of whose ledgers could not be read; "" when all were. Replies and jobs that are
// unknown never hide an ask: without replies too much seems to wait, not too little.
func unreadLedgersNews(ctx context.Context, site Site, o *journal.Overview) (news, lede string) {
	c := &o.Agent.Counts
	asks, replies, jobs := c.IsUnread(figs.Asks), c.IsUnread(figs.Messages), c.IsUnread(figs.Runs)
	switch {
	case asks && c.NeedsYou > 0:
		news = say(ctx, "Can't tell what else needs you: asks.jsonl could not be read")
	case asks:
		news = say(ctx, "Can't tell what needs you: asks.jsonl could not be read")
	case replies && c.NeedsYou > 0:
		news = countSpelled(ctx, c.NeedsYou, "One decision may wait for you", "%s decisions may wait for you")
	case replies:
		news = say(ctx, "Nothing needs you, but messages.jsonl could not be read")
	case jobs && c.NeedsYou > 0:
		news = needsNews(ctx, site, &o.Agent, c.NeedsYou, o.Needs)
	case jobs:
		news = say(ctx, "Nothing needs you, but runs.jsonl could not be read")
	default:
		return "", ""
	}
	var parts []string
	if asks {
		parts = append(parts, say(ctx, "An ask may be waiting that this page can't show."))
	}
	if replies {
		parts = append(parts, say(ctx, "The replies could not be read (messages.jsonl), so what waits may already be answered."))
	}
	if jobs {
		parts = append(parts, say(ctx, "The jobs could not be read (runs.jsonl), so what the agent did is unknown."))
	}
	return news, strings.Join(parts, " ")
}

// unreadAsks counts the agents whose asks.jsonl could not be read.
func unreadAsks(agents []journal.Agent) (n int) {
	for i := range agents {
		if agents[i].Counts.IsUnread(figs.Asks) {
			n++
		}
	}
	return n
}

// sumNews is the headline of several agents: waits says what waits in the ledgers that could be read.
func sumNews(ctx context.Context, agents []journal.Agent, waiting int, waits string) string {
	switch n := unreadAsks(agents); {
	case n == 0:
		return waits
	case waiting > 0:
		return countSpelled(ctx, n, "Can't tell what else needs you: one agent's asks.jsonl could not be read", "Can't tell what else needs you: asks.jsonl of %s agents could not be read")
	default:
		return countSpelled(ctx, n, "Can't tell what needs you: one agent's asks.jsonl could not be read", "Can't tell what needs you: asks.jsonl of %s agents could not be read")
	}
}
