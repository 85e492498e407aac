package figstest_test

import (
	"fmt"

	"github.com/figs-web/figs-web/figs/figstest"
)

// Look at one vector.
func ExampleLoad() {
	v, err := figstest.Load("ask_type_retired_fyi")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", v.Files["asks.jsonl"])
	for _, finding := range v.Findings {
		fmt.Println(finding)
	}
	// Output:
	// {"id": "ask", "type": "fyi", "title": "Which rule?"}
	// error ask_type_retired asks.jsonl:1:23 ask
}
