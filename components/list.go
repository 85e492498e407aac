package components

import "github.com/figs-web/figs-web/internal/journal"

// turned is the same query at another page.
func turned(q journal.Query, from int) journal.Query {
	q.From = from
	return q
}

// stated is the first page of the same query in another state.
func stated(q journal.Query, state string) journal.Query {
	return journal.Query{Text: q.Text, State: state, Sort: q.Sort, N: q.N}
}

// occupied leaves out filters that would show nothing, unless one is on.
func occupied(all []filter) []filter {
	out := all[:0]
	for i, f := range all {
		if i == 0 || f.count > 0 || f.on {
			out = append(out, f)
		}
	}
	return out
}

// lowered starts a word small, inside a sentence.
func lowered(word string) string {
	if word != "" && word[0] >= 'A' && word[0] <= 'Z' {
		return string(word[0]+'a'-'A') + word[1:]
	}
	return word
}

// capped is as much of a record's list as a page shows.
func capped[S ~[]T, T any](items S) S { return items[:min(len(items), mostItems)] }
