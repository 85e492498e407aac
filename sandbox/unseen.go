package sandbox

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/style"
	"github.com/figs-web/figs-web/sandbox/report"
)

// sheets filters the style elements of a document, and learns which simple selectors hide text.
func (c *cleaner) sheets(doc *html.Node) {
	var b strings.Builder
	left := c.p.limits.Styles
	walk(doc, func(n *html.Node) bool {
		if n.Type != html.ElementNode || n.Data != "style" || n.Namespace != "" {
			return n.Type != html.ElementNode || n.Namespace == "" && (fateOf(n.Data).fate != drop)
		}
		r := c.sheet(n, left)
		left -= len(r.CSS)
		b.WriteString(r.CSS)
		return false
	}, func(*html.Node) {})
	c.css = b.String()
	if strings.ContainsAny(c.css, "<&") || strings.Contains(strings.ToLower(c.css), "@import") {
		c.css = ""
		c.remove(report.Styles, "style")
	}
	c.font = bodyFont(c.css)
	if strings.Contains(c.css, "background") {
		c.ground[0].back = "" // set by a rule: unknown
	}
}

// sheet filters one style element.
func (c *cleaner) sheet(n *html.Node, left int) style.Result {
	text := allText(n)
	switch media := strings.ToLower(strings.TrimSpace(attrOf(n.Attr, "media"))); media {
	case "", "all", "screen":
	default:
		text = "@media " + media + "{" + text + "}"
	}
	r := style.Sheet(text, max(0, left))
	for _, x := range r.Removed {
		c.p.tally.add(x)
	}
	for _, h := range r.Hosts {
		c.p.tally.host(h)
	}
	for selector, why := range r.Hiding {
		c.hiding[selector] = why
	}
	return r
}

// styled reports whether the author chose the looks of the report, which then owes ours nothing.
func (c *cleaner) styled() bool { return c.css != "" || c.fonts }

// shade follows the colours into an element that stays, and notes when its text is not seen.
func (c *cleaner) shade(n *html.Node, attrs []html.Attribute) {
	g := c.ground[len(c.ground)-1]
	set := false
	for _, x := range []struct {
		to     *string
		colour string
	}{
		{&g.text, style.Colour(attrOf(attrs, "color"))}, {&g.text, c.own.Colour},
		{&g.back, style.Colour(attrOf(attrs, "bgcolor"))}, {&g.back, c.own.Ground},
	} {
		if x.colour != "" {
			*x.to, set = x.colour, true
		}
	}
	if set {
		g.node = n
		c.ground = append(c.ground, g)
	}
	if c.hider != nil {
		return
	}
	if why := c.hides(attrs); why != "" {
		c.hide(n, why)
	} else if set && style.Alike(g.text, g.back) {
		c.hide(n, "same colour")
	}
}

// hides returns why the text of an element is not seen, or "".
func (c *cleaner) hides(attrs []html.Attribute) string {
	if c.own.Hides != "" {
		return c.own.Hides
	}
	for _, a := range attrs {
		switch a.Key {
		case "hidden":
			return "hidden"
		case "class":
			for _, name := range strings.Fields(a.Val) {
				if why := c.hiding["."+name]; why != "" {
					return why
				}
			}
		case "id":
			if why := c.hiding["#"+a.Val]; why != "" {
				return why
			}
		}
	}
	return ""
}

// hide begins to gather the text inside an element that nobody sees.
func (c *cleaner) hide(n *html.Node, why string) {
	if c.hider == nil {
		c.hider, c.why = n, why
		c.unseen.Reset()
	}
}

// reveal ends what hide began.
func (c *cleaner) reveal(n *html.Node) {
	if c.hider != n {
		return
	}
	text := c.unseen.String()
	if c.why == "title" {
		c.postpone("title", text)
	} else {
		c.p.tally.hide(c.why, text)
	}
	c.hider, c.why = nil, ""
	c.unseen.Reset()
}

// postpone keeps words that count as unseen only when the visible text does not say the same.
func (c *cleaner) postpone(why, text string) {
	if len(c.later) < 300 {
		c.later = append(c.later, report.Unseen{Why: why, Text: squeeze(text)})
	}
}

// conclude judges, after the first pass, what only the whole document shows.
func (c *cleaner) conclude() {
	seen := strings.Join(strings.Fields(c.drawn.visible.String()), " ")
	for _, u := range c.later {
		if !strings.Contains(seen, u.Text) {
			c.p.tally.hide(u.Why, u.Text)
		}
	}
	c.later, c.words = nil, nil
	c.p.raw(c.raw.String())
	if text := c.drawn.notice(); text != "" {
		c.p.notice(report.DrawsItself, text)
	}
}
