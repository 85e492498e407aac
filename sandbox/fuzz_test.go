package sandbox

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/report"
)

// tight are limits that small inputs reach.
func tight() report.Limits {
	l := report.Hosted()
	l.Input, l.HTML, l.Markdown, l.SVG, l.Output = 64<<10, 48<<10, 32<<10, 16<<10, 128<<10
	l.Elements, l.Depth, l.Styles = 2000, 100, 16<<10
	return l
}

// FuzzRender holds the promises of the package over anything: no panic, no document beyond its
// limit, nothing in it that is not allowed however it is parsed, and a report that was cleaned
// stays as it is when it is cleaned again.
func FuzzRender(f *testing.F) {
	for _, seed := range seeds {
		for kind := range uint8(len(files)) {
			f.Add(kind, []byte(seed))
		}
	}
	f.Add(uint8(4), gif)
	f.Fuzz(func(t *testing.T, kind uint8, content []byte) {
		if len(content) > 16<<10 {
			return
		}
		name := files[int(kind)%len(files)]
		for _, view := range []report.View{report.Rendered, report.Source, report.Text} {
			r := Render(name, content, view, tight())
			if len(r.Document) > r.Limits.Output || (len(r.Document) == 0) != (r.Kind == report.Download) {
				t.Fatalf("%s as %s: a document of %d bytes", name, view, len(r.Document))
			}
			if again := Render(name, content, view, tight()); !bytes.Equal(again.Document, r.Document) {
				t.Fatalf("%s as %s: two documents", name, view)
			}
			checkLists(t, r)
			authored := !bytes.Contains(r.Document, []byte(`<body class="f-own`)) && (r.Kind == report.HTML || r.Kind == report.Markdown)
			if len(r.Document) > 0 {
				checkDocument(t, string(r.Document), authored)
			}
			if authored {
				checkTwice(t, string(r.Document))
			}
		}
	})
}

var files = []string{"a.html", "a.md", "a.json", "a.svg", "a.gif", "a.txt", "a.csv"}

// checkLists holds the lists of a result to their bounds.
func checkLists(t *testing.T, r *report.Result) {
	t.Helper()
	if max(len(r.Hosts), len(r.Links), len(r.Hidden), len(r.Headings)) > report.MaxItems || len(r.Passages) > report.MaxPassages {
		t.Fatal("a list without end")
	}
	for _, l := range r.Links {
		if len(l.Address) > 600 || len(l.Text) > 300 {
			t.Fatalf("a link of %d and %d bytes", len(l.Address), len(l.Text))
		}
	}
	for _, h := range r.Headings {
		if h.Level < 1 || h.Level > 6 || len(h.Text) == 0 || len(h.Text) > headingBytes || !utf8.ValidString(h.Text) {
			t.Fatalf("a heading of level %d and %d bytes", h.Level, len(h.Text))
		}
		if first := strings.Index(string(r.Document), ` id="`+h.ID+`"`); h.ID != "" && first < 0 {
			t.Fatalf("nothing has the id %q", h.ID)
		}
	}
	for _, x := range r.Passages {
		if len(x.Text) > longest || len(x.Why) > 100 {
			t.Fatalf("a passage of %d bytes, reason of %d", len(x.Text), len(x.Why))
		}
	}
}

// checkTwice cleans a cleaned report again.
func checkTwice(t *testing.T, document string) {
	t.Helper()
	once := withoutHead(document)
	if len(once) > tight().HTML {
		return
	}
	r := Render("a.html", []byte(once), report.Rendered, tight())
	if r.View != report.Rendered {
		t.Fatalf("cleaned, then refused: %v\n%s", r.Notices, once)
	}
	if twice := withoutHead(string(r.Document)); twice != once {
		t.Fatalf("cleaned once\n%s\ntwice\n%s", once, twice)
	}
}

// withoutHead returns a document without the head that this package writes.
func withoutHead(document string) string {
	before, after, _ := strings.Cut(document, "<head>")
	_, after, _ = strings.Cut(after, "</head>")
	return before + strings.TrimSuffix(after, "\n")
}

// checkDocument parses a document as browsers do, with scripts and without, and holds every node of
// it to the policy.
func checkDocument(t *testing.T, document string, authored bool) {
	t.Helper()
	if !strings.Contains(document[:min(len(document), 2000)], head) {
		t.Fatalf("not our head: %.200s", document)
	}
	for _, scripting := range []bool{true, false} {
		doc, err := html.ParseWithOptions(strings.NewReader(document), html.ParseOptionEnableScripting(scripting))
		if err != nil {
			t.Fatalf("%v in %.500s", err, document)
		}
		styles := 0
		walk(doc, func(n *html.Node) bool {
			switch {
			case n.Type == html.CommentNode:
				t.Fatalf("a comment: %q", n.Data)
			case n.Type == html.ElementNode && n.Data == "head" && n.Parent.Data == "html":
				styles = checkHead(t, n)
				return false
			case n.Type == html.ElementNode:
				checkElement(t, n, authored)
			}
			return true
		}, func(*html.Node) {})
		if styles == 0 {
			t.Fatal("no style of ours")
		}
	}
}

// checkHead holds the head to our own elements, and its sheets to text that cannot end them.
func checkHead(t *testing.T, head *html.Node) (styles int) {
	t.Helper()
	for n := head.FirstChild; n != nil; n = n.NextSibling {
		switch n.Data {
		case "style":
			styles++
			text := allText(n)
			lower := strings.ToLower(text)
			if strings.ContainsAny(text, "<") || strings.Contains(lower, "url(") || strings.Contains(lower, "@import") || strings.Contains(lower, "expression(") {
				t.Fatalf("a sheet with %.300s", text)
			}
		case "meta", "title":
		default:
			t.Fatalf("<%s> in the head", n.Data)
		}
	}
	return styles
}

// ours are the attributes that only bodies of our own may have.
var ours = map[string]bool{"class": true, "style": true, "title": true, "alt": true, "src": true, "open": true, "data-n": true, "lang": true}

func checkElement(t *testing.T, n *html.Node, authored bool) {
	t.Helper()
	if n.Namespace != "" || elementRules[n.Data] == nil || elementRules[n.Data].fate != keep {
		t.Fatalf("<%s> of %q is not allowed", n.Data, n.Namespace)
	}
	for _, a := range n.Attr {
		rule := allowed[a.Key]
		switch {
		case !authored && ours[a.Key] && (a.Key != "src" || imageData.fits(a.Val)):
		case rule == nil || !rule.stands(n.Data) || !rule.shape.fits(a.Val):
			t.Fatalf("%s=%.200q on <%s> is not allowed", a.Key, a.Val, n.Data)
		case a.Key == "style" && strings.Contains(strings.ToLower(a.Val), "url("):
			t.Fatalf("style %q", a.Val)
		case strings.HasPrefix(a.Key, "on") || strings.Contains(strings.ToLower(a.Val), "javascript:") && a.Key != "alt":
			t.Fatalf("%s=%q", a.Key, a.Val)
		}
	}
}

// seeds open every door of the pipeline once.
var seeds = []string{
	`<p>a<script>alert(1)</script><img src=x onerror=y>`,
	`<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>`,
	`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
	`<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">`,
	`<svg viewBox="0 0 9 9" class=a><rect fill=red width=5 height="5"/><text>hi</text><use href="#x"/></svg>`,
	`<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>`,
	`<style>.a{color:red;background:url(x)}svg{width:50%}@media (max-width:5px){.b>c{top:0}}</style><p class="a b" style="color:#fff;position:fixed">x`,
	`<a href=#a><table><a href=#b>x</a></table></a><a href="https://a.example">b.example</a>`,
	`<b><p>x</b>y<i><u></i></u><table><b><tr><td>z`,
	`<body class=x onload=y><body id=z><html lang=de><frameset><frame src=a>`,
	`<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" alt=x>`,
	`<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><script>x</script></svg>">`,
	"# a\n\n[x](javascript:y) <script>z</script>\n\n- [x] b\n\n|a|b|\n|-|-|\n|1|2|\n",
	`{"a":[1,{"b":null}],"a":"\u200b"}`,
	"\xef\xbb\xbfa\x00b\xffc\u202e",
	`<pre>` + "\n\n" + `x</pre><textarea></pre></textarea><select><option>a</select><plaintext>`,
	`<template><template></template><p></template><details open><summary>a</summary>b</details>`,
	`<table><tr><td><form><table><td></form><select><table>`,
	`<h1 id=a>b</h1><p id=figs-h2><h2 class="z" lang=en>c<h3 dir=rtl style="color:red">d<img></h2><h4><h5></h4>`,
	`<nobr><nobr><ruby><rb>a<rt>b<rtc>c</ruby><button><p><button>`,
}

// FuzzSoup is FuzzRender over reports made of whole pieces of markup, which random bytes hardly ever
// spell.
func FuzzSoup(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	for i := range pieces {
		f.Add([]byte{byte(i), byte(i * 7), byte(i * 13), byte(i + 1), byte(i), byte(i * 3)})
	}
	f.Fuzz(func(t *testing.T, recipe []byte) {
		if len(recipe) > 300 {
			return
		}
		var b strings.Builder
		for _, i := range recipe {
			b.WriteString(pieces[int(i)%len(pieces)])
		}
		r := Render("a.html", []byte(b.String()), report.Rendered, tight())
		authored := r.View == report.Rendered && !bytes.Contains(r.Document, []byte(`<body class="f-own`))
		checkDocument(t, string(r.Document), authored)
		if r.Notice(report.TooComplex) != nil {
			t.Fatalf("never settles: %s", b.String())
		}
		if authored {
			checkTwice(t, string(r.Document))
		}
	})
}

// pieces are what parsers have been confused with.
var pieces = strings.Split(`<p>|</p>|<b>|</b>|<i>|</i>|<a href=#x>|<a href=//h>|</a>|<table>|</table>|<tr>|<td>|</td>|<caption>|<col>|<tbody>|<form>|</form>`+
	`|<svg>|</svg>|<math>|</math>|<mtext>|<mglyph>|<malignmark>|<annotation-xml encoding=text/html>|<foreignObject>|<desc>|<title>|</title>|<style>|</style>`+
	`|<script>|</script>|<!--|-->|<![CDATA[|]]>|<noscript>|</noscript>|<template>|</template>|<select>|</select>|<option>|<textarea>|</textarea>|<iframe>|</iframe>`+
	`|<noembed>|</noembed>|<noframes>|</noframes>|<xmp>|</xmp>|<plaintext>|<img src=x onerror=y>|<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">`+
	`|<body class=q onload=x>|<html lang=fr>|<head>|<frameset>|<li>|<ul>|</ul>|<dl>|<dt>|<dd>|<h1>|<h2>|</h1>|<button>|</button>|<nobr>|<font color=red>|</font>`+
	`|<ruby>|<rt>|<rp>|<details>|<summary>|</details>|<center>|<br>|</br>|<hr>|<pre>|</pre>|<listing>|<object>|</object>|<applet>|<marquee>|</marquee>|<input type=checkbox>`+
	`|<div style="color:red;position:fixed">|<div hidden>|</div>|<span class="a b" id=c>|</span>|<rect width=5 height=5 />|<g>|</g>|<use href=#c />|<text>|</text>|<image href=//h/x />`+
	`|text|&lt;img src=x onerror=y&gt;|&amp;|"|'|>|<|=| |/|\n|<p title="</style><img src=x onerror=y>">|<a title="--><img src=x onerror=y>">|<progress>|<meter value=1>|<dialog>|<bdo>|<label>|<fieldset>`+
	`|<my-el>|</my-el>|<base href=//h>|<link rel=stylesheet href=//h>|<meta http-equiv=refresh content="0;url=//h">|.a{color:red}|svg{width:5px}|<`+"\x0c"+`p>|<p/>|</p/>|<a/b/c=d>`, "|")
