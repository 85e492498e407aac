package charts

import (
	"context"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/internal/journal"
)

// TestHeat holds the drawing to its numbers: each day has its own square inside its half, a square is coloured if and
// only if the day has lines, the busiest is the darkest, and the months add up to the days.
func TestHeat(t *testing.T) {
	for name, days := range map[string][]journal.Day{
		"one line":      append(make([]journal.Day, 364), journal.Day{Replies: 1}),
		"every day":     filled(371, func(i int) journal.Day { return journal.Day{Jobs: 1 + i, Asks: i % 2} }),
		"one busy day":  filled(366, func(i int) journal.Day { return journal.Day{Jobs: 1 + i/365*1_000_000} }),
		"quiet":         make([]journal.Day, 368),
		"a single week": filled(3, func(i int) journal.Day { return journal.Day{Asks: i} }),
	} {
		t.Run(name, func(t *testing.T) {
			v := heatOf(context.Background(), &journal.Activity{First: pagetest.At("2025-11-17T00:00:00Z"), Days: days})
			var want, got journal.Day
			most, i := 0, 0
			for _, d := range days {
				want.Jobs, want.Asks, want.Replies = want.Jobs+d.Jobs, want.Asks+d.Asks, want.Replies+d.Replies
				most = max(most, d.Lines())
			}
			for _, m := range v.Months {
				got.Jobs, got.Asks, got.Replies = got.Jobs+m.Jobs, got.Asks+m.Asks, got.Replies+m.Replies
			}
			if got != want {
				t.Errorf("the months sum to %+v, want %+v", got, want)
			}
			for half, p := range v.Halves {
				taken := map[[2]int]bool{}
				for _, c := range p.Cells {
					n := days[i].Lines()
					if taken[[2]int{c.X, c.Y}] || c.X < 0 || c.X+heatSize > p.Width || c.Y < heatTop || c.Y+heatSize > heatTop+7*heatCell {
						t.Errorf("day %d stands at %d,%d of half %d, %d wide", i, c.X, c.Y, half, p.Width)
					}
					taken[[2]int{c.X, c.Y}] = true
					if c.Level < 0 || c.Level > 4 || (c.Level > 0) != (n > 0) || (c.Words != "") != (n > 0) || n == most && n > 0 && c.Level != 4 {
						t.Errorf("day %d with %d of at most %d lines has the level %d and the title %q", i, n, most, c.Level, c.Words)
					}
					i++
				}
			}
			if i != len(days) {
				t.Errorf("%d squares for %d days", i, len(days))
			}
		})
	}
}

func filled(n int, day func(int) journal.Day) []journal.Day {
	days := make([]journal.Day, n)
	for i := range days {
		days[i] = day(i)
	}
	return days
}

// TestHeatNamesMonths holds that the names of months stand apart and in the order of the year.
func TestHeatNamesMonths(t *testing.T) {
	v := heatOf(context.Background(), &journal.Activity{First: pagetest.At("2025-11-17T00:00:00Z"), Days: make([]journal.Day, 371)})
	var names []string
	for _, p := range v.Halves {
		for i, m := range p.Months {
			if names = append(names, m.Word); i > 0 && m.X-p.Months[i-1].X < 2*heatCell {
				t.Errorf("%s stands on %s", m.Word, p.Months[i-1].Word)
			}
		}
	}
	if got := strings.Join(names, " "); got != "Dec Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov" {
		t.Errorf("the months are %s", got)
	}
}
