package sandbox

import (
	"strings"
	"testing"

	"github.com/figs-web/figs-web/sandbox/report"
)

// A table inside of a paragraph is read in two ways: the document must be read as its author's file is.
func TestDoctypeIsTheAuthors(t *testing.T) {
	const body = "<title>x</title><p>before<table><tr><td>cell</td></tr></table>"
	for _, c := range []struct {
		name, src string
		standard  bool
	}{
		{"a.html", "<!DOCTYPE html>" + body, true},
		{"a.html", "<!-- made by hand --><!doctype HTML>" + body, true},
		{"a.html", `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "about:legacy-compat">` + body, true},
		{"a.html", `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">` + body, true},
		{"a.html", `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">` + body, false},
		{"a.html", `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">` + body, false},
		{"a.html", body, false},
		{"a.md", "| a |\n|---|\n| b |\n", true},
	} {
		r := Render(c.name, []byte(c.src), report.Rendered, report.Hosted())
		if r.View != report.Rendered {
			t.Fatalf("%s: shown as %s: %v", c.src, r.View, r.Notices)
		}
		if got := strings.HasPrefix(string(r.Document), standards); got != c.standard {
			t.Errorf("%s: standard %v, want %v", c.src, got, c.standard)
		}
		inside := strings.Contains(string(r.Document), "before<table>")
		if c.name == "a.html" && inside == c.standard {
			t.Errorf("%s: the table stands elsewhere than its author put it:\n%s", c.src, r.Document)
		}
	}
	if src := Render("a.html", []byte(body), report.Source, report.Hosted()); !strings.HasPrefix(string(src.Document), standards) {
		t.Error("our own documents follow the standard")
	}
}
