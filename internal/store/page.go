package store

// Slice says which part of a list is read: N items after or before a cursor of a Page. The zero value is the first page.
type Slice struct {
	After, Before string // a cursor; one that can't be read is the start of the list
	N             int
}

// Page is a part of a list.
type Page[T any] struct {
	Items      []T
	Prev, Next string // cursors for Slice.Before and Slice.After; "" if there are no such items
	Total      int    // how many items the list has
	AtLeast    bool   // Total isn't exact: there are that many or more
	Searched   int    // RecordQuery.Words: how many documents were looked through, if that isn't all that have the words
}

// MaxCount is up to which number items are counted.
const MaxCount = 1000

// MaxWordMatches is how many documents RecordQuery.Words looks through.
const MaxWordMatches = 5000
