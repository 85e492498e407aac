package mcp

import "github.com/figs-web/figs-web/internal/journal"

// part chooses a part of a list.
type part struct {
	From  int `json:"from,omitempty" jsonschema:"index of the first item, from 0; pass next from the previous page"`
	Limit int `json:"limit,omitempty" jsonschema:"maximum number of items, from 1 to 200; default: 50"`
}

// query is the part in the words of a journal.
func (p part) query() journal.Query {
	return journal.Query{From: max(0, p.From), N: min(max(0, p.Limit), 200)}
}

// list is a part of a list.
type list[T any] struct {
	Total   int `json:"total" jsonschema:"total number of items"`
	From    int `json:"from"`
	Next    int `json:"next,omitempty" jsonschema:"value of from for the next page; absent on the last page"`
	Items   []T `json:"items"`
	LeftOut int `json:"left_out,omitempty" jsonschema:"number of elements of lists inside these items that did not fit into the result"`
}

// listOf makes the answer of a page of a journal. An item that the budget leaves out begins the next part.
func listOf[T, S any](b *budget, page *journal.Page[S], convert func(*S) T) *list[T] {
	l := &list[T]{Total: page.Total, From: page.From, Items: []T{}}
	for i := range page.Items {
		if i > 0 && b.spent() || i >= mostItems {
			break
		}
		item := convert(&page.Items[i])
		b.fit(&item)
		l.Items = append(l.Items, item)
	}
	if end := page.From + len(l.Items); end < page.Total && len(l.Items) > 0 {
		l.Next = end
	}
	l.LeftOut = b.leftOut
	return l
}

// pageOf is a page of a list that is there as a whole.
func pageOf[S any](all []S, p part) *journal.Page[S] {
	q := p.query()
	from := min(q.From, len(all))
	return &journal.Page[S]{Items: all[from:min(len(all), from+q.Size())], From: from, Total: len(all)}
}
