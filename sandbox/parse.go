package sandbox

import (
	"bytes"
	"errors"
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/markdown"
	"github.com/figs-web/figs-web/sandbox/report"
)

// The parser's own cost is not bounded by the size of its input: elements that are left open are made
// again after every paragraph, and each attribute of a second <body> is compared with all of the
// first. So the bytes are counted before they are parsed, without regard to where they stand: a
// count that no context can lower is a bound.

// tags counts what a parser could at most make of s.
type tags struct {
	tags       int // anything that begins with <
	separators int // places inside a tag after which an attribute could begin
	formatting int // start tags that parsers repeat when they are left open
	bodies     int // <html> and <body>, whose attributes are merged
}

// count counts in one pass. A tag begins at < with a letter after it and ends no earlier than at >.
func count(s string) tags {
	var n tags
	inside := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '<' && i+1 < len(s) && opens(s[i+1]):
			n.tags++
			inside = true
			name := tagName(s[i+1:])
			switch {
			case formatting(name):
				n.formatting++
			case strings.EqualFold(name, "body") || strings.EqualFold(name, "html"):
				n.bodies++
			}
		case inside && separates(c):
			n.separators++
		case c == '>' && inside:
			inside = false
		}
	}
	return n
}

func opens(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '/' || c == '!' || c == '?'
}

func separates(c byte) bool {
	return c == ' ' || c == '/' || c == '"' || c == '\'' || c == '\n' || c == '\t' || c == '\f' || c == '\r'
}

// tagName returns the name at the start of s, which follows <. It reads no further than any name of
// interest is long.
func tagName(s string) string {
	for i := 0; i < len(s); i++ {
		if i > 12 || separates(s[i]) || s[i] == '>' {
			return s[:i]
		}
	}
	return s
}

// formatting reports whether name is one of the elements that parsers repeat.
func formatting(name string) bool {
	switch len(name) {
	case 1, 2, 3, 4, 5, 6:
	default:
		return false
	}
	switch strings.ToLower(name) {
	case "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u":
		return true
	}
	return false
}

// parse reads s as a document within the limits. A notice says why it could not.
func (p *page) parse(s string) (*html.Node, *report.Notice) {
	n := count(s)
	switch {
	case n.tags > 2*p.limits.Elements+1000:
		return nil, tooMany()
	case n.separators > 6*p.limits.Elements, n.bodies > 2 && n.bodies*n.separators > 20_000_000:
		return nil, &report.Notice{Code: report.TooComplex, Text: "This report has too many attributes to check. Its source is shown instead."}
	}
	repeats := min(n.formatting, 512)
	if repeats*n.tags <= 1_000_000 && n.separators <= 100_000 {
		return p.treeOf(s)
	}
	return p.treeWithoutRepeats(s)
}

func tooMany() *report.Notice {
	return &report.Notice{Code: report.TooManyElements, Text: "This report has too many elements to check. Its source is shown instead."}
}

// tree is the document of a report, or of what a markdown text became. It is parsed once.
func (p *page) tree() (*html.Node, *report.Notice) {
	if p.parsed.doc != nil || p.parsed.notice != nil {
		return p.parsed.doc, p.parsed.notice
	}
	src := p.text
	if p.result.Kind == report.Markdown {
		src = standards + string(p.markdowned().HTML)
	}
	if len(src) > p.limits.HTML {
		p.parsed.notice = &report.Notice{Code: report.TooLarge, Text: "This report is larger than the rendering limit (" + size(p.limits.HTML) + "). Its source is shown instead."}
	} else {
		p.parsed.doc, p.parsed.notice = p.parse(src)
	}
	return p.parsed.doc, p.parsed.notice
}

// markdowned is what a markdown text became.
func (p *page) markdowned() *markdown.Result {
	if p.parsed.markdown == nil {
		r := markdown.HTML([]byte(p.text), p.limits)
		p.parsed.markdown = &r
	}
	return p.parsed.markdown
}

// treeOf parses s and holds the result to the limits.
func (p *page) treeOf(s string) (*html.Node, *report.Notice) {
	doc, err := html.Parse(strings.NewReader(s))
	if err != nil {
		return nil, &report.Notice{Code: parseCode(err), Text: "This report is nested too deeply to check, or is not readable HTML. Its source is shown instead."}
	}
	if elements, deep := measure(doc); deep > p.limits.Depth {
		return nil, &report.Notice{Code: report.TooDeep, Text: "This report is nested too deeply to check. Its source is shown instead."}
	} else if elements > p.limits.Elements {
		return nil, tooMany()
	}
	return doc, nil
}

// parseCode tells the parser's only limit, 512 open elements, from other errors.
func parseCode(err error) report.Code {
	if strings.Contains(err.Error(), "512") || errors.Is(err, html.ErrBufferExceeded) {
		return report.TooDeep
	}
	return report.NotParsed
}

// measure counts the elements of a tree and its depth.
func measure(root *html.Node) (elements, deep int) {
	depth := 0
	walk(root, func(n *html.Node) bool {
		if n.Type == html.ElementNode {
			elements++
		}
		depth++
		deep = max(deep, depth)
		return true
	}, func(*html.Node) { depth-- })
	return elements, deep - 1
}

// walk visits a tree without recursion: enter before the children of a node, which it can refuse,
// leave after them, also when they were refused.
func walk(root *html.Node, enter func(*html.Node) bool, leave func(*html.Node)) {
	n := root
	for {
		if enter(n) && n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		for leave(n); n != root && n.NextSibling == nil; leave(n) {
			n = n.Parent
		}
		if n == root {
			return
		}
		n = n.NextSibling
	}
}

// treeWithoutRepeats parses s with every formatting element under a name that parsers treat as any
// other, and names them back. Where tags are nested properly the tree is the same; where they
// are not, an element that was left open ends with what holds it.
func (p *page) treeWithoutRepeats(s string) (*html.Node, *report.Notice) {
	mark := "-f0"
	for i := 1; strings.Contains(s, mark); i++ {
		if i > 9 {
			return nil, &report.Notice{Code: report.TooComplex, Text: "This report takes too long to check. Its source is shown instead."}
		}
		mark = "-f" + string(rune('0'+i))
	}
	doc, notice := p.treeOf(renamed(s, mark))
	if notice != nil {
		return nil, notice
	}
	walk(doc, func(n *html.Node) bool {
		unmark(n, mark)
		return true
	}, func(*html.Node) {})
	return doc, nil
}

// renamed appends mark to the name of each formatting element, wherever < and its name stand.
func renamed(s, mark string) string {
	var b bytes.Buffer
	b.Grow(len(s) + len(s)/8)
	start := 0
	for i := 0; i < len(s); i++ {
		if s[i] != '<' {
			continue
		}
		at := i + 1
		if at < len(s) && s[at] == '/' {
			at++
		}
		if name := tagName(s[at:]); formatting(name) {
			b.WriteString(s[start : at+len(name)])
			b.WriteString(mark)
			start = at + len(name)
		}
	}
	b.WriteString(s[start:])
	return b.String()
}

func unmark(n *html.Node, mark string) {
	if strings.Contains(n.Data, mark) {
		n.Data = strings.ReplaceAll(n.Data, mark, "")
		n.DataAtom = 0
	}
	for i := range n.Attr {
		if a := &n.Attr[i]; strings.Contains(a.Key, mark) || strings.Contains(a.Val, mark) {
			a.Key, a.Val = strings.ReplaceAll(a.Key, mark, ""), strings.ReplaceAll(a.Val, mark, "")
		}
	}
}
