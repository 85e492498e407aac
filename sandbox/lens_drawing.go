package sandbox

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	colours "github.com/figs-web/figs-web/sandbox/internal/colour"
	"github.com/figs-web/figs-web/sandbox/internal/hidden"
	"github.com/figs-web/figs-web/sandbox/internal/style"
	"github.com/figs-web/figs-web/sandbox/report"
)

// drawing is an svg while it is read: its shapes and texts in the order in which they are painted.
type drawing struct {
	root  *html.Node
	view  [4]float64 // left, top, width, height of what it shows; widths of 0 are not known
	scale float64    // pixels for a unit; 0 where that is not known
	used  map[string]bool
	tiny  bool
	items []item
}

// item is a shape or a text. Its box is what it takes; plain says that its place is known.
type item struct {
	text        *html.Node // nil for a shape
	box         [4]float64 // left, top, right, bottom
	plain       bool
	fill        colours.Colour
	fillKnown   bool
	grounds     []colours.Colour // of the page behind the drawing
	size        float64
	shifted     bool // by more than a word, or squeezed
	description report.Passage
}

// mostItems bounds the parts of one drawing that are compared.
const mostItems = 2000

// newDrawing begins an svg.
func newDrawing(root *html.Node) *drawing {
	d := &drawing{root: root, used: map[string]bool{}}
	numbers := strings.FieldsFunc(attrOf(root.Attr, "viewBox")+attrOf(root.Attr, "viewbox"), func(r rune) bool { return r == ' ' || r == ',' })
	w, okW := plainNumber(attrOf(root.Attr, "width"))
	h, okH := plainNumber(attrOf(root.Attr, "height"))
	if len(numbers) == 4 {
		for i, s := range numbers {
			d.view[i], _ = strconv.ParseFloat(s, 64)
		}
	} else if okW && okH {
		d.view = [4]float64{0, 0, w, h}
	}
	d.tiny = okW && w < 4 || okH && h < 4
	if okW && d.view[2] > 0 {
		d.scale = w / d.view[2]
		if okH && d.view[3] > 0 {
			d.scale = min(d.scale, h/d.view[3])
		}
	}
	walk(root, func(n *html.Node) bool {
		for _, a := range n.Attr {
			if a.Key == "href" && strings.HasPrefix(a.Val, "#") {
				d.used[a.Val[1:]] = true
			} else if _, id, ok := strings.Cut(a.Val, "url(#"); ok {
				d.used[until(id, ")")] = true
			}
		}
		return true
	}, func(*html.Node) {})
	return d
}

func plainNumber(s string) (float64, bool) {
	n, unit, ok := style.Number(strings.TrimSpace(s))
	return n, ok && (unit == "" || unit == "px")
}

// drawnVerdict judges an element of a drawing, but for its colour, which counts once all is painted. It begins
// and fills the drawing.
func (r *reader) drawnVerdict(n *html.Node, v hidden.Verdict) hidden.Verdict {
	if n.Data == "svg" && r.drawing == nil {
		r.drawing = newDrawing(n)
	}
	if v.Why == "background" || strings.Contains(v.Why, " on ") || v.Why == "font-size" {
		v = hidden.Verdict{}
	}
	d := r.drawing
	if v.Why != "" || d == nil {
		return v
	}
	switch n.Data {
	case "defs", "symbol":
		if !d.uses(n) {
			return hidden.Verdict{Why: "unused " + n.Data}
		}
		return hidden.Verdict{Why: n.Data, Unjudged: true}
	case "clippath", "clipPath", "mask", "pattern", "marker", "filter":
		return hidden.Verdict{Why: n.Data, Unjudged: true}
	case "svg":
		if n != d.root {
			return hidden.Verdict{Why: "svg in svg", Unjudged: true}
		}
	case "textPath", "textpath":
		return hidden.Verdict{Why: "path", Unjudged: true}
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "clip-path", "mask", "filter":
			if a.Val != "none" {
				return hidden.Verdict{Why: a.Key, Unjudged: true}
			}
		case "stroke-width":
			if w, ok := plainNumber(a.Val); (n.Data == "text" || n.Data == "g") && (!ok || w > 2) && attrOf(n.Attr, "stroke") != "" && n.Data == "text" {
				return hidden.Verdict{Why: "stroke", Unjudged: true}
			}
		case "transform":
			if why := d.transformed(a.Val); why.Why != "" {
				return why
			}
		}
	}
	return v
}

// uses reports whether an element or something inside it is drawn from elsewhere.
func (d *drawing) uses(n *html.Node) bool {
	found := false
	walk(n, func(n *html.Node) bool {
		found = found || d.used[attrOf(n.Attr, "id")]
		return !found
	}, func(*html.Node) {})
	return found
}

// transformed judges a transform attribute: small ones move, turn and scale what stays readable.
func (d *drawing) transformed(s string) hidden.Verdict {
	for _, f := range strings.Split(strings.ToLower(s), ")") {
		name, inside, found := strings.Cut(f, "(")
		if !found {
			continue
		}
		var numbers []float64
		for _, w := range strings.FieldsFunc(inside, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' || r == '\t' }) {
			n, err := strconv.ParseFloat(w, 64)
			if err != nil {
				return hidden.Verdict{Why: "transform", Unjudged: true}
			}
			numbers = append(numbers, n)
		}
		switch name = strings.Trim(name, " ,\n\t"); {
		case name == "rotate", name == "translate" && d.within(numbers):
		case name == "scale" && len(numbers) > 0 && math.Abs(numbers[0]) < 0.05:
			return hidden.Verdict{Why: "scale(0)"}
		case name == "scale" && len(numbers) == 2 && math.Abs(numbers[1]) < 0.05:
			return hidden.Verdict{Why: "scale(0)"}
		case name == "scale" && len(numbers) > 0 && numbers[0] >= 0.5 && numbers[0] <= 10 && numbers[len(numbers)-1] >= 0.5:
		default:
			return hidden.Verdict{Why: "transform", Unjudged: true}
		}
	}
	return hidden.Verdict{}
}

func (d *drawing) within(numbers []float64) bool {
	for i, n := range numbers {
		if i > 1 || math.Abs(n) > max(d.view[2+i%2], 200) {
			return false
		}
	}
	return true
}

// shape takes a shape, once its look is known.
func (d *drawing) shape(n *html.Node, s *scope) {
	if len(d.items) >= mostItems || len(s.looks) == 0 {
		return
	}
	l := &s.looks[0]
	it := item{}
	it.fill, it.fillKnown = l.Fill()
	number := func(key string) float64 {
		v, ok := plainNumber(attrOf(n.Attr, key))
		it.plain = it.plain && (ok || attrOf(n.Attr, key) == "")
		return v
	}
	it.plain = !moved(n)
	switch n.Data {
	case "rect":
		x, y := number("x"), number("y")
		if attrOf(n.Attr, "width") == "100%" && x == 0 && y == 0 {
			it.box = [4]float64{math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)}
			it.plain = attrOf(n.Attr, "height") == "100%"
		} else {
			it.box = [4]float64{x, y, x + number("width"), y + number("height")}
		}
	case "circle", "ellipse":
		x, y, rx := number("cx"), number("cy"), number("r")+number("rx")
		ry := number("r") + number("ry")
		it.box = [4]float64{x - rx, y - ry, x + rx, y + ry}
	case "path", "polygon", "image", "use", "foreignObject", "foreignobject":
		it.plain = false
	default:
		return
	}
	if it.fill.Alpha < 0.02 && it.fillKnown && n.Data != "image" && n.Data != "use" {
		return
	}
	d.items = append(d.items, it)
}

// moved reports whether something around an element, or itself, has a transform.
func moved(n *html.Node) bool {
	for ; n != nil && n.Namespace == "svg"; n = n.Parent {
		if attrOf(n.Attr, "transform") != "" {
			return true
		}
	}
	return false
}

// text takes a text.
func (d *drawing) text(r *reader, n *html.Node, s *scope) {
	if len(d.items) >= mostItems || len(s.looks) == 0 {
		return
	}
	l := &s.looks[0]
	it := item{text: n, grounds: l.Grounds(), size: l.Size(), plain: true}
	it.fill, it.fillKnown = l.Fill()
	from, to, ok := r.place(n)
	it.description = report.Passage{Way: report.Styled, Text: n.Data, Path: r.path(n.Parent)}
	if ok && to > from {
		it.description.At, it.description.End = int64(from), int64(to)
	}
	x, y := math.NaN(), math.NaN()
	for p := n.Parent; p != nil && p.Namespace == "svg"; p = p.Parent {
		it.plain = it.plain && attrOf(p.Attr, "transform") == ""
		it.shifted = it.shifted || attrOf(p.Attr, "textLength") != "" || attrOf(p.Attr, "textlength") != "" || attrOf(p.Attr, "rotate") != ""
		if p.Data == "text" || p.Data == "tspan" {
			for i, key := range []string{"x", "y"} {
				at := []*float64{&x, &y}[i]
				if v, ok := plainNumber(attrOf(p.Attr, key)); ok && math.IsNaN(*at) {
					*at = v
				}
				d := attrOf(p.Attr, "d"+key)
				it.plain = it.plain && d == ""
				if v, _, ok := style.Number(strings.TrimSpace(d)); d != "" && (!ok || math.Abs(v) > 40) {
					it.shifted = true
				}
			}
		}
	}
	if math.IsNaN(x) {
		x = 0
	}
	if math.IsNaN(y) {
		y = 0
	}
	width := it.size * 0.55 * float64(len(strings.TrimSpace(n.Data)))
	switch anchor := anchorOf(n); anchor {
	case "middle":
		x -= width / 2
	case "end":
		x -= width
	}
	it.box = [4]float64{x, y - it.size*0.7, x + width, y}
	d.items = append(d.items, it)
}

func anchorOf(n *html.Node) string {
	for p := n.Parent; p != nil && p.Namespace == "svg"; p = p.Parent {
		if a := attrOf(p.Attr, "text-anchor"); a != "" {
			return a
		}
	}
	return ""
}

// judge judges the texts of a drawing by what is painted before and after them.
func (d *drawing) judge(r *reader) {
	for i := range d.items {
		it := &d.items[i]
		if it.text == nil {
			continue
		}
		v := d.verdict(i)
		if v.Why == "" {
			continue
		}
		x := it.description
		x.Why, x.Sight = v.Why, report.Likely
		m := mark{v.Why, true}
		if v.Unjudged {
			x.Sight, m = report.Unjudged, mark{notJudged + v.Why, false}
		}
		r.p.marks[it.text] = m
		r.p.finds.add(x)
	}
}

func (d *drawing) verdict(i int) hidden.Verdict {
	it := &d.items[i]
	size := it.size
	if d.scale > 0 {
		size *= d.scale
	}
	switch {
	case d.tiny:
		return hidden.Verdict{Why: "clip"}
	case size < 3:
		return hidden.Verdict{Why: "font-size"}
	case it.shifted:
		return hidden.Verdict{Why: "position", Unjudged: true}
	}
	if v := d.view; it.plain && v[2] > 0 && v[3] > 0 &&
		(it.box[2] < v[0] || it.box[3] < v[1] || it.box[0] > v[0]+v[2] || it.box[1] > v[1]+v[3]) {
		return hidden.Verdict{Why: "text off the picture"}
	}
	if !it.fillKnown {
		return hidden.Verdict{Why: "colour", Unjudged: true}
	}
	grounds := it.grounds
	for k := range d.items[:min(i, len(d.items))] {
		s := &d.items[k]
		if s.text != nil {
			continue
		}
		inside, apart := s.around(it)
		switch {
		case apart:
		case !s.fillKnown:
			grounds = nil
		case inside && s.fill.Alpha > 0.996:
			grounds = []colours.Colour{s.fill}
		case len(grounds) > 0:
			painted := make([]colours.Colour, 0, 2*len(grounds))
			if !inside {
				painted = append(painted, grounds...)
			}
			for _, g := range grounds {
				if c := s.fill.Over(g); len(painted) < 40 && !contains(painted, c) {
					painted = append(painted, c)
				}
			}
			grounds = painted
		}
	}
	for k := i + 1; k < len(d.items); k++ {
		if s := &d.items[k]; s.text == nil && s.fill.Alpha > 0.4 {
			if _, apart := s.around(it); !apart {
				return hidden.Verdict{Why: "covered", Unjudged: true}
			}
		}
	}
	v := hidden.Drawn(it.fill, grounds)
	if v.Why != "" && v.Why != "background" {
		v.Sure = false
	}
	return v
}

func contains(list []colours.Colour, c colours.Colour) bool {
	for _, x := range list {
		if x == c {
			return true
		}
	}
	return false
}

// around says whether a text stands inside a shape, or apart from it; neither where that is not known.
func (s *item) around(text *item) (inside, apart bool) {
	if !s.plain || !text.plain {
		return false, false
	}
	a, b := s.box, text.box
	if b[2] < a[0] || b[0] > a[2] || b[3] < a[1] || b[1] > a[3] {
		return false, true
	}
	return b[0] >= a[0] && b[2] <= a[2] && b[1] >= a[1] && b[3] <= a[3]+1, false
}

// drawnStyle is the style of a part of a drawing, with its attributes in front.
func drawnStyle(n *html.Node, inline string) string {
	var b strings.Builder
	for _, a := range n.Attr {
		switch a.Key {
		case "display", "visibility", "opacity", "font-size", "fill", "fill-opacity", "color":
			if strings.Contains(a.Val, "url(") {
				b.WriteString("fill:unknown;")
				continue
			}
			v := a.Val
			if _, unit, ok := style.Number(v); a.Key == "font-size" && ok && unit == "" {
				v += "px"
			}
			b.WriteString(style.Inline(a.Key+":"+v, 1000).CSS + ";")
		}
	}
	return b.String() + inline
}

// markWithin is the mark of a text inside an element that holds these words.
func (p *page) markWithin(n *html.Node, words string) string {
	why := ""
	words = squeeze(words)
	walk(n, func(n *html.Node) bool {
		if m := p.marks[n]; m.why != "" && why == "" && strings.Contains(words, squeeze(n.Data)) {
			why = m.why
		}
		return why == ""
	}, func(*html.Node) {})
	return why
}
