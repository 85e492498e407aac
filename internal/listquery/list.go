package listquery

import (
	"slices"
	"strings"
)

// Column is what a list knows of its rows.
type Column[T any] struct {
	Name   string          // in filters, orders and files: "role"
	Kind   Kind            // how filters compare
	Text   func(*T) string // the value in words, for filters and files; nil for a column that has none
	Number func(*T) int64  // the value of a Number or Time column
	Order  func(*T) Key    // what rows are ordered by; nil for the value
}

// key is what rows are ordered by in this column.
func (c *Column[T]) key(row *T) Key {
	switch {
	case c.Order != nil:
		return c.Order(row)
	case c.Number != nil:
		return Key{Number: c.Number(row)}
	}
	text := strings.ToLower(c.Text(row))
	return Key{Text: text[:min(len(text), 200)]}
}

// hasValue reports whether a filter can use the column.
func (c *Column[T]) hasValue() bool { return c.Number != nil || c.Text != nil }

// Sortable reports whether rows can be ordered by the column.
func (c *Column[T]) Sortable() bool { return c.Order != nil || c.hasValue() }

// List is a list in memory.
type List[T any] struct {
	ID      func(*T) string // of a row, unique
	Columns []Column[T]
	Default string // Query.Sort of the list's own order
}

// Page is a part of a list.
type Page[T any] struct {
	Items      []T
	From       int    // how many rows are before Items
	Total      int    // how many rows the filter leaves
	All        int    // how many rows there are
	Prev, Next string // cursors for Query.Before and Query.After; "" if there are no such rows
	Unknown    []string
}

// Names returns the names of the columns that a filter can use.
func (l *List[T]) Names() (names []string) {
	for i := range l.Columns {
		if c := &l.Columns[i]; c.hasValue() {
			names = append(names, c.Name)
		}
	}
	return names
}

// column returns the column with a name, or nil.
func (l *List[T]) column(name string) *Column[T] {
	for i := range l.Columns {
		if c := &l.Columns[i]; c.Name == name && c.Sortable() {
			return c
		}
	}
	return nil
}

// Select filters, orders and cuts rows, which it doesn't change.
func (l *List[T]) Select(rows []T, q Query) Page[T] {
	sorted, unknown := l.Filtered(rows, q)
	page := l.PageOf(sorted, q)
	page.All, page.Unknown = len(rows), unknown
	return page
}

// PageOf returns the page of a query from rows that Filtered returned.
func (l *List[T]) PageOf(sorted []T, q Query) Page[T] {
	page := Page[T]{Total: len(sorted), All: len(sorted)}
	n := q.Size()
	from := 0
	if c, ok := ParseCursor(q.After); ok {
		from = l.place(sorted, q, c, 1)
	} else if c, ok := ParseCursor(q.Before); ok {
		from = max(0, l.place(sorted, q, c, 0)-n)
	}
	to := min(from+n, len(sorted))
	page.From, page.Items = from, sorted[from:to]
	if from > 0 && len(page.Items) > 0 {
		page.Prev = l.cursor(&page.Items[0], q)
	} else if from > 0 { // everything behind the cursor is gone
		page.Prev = q.After
	}
	if to < len(sorted) && to > 0 {
		page.Next = l.cursor(&sorted[to-1], q)
	}
	return page
}

// Filtered returns the rows that the filter leaves, in order, and the fields of the filter that the list doesn't have.
func (l *List[T]) Filtered(rows []T, q Query) (kept []T, unknown []string) {
	f := ParseFilter(q.Filter, l.Names())
	for i := range rows {
		if l.matches(&rows[i], f.Terms) {
			kept = append(kept, rows[i])
		}
	}
	if c, descending := l.order(q); c != nil {
		kept = l.sorted(kept, c, descending)
	}
	return kept, f.Unknown
}

// sorted returns rows in the order of a column.
func (l *List[T]) sorted(rows []T, c *Column[T], descending bool) []T {
	type place struct {
		Cursor
		row int
	}
	places := make([]place, len(rows))
	for i := range rows {
		places[i] = place{Cursor{c.key(&rows[i]), l.ID(&rows[i])}, i}
	}
	slices.SortFunc(places, func(a, b place) int { return l.compare(a.Cursor, b.Cursor, descending) })
	all := make([]T, len(rows))
	for i, p := range places {
		all[i] = rows[p.row]
	}
	return all
}

// order is the column that a query orders by; nil for a list without an order.
func (l *List[T]) order(q Query) (c *Column[T], descending bool) {
	name, descending := q.Order()
	if c := l.column(name); c != nil {
		return c, descending
	}
	name, descending = Query{Sort: l.Default}.Order()
	return l.column(name), descending
}

// compare orders places. Rows with equal keys are always in the order of their ids.
func (l *List[T]) compare(a, b Cursor, descending bool) int {
	x := a.Key.compare(b.Key)
	if descending {
		x = -x
	}
	if x == 0 {
		x = strings.Compare(a.ID, b.ID)
	}
	return x
}

func (l *List[T]) cursor(row *T, q Query) string {
	c, _ := l.order(q)
	if c == nil {
		return Cursor{ID: l.ID(row)}.String()
	}
	return Cursor{c.key(row), l.ID(row)}.String()
}

// place returns the index of the first row that is at the cursor or behind it; with beyond 1, the first behind it.
func (l *List[T]) place(sorted []T, q Query, at Cursor, beyond int) int {
	c, descending := l.order(q)
	i := slices.IndexFunc(sorted, func(row T) bool {
		if c == nil {
			return l.ID(&row) == at.ID
		}
		return l.compare(Cursor{c.key(&row), l.ID(&row)}, at, descending) >= 0
	})
	switch {
	case i < 0 && c == nil: // a row of a list without an order that is gone
		return 0
	case i < 0:
		return len(sorted)
	case l.ID(&sorted[i]) == at.ID:
		return i + beyond
	}
	return i
}

// matches reports whether all terms are true of a row.
func (l *List[T]) matches(row *T, terms []Term) bool {
	for _, t := range terms {
		if l.matchesTerm(row, t) == t.Not {
			return false
		}
	}
	return true
}

func (l *List[T]) matchesTerm(row *T, t Term) bool {
	for i := range l.Columns {
		c := &l.Columns[i]
		if !c.hasValue() || t.Field == "" && c.Kind == Flags || t.Field != "" && t.Field != c.Name {
			continue
		}
		text, number, kind := "", int64(0), c.Kind
		if c.Text != nil {
			text = c.Text(row)
		}
		if c.Number != nil {
			number = c.Number(row)
		}
		if t.Field == "" {
			kind = Text // a word may be part of any column's words
		}
		if (t.Field != "" || text != "") && kind.matches(text, number, t.Value) {
			return true
		}
	}
	return false
}

// Cut makes a page of rows that a database selected for a query: as many as fit on a page and one more, if there are so
// many, in the order of the list; for Query.Before, the ones next to the cursor. The rows aren't counted.
func Cut[T any](q Query, rows []T, place func(*T) Cursor) Page[T] {
	page := Page[T]{Items: rows, Total: -1}
	more, n := len(rows) > q.Size(), q.Size()
	_, back := ParseCursor(q.Before)
	_, on := ParseCursor(q.After)
	switch {
	case more && back:
		page.Items = rows[len(rows)-n:]
	case more:
		page.Items = rows[:n]
	}
	if len(page.Items) == 0 {
		if on {
			page.Prev = q.After // everything behind the cursor is gone
		}
		return page
	}
	if on || back && more {
		page.Prev = place(&page.Items[0]).String()
	}
	if back || more {
		page.Next = place(&page.Items[len(page.Items)-1]).String()
	}
	return page
}
