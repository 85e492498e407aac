package hidden

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// verdictOf is the verdict on the first element with the class "x" of a page with a style sheet.
func verdictOf(t *testing.T, css, page string) Verdict {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	sheets := Read(css)
	looks := map[*html.Node]Looks{}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		up, ok := looks[n.Parent]
		if !ok {
			up = sheets.Page()
		}
		looks[n] = sheets.Enter(n, attr(n, "style"), up)
		if hasWord(attr(n, "class"), "x", new(int)) {
			return sheets.Judge(looks[n])
		}
	}
	t.Fatalf("%s has no such element", page)
	return Verdict{}
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
		{"p{color:#ffffff}", `<p class="x">a`, "white on white"},
		{"p{color:#ffffff;background-color:#000000}", `<p class="x">a`, ""},
		{"div{background-color:#000000}p{color:#ffffff}", `<div><p class="x">a`, ""},
		{"div{background-image:url(a)}p{color:#ffffff}", `<div><p class="x">a`, "? background"},
		{"p{color:transparent}", `<p class="x">a`, "color:transparent"},
		{":root{--ink:#ffffff}p{color:var(--ink)}", `<p class="x">a`, "white on white"},
		{"p{color:var(--nobody)}", `<p class="x">a`, ""},
		{"@media (max-width:999px){p{display:none}}", `<p class="x">a`, "display:none below 1,000 px"},
		{"@media (min-width:500px){p{display:none}}", `<p class="x">a`, "display:none from 500 px"},
		{"@media (min-width:500px) and (max-width:40em){p{display:none}}", `<p class="x">a`, "display:none between 500 and 640 px"},
		{"@media (min-width:500px){p{display:none}}@media (max-width:499px){p{opacity:0}}", `<p class="x">a`, "opacity:0"},
		{"@media (max-width:200px){p{display:none}}@media (min-width:1600px){p{display:none}}", `<p class="x">a`, ""},
		// Colours in all notations, near ones, layers of opacity.
		{"", `<p class="x" style="color:hsl(0 0% 100%)">a`, "white on white"},
		{"", `<p class="x" style="color:oklch(100% 0 0)">a`, "white on white"},
		{"", `<p class="x" style="color:color-mix(in srgb,white,white)">a`, "white on white"},
		{"", `<p class="x" style="--w:#fff;color:var(--w)">a`, "white on white"},
		{"div{--w:#fff}p{color:var(--w)}", `<div><p class="x">a`, "white on white"},
		{"", `<p class="x" style="-webkit-text-fill-color:hsl(0 0% 100%)">a`, "white on white"},
		{"p{background:#888;color:#888}", `<p class="x">a`, "#888888 on #888888"},
		{"p{color:#e8e8e8}", `<p class="x">a`, "#e8e8e8 on white"},
		{"p{color:cornsilk}", `<p class="x">a`, "#fff8dc on white"},
		{"p{color:#595959}", `<p class="x">a`, ""},
		{"p{opacity:.11}", `<p class="x">a`, "opacity"},
		{"div{opacity:.3}p{opacity:.3}", `<div><p class="x">a`, "opacity"},
		{"div{background:#000;opacity:.5}p{color:#fff}", `<div><p class="x">a`, ""},
		{"p{color:rgb(from red r g b)}", `<p class="x">a`, "? colour"},
		{"p{color:rgb(0 0 0 / 5%)}", `<p class="x">a`, "#f2f2f2 on white"},
		// Grounds.
		{"div{background:linear-gradient(#667eea,#764ba2)}p{color:#fff}", `<div><p class="x">a`, ""},
		{"p{background:linear-gradient(#fff,#fff);color:#fff}", `<p class="x">a`, "white on white"},
		{"p{background:linear-gradient(#000,#000) no-repeat 0 0/0 0;color:#fff}", `<p class="x">a`, "? background"},
		{"p{background:linear-gradient(#000,#fff);color:#777}", `<p class="x">a`, "? background"},
		{"p{background:#000;color:#fff;height:0}", `<p class="x">a`, "? background"},
		{"h1{background:linear-gradient(red,blue);background-clip:text;color:transparent}", `<h1 class="x">a`, ""},
		{"h1{background:#fff;background-clip:text;color:transparent}", `<h1 class="x">a`, "white on white"},
		{"p{color:#fff;text-shadow:0 0 2px #000}", `<p class="x">a`, "? text-shadow"},
		// Places.
		{"", `<p class="x" style="position:absolute;left:-200ch">a`, "text off the page"},
		{"", `<p class="x" style="text-indent:calc(-1px*9999)">a`, "text off the page"},
		{"", `<p class="x" style="margin-left:-200in">a`, "text off the page"},
		{"", `<p class="x" style="position:absolute;left:-200vmax">a`, "text off the page"},
		{"", `<p class="x" style="position:absolute;inset-inline-start:-900px">a`, "text off the page"},
		{"", `<span class="x" style="vertical-align:-900px">a`, "text off the page"},
		{"", `<p class="x" style="position:absolute;color:#fff">a`, "? background"},
		// Sizes.
		{"", `<p class="x" style="font:0/0 a">a`, "font-size:0"},
		{"", `<p class="x" style="font-size:2.2px">a`, "font-size"},
		{"", `<p class="x" style="font-size:clamp(1rem,2vw,2rem)">a`, ""},
		{"", `<p class="x" style="line-height:0;overflow:hidden">a`, "clip"},
		{"", `<div style="overflow:auto;height:2px"><p class="x">a`, "clip"},
		{"", `<p class="x" style="max-height:0;padding:1px;overflow:hidden">a`, "clip"},
		{"", `<p class="x" style="max-height:0;padding-bottom:30px;overflow:hidden">a`, ""},
		{"", `<div style="display:grid;grid-template-rows:0fr"><p class="x">a`, "? grid"},
		{"", `<div style="display:grid;grid-template-columns:minmax(0,1fr) 2fr"><p class="x">a`, ""},
		{"p:not(.x){display:none}", `<p class="x">a`, ""},
		{"p:nth-child(2n+1){display:none}", `<p></p><p class="x">a`, ""},
		{"p:nth-child(2){display:none}", `<p></p><p class="x">a`, "display:none"},
		{"i~p{display:none}", `<i></i><b></b><p class="x">a`, "display:none"},
		{"i+p{display:none}", `<i></i><b></b><p class="x">a`, ""},
	} {
		v := verdictOf(t, c.css, c.page)
		if v.Unjudged {
			v.Why = "? " + v.Why
		}
		if v.Why != c.why {
			t.Errorf("%s with %s: the verdict is %q, want %q", c.page, c.css, v.Why, c.why)
		}
	}
}
