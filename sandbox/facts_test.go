package sandbox

import (
	"testing"

	"github.com/figs-web/figs-web/sandbox/report"
)

// TestFacts holds that facts come with every view, and of pictures their size.
func TestFacts(t *testing.T) {
	for name, want := range map[string]string{"a.gif": "pixels", "a.csv": "rows", "a.txt": "lines"} {
		content := []byte("a,b\n1,2\n")
		if name == "a.gif" {
			content = gif
		}
		found := false
		for _, f := range Render(name, content, report.Source, report.Hosted()).Facts {
			found = found || f.Name == want
		}
		if !found {
			t.Errorf("%s: no fact %q", name, want)
		}
	}
}
