package picture

import (
	"strings"

	"github.com/figs-web/figs-web/sandbox/internal/style"
	"github.com/figs-web/figs-web/sandbox/report"
)

// place is where an element stands.
type place struct {
	text   bool // inside an element whose text is shown
	filter bool // inside a filter
	tile   bool // inside a marker, a pattern or a clip path: no references but plain shapes
}

// element returns what may be shown of an element, or nil.
func (f *filter) element(n *node, p place) *node {
	switch n.name {
	case "a":
		f.link(n)
		n = &node{name: "g", attrs: without(n.attrs, "href"), kids: n.kids}
		if p.text {
			n.name = "tspan"
		}
	case "switch":
		n = plainest(n)
	case "foreignObject":
		f.count(report.Elements, 1, n.name)
		return f.boxed(n)
	}
	if !allow[n.name] || primitives[n.name] != p.filter {
		f.leave(n)
		return nil
	}
	switch n.name {
	case "style":
		return f.sheet(n)
	case "title", "desc":
		f.say(n)
		return nil
	case "image":
		return f.image(n, p)
	case "use", "marker", "pattern", "clipPath", "filter":
		if p.tile && n.name != "use" {
			f.count(report.Elements, 1, n.name+" inside another")
			return nil
		}
	}
	out := &node{name: n.name, attrs: f.attributes(n, p)}
	if n.name == "use" {
		return f.use(n, out)
	}
	if n.name == "text" {
		f.say(n)
	}
	f.children(n, out, inside(p, n.name))
	if n.name == "filter" && (len(out.kids) == 0 || out.size() < n.size()) {
		f.count(report.Elements, 1, n.name) // with a step missing it would show something else, or nothing
		return nil
	}
	return out
}

// inside returns where the children of an element stand.
func inside(p place, name string) place {
	switch name {
	case "text", "tspan", "textPath":
		p.text = true
	case "filter":
		p.filter = true
	case "marker", "pattern", "clipPath":
		p.tile = true
	}
	return p
}

func (f *filter) children(n, out *node, p place) {
	for _, k := range n.kids {
		if k.name == "" {
			if p.text && len(escape(nil, k.text)) > 0 {
				out.kids = append(out.kids, &node{text: k.text})
			}
			continue
		}
		if c := f.element(k, p); c != nil {
			out.kids = append(out.kids, c)
		}
	}
}

func without(attrs []attr, name string) []attr {
	var out []attr
	for _, a := range attrs {
		if a.name != name {
			out = append(out, a)
		}
	}
	return out
}

// plainest returns the first choice of a switch that is svg itself, as a group.
func plainest(n *node) *node {
	out := &node{name: "g", attrs: n.attrs}
	for _, k := range n.kids {
		if k.name != "" && k.name != "foreignObject" {
			out.kids = []*node{k}
			return out
		}
	}
	for _, k := range n.kids {
		if k.name == "foreignObject" {
			out.kids = []*node{k}
			break
		}
	}
	return out
}

// leave counts an element that is left out, with what it would have done.
func (f *filter) leave(n *node) {
	switch {
	case silent[n.name]:
		return
	case n.name == "script" || n.name == "handler" || n.name == "listener":
		f.count(report.Scripts, 1, n.name)
	case n.name == "iframe" || n.name == "object" || n.name == "embed":
		f.count(report.Frames, 1, n.name)
	default:
		f.count(report.Elements, 1, n.name)
	}
	f.within(n)
}

// within counts scripts, handlers and addresses inside of what is left out, and keeps its text.
func (f *filter) within(n *node) {
	for _, a := range n.attrs {
		switch {
		case strings.HasPrefix(strings.ToLower(a.name), "on"):
			f.count(report.Handlers, 1, a.name)
		case a.name == "href" || a.name == "src" || a.name == "data":
			f.address(a.value)
		case a.name == "style":
			f.styles(style.Inline(a.value, f.l.Styles))
		}
	}
	for _, k := range n.kids {
		if k.name == "script" {
			f.count(report.Scripts, 1, k.name)
		}
		if k.name != "" {
			f.within(k)
		}
	}
}

// address counts an address that would have loaded.
func (f *filter) address(s string) {
	switch scheme := style.Scheme(s); {
	case strings.HasPrefix(strings.TrimSpace(s), "#"), s == "":
	case scheme == "javascript" || scheme == "vbscript":
		f.count(report.Scripts, 1, scheme+":")
	case scheme == "data":
		f.count(report.Data, 1, "data:")
	default:
		f.count(report.Loads, 1, s)
		f.host(style.Host(s))
	}
}

// styles counts what package style left out.
func (f *filter) styles(r style.Result) string {
	f.tally.AddAll(r.Removed)
	for _, h := range r.Hosts {
		f.host(h)
	}
	return r.CSS
}

// instruction counts a processing instruction or a document type, which may name addresses.
func (f *filter) instruction(h string) {
	if !strings.HasPrefix(h, "<?xml-stylesheet") {
		return
	}
	address := ""
	if _, rest, ok := strings.Cut(h, "href="); ok && rest != "" {
		address, _, _ = strings.Cut(rest[1:], rest[:1])
	}
	f.address(address)
}

// sheet filters a style element.
func (f *filter) sheet(n *node) *node {
	var b strings.Builder
	for _, k := range n.kids {
		b.WriteString(k.text)
	}
	if css := f.styles(style.Sheet(b.String(), f.l.Styles)); css != "" {
		return &node{name: "style", kids: []*node{{text: css}}}
	}
	return nil
}

// words returns the text inside an element with its white space folded, at most n bytes of it.
func (n *node) words(most int) string {
	var b strings.Builder
	n.collect(&b, most)
	return style.Shorten(strings.Join(strings.Fields(b.String()), " "), most)
}

func (n *node) collect(b *strings.Builder, most int) {
	if b.Len() > 4*most {
		return
	}
	b.WriteString(n.text)
	for _, k := range n.kids {
		if k.name == "style" || k.name == "script" {
			continue
		}
		k.collect(b, most)
		if k.name != "" && k.name != "tspan" {
			b.WriteByte(' ')
		}
	}
}

// say keeps the text of an element for those who read rather than look.
func (f *filter) say(n *node) {
	if s := n.words(4000); s != "" && len(f.text) < maxItems {
		f.text = append(f.text, s)
	}
}

// link lists where an element wanted to lead.
func (f *filter) link(n *node) {
	address := strings.TrimSpace(n.get("href"))
	if address == "" || strings.HasPrefix(address, "#") {
		return
	}
	if s := style.Scheme(address); s == "javascript" || s == "vbscript" {
		f.count(report.Scripts, 1, s+":")
		return
	}
	f.count(report.Addresses, 1, style.Scheme(address)+":")
	if len(f.links) < maxItems {
		f.links = append(f.links, report.Link{Text: n.words(200), Address: style.Shorten(address, 500), Host: style.Host(address)})
	}
}

// image keeps a raster image that the svg carries itself.
func (f *filter) image(n *node, p place) *node {
	clean, info, ok := Data(n.get("href"), f.l)
	if ok {
		f.pixels += info.Width * info.Height
	}
	if !ok || p.tile || f.pixels > f.l.Pixels {
		f.address(n.get("href"))
		return nil
	}
	n.attrs = without(n.attrs, "href")
	return &node{name: "image", attrs: append(f.attributes(n, p), attr{"href", clean})}
}

// use keeps a reference to a part of the same picture.
func (f *filter) use(n, out *node) *node {
	name, ok := strings.CutPrefix(strings.TrimSpace(n.get("href")), "#")
	if !ok || name == "" {
		f.count(report.Elements, 1, "use")
		f.address(n.get("href"))
		return nil
	}
	out.attrs = append(without(out.attrs, "href"), attr{"href", "#" + style.Name(name)})
	return out
}

// boxed draws the text of html inside of a picture as svg text in the middle of its box: diagrams
// write their labels so.
func (f *filter) boxed(n *node) *node {
	f.within(n)
	text := n.words(300)
	if text == "" {
		return nil
	}
	x, y := first(n.get("x")), first(n.get("y"))
	w, h := first(n.get("width")), first(n.get("height"))
	if len(f.text) < maxItems {
		f.text = append(f.text, text)
	}
	return &node{name: "text", kids: []*node{{text: text}}, attrs: []attr{
		{"x", decimal(x + w/2)}, {"y", decimal(y + h/2)}, {"text-anchor", "middle"}, {"dominant-baseline", "central"}}}
}
