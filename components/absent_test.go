package components

import (
	"context"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/agentpages"
	"github.com/figs-web/figs-web/components/askpages"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// TestAbsentLedgers holds that no sentence of the pages speaks of ledgers that were not given, whichever are missing.
func TestAbsentLedgers(t *testing.T) {
	const jobs, asks, replies = 1 << figs.Runs, 1 << figs.Asks, 1 << figs.Messages
	const noAsks = "Can't tell what needs you: asks.jsonl is not here"
	for _, test := range []struct {
		absent, needs int
		news          string
		kept          string
	}{
		{jobs | replies, 1, "One decision may wait for you", "asks.jsonl keeps every rule. Jobs and replies are not here, so who replied is unknown."},
		{jobs | replies, 0, "Nothing in asks.jsonl needs you", "asks.jsonl keeps every rule. Jobs and replies are not here, so who replied is unknown."},
		{replies, 2, "Two decisions may wait for you", "runs.jsonl and asks.jsonl keep every rule. Replies are not here, so who replied is unknown."},
		{jobs, 1, "One decision waits", "asks.jsonl and messages.jsonl keep every rule. Jobs are not here, so what the agent did is unknown."},
		{jobs, 0, "Nothing in asks.jsonl needs you", "asks.jsonl and messages.jsonl keep every rule. Jobs are not here, so what the agent did is unknown."},
		{asks, 0, noAsks, "runs.jsonl and messages.jsonl keep every rule. Asks are not here, so what needs you is unknown."},
		{jobs | asks, 0, noAsks, "messages.jsonl keeps every rule. Jobs and asks are not here, so what needs you is unknown."},
		{asks | replies, 0, noAsks, "runs.jsonl keeps every rule. Asks and replies are not here, so what needs you is unknown."},
		{jobs | asks | replies, 0, noAsks, "agent.json keeps every rule. Jobs, asks and replies are not here, so what needs you is unknown."},
	} {
		given := (jobs | asks | replies) &^ test.absent
		if given == 0 {
			given = 1 << figs.AgentJSON
		}
		a := journal.Agent{Key: "1", Counts: journal.Counts{Absent: test.absent, Given: given, NeedsYou: test.needs, Asks: test.needs}}
		o := &journal.Overview{Agent: a}
		news, lede := recordviews.GlanceNews(context.Background(), ui.Site{}, o)
		if _, says, _ := strings.Cut(test.kept, ". "); news != test.news || !strings.Contains(lede, says) {
			t.Errorf("absent %03b, %d waiting: %q, %q; want %q, %q", test.absent, test.needs, news, lede, test.news, says)
		}
		glance := drawn(t, context.Background(), agentpages.GlancePage(ui.Site{Links: ui.Fragment{}}, o))
		findings := drawn(t, context.Background(), recordviews.FindingsPage(ui.Site{Links: ui.Fragment{}}, &a, journal.Query{}, &journal.Findings{}, nil))
		for name, page := range map[string]string{"the first page": glance, "the findings": findings} {
			if !strings.Contains(page, test.kept) {
				t.Errorf("absent %03b: %s lacks %q", test.absent, name, test.kept)
			}
			for _, claim := range []string{"ournal keeps every rule", "Every line keeps", "is-ok", "recorded yet"} {
				if strings.Contains(page, claim) {
					t.Errorf("absent %03b: %s says %q", test.absent, name, claim)
				}
			}
		}
		if claims := strings.Contains(glance, "Nothing runs at the moment") || strings.Contains(glance, "No job has settled"); claims == (test.absent&jobs != 0) {
			t.Errorf("absent %03b: speaks of no jobs: %t", test.absent, claims)
		}
		if page := drawn(t, context.Background(), askpages.AsksPage(ui.Site{Links: ui.Fragment{}}, &a, journal.Query{}, &journal.Page[journal.Ask]{})); strings.Contains(page, "Nothing was asked") == (test.absent&asks != 0) {
			t.Errorf("absent %03b: the list of asks is wrong:\n%s", test.absent, page)
		}
		if page := drawn(t, context.Background(), agentpages.JobsPage(ui.Site{Links: ui.Fragment{}}, &a, journal.Query{}, &journal.Page[journal.Job]{})); strings.Contains(page, "No job") == (test.absent&jobs != 0) {
			t.Errorf("absent %03b: the list of jobs is wrong:\n%s", test.absent, page)
		}
		if page := drawn(t, context.Background(), agentpages.MessagesPage(ui.Site{Links: ui.Fragment{}}, &a, journal.Query{}, &journal.Page[journal.Message]{})); strings.Contains(page, "No repl") == (test.absent&replies != 0) {
			t.Errorf("absent %03b: the list of replies is wrong:\n%s", test.absent, page)
		}
	}
	several := []journal.Agent{{}, {Counts: journal.Counts{Absent: asks}}}
	if news, _ := recordviews.AgentsNews(context.Background(), several); news != "Can't tell what needs you: one agent's asks.jsonl is not here" {
		t.Errorf("several agents: %q", news)
	}
}
