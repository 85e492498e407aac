package components

import (
	"context"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// TestUnreadLedgersNews holds that no headline calls a sum complete that a ledger could not be read for.
func TestUnreadLedgersNews(t *testing.T) {
	const jobs, asks, replies = 1 << figs.Runs, 1 << figs.Asks, 1 << figs.Messages
	for _, test := range []struct {
		unread, needs int
		news          string
	}{
		{asks, 0, "Can't tell what needs you: asks.jsonl could not be read"},
		{asks, 1, "Can't tell what else needs you: asks.jsonl could not be read"},
		{asks | replies, 0, "Can't tell what needs you: asks.jsonl could not be read"},
		{replies, 0, "Nothing needs you, but messages.jsonl could not be read"},
		{replies, 1, "One decision may wait for you"},
		{jobs, 0, "Nothing needs you, but runs.jsonl could not be read"},
		{jobs, 1, "One decision waits"},
	} {
		a := journal.Agent{Counts: journal.Counts{Unread: test.unread, NeedsYou: test.needs}}
		news, lede := recordviews.GlanceNews(context.Background(), ui.Site{}, &journal.Overview{Agent: a})
		if news != test.news || lede == "" {
			t.Errorf("unread %b, %d waiting: %q, %q; want %q", test.unread, test.needs, news, lede, test.news)
		}
	}
	several := []journal.Agent{{}, {Counts: journal.Counts{Unread: asks}}}
	if news, _ := recordviews.AgentsNews(context.Background(), several); news != "Can't tell what needs you: one agent's asks.jsonl could not be read" {
		t.Errorf("several agents: %q", news)
	}
}

// TestUnreadLedgersInTheList holds that the list of agents, and its headline, claim nothing of ledgers that could not be read.
func TestUnreadLedgersInTheList(t *testing.T) {
	const jobs, asks, replies = 1 << figs.Runs, 1 << figs.Asks, 1 << figs.Messages
	ctx := context.Background()
	for unread, name := range map[int]string{jobs: "jobs", asks: "asks", replies: "replies"} {
		for full, agent := range map[string]journal.Agent{"": {Counts: journal.Counts{Unread: unread, Jobs: 2, NeedsYou: 1}}, ", nothing else": {Counts: journal.Counts{Unread: unread}}} {
			card := drawn(t, ctx, recordviews.AgentCard(ui.Site{Links: ui.Fragment{}}, &agent))
			messages.Check(t, "card of unread "+name+full, pagetest.Lines(pagetest.Parse(t, card)))
		}
	}
	for want, agents := range map[string][]journal.Agent{
		"Two decisions may wait for you":                                           {{}, {Counts: journal.Counts{Unread: replies, NeedsYou: 2}}},
		"Three decisions wait; 2 may already be answered":                          {{Counts: journal.Counts{NeedsYou: 1}}, {Counts: journal.Counts{Unread: replies, NeedsYou: 2}}},
		"Can't tell what needs you: asks.jsonl of 2 agents could not be read":      {{Counts: journal.Counts{Unread: asks}}, {Counts: journal.Counts{Unread: asks}}},
		"Can't tell what else needs you: one agent's asks.jsonl could not be read": {{Counts: journal.Counts{NeedsYou: 1}}, {Counts: journal.Counts{Unread: asks | replies}}},
		"Nothing needs you": {{}, {Counts: journal.Counts{Unread: replies}}},
	} {
		if news, _ := recordviews.AgentsNews(ctx, agents); news != want {
			t.Errorf("the headline is %q, want %q", news, want)
		}
	}
}
