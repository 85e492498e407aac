package components

import (
	"fmt"
	"os"
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
)

// messages are the words that tests name by their lesson.
var messages = pagetest.OpenMessages("testdata/messages.golden", update)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := messages.Close(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}
