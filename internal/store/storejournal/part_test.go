package storejournal

import (
	"fmt"
	"slices"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// TestFindingsPart walks through findings, some of which say the same, forwards and back.
func TestFindingsPart(t *testing.T) {
	all := make([]figs.Finding, 23)
	for i := range all {
		all[i] = figs.Finding{File: "runs.jsonl", Record: fmt.Sprint(i / 3)}
	}
	self := func(f *figs.Finding) *figs.Finding { return f }
	var walked []figs.Finding
	q := journal.Query{N: 5}
	for {
		items, page := findingsPart(all, q, self)
		if page.From != len(walked) || page.Total != len(all) {
			t.Fatalf("page from %d of %d after %d", page.From, page.Total, len(walked))
		}
		walked = append(walked, items...)
		if page.Prev != "" {
			before, _ := findingsPart(all, journal.Query{N: 5, Before: page.Prev}, self)
			if !slices.EqualFunc(before, all[page.From-5:page.From], func(a, b figs.Finding) bool { return a.Record == b.Record }) {
				t.Errorf("before %d: %v", page.From, before)
			}
		}
		if q.After = page.Next; q.After == "" || len(walked) > len(all) {
			break
		}
	}
	if len(walked) != len(all) {
		t.Errorf("walked through %d of %d", len(walked), len(all))
	}
	for _, cursor := range []string{"x", "0..Z29uZQ"} {
		if _, page := findingsPart(all, journal.Query{N: 5, After: cursor}, self); page.From != 0 {
			t.Errorf("after %q: the page from %d, want the first", cursor, page.From)
		}
	}
}

// TestLongestWaitsPart tests that asks with equal waits are each on one page, and that a wait that grows moves only its ask.
func TestLongestWaitsPart(t *testing.T) {
	costs := []int64{5, 7, 5, 5, 9, 0, 5}
	var walked []int
	q := journal.Query{N: 2}
	for {
		asks, page := longestWaits(costs, q)
		walked = append(walked, asks...)
		if q.After = page.Next; q.After == "" || len(walked) > len(costs) {
			break
		}
		costs[4]++ // shown already
	}
	if want := []int{4, 1, 0, 2, 3, 6, 5}; !slices.Equal(walked, want) {
		t.Errorf("walked through %v, want %v", walked, want)
	}
}
