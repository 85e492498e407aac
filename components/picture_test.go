package components

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

func lanes(waiting bool, times ...string) []journal.Lane {
	lane := journal.Lane{Open: waiting}
	for i, ts := range times {
		lane.Marks = append(lane.Marks, journal.Mark{At: at(ts), Kind: "ok", Place: place(figs.Runs, i+1, ts)})
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
		s, ok := scaleOf(testSite(), lanes(test.open, "2026-11-10T00:00:00Z", test.last))
		if !ok || (s.now != figs.NoTime) != test.now || s.leap != test.leap {
			t.Errorf("%s: scaleOf = %+v, %v", test.lesson, s, ok)
		}
		if x := s.x(at(test.last)); x > edgeRight || test.leap && x > dataRight {
			t.Errorf("%s: the last line stands at %v", test.lesson, x)
		}
	}
	if _, ok := scaleOf(testSite(), []journal.Lane{{Marks: []journal.Mark{{At: figs.NoTime}}}}); ok {
		t.Error("a picture without times should not be drawn")
	}
}

// TestMarksKeepApart: for any times, every line is counted once, marks stand in order, apart
// and inside the picture, and none is moved far.
func TestMarksKeepApart(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var marks []journal.Mark
		start, n := at("2026-01-01T00:00:00Z"), 1+random.IntN(30)
		for range n {
			start += random.Int64N(1 + int64(1)<<random.IntN(44))
			marks = append(marks, journal.Mark{At: start, Kind: "ok"})
		}
		s, _ := scaleOf(testSite(), []journal.Lane{{Marks: marks}})
		views, sum, last := placeMarks(marks, s), 0, -slot
		for _, v := range views {
			if v.X < last+slot-1e-6 || v.X < edgeLeft-1e-6 || v.X > edgeRight+1e-6 {
				t.Fatalf("marks at %v: %v after %v", marks, v.X, last)
			}
			if d := v.X - s.x(v.Mark.At); d > 2*slot || d < -2*slot {
				t.Fatalf("a mark is moved by %v", d)
			}
			sum, last = sum+v.Count, v.X
		}
		if sum != n {
			t.Fatalf("%d of %d lines are in the picture", sum, n)
		}
	}
}

// TestTicks: at any length of time the axis has a few dates, in order, inside.
func TestTicks(t *testing.T) {
	for _, zone := range []int{0, 60, -210, 345} {
		site := Site{Zone: zone, Now: figs.NoTime}
		for length := second; length < 300*365*day; length = length*3/2 + 1 {
			from := at("2026-03-09T16:05:09Z") - length/2
			s := scale{from: from, to: from + length, now: figs.NoTime, right: edgeRight}
			got := ticks(context.Background(), site, s)
			if len(got) == 0 || len(got) > mostTicks+1 {
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
	marks := all(parse(t, page), "a.lane-mark")
	if len(marks) != 15 {
		t.Errorf("%d marks, want 15: the lines of all lanes, six of them in one heap", len(marks))
	}
	for _, m := range marks {
		if !strings.HasPrefix(attr(m, "href"), "#/1/lines/") || len(all(m, "title")) != 1 {
			t.Errorf("mark %v leads to no line or has no title", m.Attr)
		}
	}
}
