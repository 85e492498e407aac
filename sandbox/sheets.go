package sandbox

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/style"
	"github.com/figs-web/figs-web/sandbox/report"
)

// sheets filters the style elements of a document.
func (c *cleaner) sheets(doc *html.Node) {
	r := c.p.sheets(doc)
	for _, x := range r.Removed {
		c.p.tally.add(x)
	}
	for _, h := range r.Hosts {
		c.p.tally.host(h)
	}
	c.css = r.CSS
	if strings.ContainsAny(c.css, "<&") || strings.Contains(strings.ToLower(c.css), "@import") {
		c.css = ""
		c.remove(report.Styles, "style")
	}
	c.font = bodyFont(c.css)
}

// sheets filters the style elements of a document: all of them as one sheet, once for each document.
func (p *page) sheets(doc *html.Node) style.Result {
	if p.filtered.doc == doc {
		return p.filtered.sheet
	}
	var all style.Result
	var css strings.Builder
	left := p.limits.Styles
	walk(doc, func(n *html.Node) bool {
		if n.Type != html.ElementNode || n.Data != "style" || n.Namespace != "" {
			return n.Type != html.ElementNode || n.Namespace == "" && (fateOf(n.Data).fate != drop)
		}
		r := sheet(n, left)
		left -= len(r.CSS)
		css.WriteString(r.CSS)
		all.Removed, all.Hosts = append(all.Removed, r.Removed...), append(all.Hosts, r.Hosts...)
		return false
	}, func(*html.Node) {})
	all.CSS = css.String()
	p.filtered.doc, p.filtered.sheet = doc, all
	return all
}

// inline filters a style attribute. What became of it is kept: an attribute is judged before it is written.
func (p *page) inline(v string, limit int) style.Result {
	r, known := p.inlined[v]
	if known && len(r.CSS) <= limit && len(v) <= limit {
		return r
	}
	r = style.Inline(v, limit)
	if p.inlined == nil {
		p.inlined = map[string]style.Result{}
	}
	if !r.Dropped && len(v) < 4096 {
		p.inlined[v] = r
	}
	return r
}

// sheet filters one style element.
func sheet(n *html.Node, left int) style.Result {
	text := allText(n)
	switch media := strings.ToLower(strings.TrimSpace(attrOf(n.Attr, "media"))); media {
	case "", "all", "screen":
	default:
		text = "@media " + media + "{" + text + "}"
	}
	return style.Sheet(text, max(0, left))
}

// styled reports whether the author chose the looks of the report, which then owes ours nothing.
func (c *cleaner) styled() bool { return c.css != "" || c.fonts }

// tint follows the colour of text into an element that stays: drawings take it from the page around them.
func (c *cleaner) tint(n *html.Node, attrs []html.Attribute) {
	for _, colour := range []string{style.Colour(attrOf(attrs, "color")), c.own.Colour} {
		if colour != "" {
			c.inks = append(c.inks, ink{n, colour})
		}
	}
}

// conclude judges, after the first pass, what only the whole document shows.
func (c *cleaner) conclude() {
	c.words = nil
	c.p.raw(c.raw.String())
	if text := c.drawn.notice(); text != "" {
		c.p.notice(report.DrawsItself, text)
	}
}
