package hidden

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// lookOf is the look of the first element with the class "x" of a page with a style sheet.
func lookOf(t *testing.T, css, page string) Look {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	sheet := Parse(css)
	looks := map[*html.Node]Look{}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		up, ok := looks[n.Parent]
		if !ok {
			up = Page()
		}
		looks[n] = sheet.Enter(n, attr(n, "style"), &up)
		if hasWord(attr(n, "class"), "x", new(int)) {
			return looks[n]
		}
	}
	t.Fatalf("%s has no such element", page)
	return Look{}
}

// TestLook holds what is judged to what a person who looks at the page sees.
func TestLook(t *testing.T) {
	for _, c := range []struct{ css, page, why string }{
		{".x{display:none}", `<p class="x">a`, "display:none"},
		{"", `<p class="x" style="display:none">a`, "display:none"},
		{"", `<p class="x" hidden>a`, "display:none"},
		{"p{display:none}", `<p class="x">a`, "display:none"},
		{"p{display:none}.x{display:block}", `<p class="x">a`, ""},
		{".x{display:block}p{display:none}", `<p class="x">a`, ""},
		{".x{display:block}p{display:none !important}", `<p class="x">a`, "display:none"},
		{"div{visibility:hidden}", `<div><p class="x">a`, "visibility:hidden"},
		{"div{visibility:hidden}p{visibility:visible}", `<div><p class="x">a`, ""},
		{"div{display:none}p{display:block}", `<div><p class="x">a`, "display:none"},
		{"div{opacity:0}", `<div><p class="x">a`, "opacity:0"},
		{"p{opacity:50%}", `<p class="x">a`, ""},
		{"p{font-size:0}", `<p class="x">a`, "font-size:0"},
		{"p{font-size:1px}", `<p class="x">a`, "font-size"},
		{"p{color:#ffffff}", `<p class="x">a`, "same colour"},
		{"p{color:#ffffff;background-color:#000000}", `<p class="x">a`, ""},
		{"div{background-color:#000000}p{color:#ffffff}", `<div><p class="x">a`, ""},
		{"div{background-image:url(a)}p{color:#ffffff}", `<div><p class="x">a`, ""},
		{"p{color:transparent}", `<p class="x">a`, "color:transparent"},
		{":root{--ink:#ffffff}p{color:var(--ink)}", `<p class="x">a`, "same colour"},
		{"p{color:var(--nobody)}", `<p class="x">a`, ""},
		{"@media (max-width:500px){p{display:none}}", `<p class="x">a`, ""},
		{"@media (min-width:500px){p{display:none}}", `<p class="x">a`, "display:none"},
		{"p:not(.x){display:none}", `<p class="x">a`, ""},
		{"p:nth-child(2n+1){display:none}", `<p></p><p class="x">a`, ""},
		{"p:nth-child(2){display:none}", `<p></p><p class="x">a`, "display:none"},
		{"i~p{display:none}", `<i></i><b></b><p class="x">a`, "display:none"},
		{"i+p{display:none}", `<i></i><b></b><p class="x">a`, ""},
	} {
		if got := lookOf(t, c.css, c.page).Why; got != c.why {
			t.Errorf("%s with %s: it is not seen because of %q, want %q", c.page, c.css, got, c.why)
		}
	}
}
