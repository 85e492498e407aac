package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

// TestStepsFollowTheMakefile keeps stepOf true: every step it knows is a line of the Makefile's recipes, in order.
func TestStepsFollowTheMakefile(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(testenv.Root(t), "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("$(BUILD)", "go build", "$(ENGINE)", "go build", "$(READER)", "go build").Replace(string(data))
	steps := map[string]bool{}
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "\t") {
			steps[stepOf(line)] = true
		}
	}
	for _, want := range []string{"build engine and reader", "assemble the inspector", "build the server"} {
		if !steps[want] {
			t.Errorf("no recipe of the Makefile begins the step %q: stepOf or the Makefile has changed", want)
		}
	}
	if got := stepOf("figs-web is open at http://127.0.0.1:8080"); got != "first answer of GET /inspect" {
		t.Errorf("stepOf(the address) = %q", got)
	}
	if got := stepOf("go: downloading example.com v1"); got != "" {
		t.Errorf("stepOf(a line that begins nothing) = %q, want none", got)
	}
}
