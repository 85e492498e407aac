package sandbox

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/sandbox/report"
)

func TestHeadings(t *testing.T) {
	for _, c := range []struct {
		name, file, content string
		want                []report.Heading
		body                string
	}{
		{"ids are given where there are none", "a.html", `<h1>Plan</h1><p>x</p><h3 class="b" lang="de">Kosten &amp; <em>Zeit</em></h3>`,
			[]report.Heading{{Level: 1, Text: "Plan", ID: "u-figs-h1"}, {Level: 3, Text: "Kosten & Zeit", ID: "u-figs-h2"}},
			`<h1 id="u-figs-h1">Plan</h1><p>x</p><h3 class="u-b" id="u-figs-h2" lang="de">`},
		{"an own id stays", "a.html", `<h2 id="risks">Risks</h2>`, []report.Heading{{Level: 2, Text: "Risks", ID: "u-risks"}}, `<h2 id="u-risks">Risks</h2>`},
		{"markdown", "a.md", "# One\n\n## Two *three*\n\n## Two *three*\n",
			[]report.Heading{{Level: 1, Text: "One", ID: "u-one"}, {Level: 2, Text: "Two three", ID: "u-two-three"}, {Level: 2, Text: "Two three", ID: "u-two-three-1"}}, `<h1 id="u-one">`},
		{"an id that another element has first", "a.html", `<p id="a">x</p><h1 id="a">A</h1><p id="figs-h2">y</p><h2>B</h2>`,
			[]report.Heading{{Level: 1, Text: "A"}, {Level: 2, Text: "B"}}, `<h2>B</h2>`},
		{"empty ones, breaks and white space", "a.html", "<h1> </h1><h2>a<br>b\n\t c</h2>", []report.Heading{{Level: 2, Text: "a b c", ID: "u-figs-h2"}}, `<h2 id="u-figs-h2">`},
		{"what is removed is in no heading", "a.html", `<h1>a<script>b</script><button>c</button></h1>`, []report.Heading{{Level: 1, Text: "a", ID: "u-figs-h1"}}, `<h1 id="u-figs-h1">`},
		{"markup stays text", "a.html", `<h1>&lt;b onclick=x&gt;"'</h1>`, []report.Heading{{Level: 1, Text: `<b onclick=x>"'`, ID: "u-figs-h1"}}, `<h1 id="u-figs-h1">&lt;b`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Render(c.file, []byte(c.content), report.Rendered, report.Hosted())
			if !slices.Equal(r.Headings, c.want) {
				t.Errorf("headings\n got %+v\nwant %+v", r.Headings, c.want)
			}
			if !strings.Contains(string(r.Document), c.body) {
				t.Errorf("%s\nlacks %s", withoutHead(string(r.Document)), c.body)
			}
			checkTwice(t, string(r.Document))
		})
	}
}

// TestHeadingsBounded has a document with more headings than are listed, one of them very long.
func TestHeadingsBounded(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "<h1>%s</h1>", strings.Repeat("é ", 5000))
	for i := range 2 * report.MaxItems {
		fmt.Fprintf(&b, "<h2>%d</h2>", i)
	}
	r := Render("a.html", []byte(b.String()), report.Rendered, report.Hosted())
	if len(r.Headings) != report.MaxItems || r.More.Headings != report.MaxItems+1 {
		t.Errorf("%d headings and %d more", len(r.Headings), r.More.Headings)
	}
	checkLists(t, r)
	if n := bytes.Count(r.Document, []byte(" id=")); n != report.MaxItems {
		t.Errorf("%d ids", n)
	}
}

// TestHeadingsOfOtherViews has no outline where the document is not the report's own markup.
func TestHeadingsOfOtherViews(t *testing.T) {
	for _, view := range []report.View{report.Source, report.Text, report.HiddenTextView} {
		if r := Render("a.md", []byte("# a\n"), view, report.Hosted()); r.Headings != nil {
			t.Errorf("%s: %+v", view, r.Headings)
		}
	}
	if r := Render("a.html", []byte("<h1>a</h1>"), report.Rendered, report.Limits{Input: 100, HTML: 100, Depth: 9, Elements: 9, Output: 10}); r.View == report.Rendered || r.Headings != nil {
		t.Errorf("a document that is too large: %s, %+v", r.View, r.Headings)
	}
}
