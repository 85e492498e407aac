package find_test

import (
	"fmt"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
)

// Ask whether a record matches a search.
func ExampleParse() {
	fold := figs.Fold([][]byte{[]byte(`{"id":"pay","type":"sign-off","title":"Pay the invoice of Acme"}`)})
	item := find.Item{File: figs.Asks, ID: "pay", Phase: figs.NeedsYou, Round: 1, At: figs.NoTime, Fold: fold, Folded: find.AppendRecord(nil, fold)}
	for _, text := range []string{"invoice acme", "is:needs type:sign-off", "invoice -acme"} {
		fmt.Println(text+":", find.Parse(text).Match(&item))
	}
	// Output:
	// invoice acme: true
	// is:needs type:sign-off: true
	// invoice -acme: false
}

// Parts that look like a field and are none are searched as words, and noted.
func ExampleQuery() {
	for _, note := range find.Parse("is:need").Notes {
		fmt.Println(note.Field, note.Choices, note.Fix)
	}
	// Output:
	// is [needs waiting open closed in-flight settled] is:needs
}
