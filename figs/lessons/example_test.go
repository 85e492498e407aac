package lessons_test

import (
	"fmt"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/lessons"
)

// Explain a rule.
func ExampleOf() {
	code, _ := figs.ParseCode("ask_type_unknown")
	fmt.Println(lessons.Of(code).Title)
	// Output:
	// An ask's type is not one of two
}
