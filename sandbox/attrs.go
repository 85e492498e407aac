package sandbox

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/style"
	"github.com/figs-web/figs-web/sandbox/report"
)

// maxValue bounds the value of any attribute but pictures and the words that stand for them.
const maxValue = 16 << 10

// attrs returns the attributes of an element that stay, each in the shape that the last gate knows,
// and tallies the others.
func (c *cleaner) attrs(n *html.Node) []html.Attribute {
	var kept []html.Attribute
	for _, a := range n.Attr {
		rule := allowed[a.Key]
		if a.Namespace != "" || rule == nil || !rule.stands(n.Data) {
			c.attrRemoved(n, a)
			continue
		}
		value, ok := c.value(n, rule, a.Val)
		if ok {
			kept = append(kept, html.Attribute{Key: a.Key, Val: value})
		}
	}
	if n.Data == "a" && attrOf(kept, "href") == "" && hasAttr(n, "href") {
		kept = withClass(kept, "u-figs-link")
	}
	return kept
}

// withClass adds a class once.
func withClass(attrs []html.Attribute, class string) []html.Attribute {
	for i := range attrs {
		if a := &attrs[i]; a.Key == "class" {
			if !strings.Contains(" "+a.Val+" ", " "+class+" ") {
				a.Val += " " + class
			}
			return attrs
		}
	}
	return append(attrs, html.Attribute{Key: "class", Val: class})
}

// value brings one value into the shape of its attribute.
func (c *cleaner) value(n *html.Node, rule *attribute, v string) (string, bool) {
	switch rule.shape {
	case imageData:
		return v, true // img decides
	case fragment:
		return c.href(n, v)
	case styles:
		return c.style(v)
	case anything:
		return v, true
	}
	if len(v) > maxValue {
		c.remove(report.Attributes, rule.name)
		return "", false
	}
	if v = rule.shape.normal(v); v == "" && rule.shape != boolean {
		return "", false
	}
	if !rule.shape.fits(v) {
		c.remove(report.Attributes, rule.name)
		return "", false
	}
	return v, true
}

// normal writes a value as its shape has it; what cannot be is left for fits to refuse.
func (s shape) normal(v string) string {
	v = strings.TrimSpace(v)
	switch s {
	case boolean:
		return ""
	case classes, idents:
		return named(v)
	case ident:
		if v == "" {
			return ""
		}
		return style.Name(v)
	case direction:
		return strings.ToLower(v)
	case fonts:
		return strings.ReplaceAll(style.Face(v), `"`, "'")
	case number:
		return digits(v)
	case span:
		if n, err := strconv.Atoi(digits(v)); err == nil {
			return strconv.Itoa(min(n, 100))
		}
	}
	return v
}

// named prefixes every name of a list; names that no selector of ours would write are left out.
func named(list string) string {
	var kept []string
	for _, name := range strings.Fields(list) {
		if len(name) <= 120 && !strings.ContainsAny(name, `<>"'&`) {
			kept = append(kept, style.Name(name))
		}
	}
	return strings.Join(kept, " ")
}

// digits reads the number at the start of a length as browsers do: "120px" is 120, "50%" stays.
func digits(v string) string {
	i := 0
	for i < len(v) && '0' <= v[i] && v[i] <= '9' {
		i++
	}
	number, rest := v[:i], v[i:]
	if strings.HasPrefix(rest, ".") {
		rest = strings.TrimLeft(rest[1:], "0123456789")
	}
	if strings.HasPrefix(rest, "%") {
		number += "%"
	}
	return number
}

// href keeps a link to a place in the document. Every other target is listed beside it.
func (c *cleaner) href(n *html.Node, v string) (string, bool) {
	address := strings.TrimSpace(v)
	if id, ok := strings.CutPrefix(address, "#"); ok {
		if id = string(style.PercentDecode(id)); id == "" {
			return "#", true
		}
		target := "#" + style.Name(id)
		return target, len(target) < 300 && fragment.fits(target)
	}
	switch scheme := style.Scheme(address); scheme {
	case "javascript", "vbscript", "livescript":
		c.remove(report.Scripts, scheme+":")
	default:
		c.remove(report.Addresses, scheme)
	}
	if c.p.tally.full() {
		c.p.tally.link(report.Link{})
	} else {
		c.p.tally.link(linkTo(textOf(n), address))
	}
	return "", false
}

// textOf returns the first words inside an element, as a reader sees them.
func textOf(n *html.Node) string {
	var b strings.Builder
	steps := 0
	walk(n, func(n *html.Node) bool {
		steps++
		switch {
		case steps > 1000 || b.Len() > 400:
			return false
		case n.Type == html.TextNode:
			b.WriteString(n.Data[:min(len(n.Data), 400)])
		case n.Type == html.ElementNode && n.Data == "img":
			b.WriteString(attrOf(n.Attr, "alt"))
		}
		return n.Data != "script" && n.Data != "style"
	}, func(*html.Node) {})
	return b.String()
}

// allText returns the text directly inside an element.
func allText(n *html.Node) string {
	var b strings.Builder
	for t := n.FirstChild; t != nil; t = t.NextSibling {
		if t.Type == html.TextNode {
			b.WriteString(t.Data)
		}
	}
	return b.String()
}

// style filters a style attribute.
func (c *cleaner) style(v string) (string, bool) {
	r, known := c.inline[v]
	if !known {
		if r = c.p.inline(v, max(0, min(c.styles, 64<<10))); !styles.fits(r.CSS) {
			r.CSS = ""
		}
		c.styles -= len(v)
		if len(v) < 4096 {
			c.inline[v], c.inline[r.CSS] = r, r
		}
	}
	c.own = r
	for _, x := range r.Removed {
		c.p.tally.add(x)
	}
	for _, h := range r.Hosts {
		c.p.tally.host(h)
	}
	if r.CSS == "" {
		return "", false
	}
	if strings.Contains(r.CSS, "font-family") || strings.Contains(r.CSS, "font:") {
		c.fonts = true
	}
	return r.CSS, true
}

// attrRemoved tallies an attribute that goes, and keeps the words that it held.
func (c *cleaner) attrRemoved(n *html.Node, a html.Attribute) {
	rule := removedAs[a.Key]
	what := report.Attributes
	switch {
	case strings.HasPrefix(a.Key, "on"):
		what = report.Handlers
	case rule != nil && rule.what != "":
		what = rule.what
	}
	switch {
	case what == report.Loads || what == report.Addresses && a.Key != "href":
		c.address(what, a)
	default:
		c.remove(what, a.Key)
	}
}

// address tallies the addresses that an attribute holds.
func (c *cleaner) address(what report.RemovalKind, a html.Attribute) {
	c.remove(what, a.Key)
	v := a.Val[:min(len(a.Val), 64<<10)]
	if what == report.Addresses {
		c.p.tally.link(linkTo("", v))
		return
	}
	list := []string{v}
	switch a.Key {
	case "srcset", "imagesrcset":
		list = strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' })
	case "ping", "archive":
		list = strings.Fields(v)
	}
	for _, address := range list[:min(len(list), 100)] {
		c.p.tally.host(hostOf(address))
	}
}
