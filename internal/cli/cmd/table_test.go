package cmd

import (
	"strings"
	"testing"
)

// TestListFits: on a terminal no row is wider than it, whatever letters there are; elsewhere nothing is cut.
func TestListFits(t *testing.T) {
	head, rows := []string{"TYPE", "TITLE"}, [][]string{{"ask", strings.Repeat("long ", 40)}, {"job", strings.Repeat("漢", 60)}, {"job", "short"}}
	a := &App{}
	if whole := a.List(head, rows); !strings.Contains(whole, rows[0][1]) || strings.Contains(whole, "…") {
		t.Errorf("without a width something is cut:\n%s", whole)
	}
	a.Width = 40
	for line := range strings.Lines(a.List(head, rows)) {
		if n := Columns(strings.TrimSuffix(line, "\n")); n > 40 {
			t.Errorf("%d columns, want at most 40: %s", n, line)
		}
	}
}
