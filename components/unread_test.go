package components

import (
	"context"
	"testing"

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
		news, lede := glanceNews(context.Background(), Site{}, &journal.Overview{Agent: a})
		if news != test.news || lede == "" {
			t.Errorf("unread %b, %d waiting: %q, %q; want %q", test.unread, test.needs, news, lede, test.news)
		}
	}
	several := []journal.Agent{{}, {Counts: journal.Counts{Unread: asks}}}
	if news, _ := agentsNews(context.Background(), several); news != "Can't tell what needs you: one agent's asks.jsonl could not be read" {
		t.Errorf("several agents: %q", news)
	}
}
