package sandbox

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// The parser does not say where in its input a node stood. So it reads the document once more, with the place
// of every tag and every text written into it, and the two trees are walked side by side. Where they part, as
// they can in markup that is nested against the rules, nothing is known.

// places are where the nodes of a document stand.
type places map[*html.Node][]stretch

// stretch is a piece of a node's text, or its start tag: from and to are offsets in the source.
type stretch struct{ from, to int }

// of is the first to the last of a node's places; ok is false where they are not known.
func (p places) of(n *html.Node) (from, to int, ok bool) {
	list := p[n]
	if len(list) == 0 {
		return 0, 0, false
	}
	return list[0].from, list[len(list)-1].to, true
}

// locate finds the places of doc, which was parsed from the page's text.
func (p *page) locate(doc *html.Node) places {
	mark := unusedRune(p.text)
	if mark == 0 {
		return nil
	}
	twin, notice := p.parse(noted(p.text, string(mark)))
	if notice != nil {
		return nil
	}
	found := places{}
	type pair struct{ a, b *html.Node }
	for stack := []pair{{doc, twin}}; len(stack) > 0; {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		a, b := top.a.FirstChild, top.b.FirstChild
		for a != nil && b != nil && found.take(a, b, string(mark)) {
			stack = append(stack, pair{a, b})
			a, b = a.NextSibling, b.NextSibling
		}
	}
	return found
}

// unusedRune is a character for private use that a text does not hold, as it is or as a reference; 0 when there is none.
func unusedRune(s string) rune {
	whole := html.UnescapeString(s)
	for r := rune(0xe000); r < 0xe040; r++ {
		if !strings.ContainsRune(s, r) && !strings.ContainsRune(whole, r) {
			return r
		}
	}
	return 0
}

// noted writes s with places in it: a text begins with mark from,to mark; a tag has an attribute of that name.
func noted(s, mark string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/4)
	z := html.NewTokenizer(strings.NewReader(s))
	at := 0
	for {
		kind := z.Next()
		n := len(z.Raw())
		raw := s[at:min(len(s), at+n)]
		switch kind {
		case html.TextToken:
			trimmed := strings.TrimLeft(raw, " \t\r\n\f")
			lead := len(raw) - len(trimmed)
			b.WriteString(raw[:lead])
			if trimmed != "" {
				writePlace(&b, mark, at+lead, at+lead+len(strings.TrimRight(trimmed, " \t\r\n\f")))
			}
			b.WriteString(trimmed)
		case html.StartTagToken, html.SelfClosingTagToken:
			name := tagName(raw[1:])
			if end := strings.IndexAny(raw[1:], " \t\r\n\f/>"); end >= 0 {
				name = raw[1 : 1+end]
			}
			b.WriteString(raw[:1+len(name)])
			if !formatting(name) { // parsers compare their attributes
				b.WriteString(" " + mark + "=" + strconv.Itoa(at) + "," + strconv.Itoa(at+n))
				b.WriteByte(' ')
			}
			b.WriteString(raw[1+len(name):])
		case html.CommentToken:
			open := 0
			if len(raw) > 7 && strings.HasPrefix(raw, "<!--") && strings.HasSuffix(raw, "-->") {
				open = 4
			} else if strings.HasPrefix(raw, "<?") || strings.HasPrefix(raw, "<!") && !strings.HasPrefix(raw, "<!-") && !strings.HasPrefix(raw, "<![") {
				open = 2
			}
			b.WriteString(raw[:open])
			if open > 0 {
				writePlace(&b, mark, at, at+n)
			}
			b.WriteString(raw[open:])
		default:
			b.WriteString(raw)
		}
		at += n
		if kind == html.ErrorToken {
			b.WriteString(s[min(at, len(s)):])
			return b.String()
		}
	}
}

func writePlace(b *strings.Builder, mark string, from, to int) {
	b.WriteString(mark + strconv.Itoa(from) + "," + strconv.Itoa(to) + mark)
}

// take notes the place of a, which b tells, and reports whether the two are the same node.
func (p places) take(a, b *html.Node, mark string) bool {
	if a.Type != b.Type {
		return false
	}
	switch a.Type {
	case html.ElementNode:
		if a.Data != b.Data {
			return false
		}
		if v := attrOf(b.Attr, mark); v != "" {
			p.put(a, v)
		}
		return true
	case html.TextNode, html.CommentNode:
		parts := strings.Split(b.Data, mark)
		if len(parts)%2 == 0 {
			return false
		}
		var plain strings.Builder
		for i, part := range parts {
			if i%2 == 0 {
				plain.WriteString(part)
			}
		}
		if plain.String() != a.Data {
			return false
		}
		for i := 1; i < len(parts); i += 2 {
			p.put(a, parts[i])
		}
	}
	return true
}

func (p places) put(n *html.Node, place string) {
	x, y, _ := strings.Cut(strings.TrimSuffix(place, "/"), ",")
	from, err := strconv.Atoi(x)
	to, err2 := strconv.Atoi(y)
	if err == nil && err2 == nil {
		p[n] = append(p[n], stretch{from, to})
	}
}
