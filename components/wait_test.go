package components

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// TestJoined holds that every instant of a wait stays one, that no other becomes one, and that none counts twice.
func TestJoined(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		waits := make([]journal.Wait, r.IntN(6))
		for i := range waits {
			from := r.Int64N(20)
			waits[i] = journal.Wait{From: from, To: from + r.Int64N(8)}
			switch r.IntN(12) {
			case 0:
				waits[i].To = figs.NoTime
			case 1:
				waits[i].From = figs.NoTime
			}
		}
		got := joined(waits)
		for i := 1; i < len(got); i++ {
			if got[i-1].To == figs.NoTime || got[i].From <= got[i-1].To {
				t.Fatalf("joined(%v) = %v: the parts touch", waits, got)
			}
		}
		for at := range int64(32) {
			if in(got, at) != in(waits, at) {
				t.Fatalf("joined(%v) = %v: they disagree about %d", waits, got, at)
			}
		}
	}
}

func in(waits []journal.Wait, at int64) bool {
	for _, w := range waits {
		if w.From != figs.NoTime && w.From <= at && (w.To == figs.NoTime || at <= w.To) {
			return true
		}
	}
	return false
}

// TestWaitSum holds what is said of the wait: two asks at once count once, and what goes on is said to go on.
func TestWaitSum(t *testing.T) {
	job := func(waits ...journal.Wait) *journal.Job {
		j := &journal.Job{Lanes: []journal.Lane{{ID: "job", Marks: []journal.Mark{{At: at("2026-11-20T10:00:00Z"), Kind: "ok"}}}}}
		for _, w := range waits {
			j.Lanes = append(j.Lanes, journal.Lane{Ask: true, Waits: []journal.Wait{w}, Marks: []journal.Mark{{At: w.From, Kind: "raise"}}})
		}
		return j
	}
	ten, twelve, eleven, fifteen := at("2026-11-20T10:00:00Z"), at("2026-11-20T12:00:00Z"), at("2026-11-20T11:00:00Z"), at("2026-11-20T15:00:00Z")
	for _, test := range []struct {
		name string
		job  *journal.Job
		want string
	}{
		{"two at once", job(journal.Wait{From: ten, To: twelve}, journal.Wait{From: eleven, To: fifteen}), "A human was waited for 5 h in all."},
		{"with a pause", job(journal.Wait{From: ten, To: eleven}, journal.Wait{From: twelve, To: fifteen}), "A human was waited for 4 h in all."},
		{"still", job(journal.Wait{From: at("2026-11-20T17:30:00Z"), To: figs.NoTime}), "A human has been waited for 1 h in all, and still is."},
		{"from the future", job(journal.Wait{From: at("2027-01-01T00:00:00Z"), To: figs.NoTime}), "A human has been waited for 0 s in all, and still is."},
		{"at once", job(journal.Wait{From: ten, To: ten}), "Every ask was answered at once."},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := waitOf(context.Background(), testSite(), test.job)
			if v == nil || v.Sum != test.want || len(v.Lanes) != 2 {
				t.Errorf("waitOf() = %+v, want %q over two lanes", v, test.want)
			}
		})
	}
	for name, j := range map[string]*journal.Job{"no ask": job(), "an ask without a time": job(journal.Wait{From: figs.NoTime, To: figs.NoTime})} {
		if v := waitOf(context.Background(), testSite(), j); v != nil {
			t.Errorf("%s: waitOf() = %+v, want no picture", name, v)
		}
	}
	if _, page := render(t, context.Background(), "/1/jobs/1"); !strings.Contains(page, "lane-wait") || strings.Count(page, `id="wait-hatch"`) != 1 {
		t.Error("the job's page hatches no wait")
	}
}
