package ui

import (
	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/internal/journal"
)

// FromItem is the same query at another page.
func FromItem(q journal.Query, from int) journal.Query {
	q.From = from
	return q
}

// InState is the first page of the same query in another state.
func InState(q journal.Query, state string) journal.Query {
	return journal.Query{Text: q.Text, State: state, Sort: q.Sort, N: q.N}
}

// FiltersWithItems leaves out filters that would show nothing, unless one is on.
func FiltersWithItems(all []Filter) []Filter {
	out := all[:0]
	for i, f := range all {
		if i == 0 || f.Count > 0 || f.On {
			out = append(out, f)
		}
	}
	return out
}

// LowerFirst starts a word small, inside a sentence.
func LowerFirst(word string) string {
	if word != "" && word[0] >= 'A' && word[0] <= 'Z' {
		return string(word[0]+'a'-'A') + word[1:]
	}
	return word
}

// FirstItems is as much of a record's list as a page shows.
func FirstItems[S ~[]T, T any](items S) S { return items[:min(len(items), agenttext.MostItems)] }
