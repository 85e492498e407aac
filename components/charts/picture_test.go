package charts

import (
	"math/rand/v2"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

func lanes(waiting bool, times ...string) []journal.Lane {
	lane := journal.Lane{Open: waiting}
	for i, ts := range times {
		lane.Marks = append(lane.Marks, journal.Mark{At: pagetest.At(ts), Kind: "ok", Position: pagetest.Place(figs.Runs, i+1, ts)})
	}
	return []journal.Lane{lane}
}

// TestScale: the axis goes on to the present while that is near, leaps when it is far, and
// ends with the last line when nothing is open.
func TestScale(t *testing.T) {
	tests := []struct {
		lesson string
		open   bool
		last   string
		now    bool
		leap   bool
	}{
		{"closed_ends_with_the_last_line", false, "2026-11-20T18:00:00Z", false, false},
		{"open_and_near", true, "2026-11-20T18:00:00Z", true, false},
		{"open_and_far", true, "2026-11-10T02:00:00Z", true, true},
	}
	for _, test := range tests {
		s, ok := scaleOf(pagetest.Site(), lanes(test.open, "2026-11-10T00:00:00Z", test.last))
		if !ok || (s.Now != figs.NoTime) != test.now || s.Leap != test.leap {
			t.Errorf("%s: scaleOf = %+v, %v", test.lesson, s, ok)
		}
		if x := s.X(pagetest.At(test.last)); x > ui.EdgeRight || test.leap && x > ui.DataRight {
			t.Errorf("%s: the last line stands at %v", test.lesson, x)
		}
	}
	if _, ok := scaleOf(pagetest.Site(), []journal.Lane{{Marks: []journal.Mark{{At: figs.NoTime}}}}); ok {
		t.Error("a picture without times should not be drawn")
	}
}

// TestMarksKeepApart: for any times, every line is counted once, marks stand in order, apart
// and inside the picture, and none is moved far.
func TestMarksKeepApart(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var marks []journal.Mark
		start, n := pagetest.At("2026-01-01T00:00:00Z"), 1+random.IntN(30)
		for range n {
			start += random.Int64N(1 + int64(1)<<random.IntN(44))
			marks = append(marks, journal.Mark{At: start, Kind: "ok"})
		}
		s, _ := scaleOf(pagetest.Site(), []journal.Lane{{Marks: marks}})
		views, sum, last := placeMarks(marks, s), 0, -ui.Slot
		for _, v := range views {
			if v.X < last+ui.Slot-1e-6 || v.X < ui.EdgeLeft-1e-6 || v.X > ui.EdgeRight+1e-6 {
				t.Fatalf("marks at %v: %v after %v", marks, v.X, last)
			}
			if d := v.X - s.X(v.Mark.At); d > 2*ui.Slot || d < -2*ui.Slot {
				t.Fatalf("a mark is moved by %v", d)
			}
			sum, last = sum+v.Count, v.X
		}
		if sum != n {
			t.Fatalf("%d of %d lines are in the picture", sum, n)
		}
	}
}
