package sandbox

import (
	"encoding/base64"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/report"
)

func TestDigits(t *testing.T) {
	for v, want := range map[string]string{
		"": "", "12": "12", "120px": "120", "50%": "50%", "50.5%": "50%", "0.5": "0", "12.px": "12", "px": "", "%": "%", ".5%": "%", "09": "09", "1/2": "1", "1:2": "1",
	} {
		if got := digits(v); got != want {
			t.Errorf("digits(%q) = %q, want %q", v, got, want)
		}
	}
}

func TestNamed(t *testing.T) {
	longest := strings.Repeat("a", 120)
	for list, want := range map[string]string{"a  b": "u-a u-b", "u-a": "u-a", "a<b c": "u-c", longest: "u-" + longest, longest + "a": "", "": ""} {
		if got := named(list); got != want {
			t.Errorf("named(%q) = %q, want %q", list, got, want)
		}
	}
}

func TestWithClass(t *testing.T) {
	for before, want := range map[string]string{"-": "x", "": " x", "a": "a x", "x": "x", "a x b": "a x b", "xx": "xx x"} {
		attrs := []html.Attribute{{Key: "id", Val: "i"}, {Key: "class", Val: before}}
		if before == "-" {
			attrs = attrs[:1]
		}
		if got := withClass(attrs, "x"); len(got) != 2 || got[1] != (html.Attribute{Key: "class", Val: want}) || got[0].Val != "i" {
			t.Errorf("withClass(%q) = %v, want %q", before, got, want)
		}
	}
}

// A link is listed with its words: those of pictures too, those of scripts and styles not, and not more than fit.
func TestTextOf(t *testing.T) {
	for in, want := range map[string]string{
		"a<b>b</b>c": "abc", `a<img alt="p" src=x>b`: "apb", `a<b alt="p">b</b>`: "ab", "a<style>x</style><script>y</script>b": "ab", strings.Repeat("x", 500): strings.Repeat("x", 400),
		strings.Repeat("x", 400) + "<b>y</b><i>z</i>": strings.Repeat("x", 400) + "y", strings.Repeat("<i></i>", 998) + "x": "x", strings.Repeat("<i></i>", 999) + "x": "",
	} {
		doc, err := html.Parse(strings.NewReader("<body><p>" + in))
		if err != nil {
			t.Fatal(err)
		}
		if got := textOf(doc.LastChild.LastChild.FirstChild); got != want {
			t.Errorf("textOf(%.60q) has %d bytes: %.60q, want %.60q", in, len(got), got, want)
		}
	}
}

// What an element that goes would have loaded, and where it would have led, is told.
func TestGone(t *testing.T) {
	for in, want := range map[string]string{
		`<iframe src=https://h.example>`:                                                                 "h.example",
		`<object data=https://h.example></object>`:                                                       "h.example",
		`<link href=https://h.example>`:                                                                  "h.example",
		`<base href=https://h.example>`:                                                                  "> h.example",
		`<map><area href=https://h.example></map>`:                                                       "> h.example",
		`<form action=https://h.example></form>`:                                                         "> h.example",
		`<form><button formaction=https://h.example></form>`:                                             "> h.example",
		`<video poster=https://h.example></video>`:                                                       "h.example",
		`<img src=x srcset="https://h.example/1 1x,https://i.example/2 2x">`:                             "h.example i.example",
		"<img srcset='https://h.example/1\nhttps://i.example/2\thttps://j.example/3 https://k.example'>": "h.example i.example j.example k.example",
		`<video src=https://h.example></video>`:                                                          "h.example",
		`<object href=https://h.example></object>`:                                                       "",
		`<a ping="https://h.example https://i.example" href=#x>a</a>`:                                    "h.example i.example",
		`<a href=https://h.example>a</a>`:                                                                "> h.example",
		`<p background=https://h.example>`:                                                               "h.example",
		`<blockquote cite=https://h.example>a</blockquote>`:                                              "> h.example",
		`<meta http-equiv=refresh content="0; URL='https://h.example'">`:                                 "> h.example",
		`<meta http-equiv=refresh content=5>`:                                                            "",
		`<meta http-equiv=set-cookie content="url=https://h.example">`:                                   "",
		`<meta http-equiv=content-type content="url=https://h.example">`:                                 "",
		`<meta name=x content="url=https://h.example">`:                                                  "",
	} {
		r := render("a.html", in)
		var got []string
		for _, h := range r.Hosts {
			got = append(got, h.Name)
		}
		for _, l := range r.Links {
			if l.Host != "" {
				got = append(got, "> "+l.Host)
			}
		}
		if told := strings.Join(got, " "); told != want {
			t.Errorf("%s: told %q, want %q", in, told, want)
		}
	}
}

// What is a redirect is counted, and what only describes the document is not.
func TestMeta(t *testing.T) {
	for equiv, want := range map[string]int{"": 0, "content-type": 0, " Content-Language ": 0, "x-ua-compatible": 0, "refresh": 1, "content-security-policy": 1, "SET-COOKIE": 1} {
		if got := render("a.html", `<meta http-equiv="`+equiv+`" content=x>a`).Removes(report.Redirects); got != want {
			t.Errorf("%q: %d redirects removed, want %d", equiv, got, want)
		}
	}
}

func TestCheckmark(t *testing.T) {
	for in, want := range map[string]string{
		`<input type=checkbox>`: "☐", `<input type=CHECKBOX checked>`: "☑", `<input type=radio>`: "○", `<input type=radio checked>`: "◉", `<input checked>`: "", `<button type=checkbox checked>`: "", `<input type=text>`: "",
	} {
		n := &html.Node{Type: html.ElementNode}
		z := html.NewTokenizer(strings.NewReader(in))
		z.Next()
		token := z.Token()
		n.Data, n.Attr = token.Data, token.Attr
		if got := checkmark(n); got != want {
			t.Errorf("checkmark(%s) = %q, want %q", in, got, want)
		}
	}
	if got := body(t, render("a.html", `<form><input type=checkbox></form>a`)); strings.Contains(got, "☐") {
		t.Errorf("inside of what is not shown: %s", got)
	}
	if got := render("a.md", "- [x] a\n- [ ] b\n"); got.Removes(report.Forms) != 0 || !strings.Contains(string(got.Document), "☑") {
		t.Errorf("a task list: %d forms removed", got.Removes(report.Forms))
	}
}

func TestPictureAddresses(t *testing.T) {
	for src, want := range map[string]report.RemovalKind{"": "", " ": "", "javascript:x": report.Scripts, "vbscript:x": report.Scripts, "https://h.example/a": report.Loads, "a.png": report.Loads, "data:text/html,x": report.Data} {
		r := render("a.html", `<img src="`+src+`">`)
		for _, what := range []report.RemovalKind{report.Scripts, report.Loads, report.Data} {
			if got := r.Removes(what); (got == 1) != (what == want) {
				t.Errorf("a picture from %q: %d %s removed, want %q", src, got, what, want)
			}
		}
	}
}

// Rules for svg elements become rules for the images that stand for them, in selectors alone.
func TestRetarget(t *testing.T) {
	const image = "img:where(." + svgClass + ")"
	for css, want := range map[string]string{
		"p{a:b}": "p{a:b}", "svg{a:b}": image + "{a:b}", "p svg,svg p{a:b}": "p " + image + "," + image + " p{a:b}", ".svg{a:b}": ".svg{a:b}", "#svg{a:b}": "#svg{a:b}", "svg-x{a:b}": "svg-x{a:b}", "svgs{a:b}": "svgs{a:b}", "xsvg{a:b}": "xsvg{a:b}",
		"svg1{a:b}": "svg1{a:b}", "svg_{a:b}": "svg_{a:b}", `\svg{a:b}`: `\svg{a:b}`, "Àsvg{a:b}": "Àsvg{a:b}", "svgé{a:b}": "svgé{a:b}", "p{a:svg}": "p{a:svg}", "p{a:b}svg{a:b}": "p{a:b}" + image + "{a:b}", `p[x="svg"]{a:b}`: `p[x="svg"]{a:b}`,
		`p[x='"']svg{a:b}`: `p[x='"']svg{a:b}`[:8] + image + "{a:b}", "@media x{svg{a:b}}": "@media x{" + image + "{a:b}}", "svg": image, "svgz{a:b}": "svgz{a:b}", "svga{a:b}": "svga{a:b}", "svg0{a:b}": "svg0{a:b}", "svg9{a:b}": "svg9{a:b}", "svgZ{a:b}": "svgZ{a:b}",
	} {
		if got := retarget(css); got != want {
			t.Errorf("retarget(%s) = %s, want %s", css, got, want)
		}
	}
}

func TestBodyFont(t *testing.T) {
	for css, want := range map[string]string{
		"body{font-family:A}": "A", "html{x:y;font-family:A!important}": "A", "*{font-family:A;x:y}": "A", ":root{font-family:A}": "A", "p{}body{font-family:A}": "A", "p,body{font-family:A}": "A", "p body{font-family:A}": "",
		"body{x:y}p{font-family:A}": "", "body{font-family:A}body{font-family:B}": "B", "": "", "xbody{font-family:A}": "",
	} {
		if got := bodyFont(css); got != want {
			t.Errorf("bodyFont(%s) = %q, want %q", css, got, want)
		}
	}
}

func TestDrawingInMarkup(t *testing.T) {
	const drawing = `<svg width=10 height=10 class=a><rect width=5 height=5 /><text>word</text></svg>`
	got := body(t, render("a.html", drawing))
	for _, part := range []string{"<img ", `class="u-a ` + svgClass + `"`, `width="10"`, `height="10"`, `src="data:image/svg+xml`, `alt="word"`} {
		if !strings.Contains(got, part) {
			t.Errorf("a drawing became %s, which lacks %s", got, part)
		}
	}
	if got := body(t, render("a.html", "<form>"+drawing+"</form>a")); strings.Contains(got, "<img") {
		t.Errorf("a drawing in what is not shown became %.200s", got)
	}
	if got := withWords("A.", ""); got != "A." {
		t.Errorf("withWords = %q", got)
	}
}

// A link to a place in the document has a bounded name.
func TestFragmentIsBounded(t *testing.T) {
	for length, kept := range map[int]bool{1: true, 296: true, 297: false, 5000: false} {
		id := strings.Repeat("a", length)
		if got := body(t, render("a.html", `<a href="#`+id+`">x</a>`)); strings.Contains(got, `href="#u-`+id+`"`) != kept {
			t.Errorf("a name of %d bytes: kept %v, want %v", length, !kept, kept)
		}
	}
}

// drawingOf is the first drawing of a document, as it is written.
func drawingOf(t *testing.T, r *report.Result) string {
	t.Helper()
	_, after, found := strings.Cut(body(t, r), "data:image/svg+xml;base64,")
	text, err := base64.StdEncoding.DecodeString(until(after, `"`))
	if !found || err != nil {
		t.Fatalf("no drawing: %v in %.300s", err, r.Document)
	}
	return string(text)
}

// A drawing takes the colour and the rules of its page along.
func TestDrawingTakesItsPage(t *testing.T) {
	const drawing = `<svg width=10 height=10><rect class=a width=5 height=5 fill=currentColor /></svg>`
	plain := drawingOf(t, render("a.html", drawing))
	for in, part := range map[string]string{`<div style="color:#ff0000">` + drawing + `</div>`: "#ff0000", `<style>.a{opacity:.5}</style>` + drawing: "opacity:"} {
		if got := drawingOf(t, render("a.html", in)); !strings.Contains(got, part) || strings.Contains(strings.ReplaceAll(plain, unplaced, ""), part) {
			t.Errorf("%s: the drawing is %s, which lacks %s; by itself %s", in, got, part, plain)
		}
	}
}

// Of what is not shown only the outermost leaves a box, and declarations that are harmless stay.
func TestBoxesAndStyles(t *testing.T) {
	if got, want := body(t, render("a.html", `<form><iframe></iframe><video></video></form>a`)), box("A form was removed here.")+"a"; got != want {
		t.Errorf("a frame in a form became %s, want %s", got, want)
	}
	if got := render("a.html", `<iframe src=https://h.example></iframe>`); got.Removes(report.Frames) != 1 || got.Removes(report.Loads) != 0 {
		t.Errorf("a frame counts as %+v", got.Removed)
	}
	if got := body(t, render("a.html", `<p style="text-align:center">a</p>`)); !strings.Contains(got, `style="text-align:center"`) {
		t.Errorf("a style attribute became %s", got)
	}
}

// The view of the text has the words that the picture shows, each once and in its place.
func TestTextView(t *testing.T) {
	for in, want := range map[string]string{
		`<img alt="its words" src="data:image/svg+xml;base64,` + base64.StdEncoding.EncodeToString([]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="5" height="5"/></svg>`)) + `">`: "its words",
		`<p>a<input type=checkbox>b</p>`: "a☐b", "<div>a<dialog>x</dialog>b</div>": "a\n", `<p>a<img alt="" src=x>b</p>`: "ab", `<p>a<script>x</script>b</p>`: "ab",
	} {
		r := Render("a.html", []byte(in), report.Text, report.Hosted())
		if got := body(t, r); !strings.Contains(got, want) {
			t.Errorf("%s: the text view is %s, want %s", in, got, want)
		}
	}
}
