package components

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
)

// TestTicks: at any length of time the axis has a few dates, in order, inside.
func TestTicks(t *testing.T) {
	for _, zone := range []int{0, 60, -210, 345} {
		site := ui.Site{Zone: zone, Now: figs.NoTime}
		for length := ui.Second; length < 300*365*ui.Day; length = length*3/2 + 1 {
			from := pagetest.At("2026-03-09T16:05:09Z") - length/2
			s := ui.Scale{From: from, To: from + length, Now: figs.NoTime, Right: ui.EdgeRight}
			got := ui.Ticks(context.Background(), site, s)
			if len(got) == 0 || len(got) > ui.MostTicks+1 {
				t.Errorf("%v: %d ticks", time.Duration(length)*1000, len(got))
			}
			for i := 1; i < len(got); i++ {
				if got[i].X <= got[i-1].X || got[i].Word == got[i-1].Word {
					t.Errorf("%v: tick %v after %v", time.Duration(length)*1000, got[i], got[i-1])
				}
			}
		}
	}
}

// TestEveryLineHasItsMark: in the journal of the tests each mark leads to its line.
func TestEveryLineHasItsMark(t *testing.T) {
	_, page := render(t, context.Background(), "/1")
	marks := pagetest.All(pagetest.Parse(t, page), "a.lane-mark")
	if len(marks) != 15 {
		t.Errorf("%d marks, want 15: the lines of all lanes, six of them in one heap", len(marks))
	}
	for _, m := range marks {
		if !strings.HasPrefix(pagetest.Attr(m, "href"), "#/1/lines/") || len(pagetest.All(m, "title")) != 1 {
			t.Errorf("mark %v leads to no line or has no title", m.Attr)
		}
	}
}
