package components

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/projectpages"
	"github.com/figs-web/figs-web/internal/journal"
)

// TestCoverManyAgents shows one page of many agents, with a filter over all of them, and lists no more than the page holds.
func TestCoverManyAgents(t *testing.T) {
	f := pagetest.NewJournal()
	one := f.Overviews[0]
	f.Overviews = nil
	for i := range 1000 {
		o := *one
		o.Agent.Key, o.Agent.Charter.Name = fmt.Sprint(i+1), fmt.Sprintf("Clerk %04d", i)
		o.Agent.Counts.NeedsYou = 1
		f.Overviews = append(f.Overviews, &o)
	}
	for _, test := range []struct {
		path, first, pager string
		cards              int
	}{
		{"/", "Clerk 0000", "1 to 50 of 1,000", 50},
		{"/?from=950", "Clerk 0950", "951 to 1,000 of 1,000", 50},
		{"/?q=clerk+0777", "Clerk 0777", "", 1},
		{"/?q=nobody", "", "", 0},
	} {
		_, page := renderProject(t, context.Background(), nil, f, test.path)
		cards := pagetest.All(pagetest.Parse(t, page), "li.agent-card")
		if len(cards) != test.cards {
			t.Errorf("%s has %d cards, want %d", test.path, len(cards), test.cards)
			continue
		}
		if len(cards) > 0 && !strings.Contains(pagetest.Text(cards[0]), test.first) {
			t.Errorf("%s begins with %q, want %q", test.path, pagetest.Text(cards[0]), test.first)
		}
		if !strings.Contains(pagetest.Text(pagetest.Parse(t, page)), test.pager) {
			t.Errorf("%s does not say %q", test.path, test.pager)
		}
		if len(pagetest.All(pagetest.Parse(t, page), "form.finder")) != 1 {
			t.Errorf("%s has no filter", test.path)
		}
		if rows := len(pagetest.All(pagetest.Parse(t, page), "li.row")); rows > projectpages.MostListed {
			t.Errorf("%s lists %d things that need someone", test.path, rows)
		}
	}
}

// oneSelected is a journal that knows the overview of its first agent alone, as the inspector's first page does.
type oneSelected struct{ *pagetest.Journal }

func (o oneSelected) Overview(ctx context.Context, agent string) (*journal.Overview, error) {
	if agent != "1" {
		return nil, journal.ErrNotFound
	}
	return o.Journal.Overview(ctx, agent)
}

// TestCoverNamesWhatIsAsked holds that each agent shows the title of what it asks, and how much more there is.
func TestCoverNamesWhatIsAsked(t *testing.T) {
	f := pagetest.NewJournal()
	payables := &f.Overviews[1].Agent
	payables.Counts.NeedsYou, payables.Oldest = 3, "2026-11-18T18:30:00Z"
	payables.Needed = &journal.Needed{Key: "7", Title: "Mailbox credentials expired", Type: "question"}
	_, page := renderSite(t, projectSite(nil), oneSelected{f}, "/")
	for _, row := range pagetest.All(pagetest.Parse(t, page), "li.row") {
		if s := pagetest.Text(row); strings.Contains(s, "Mailbox credentials expired") {
			messages.Check(t, "row of asks", pagetest.Lines(row))
			if !strings.Contains(page, `href="#/2/asks/7"`) {
				t.Error("the row does not lead to the ask")
			}
			messages.Check(t, "headline of asks", pagetest.Lines(pagetest.All(pagetest.Parse(t, page), "h1")...))
			return
		}
	}
	t.Errorf("no row says what is asked: %s", page)
}
