package bridge

import (
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// TestWaitsPage holds the page on waiting, and the order by cost, to the folder itself.
func TestWaitsPage(t *testing.T) {
	e := read(t, true, 1<<20, readSamples(t)...)
	for i, a := range e.agents {
		now, _ := figs.ParseTime(a.report.Now)
		x := figs.NewWaitCounter(now)
		costs := make([]int64, a.f.Records(figs.Asks))
		for ask := range costs {
			var flights []figs.Span
			if job := a.f.JobOf(ask); job >= 0 {
				flights = a.f.Flights(job)
			}
			costs[ask] = x.Add(a.f.Waits(ask), flights).Sum
		}
		total, months := x.Sum(24)
		s, ok := Decode(call(t, e, map[string]any{"op": "select", "page": "waits", "agent": i, "n": 200}))
		if !ok || !s.Found || len(s.Main) != len(costs) {
			t.Fatalf("agent %d: the page lists %d of %d asks", i, len(s.Main), len(costs))
		}
		idle, ok := s.Idle()
		if !ok || idle.Total != total || len(idle.Months) != len(months) {
			t.Fatalf("agent %d: %+v, want %+v in %d months", i, idle, total, len(months))
		}
		for n := range months {
			if idle.Months[n] != months[n] {
				t.Errorf("agent %d: month %+v, want %+v", i, idle.Months[n], months[n])
			}
		}
		for n := 1; n < len(s.Main); n++ {
			if costs[s.Main[n-1].Record] < costs[s.Main[n].Record] {
				t.Errorf("agent %d: ask %d stands before %d, which has waited longer", i, s.Main[n-1].Record, s.Main[n].Record)
			}
		}
		if s, ok = Decode(call(t, e, map[string]any{"op": "select", "page": "asks", "sort": "cost", "agent": i, "n": 200})); !ok || len(s.Main) != len(costs) {
			t.Fatalf("agent %d: by cost %d of %d asks are listed", i, len(s.Main), len(costs))
		}
		for n := 1; n < len(s.Main); n++ {
			x, y := s.Main[n-1].Record, s.Main[n].Record
			if p, q := a.group(x), a.group(y); p > q || p == q && costs[x] < costs[y] {
				t.Errorf("agent %d: ask %d stands before %d", i, x, y)
			}
		}
	}
	if _, ok := (&Selection{Text: []byte{1}}).Idle(); ok {
		t.Error("a text that was cut off is read")
	}
}
