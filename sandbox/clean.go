package sandbox

import (
	"sort"
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/style"
	"github.com/figs-web/figs-web/sandbox/report"
)

// cleaner writes a parsed document afresh with what the policy keeps, and tallies the rest.
type cleaner struct {
	p      *page
	out    *writer
	words  *words // what a machine would read; nil after the first pass
	inline map[string]style.Result
	images map[string]image // by their address as written
	css    string           // the author's sheets, filtered
	fonts  bool             // the author chose fonts
	styles int              // bytes of style that may still come
	own    style.Result     // what the style attribute of the current element became

	muted  int // inside how many dropped elements
	inks   []ink
	drawn  drawn
	pixels int             // of all pictures
	font   string          // of the page
	lent   int             // bytes of style that drawings took from the page
	raw    strings.Builder // the raw HTML of a markdown text
}

// image is what became of the address of a picture.
type image struct {
	src  string
	host string
	what report.RemovalKind // as what it is counted when there is no picture
	why  string             // stands in its place
}

// ink is the colour of the text inside an element.
type ink struct {
	node   *html.Node
	colour string
}

func newCleaner(p *page) *cleaner {
	return &cleaner{
		p: p, styles: p.limits.Styles, inline: map[string]style.Result{}, images: map[string]image{}, words: newWords(p.room()),
	}
}

// pass writes the document. It reports whether it is within the limit.
func (c *cleaner) pass(doc *html.Node) (string, bool) {
	c.out, c.styles = c.p.writer(), c.p.limits.Styles
	walk(doc, c.enter, c.leave)
	c.words.end()
	return string(c.out.buf), !c.out.full
}

// enter writes what stands before the children of a node.
func (c *cleaner) enter(n *html.Node) bool {
	switch n.Type {
	case html.DocumentNode:
		return true
	case html.TextNode:
		c.text(n)
	case html.CommentNode:
		c.remove(report.Comments, "")
		c.words.apart(n.Data, "comment")
	case html.ElementNode:
		return c.element(n)
	}
	return false
}

func (c *cleaner) element(n *html.Node) bool {
	if n.Namespace != "" {
		c.foreign(n)
		return false
	}
	rule := fateOf(n.Data)
	if n.Data == "progress" && !hasAttr(n, "value") {
		rule = &element{name: n.Data, fate: unwrap, what: report.Elements}
	}
	switch {
	case n.Data == quoted && c.p.result.Kind == report.Markdown:
		c.raw.WriteString(allText(n))
		c.raw.WriteByte('\n')
		return true
	case rule.fate == drop:
		c.dropped(n, rule)
		return true
	case rule.fate == unwrap:
		c.removeIf(rule.what, n.Data)
		c.wanted(n)
		c.words.open(n.Data)
		return true
	}
	c.kept(n)
	return true
}

// kept writes the start tag of an element that stays.
func (c *cleaner) kept(n *html.Node) {
	c.own = style.Result{}
	attrs := c.attrs(n)
	c.tint(n, attrs)
	c.words.open(n.Data)
	if c.muted > 0 {
		return
	}
	if n.Data == "img" {
		c.img(n, attrs)
		return
	}
	if n.Data == "html" && attrOf(attrs, "lang") == "" {
		attrs = append(attrs, html.Attribute{Key: "lang", Val: "en"})
	}
	c.tag(n.Data, attrs)
	if first := n.FirstChild; n.Data == "pre" && first != nil && first.Type == html.TextNode && strings.HasPrefix(first.Data, "\n") {
		c.out.add("\n")
	}
}

func (c *cleaner) tag(name string, attrs []html.Attribute) {
	sort.Slice(attrs, func(i, j int) bool { return attrs[i].Key < attrs[j].Key })
	c.out.add("<", name)
	for _, a := range attrs {
		c.out.add(" ", a.Key, `="`)
		c.out.escaped(a.Val)
		c.out.add(`"`)
	}
	if void[name] {
		c.out.add("/")
	}
	c.out.add(">")
}

// void elements have no end tag.
var void = map[string]bool{"br": true, "col": true, "hr": true, "img": true, "wbr": true}

// leave writes what stands after the children of a node.
func (c *cleaner) leave(n *html.Node) {
	if n.Type != html.ElementNode || n.Namespace != "" {
		return
	}
	rule := fateOf(n.Data)
	unwrapped := rule.fate == unwrap || n.Data == "progress" && !hasAttr(n, "value")
	switch {
	case rule.fate == drop:
		c.muted--
	case !unwrapped && c.muted == 0 && !void[n.Data]:
		c.out.add("</", n.Data, ">")
	}
	for len(c.inks) > 0 && c.inks[len(c.inks)-1].node == n {
		c.inks = c.inks[:len(c.inks)-1]
	}
	c.words.close(n.Data)
}

// text writes a text node. White space outside the body is nothing.
func (c *cleaner) text(n *html.Node) {
	parent := n.Parent
	if parent != nil && parent.Type == html.ElementNode {
		switch parent.Data {
		case "html", "head":
			return
		case "script":
			c.script(n.Data)
			return
		case "style":
			return
		}
	}
	mark := c.p.marks[n]
	c.words.text(n.Data, mark.why)
	if c.muted == 0 {
		c.out.escaped(n.Data)
		if !mark.hidden {
			c.drawn.seen(n.Data)
		}
	}
}

// box writes a sentence of ours where something was that is not shown.
func (c *cleaner) box(text string) {
	if c.muted == 0 {
		c.out.add(`<span class="u-figs-box">`)
		c.out.escaped(text)
		c.out.add(`</span>`)
	}
}

func (c *cleaner) remove(what report.RemovalKind, example string) { c.p.tally.remove(what, example) }

func (c *cleaner) removeIf(what report.RemovalKind, example string) {
	if what != "" {
		c.remove(what, example)
	}
}

func hasAttr(n *html.Node, key string) bool { return attrOf(n.Attr, key) != "" }

// attrOf returns the value of an attribute, or "".
func attrOf(attrs []html.Attribute, key string) string {
	for i := range attrs {
		if attrs[i].Key == key {
			return attrs[i].Val
		}
	}
	return ""
}
