package workspacepages

import (
	"context"
	"slices"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
)

// TestBars holds the drawing to its numbers: every day is in one bar, parts stand on each other
// inside the drawing, and the table has the same sums.
func TestBars(t *testing.T) {
	one := pagetest.QuietTrends()
	one.Days[3].OK, one.Days[3].Failed, one.Jobs = 100_000, 1, 100_001
	for name, trends := range map[string]journal.Trends{"28": pagetest.BusyTrends(28), "91": pagetest.BusyTrends(91), "364": pagetest.BusyTrends(364), "quiet": pagetest.QuietTrends(), "one of many fails": one} {
		v := barsOf(context.Background(), &trends)
		if want := len(trends.Days); v.Weekly && want != 7*len(v.Bars) || !v.Weekly && want != len(v.Bars) {
			t.Errorf("%s: %d bars for %d days", name, len(v.Bars), want)
		}
		var sum, want journal.TrendDay
		for i := range trends.Days {
			addDay(&want, &trends.Days[i])
		}
		for i := range v.Rows {
			addDay(&sum, &v.Rows[i].TrendDay)
		}
		if sum != want || SettledJobs(want.Week) != trends.Jobs {
			t.Errorf("%s: the table sums to %+v, want %+v", name, sum, want)
		}
		for i, b := range v.Bars {
			ground := barsTop + barsHeight
			for _, p := range b.Parts {
				if p.Height < barLeast-1 || p.Y+p.Height+1 != ground || p.Y < 0 {
					t.Errorf("%s: bar %d has a part at %d, %d high, on %d", name, i, p.Y, p.Height, ground)
				}
				ground = p.Y
			}
			if b.X < b.Place || b.X+b.Width > b.Place+b.Room || b.Place+b.Room > 100.001 {
				t.Errorf("%s: bar %d stands outside of its place", name, i)
			}
		}
	}
	if parts := barsOf(context.Background(), &one).Bars[3].Parts; len(parts) != 2 || parts[1].Kind != "fail" {
		t.Errorf("one failure among many cannot be seen: %+v", parts)
	}
}

// TestLevels holds the scale to round numbers, at most five of them, that hold the highest bar.
func TestLevels(t *testing.T) {
	for most, want := range map[int]int{0: 1, 1: 1, 4: 1, 5: 2, 8: 2, 9: 5, 20: 5, 21: 10, 100: 50, 401: 200, 1 << 30: 500_000_000} {
		if got := levelStep(most); got != want {
			t.Errorf("levelStep(%d) = %d, want %d", most, got, want)
		}
	}
	for top, want := range map[int]string{8: "8", 8_000: "8,000", 10_000: "10 k", 5_000_000: "5,000 k", 80_000_000: "80 M"} {
		if got := levelWord(context.Background(), top, top); got != want {
			t.Errorf("levelWord(%d) = %s, want %s", top, got, want)
		}
	}
}

// TestAnswers holds the words to the ranks: half and nine of ten, rounded up.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		values     []int64
		half, most int64
	}{
		{[]int64{1, 2}, 1, 2}, {[]int64{1, 2, 3}, 2, 3}, {[]int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 5, 9}, {[]int64{7, 7, 7}, 7, 7},
	} {
		if half, most := atRank(test.values, 50), atRank(test.values, 90); half != test.half || most != test.most {
			t.Errorf("ranks of %v = %d, %d, want %d, %d", test.values, half, most, test.half, test.most)
		}
	}
	for length, want := range map[int64]string{0: "1 min", ui.Second: "1 min", ui.Minute + 1: "2 min", 59*ui.Minute + 1: "1 h", 61 * ui.Minute: "2 h", 47*ui.Hour + 1: "2 days", 3*ui.Day + 1: "4 days"} {
		if got := inAtMost(context.Background(), length); got != want {
			t.Errorf("inAtMost(%d) = %s, want %s", length, got, want)
		}
	}
	if got, want := answersSummary(context.Background(), []int64{ui.Second, 2 * ui.Second}), "Of 2 asks, nine out of ten got their first reply within 1 min."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	long := []int64{0, ui.Minute, 16 * ui.Minute, 8 * ui.Day, 900 * ui.Day}
	sum, rows := 0, answersOf(context.Background(), long).Rows
	for _, r := range rows {
		sum += r.Count
	}
	if sum != len(long) || rows[len(rows)-1].Count != 2 || rows[0].Count != 2 {
		t.Errorf("the rows are %+v", rows)
	}
}

// TestHours holds that every line is in the table, and that the busiest hour is the darkest.
func TestHours(t *testing.T) {
	trends := pagetest.BusyTrends(91)
	v := hoursOf(context.Background(), &trends.Hours)
	sum, want := 0, 0
	for _, row := range v.Rows {
		for _, n := range row.Lines {
			sum += n
		}
	}
	for _, d := range trends.Hours {
		for _, n := range d {
			want += n
		}
	}
	if sum != want || len(v.Cells) != 7*24 {
		t.Errorf("the table has %d lines in %d squares, want %d in 168", sum, len(v.Cells), want)
	}
	if !slices.ContainsFunc(v.Cells, func(c hourCell) bool { return c.Level == 4 }) {
		t.Error("no hour is the busiest")
	}
}

// TestStanding says in one sentence how long work stands still, and of whom.
func TestStanding(t *testing.T) {
	ctx := context.Background()
	one := func(asks int, sum int64) journal.AgentWaiting { return journal.AgentWaiting{Asks: asks, Sum: sum} }
	for _, x := range []struct {
		list []journal.AgentWaiting
		want string
	}{
		{nil, ""},
		{[]journal.AgentWaiting{one(3, ui.Minute-1)}, ""},
		{[]journal.AgentWaiting{one(1, 2*ui.Day+3*ui.Hour)}, "One ask has waited for 2 d 3 h, across all its rounds."},
		{[]journal.AgentWaiting{one(2, 5*ui.Hour)}, "Two asks have waited for 5 h 0 min in total."},
		{[]journal.AgentWaiting{one(2, 40*ui.Day), one(1, 30*ui.Day)}, "Three asks of two agents have waited for 70 days in total."},
	} {
		v := &trendsView{Trends: &journal.Trends{WaitingByAgent: x.list}}
		if got := v.standingWords(ctx); got != x.want {
			t.Errorf("%v: %q, want %q", x.list, got, x.want)
		}
	}
}
