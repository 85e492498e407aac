package picture

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/report"
)

// fromHTML copies an svg of a parsed html document, within the limits.
func fromHTML(n *html.Node, l report.Limits) (*node, int, *flawed) {
	c := copier{l: l}
	root := c.copy(n, 1)
	return root, c.comments, c.flawed
}

type copier struct {
	l        report.Limits
	elements int
	bytes    int
	comments int
	flawed   *flawed
}

func (c *copier) copy(n *html.Node, depth int) *node {
	if n.Type == html.TextNode {
		c.bytes += len(n.Data)
		return &node{text: legal(n.Data)}
	}
	out := &node{name: folded(local(n.Data))}
	c.elements++
	c.bytes += len(n.Data)
	for _, a := range n.Attr {
		name := folded(a.Key)
		if a.Namespace != "" && a.Namespace != "xlink" {
			name = a.Namespace + ":" + name
		}
		c.bytes += len(name) + len(a.Val)
		if len(out.attrs) < maxAttrs && out.get(name) == "" {
			out.attrs = append(out.attrs, attr{name, legal(a.Val)})
		}
	}
	switch {
	case depth > c.l.Depth:
		c.flawed = &flawed{report.TooDeep, "The SVG is nested too deeply."}
	case c.elements > c.l.Elements:
		c.flawed = &flawed{report.TooManyElements, "The SVG has too many elements."}
	case c.bytes > c.l.SVG:
		c.flawed = &flawed{report.TooLarge, "The SVG is too large to draw."}
	}
	for k := n.FirstChild; k != nil && c.flawed == nil; k = k.NextSibling {
		switch k.Type {
		case html.ElementNode, html.TextNode:
			out.kids = append(out.kids, c.copy(k, depth+1))
		case html.CommentNode:
			c.comments++
		}
	}
	return out
}

// legal drops what XML has no place for.
func legal(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case illegal(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// capitals are the names with capitals, by their form without: html does not know all of them.
var capitals = func() map[string]string {
	m := map[string]string{}
	for name := range allow {
		if lower := strings.ToLower(name); lower != name {
			m[lower] = name
		}
	}
	for name := range attributes {
		if lower := strings.ToLower(name); lower != name {
			m[lower] = name
		}
	}
	return m
}()

func folded(name string) string {
	if proper := capitals[name]; proper != "" {
		return proper
	}
	return name
}
