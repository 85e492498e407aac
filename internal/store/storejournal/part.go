package storejournal

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/listquery"
	"github.com/figs-web/figs-web/internal/store"
)

// positionIn is a query's position in a list in memory.
func positionIn(q journal.Query) listquery.Query {
	return listquery.Query{After: q.After, Before: q.Before, N: q.Size()}
}

// findingsPart returns the part of a list of findings that a query asks for. Findings have no ids, so a cursor has a hash
// of what the finding says.
func findingsPart[T any](all []T, q journal.Query, finding func(*T) *figs.Finding) (items []T, page journal.Page[figs.Finding]) {
	if len(all) <= q.Size() {
		return all, journal.Page[figs.Finding]{Total: len(all)}
	}
	type row struct {
		id    string
		index int
	}
	rows, repeated := make([]row, len(all)), map[string]int{}
	for i := range all {
		f := finding(&all[i])
		id := store.Hash(fmt.Sprintf("%d %q %q %q %d %d %q", f.Code, f.File, f.Record, f.Pointer, f.Line, f.Column, f.Message))[:16]
		repeated[id]++
		rows[i] = row{id + "." + strconv.Itoa(repeated[id]), i}
	}
	list := listquery.List[row]{ID: func(r *row) string { return r.id }}
	part := list.PageOf(rows, positionIn(q))
	return all[part.From : part.From+len(part.Items)], journal.Page[figs.Finding]{From: part.From, Total: len(all), Prev: part.Prev, Next: part.Next}
}

// longestWaits returns the part that a query asks for of an agent's asks, by how long they have waited, longest first.
// Asks are given by their numbers, of which each is the index of its waiting time.
func longestWaits(costs []int64, q journal.Query) (asks []int, page journal.Page[journal.Ask]) {
	numbers := make([]int, len(costs))
	for i := range numbers {
		numbers[i] = i
	}
	list := listquery.List[int]{
		ID: func(i *int) string { return strconv.Itoa(*i) },
		Columns: []listquery.Column[int]{{Name: "wait", Order: func(i *int) listquery.Key {
			return listquery.Key{Number: -costs[*i], Text: fmt.Sprintf("%010d", *i)}
		}}},
		Default: "wait",
	}
	part := list.Select(numbers, positionIn(q))
	return slices.Clone(part.Items), journal.Page[journal.Ask]{From: part.From, Total: part.Total, Prev: part.Prev, Next: part.Next}
}
