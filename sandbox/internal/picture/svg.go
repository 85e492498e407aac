package picture

import (
	"fmt"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/style"
	"github.com/figs-web/figs-web/sandbox/report"
)

// Result is what became of an svg.
type Result struct {
	SVG           []byte // a whole svg document that loads and runs nothing; nil when Notice is set
	Width, Height int    // pixels; what it names itself, or what its view box names
	Removed       []report.Removal
	Hosts         []string // where it wanted to load from, each once
	Links         []report.Link
	Text          []string // what its text elements, titles and descriptions say
	Notice        *report.Notice
}

// Around is what the page around an inline svg lends it.
type Around struct {
	Sheet  string // the page's style sheets as package style wrote them
	Colour string // the colour of its text, for currentColor
	Font   string // the family of its text
}

// SVG filters a whole svg file.
func SVG(b []byte, l report.Limits) Result {
	switch {
	case len(b) == 0:
		return refused(&flawed{report.Empty, "The SVG is empty."})
	case len(b) > l.SVG:
		return refused(&flawed{report.TooLarge, fmt.Sprintf("The SVG has %d bytes; the limit is %d.", len(b), l.SVG)})
	}
	p := parser{s: string(b), l: l}
	if err := p.parse(); err != nil {
		return refused(err)
	}
	f := newFilter(l)
	f.count(report.Comments, p.comments, "comment")
	for _, h := range p.hints {
		f.instruction(h)
	}
	return f.picture(p.root, Around{})
}

// InlineSVG filters an svg element of a parsed html document.
func InlineSVG(n *html.Node, l report.Limits) Result {
	return InlineSVGIn(n, Around{}, l)
}

// InlineSVGIn is InlineSVG with what the page lends to its pictures.
func InlineSVGIn(n *html.Node, around Around, l report.Limits) Result {
	root, comments, err := fromHTML(n, l)
	if err != nil {
		return refused(err)
	}
	if root.name != "svg" {
		return refused(&flawed{report.NotParsed, "The image is not an SVG."})
	}
	f := newFilter(l)
	f.count(report.Comments, comments, "comment")
	return f.picture(root, around)
}

func refused(why *flawed) Result {
	return Result{
		Notice:  &report.Notice{Code: why.code, Text: why.text},
		Removed: []report.Removal{{What: report.Foreign, Count: 1, Example: "svg"}},
	}
}

// filter is the state of one picture.
type filter struct {
	l      report.Limits
	tally  style.Tally
	hosts  []string
	known  map[string]bool // hosts
	links  []report.Link
	text   []string
	pixels int // of raster images inside
}

func newFilter(l report.Limits) *filter {
	return &filter{l: l, known: map[string]bool{}}
}

// maxItems bounds the lists of one picture.
const maxItems = 1000

func (f *filter) count(what report.RemovalKind, n int, example string) {
	if n > 0 {
		f.tally.AddMany(what, n, example)
	}
}

func (f *filter) host(h string) {
	if h != "" && !f.known[h] && len(f.hosts) < maxItems {
		f.known[h] = true
		f.hosts = append(f.hosts, h)
	}
}

// picture filters a tree and writes what is left.
func (f *filter) picture(root *node, around Around) Result {
	out := f.element(root, place{})
	if out == nil {
		return refused(&flawed{report.NotParsed, "Nothing in the SVG can be shown safely."})
	}
	if err := f.bound(out); err != nil {
		r := refused(err)
		r.Hosts, r.Links, r.Text = f.hosts, f.links, f.text
		r.Removed = append(f.tally.List(), r.Removed...)
		return r
	}
	w, h := size(out)
	if absolute(out.get("width")) > maxSide || absolute(out.get("height")) > maxSide {
		out.attrs = without(without(out.attrs, "width"), "height")
	}
	lend(out, around)
	b := write(out)
	r := Result{SVG: b, Width: w, Height: h, Removed: f.tally.List(), Hosts: f.hosts, Links: f.links, Text: f.text}
	if len(b) > f.l.Output {
		r.SVG = nil
		r.Notice = &report.Notice{Code: report.OutputTooLarge, Text: "After sanitizing, the SVG would be too large to draw."}
	}
	return r
}

// lend gives the picture what it would have inherited from its page.
func lend(root *node, around Around) {
	if style.Colour(around.Colour) != "" && root.get("color") == "" {
		root.attrs = append(root.attrs, attr{"color", style.Colour(around.Colour)})
	}
	if family := style.Inline("font-family:"+around.Font, 500).CSS; family != "" && root.get("font-family") == "" {
		root.attrs = append(root.attrs, attr{"font-family", family[len("font-family:"):]})
	}
	if around.Sheet != "" {
		root.kids = append([]*node{{name: "style", kids: []*node{{text: around.Sheet}}}}, root.kids...)
	}
}
