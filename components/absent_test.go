package components

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/components/agentpages"
	"github.com/figs-web/figs-web/components/askpages"
	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// TestAbsentLedgers holds that no sentence of the pages speaks of ledgers that were not given, whichever are missing.
func TestAbsentLedgers(t *testing.T) {
	const jobs, asks, replies = 1 << figs.Runs, 1 << figs.Asks, 1 << figs.Messages
	for _, test := range []struct {
		name          string
		absent, needs int
	}{
		{"jobs and replies", jobs | replies, 1}, {"jobs and replies", jobs | replies, 0}, {"replies", replies, 2}, {"jobs", jobs, 1}, {"jobs", jobs, 0},
		{"asks", asks, 0}, {"jobs and asks", jobs | asks, 0}, {"asks and replies", asks | replies, 0}, {"jobs, asks and replies", jobs | asks | replies, 0},
	} {
		given := (jobs | asks | replies) &^ test.absent
		if given == 0 {
			given = 1 << figs.AgentJSON
		}
		ctx, site := context.Background(), ui.Site{Links: ui.Fragment{}}
		a := journal.Agent{Key: "1", Counts: journal.Counts{Absent: test.absent, Given: given, NeedsYou: test.needs, Asks: test.needs}}
		for name, page := range map[string]string{
			"first page": drawn(t, ctx, agentpages.GlancePage(site, &journal.Overview{Agent: a})),
			"findings":   drawn(t, ctx, recordviews.FindingsPage(site, &a, journal.Query{}, &journal.Findings{}, nil)),
			"asks":       drawn(t, ctx, askpages.AsksPage(site, &a, journal.Query{}, &journal.Page[journal.Ask]{})),
			"jobs":       drawn(t, ctx, agentpages.JobsPage(site, &a, journal.Query{}, &journal.Page[journal.Job]{})),
			"replies":    drawn(t, ctx, agentpages.MessagesPage(site, &a, journal.Query{}, &journal.Page[journal.Message]{})),
		} {
			if strings.Contains(page, "is-ok") {
				t.Errorf("without %s, %d waiting: the page with the %s calls something good", test.name, test.needs, name)
			}
			root := pagetest.Parse(t, page)
			var said []*html.Node
			for _, path := range []string{"h1", "header.news p", "section.tile", ".nothing"} {
				said = append(said, pagetest.All(root, path)...)
			}
			messages.Check(t, fmt.Sprintf("without %s, %d waiting: %s", test.name, test.needs, name), pagetest.Lines(said...))
		}
	}
	several := []journal.Agent{{}, {Counts: journal.Counts{Absent: asks}}}
	news, _ := recordviews.AgentsNews(context.Background(), several)
	messages.Check(t, "without asks of one of several agents", []string{news})
}
