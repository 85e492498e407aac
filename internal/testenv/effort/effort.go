// Package effort measures what a job costs in units of a known piece of work, so that a test can
// hold a job to its kind of growth on any machine: a busy or slow one slows the unit as well. Limits
// in seconds belong to the benchmarks.
package effort

import (
	"encoding/json"
	"sort"
	"strconv"
	"testing"
	"time"
)

// trifle is a time that no unit is measured for: a job that ends within it is within every limit.
const trifle = 400 * time.Millisecond

// Within runs job and fails when it costs more than limit units. It tries twice more before it
// fails, because neighbours slow caches as well; job must give the same result each time. A unit is about a
// tenth of a second of one 2020s server core.
func Within(t testing.TB, limit float64, name string, job func()) {
	t.Helper()
	cost := 0.0
	for range 3 {
		start := Spent(t)
		job()
		took := Spent(t) - start
		if took < trifle {
			return
		}
		if cost = float64(took) / float64(unit(t)); cost <= limit {
			return
		}
	}
	t.Errorf("%s: costs %.1f units of work, at most %.1f are allowed", name, cost, limit)
}

// Units is took in units, measured now.
func Units(t testing.TB, took time.Duration) float64 {
	t.Helper()
	if took < trifle {
		return 0
	}
	return float64(took) / float64(unit(t))
}

// unit does the known work, which uses memory and the collector as parsers do, and gives its cost.
func unit(t testing.TB) time.Duration {
	t.Helper()
	start := Spent(t)
	for range 5 {
		rows := make([]map[string]any, 0, 4000)
		for i := range 4000 {
			rows = append(rows, map[string]any{"id": strconv.Itoa(i * 7919 % 4000), "n": i, "words": []string{"a", "plain", "row"}})
		}
		text, err := json.Marshal(rows)
		if err == nil {
			err = json.Unmarshal(text, &rows)
		}
		if err != nil {
			t.Fatal(err)
		}
		sort.Slice(rows, func(i, j int) bool { return rows[i]["id"].(string) < rows[j]["id"].(string) })
	}
	return max(Spent(t)-start, time.Millisecond)
}
