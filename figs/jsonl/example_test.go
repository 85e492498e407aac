package jsonl_test

import (
	"fmt"

	"github.com/figs-web/figs-web/figs/jsonl"
)

// Walk through the members of an object, in the order in which they are written. Values keep their bytes.
func ExampleWalk() {
	v, _, ok := jsonl.Parse([]byte(`{"id":"pay","amount":240.00,"to":null}`))
	fmt.Println(ok)
	for c := jsonl.Walk(v); c.Next(); {
		fmt.Printf("%s %s\n", jsonl.AppendText(nil, c.Key), c.Value.Raw)
	}
	// Output:
	// true
	// id "pay"
	// amount 240.00
	// to null
}
