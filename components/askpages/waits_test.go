package askpages

import (
	"context"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// TestStoodStill holds what an ask's page says of its waits, to the minute.
func TestStoodStill(t *testing.T) {
	ctx, site := context.Background(), pagetest.Site()
	wait := func(from, to string, round int) figs.Wait {
		w := figs.Wait{Span: figs.Span{From: pagetest.At(from), To: figs.NoTime}, Round: round, Lasts: to == ""}
		if !w.Lasts {
			w.To = pagetest.At(to)
		}
		return w
	}
	first := wait("2026-11-16T09:00:00Z", "2026-11-19T10:30:00Z", 1)
	for _, test := range []struct {
		name       string
		ask        journal.Ask
		want, held string
	}{
		{"nothing", journal.Ask{}, "", ""},
		{"at once", journal.Ask{Waits: []figs.Wait{wait("2026-11-16T09:00:00Z", "2026-11-16T09:00:20Z", 1)}}, "", ""},
		{"once", journal.Ask{Waits: []figs.Wait{first}}, "waited for 3 d 1 h", ""},
		{"twice", journal.Ask{Waits: []figs.Wait{first, wait("2026-11-20T10:00:00Z", "2026-11-20T12:45:00Z", 2)}}, "waited for 3 d 4 h in two rounds", ""},
		{"now", journal.Ask{Waits: []figs.Wait{wait("2026-11-20T16:00:00Z", "", 1)}}, "has been waiting for 2 h 30 min", ""},
		{"now, again", journal.Ask{Waits: []figs.Wait{first, wait("2026-11-20T16:00:00Z", "", 2)}}, "has been waiting for 3 d 4 h in two rounds", ""},
		{"with a job", journal.Ask{Waits: []figs.Wait{first}, Flights: []figs.Span{{From: pagetest.At("2026-11-18T10:30:00Z"), To: figs.NoTime}}}, "waited for 3 d 1 h", "blocked a running job for 1 d 0 h of that"},
	} {
		if got := WaitedInAll(ctx, site, &test.ask); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if got := JobHeldUp(ctx, site, &test.ask); got != test.held {
			t.Errorf("%s: %q, want %q", test.name, got, test.held)
		}
	}
}
