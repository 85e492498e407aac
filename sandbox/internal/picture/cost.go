package picture

import (
	"fmt"
	"math"
	"strings"

	"github.com/figs-web/figs-web/sandbox/report"
)

// What one picture may cost the browser that draws it.
const (
	maxMarker  = 8    // elements of a marker, which is drawn at both ends of every line
	maxPattern = 40   // elements of a pattern, which is drawn over and over
	maxClip    = 200  // elements of a clip path
	maxFilter  = 6    // steps of a filter
	maxStops   = 256  // stops of a gradient
	maxSteps   = 40   // steps of all filters, counted where they are used
	maxParts   = 5000 // elements of markers, patterns and clip paths, counted where they are used
	maxDashed  = 1000 // elements drawn with dashes
	maxLayers  = 16   // nested parts that are drawn apart first: see-through, clipped or filtered
	maxBytes   = 4    // bytes of what use repeats, in times of the limit for an svg
	maxNumbers = 2000 // numbers of one attribute; paths and points aside
	maxChain   = 16   // gradients that take over from another one
	endless    = 1e300
)

// cost is what drawing a part takes, what it repeats included.
type cost struct {
	elements, bytes, steps, parts, dashed float64
}

func (c *cost) add(o cost) {
	c.elements += o.elements
	c.bytes += o.bytes
	c.steps += o.steps
	c.parts += o.parts
	c.dashed += o.dashed
}

// bounder computes costs, each part once, without repeating anything.
type bounder struct {
	ids   map[string]*node
	done  map[*node]cost
	open  map[*node]bool // being computed: meeting one again is a circle
	round bool
}

// bound refuses a picture that would cost too much, and takes out parts that would.
func (f *filter) bound(root *node) *flawed {
	b := &bounder{ids: map[string]*node{}, done: map[*node]cost{}, open: map[*node]bool{}}
	f.parts(root)
	b.index(root)
	f.dangling(root, b)
	f.chains(root, b)
	c := b.of(root)
	extra := c.elements - float64(root.size())
	switch {
	case b.round:
		return &flawed{report.TooComplex, "The SVG includes itself without end. It is not drawn."}
	case extra > float64(f.l.Uses):
		return &flawed{report.TooComplex, fmt.Sprintf("The SVG repeats its parts until it has more than %d further elements, which can keep a browser busy for minutes. It is not drawn.", f.l.Uses)}
	case c.elements > float64(f.l.Elements):
		return &flawed{report.TooManyElements, "The SVG has too many elements."}
	case c.bytes > maxBytes*float64(f.l.SVG):
		return &flawed{report.TooComplex, "The SVG repeats large parts too often. It is not drawn."}
	case c.parts > maxParts:
		return &flawed{report.TooComplex, "The SVG repeats its patterns, markers or clip paths too often. It is not drawn."}
	}
	if c.steps > maxSteps {
		f.count(report.Attributes, strip(root, "filter"), "filter")
	}
	if c.dashed > maxDashed {
		f.count(report.Attributes, strip(root, "stroke-dasharray"), "stroke-dasharray")
	}
	f.layers(root, 0, false)
	return nil
}

func (b *bounder) index(n *node) {
	if id := n.get("id"); id != "" && b.ids[id] == nil {
		b.ids[id] = n
	}
	for _, k := range n.kids {
		b.index(k)
	}
}

// of returns the cost of a part. A use counts as what it repeats: a use of one shape costs what the
// shape itself would cost in its place.
func (b *bounder) of(n *node) cost {
	if c, ok := b.done[n]; ok {
		return c
	}
	if b.open[n] {
		b.round = true
		return cost{elements: endless}
	}
	b.open[n] = true
	c := cost{bytes: float64(len(n.text))}
	if n.name != "" {
		c.elements++
	}
	for _, a := range n.attrs {
		c.bytes += float64(len(a.value))
		c.add(b.reference(n, a))
	}
	for _, k := range n.kids {
		c.add(b.of(k))
	}
	if n.name == "use" {
		if target := b.ids[strings.TrimPrefix(n.get("href"), "#")]; target != nil {
			c.add(b.of(target))
			c.elements--
			if c.steps > 0 { // a filter that is repeated may come to stand inside another
				c.steps = endless
			}
		}
	}
	c.elements = math.Min(c.elements, endless)
	delete(b.open, n)
	b.done[n] = c
	return c
}

// reference returns what an attribute adds to the cost of its element.
func (b *bounder) reference(n *node, a attr) (c cost) {
	if a.name == "stroke-dasharray" {
		c.dashed = float64(n.size())
	}
	if !strings.HasPrefix(a.value, "url(#") {
		return c
	}
	id, _, _ := strings.Cut(a.value[len("url(#"):], ")")
	target := b.ids[id]
	if target == nil {
		return c
	}
	switch target.name {
	case "filter":
		c.steps = float64(target.size() - 1)
	case "clipPath":
		c.parts = float64(max(0, target.size()-2)) // one shape costs next to nothing
	case "marker", "pattern":
		c.parts = float64(max(0, target.size()-2)) * float64(len(n.kids)+1)
	}
	return c
}

// layers takes out what would have parts drawn apart inside each other too deeply: each takes the
// memory of a whole picture. A filter inside of what a filter is set on computes it over and over.
func (f *filter) layers(n *node, depth int, filtered bool) {
	inside := filtered
	for _, a := range n.attrs {
		switch {
		case a.name == "filter" && a.value != "none":
			if filtered {
				n.attrs = without(n.attrs, a.name)
				f.count(report.Attributes, 1, a.name)
				continue
			}
			inside = true
		case a.name == "opacity" && first(a.value) != 1, a.name == "clip-path", a.name == "style" && strings.Contains(a.value, "opacity"):
			if depth++; depth > maxLayers {
				n.attrs = without(n.attrs, a.name)
				f.count(report.Attributes, 1, a.name)
			}
		}
	}
	for _, k := range n.kids {
		f.layers(k, depth, inside)
	}
}

var mostInside = map[string]int{
	"marker": maxMarker, "pattern": maxPattern, "clipPath": maxClip, "filter": maxFilter, "linearGradient": maxStops, "radialGradient": maxStops,
}

// tooFine says whether the tiles of a pattern are so small, or the region of a filter is so large,
// that drawing it would take very long.
func tooFine(n *node) bool {
	least, most := 0.0, 0.0
	switch {
	case n.name == "pattern" && n.get("patternUnits") == "userSpaceOnUse":
		least = 1
	case n.name == "pattern":
		least = 0.01
	case n.name == "filter" && n.get("filterUnits") == "userSpaceOnUse":
		most = 5000
	case n.name == "filter":
		most = 3
	}
	for _, name := range []string{"width", "height"} {
		v := n.get(name)
		size := first(v)
		if strings.HasSuffix(v, "%") {
			size /= 100
		}
		if v != "" && (size < least || most > 0 && size > most) {
			return true
		}
	}
	return false
}

// parts takes out markers, patterns, clip paths and filters with too much inside.
func (f *filter) parts(n *node) {
	kept := n.kids[:0]
	for _, k := range n.kids {
		most := mostInside[k.name]
		if most > 0 && (k.size() > most+1 || k.name != "clipPath" && k.holds("use") || tooFine(k)) {
			f.count(report.Elements, 1, k.name)
			continue
		}
		f.parts(k)
		kept = append(kept, k)
	}
	n.kids = kept
}

// dangling takes out references to filters, clip paths and markers that are not there: one to a
// filter that was left out would hide what it is set on.
func (f *filter) dangling(n *node, b *bounder) {
	for _, a := range n.attrs {
		if attributes[a.name] != asLink || !strings.HasPrefix(a.value, "url(#") {
			continue
		}
		target := b.ids[strings.TrimSuffix(a.value[len("url(#"):], ")")]
		want := a.name
		switch a.name {
		case "clip-path":
			want = "clipPath"
		case "marker-start", "marker-end":
			want = "marker"
		}
		if target == nil || target.name != want {
			n.attrs = without(n.attrs, a.name)
			f.count(report.Attributes, 1, a.name)
		}
	}
	for _, k := range n.kids {
		f.dangling(k, b)
	}
}

// size counts elements, n included.
func (n *node) size() int {
	count := 0
	if n.name != "" {
		count = 1
	}
	for _, k := range n.kids {
		count += k.size()
	}
	return count
}

func (n *node) holds(name string) bool {
	if n.name == name {
		return true
	}
	for _, k := range n.kids {
		if k.holds(name) {
			return true
		}
	}
	return false
}

// chains cuts long chains of gradients that take over from each other.
func (f *filter) chains(n *node, b *bounder) {
	if n.name == "linearGradient" || n.name == "radialGradient" || n.name == "pattern" {
		steps := 0
		for at := n; at != nil && steps <= maxChain; steps++ {
			at = b.ids[strings.TrimPrefix(at.get("href"), "#")]
		}
		if steps > maxChain {
			n.attrs = without(n.attrs, "href")
			f.count(report.Attributes, 1, "href")
		}
	}
	for _, k := range n.kids {
		f.chains(k, b)
	}
}

// strip removes an attribute everywhere and counts it.
func strip(n *node, name string) int {
	count := 0
	if n.get(name) != "" {
		n.attrs = without(n.attrs, name)
		count++
	}
	for _, k := range n.kids {
		count += strip(k, name)
	}
	return count
}
