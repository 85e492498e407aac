package selected

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/wasm/bridge"
)

// TestActivity tests on which day a line counts: days begin at midnight UTC whatever offset a line has, the calendar ends
// today or with the newest line if that is more than a year old, and no line is lost.
func TestActivity(t *testing.T) {
	for name, test := range map[string]struct {
		runs   string
		first  string
		days   map[string]int // with lines
		length int
		off    [3]int
	}{
		"midnight": {`{"id":"a","ts":"2026-11-19T23:59:59.999999Z"}
{"id":"a","ts":"2026-11-20T00:00:00Z"}
{"id":"a","ts":"2026-11-20T01:30:00+02:00"}
{"id":"a","ts":"2026-11-18T23:30:00-01:00"}
`, "2025-11-17", map[string]int{"2026-11-19": 3, "2026-11-20": 1}, 369, [3]int{}},
		"edges": {`{"id":"a","ts":"2025-11-16T23:59:59Z"}
{"id":"a","ts":"2025-11-17T00:00:00Z"}
{"id":"a","ts":"2026-11-21T00:00:00Z"}
{"id":"a","ts":"2026-11-20T23:59:59Z"}
{"id":"a","ts":"yesterday"}
{"id":"a"}
no line
`, "2025-11-17", map[string]int{"2025-11-17": 1, "2026-11-20": 1}, 369, [3]int{1, 1, 3}},
		"long ago": {`{"id":"a","ts":"2019-03-01T10:00:00Z"}
{"id":"a","ts":"2019-03-03T10:00:00Z"}
`, "2018-02-26", map[string]int{"2019-03-01": 1, "2019-03-03": 1}, 371, [3]int{}},
		"before 1970": {`{"id":"a","ts":"1969-12-31T23:00:00Z"}
{"id":"a","ts":"1969-01-01T00:00:00Z"}
`, "1968-12-30", map[string]int{"1969-12-31": 1, "1969-01-01": 1}, 367, [3]int{}},
		"only the future": {`{"id":"a","ts":"2031-01-01T00:00:00Z"}
`, "2025-11-17", map[string]int{}, 369, [3]int{0, 1, 0}},
		"no time": {`{"id":"a"}
`, "1970-01-01", map[string]int{}, 0, [3]int{}},
	} {
		t.Run(name, func(t *testing.T) {
			s, ok := bridge.Decode(ledger(t, test.runs).Call(Request("/1/agent")))
			if !ok {
				t.Fatal("the selection cannot be read")
			}
			a, err := New(s, now).Activity(context.Background(), "1")
			if err != nil {
				t.Fatal(err)
			}
			first := time.UnixMicro(a.First).UTC()
			if got := first.Format(time.DateOnly); got != test.first || len(a.Days) != test.length || len(a.Days) > 0 && first.Weekday() != time.Monday {
				t.Errorf("%d days from %s, a %s; want %d from %s", len(a.Days), got, first.Weekday(), test.length, test.first)
			}
			days := map[string]int{}
			for i, d := range a.Days {
				if d != (journal.Day{}) {
					days[first.AddDate(0, 0, i).Format(time.DateOnly)] = d.Lines()
				}
			}
			if diff := cmp.Diff(test.days, days); diff != "" {
				t.Errorf("lines by day (-want +got):\n%s", diff)
			}
			if got := [3]int{a.Before, a.After, a.Timeless}; got != test.off {
				t.Errorf("%v lines before, after and without a time; want %v", got, test.off)
			}
		})
	}
}
