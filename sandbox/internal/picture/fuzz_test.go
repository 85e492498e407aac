package picture

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/internal/testenv/effort"
	"github.com/figs-web/figs-web/sandbox/internal/style"
	"github.com/figs-web/figs-web/sandbox/report"
)

// verify reads what was written with the XML reader of the standard library, which shares no line
// with ours, and returns what may not be there.
func verify(svg []byte, l report.Limits) string {
	d := xml.NewDecoder(bytes.NewReader(svg))
	depth := 0
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return ""
		}
		if err != nil {
			return err.Error()
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if depth++; depth > l.Depth+1 {
				return "too deep"
			}
			if why := verifyElement(t); why != "" {
				return why
			}
		case xml.EndElement:
			depth--
		case xml.CharData:
		default:
			return "more than elements and text"
		}
	}
}

func verifyElement(t xml.StartElement) string {
	if !allow[t.Name.Local] || t.Name.Space != "http://www.w3.org/2000/svg" {
		return "element " + t.Name.Local
	}
	for _, a := range t.Attr {
		v := strings.ToLower(a.Value)
		name := a.Name.Local
		switch {
		case name == "xmlns":
			continue
		case name == "space":
			name = "xml:space"
		case name == "href" && t.Name.Local == "image":
			if _, ok := DataURL(a.Value, report.Hosted()); !ok {
				return "image " + v
			}
			continue
		case name == "href" && !strings.HasPrefix(v, "#"+style.Prefix):
			return "href " + v
		}
		if attributes[name] == 0 {
			return "attribute " + name
		}
		if i := strings.Index(v, "url("); i >= 0 && !strings.HasPrefix(v, "url(#"+style.Prefix) && name != "in" && name != "result" && name != "in2" && name != "id" && name != "class" {
			return "address " + v
		}
		if strings.HasPrefix(v, "javascript:") && name != "id" && name != "class" && name != "in" && name != "in2" && name != "result" {
			return "script " + v
		}
	}
	return ""
}

var seeds = []string{
	`<svg viewBox="0 0 10 5"><style>.a{fill:red}</style><rect class="a" width="50%" style="fill:url(#g);stroke:red"/></svg>`,
	`<svg><a xlink:href="javascript:x"><text x="1">a<tspan>b</tspan></text></a><use href="#x"/><image href="data:image/png;base64,AA"/></svg>`,
	`<?xml version="1.0"?><!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg"><!-- x --><![CDATA[x]]>&#65;&amp;</svg>`,
	`<svg><defs><marker id="m"><path d="M0 0L1e3,1z"/></marker><filter id="f"><feGaussianBlur stdDeviation="2"/></filter></defs><g filter="url(#f)" transform="rotate(3)"/></svg>`,
	`<svg><switch><foreignObject width="9"><p onclick="x">x</p></foreignObject></switch><script>1</script><animate/></svg>`,
	`<svg:svg><svg:g/></svg:svg>`, `<svg><g id="a"><use href="#a"/></g></svg>`, `<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>`,
	`<svg><style>a{background:url(//x.test)}</style><math><mtext><p></p></mtext></math></svg>`,
}

func FuzzSVG(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Add(nested(4, 4))
	l := report.Hosted()
	l.SVG, l.Styles, l.Depth, l.Elements = 1<<16, 1<<14, 64, 2000
	f.Fuzz(func(t *testing.T, in string) {
		start := effort.Spent(t)
		checkSVG(t, SVG([]byte(in), l), l)
		doc, err := html.Parse(strings.NewReader(in))
		if err != nil {
			return
		}
		if n := find(doc, "svg"); n != nil {
			checkSVG(t, InlineSVG(n, l), l)
		}
		if units := effort.Units(t, effort.Spent(t)-start); units > 50 {
			t.Fatalf("costs %.1f units of work", units)
		}
	})
}

func checkSVG(t *testing.T, r Result, l report.Limits) {
	t.Helper()
	if r.Notice != nil {
		if r.SVG != nil {
			t.Fatal("a notice and a picture")
		}
		return
	}
	if why := verify(r.SVG, l); why != "" {
		t.Fatalf("%s\n%s", r.SVG, why)
	}
	if len(r.SVG) > l.SVG {
		return
	}
	again := SVG(r.SVG, l)
	if again.Notice != nil || !bytes.Equal(again.SVG, r.SVG) || again.Width != r.Width || again.Height != r.Height {
		t.Fatalf("once  %s\ntwice %s %v", r.SVG, again.SVG, again.Notice)
	}
	if len(again.Removed) != 0 {
		t.Fatalf("%s\nloses %v when filtered again", r.SVG, again.Removed)
	}
}

func find(n *html.Node, name string) *html.Node {
	if n.Type == html.ElementNode && n.Data == name {
		return n
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if found := find(k, name); found != nil {
			return found
		}
	}
	return nil
}

func TestInlineSVG(t *testing.T) {
	doc, err := html.Parse(strings.NewReader(`<body><svg viewBox="0 0 8 4" width="100%"><filter id=f><feDropShadow dx=1 stdDeviation=1 /></filter><LINEARGRADIENT id=g gradientunits=userSpaceOnUse></lineargradient>
		<path class=bar fill="currentColor" onclick=x d="M0 0"><title>Bar</title></path><foreignObject width=8 height=4><div>five</div></foreignObject></svg>`))
	if err != nil {
		t.Fatal(err)
	}
	sheet := style.Sheet(".bar{fill:red}", 1000).CSS
	r := InlineSVGIn(find(doc, "svg"), Around{Sheet: sheet, Colour: "#123456", Font: `"A b", serif`}, report.Hosted())
	want := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 4" width="100%" color="#123456" font-family="&quot;A b&quot;,serif">` +
		`<style>.u-bar{fill:red}</style><filter id="u-f"><feDropShadow dx="1" stdDeviation="1"/></filter><linearGradient id="u-g" gradientUnits="userSpaceOnUse"/><path class="u-bar" fill="currentColor" d="M0 0"/>` +
		`<text x="4" y="2" text-anchor="middle" dominant-baseline="central">five</text></svg>`
	if string(r.SVG) != want {
		t.Errorf("got  %s\nwant %s", r.SVG, want)
	}
	if r.Width != 8 || r.Height != 4 || strings.Join(r.Text, "|") != "Bar|five" {
		t.Errorf("%d × %d, %q", r.Width, r.Height, r.Text)
	}
	if r := InlineSVG(find(doc, "body"), report.Hosted()); r.Notice == nil {
		t.Error("a body is no svg")
	}
}
