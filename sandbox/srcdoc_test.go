package sandbox

import (
	"strings"
	"testing"

	"github.com/figs-web/figs-web/sandbox/report"
)

// TestSrcdoc holds that links to a place in the document name the frame, and that nothing else changes.
func TestSrcdoc(t *testing.T) {
	const text = `<!doctype html><style>a[href="#x"]{color:red}</style><a id=y title=' href="#x"' href="#x">to x</a> &lt;a href="#x"&gt; <a href="#">top</a><p id=x>x</p>`
	rendered := string(Render("a.html", []byte(text), report.Rendered, report.Offline()).Document)
	want := strings.NewReplacer(` href="#u-x"`, ` href="about:srcdoc#u-x"`, ` href="#"`, ` href="about:srcdoc#"`).Replace(rendered)
	if got := string(Srcdoc([]byte(rendered))); got != want || strings.Count(got, "about:srcdoc#") != 2 {
		t.Errorf("Srcdoc gives\n%s\nwant\n%s", got, want)
	}
	source := Render("a.html", []byte(text), report.Source, report.Offline()).Document
	if got := Srcdoc(source); string(got) != string(source) {
		t.Errorf("the source reads\n%s\nwant\n%s", got, source)
	}
	const cut = `<!doctype html><a href="#x"` // a document always ends; what does not is kept as it is
	if got := string(Srcdoc([]byte(cut))); got != cut {
		t.Errorf("Srcdoc(%q) = %q", cut, got)
	}
}
