package pages_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
)

var update = flag.Bool("update", false, "write testdata/messages.golden again")

// messages are what pages tell people, by case.
var messages = pagetest.OpenMessages("testdata/messages.golden", update)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := messages.Close(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}
