package components

import (
	"context"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/charts"
	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// TestWaitSum holds what is said of the wait: two asks at once count once, and what goes on is said to go on.
func TestWaitSum(t *testing.T) {
	job := func(waits ...journal.Wait) *journal.Job {
		j := &journal.Job{Lanes: []journal.Lane{{ID: "job", Marks: []journal.Mark{{At: pagetest.At("2026-11-20T10:00:00Z"), Kind: "ok"}}}}}
		for _, w := range waits {
			j.Lanes = append(j.Lanes, journal.Lane{Ask: true, Waits: []journal.Wait{w}, Marks: []journal.Mark{{At: w.From, Kind: "raise"}}})
		}
		return j
	}
	ten, twelve, eleven, fifteen := pagetest.At("2026-11-20T10:00:00Z"), pagetest.At("2026-11-20T12:00:00Z"), pagetest.At("2026-11-20T11:00:00Z"), pagetest.At("2026-11-20T15:00:00Z")
	for _, test := range []struct {
		name string
		job  *journal.Job
	}{
		{"two at once", job(journal.Wait{From: ten, To: twelve}, journal.Wait{From: eleven, To: fifteen})},
		{"with a pause", job(journal.Wait{From: ten, To: eleven}, journal.Wait{From: twelve, To: fifteen})},
		{"still", job(journal.Wait{From: pagetest.At("2026-11-20T17:30:00Z"), To: figs.NoTime})},
		{"from the future", job(journal.Wait{From: pagetest.At("2027-01-01T00:00:00Z"), To: figs.NoTime})},
		{"at once", job(journal.Wait{From: ten, To: ten})},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := charts.WaitOf(context.Background(), pagetest.Site(), test.job)
			if v == nil || len(v.Lanes) != 2 {
				t.Fatalf("waitOf() = %+v, want two lanes", v)
			}
			messages.Check(t, "waited: "+test.name, []string{v.Sum})
		})
	}
	for name, j := range map[string]*journal.Job{"no ask": job(), "an ask without a time": job(journal.Wait{From: figs.NoTime, To: figs.NoTime})} {
		if v := charts.WaitOf(context.Background(), pagetest.Site(), j); v != nil {
			t.Errorf("%s: waitOf() = %+v, want no picture", name, v)
		}
	}
	if _, page := render(t, context.Background(), "/1/jobs/1"); !strings.Contains(page, "lane-wait") || strings.Count(page, `id="wait-hatch"`) != 1 {
		t.Error("the job's page hatches no wait")
	}
}
