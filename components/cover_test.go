package components

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestCoverManyAgents shows one page of many agents, with a filter over all of them, and lists no more than the page holds.
func TestCoverManyAgents(t *testing.T) {
	f := newFixture()
	one := f.overviews[0]
	f.overviews = nil
	for i := range 1000 {
		o := *one
		o.Agent.Key, o.Agent.Charter.Name = fmt.Sprint(i+1), fmt.Sprintf("Clerk %04d", i)
		o.Agent.Counts.NeedsYou = 1
		f.overviews = append(f.overviews, &o)
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
		cards := all(parse(t, page), "li.agent-card")
		if len(cards) != test.cards {
			t.Errorf("%s has %d cards, want %d", test.path, len(cards), test.cards)
			continue
		}
		if len(cards) > 0 && !strings.Contains(text(cards[0]), test.first) {
			t.Errorf("%s begins with %q, want %q", test.path, text(cards[0]), test.first)
		}
		if !strings.Contains(text(parse(t, page)), test.pager) {
			t.Errorf("%s does not say %q", test.path, test.pager)
		}
		if len(all(parse(t, page), "form.finder")) != 1 {
			t.Errorf("%s has no filter", test.path)
		}
		if rows := len(all(parse(t, page), "li.row")); rows > mostListed {
			t.Errorf("%s lists %d things that need someone", test.path, rows)
		}
	}
}
