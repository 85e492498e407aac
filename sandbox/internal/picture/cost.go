package picture

import (
	"fmt"
	"math"
	"strings"

	"github.com/figs-web/figs-web/sandbox/report"
)

// What one picture may cost the browser that draws it.
const (
	maxMarker  = 8     // elements of a marker, which is drawn at both ends of every line
	maxPattern = 40    // elements of a pattern, which is drawn over and over
	maxClip    = 200   // elements of a clip path
	maxFilter  = 10    // steps of a filter
	maxFilters = 64    // elements drawn through a filter, those that use repeats included
	maxBytes   = 16    // bytes of what use repeats, in times of the limit for an svg
	maxChain   = 16    // gradients that take over from another one
	endless    = 1e300 // a cost beyond all bounds
)

// cost is what drawing a part takes, what it repeats included.
type cost struct {
	elements, bytes, filters float64
}

func (c *cost) add(o cost) {
	c.elements += o.elements
	c.bytes += o.bytes
	c.filters += o.filters
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
		return &flawed{report.TooComplex, "The svg repeats a part inside itself, without an end. It is not drawn."}
	case extra > float64(f.l.Uses):
		return &flawed{report.TooComplex, fmt.Sprintf("The svg repeats its parts until it has more than %d further elements, which can keep a browser busy for minutes. It is not drawn.", f.l.Uses)}
	case c.elements > float64(f.l.Elements):
		return &flawed{report.TooManyElements, "The svg has too many elements."}
	case c.bytes > maxBytes*float64(f.l.SVG):
		return &flawed{report.TooComplex, "The svg repeats large parts too often. It is not drawn."}
	case c.filters > maxFilters:
		f.count(report.Attributes, strip(root, "filter"), "filter")
	}
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
		if a.name == "filter" && a.value != "none" {
			c.filters++
		}
	}
	for _, k := range n.kids {
		c.add(b.of(k))
	}
	if n.name == "use" {
		if target := b.ids[strings.TrimPrefix(n.get("href"), "#")]; target != nil {
			c.add(b.of(target))
			c.elements--
		}
	}
	c.elements = math.Min(c.elements, endless)
	delete(b.open, n)
	b.done[n] = c
	return c
}

// parts takes out markers, patterns, clip paths and filters with too much inside.
func (f *filter) parts(n *node) {
	kept := n.kids[:0]
	for _, k := range n.kids {
		most := map[string]int{"marker": maxMarker, "pattern": maxPattern, "clipPath": maxClip, "filter": maxFilter}[k.name]
		if most > 0 && (k.size() > most+1 || k.name != "clipPath" && k.holds("use")) {
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
