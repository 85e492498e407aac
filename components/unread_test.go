package components

import (
	"context"
	"fmt"
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
		name          string
		unread, needs int
	}{
		{"asks", asks, 0}, {"asks", asks, 1}, {"asks and replies", asks | replies, 0}, {"replies", replies, 0}, {"replies", replies, 1}, {"jobs", jobs, 0}, {"jobs", jobs, 1},
	} {
		a := journal.Agent{Counts: journal.Counts{Unread: test.unread, NeedsYou: test.needs}}
		news, lede := recordviews.GlanceNews(context.Background(), ui.Site{}, &journal.Overview{Agent: a})
		messages.Check(t, fmt.Sprintf("unread %s, %d waiting", test.name, test.needs), []string{news, lede})
	}
	several := []journal.Agent{{}, {Counts: journal.Counts{Unread: asks}}}
	news, _ := recordviews.AgentsNews(context.Background(), several)
	messages.Check(t, "unread asks of one of several agents", []string{news})
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
	for name, agents := range map[string][]journal.Agent{
		"replies of one, who waits":              {{}, {Counts: journal.Counts{Unread: replies, NeedsYou: 2}}},
		"replies of one, and another waits, too": {{Counts: journal.Counts{NeedsYou: 1}}, {Counts: journal.Counts{Unread: replies, NeedsYou: 2}}},
		"asks of two":                            {{Counts: journal.Counts{Unread: asks}}, {Counts: journal.Counts{Unread: asks}}},
		"asks and replies of one, another waits": {{Counts: journal.Counts{NeedsYou: 1}}, {Counts: journal.Counts{Unread: asks | replies}}},
		"replies of one, no one waits":           {{}, {Counts: journal.Counts{Unread: replies}}},
	} {
		news, _ := recordviews.AgentsNews(ctx, agents)
		messages.Check(t, "unread in the list: "+name, []string{news})
	}
}
