package sandbox

import (
	"strings"
	"testing"

	"github.com/figs-web/figs-web/sandbox/report"
)

// A table inside of a paragraph is read in two ways. Frames without a server read it as the standard says whatever the
// author's doctype is, so all of them must.
func TestStandardsMode(t *testing.T) {
	const body = "<title>x</title><p>before<table><tr><td>cell</td></tr></table>"
	for _, c := range []struct{ name, src string }{
		{"a.html", "<!DOCTYPE html>" + body},
		{"a.html", `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">` + body},
		{"a.html", body},
		{"a.md", "before\n\n| a |\n|---|\n| b |\n"},
	} {
		r := Render(c.name, []byte(c.src), report.Rendered, report.Hosted())
		document := string(r.Document)
		if r.View != report.Rendered || !strings.HasPrefix(document, standards) || !strings.Contains(document, "before</p>") || !strings.Contains(document, "<table>") {
			t.Errorf("%s: shown as %s:\n%s", c.src, r.View, document)
		}
	}
}
