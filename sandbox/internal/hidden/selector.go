package hidden

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// selector is compounds with what stands between them, the last one for the element itself.
type selector struct {
	steps  []step
	weight uint64 // its specificity, above the order of rules
	part   string // of an element: "before", "first-line"; "" for the element itself
}

// step is what must hold for one element. Its zero value holds for all.
type step struct {
	before  byte // what stands before it: ' ', '>', '+', '~'; 0 for the first
	tag, id string
	classes []string
	tests   []test
}

// test is a condition on an element. What it looks at is taken off left.
type test func(n *html.Node, left *int) bool

const (
	oneID    = 1 << 48
	oneClass = 1 << 40
	oneTag   = 1 << 32
)

// parseSelector reads one selector as package style writes it; nil when it is not understood.
func parseSelector(s string) *selector {
	p := &selectorReader{s: strings.TrimSpace(s)}
	sel := &selector{}
	for before := byte(0); ; {
		st := step{before: before}
		if !p.compound(&st, sel) {
			return nil
		}
		sel.steps = append(sel.steps, st)
		if p.i >= len(p.s) {
			return sel
		}
		if before = p.combinator(); before == 0 {
			return nil
		}
	}
}

type selectorReader struct {
	s string
	i int
}

func (p *selectorReader) combinator() byte {
	c := byte(0)
	for ; p.i < len(p.s); p.i++ {
		switch b := p.s[p.i]; b {
		case ' ':
			if c == 0 {
				c = ' '
			}
		case '>', '+', '~':
			c = b
		default:
			return c
		}
	}
	return 0
}

func (p *selectorReader) compound(st *step, sel *selector) bool {
	start := p.i
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '*':
			p.i++
		case c == '.':
			p.i++
			st.classes = append(st.classes, own(p.ident()))
			sel.weight += oneClass
		case c == '#':
			p.i++
			st.id = own(p.ident())
			sel.weight += oneID
		case c == '[':
			end := p.i + closing(p.s[p.i:])
			if end >= len(p.s) {
				return false
			}
			st.tests = append(st.tests, attribute(p.s[p.i+1:end]))
			p.i = end + 1
			sel.weight += oneClass
		case c == ':':
			if !p.pseudo(st, sel) {
				return false
			}
		case c == ' ' || c == '>' || c == '+' || c == '~':
			return p.i > start
		default:
			name := p.ident()
			if name == "" {
				return false
			}
			st.tag = strings.ToLower(name)
			sel.weight += oneTag
		}
	}
	return p.i > start
}

// ident reads a name with its hex escapes.
func (p *selectorReader) ident() string {
	var b strings.Builder
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '\\':
			end := strings.IndexByte(p.s[p.i:], ' ')
			if end < 0 {
				return ""
			}
			n, err := strconv.ParseUint(p.s[p.i+1:p.i+end], 16, 32)
			if err != nil {
				return ""
			}
			b.WriteRune(rune(n))
			p.i += end + 1
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '-', c == '_':
			b.WriteByte(c)
			p.i++
		default:
			return b.String()
		}
	}
	return b.String()
}

// own takes off the prefix that package style puts before the author's names.
func own(name string) string { return strings.TrimPrefix(name, "u-") }

func (p *selectorReader) pseudo(st *step, sel *selector) bool {
	if strings.HasPrefix(p.s[p.i:], "::") {
		p.i += 2
		sel.part = p.ident()
		sel.weight += oneTag
		return p.i == len(p.s)
	}
	p.i++
	name := p.ident()
	inside := ""
	if p.i < len(p.s) && p.s[p.i] == '(' {
		end := p.i + closing(p.s[p.i:])
		if end >= len(p.s) {
			return false
		}
		inside, p.i = p.s[p.i+1:end], end+1
	}
	switch name {
	case "before", "after", "first-line", "first-letter":
		sel.part = name
		sel.weight += oneTag
		return p.i == len(p.s)
	case "not", "is", "where":
		return p.list(st, sel, name, inside)
	}
	holds := structural(name, inside)
	if holds == nil {
		return false
	}
	st.tests = append(st.tests, holds)
	sel.weight += oneClass
	return true
}

// list reads :not(), :is() and :where().
func (p *selectorReader) list(st *step, sel *selector, name, inside string) bool {
	var all []*selector
	most := uint64(0)
	for _, part := range split(inside, ',') {
		in := parseSelector(part)
		if in == nil || in.part != "" {
			return false
		}
		all, most = append(all, in), max(most, in.weight)
	}
	if name != "where" {
		sel.weight += most
	}
	st.tests = append(st.tests, func(n *html.Node, left *int) bool {
		for _, in := range all {
			if in.matches(n, left) {
				return name != "not"
			}
		}
		return name == "not"
	})
	return true
}

// matches reports whether the selector is for an element. What it looks at is taken off left; once nothing is
// left, it is for none.
func (sel *selector) matches(n *html.Node, left *int) bool {
	return sel.from(n, len(sel.steps)-1, left) == yes
}

// answer says whether the steps up to one hold for an element, and if not, for which others they cannot hold
// either: without that, each further step would multiply the ways that are tried.
type answer uint8

const (
	yes       answer = iota
	no               // for this one
	noSibling        // nor for one before it
	never            // nor for one around it
)

func (sel *selector) from(n *html.Node, i int, left *int) answer {
	st := &sel.steps[i]
	if !st.holds(n, left) {
		return no
	}
	switch st.before {
	case 0:
		return yes
	case '>':
		up := parent(n)
		if up == nil {
			return never
		}
		if a := sel.from(up, i-1, left); a == yes || a == never {
			return a
		}
		return noSibling
	case '+':
		before := sibling(n, left)
		if before == nil {
			return noSibling
		}
		return sel.from(before, i-1, left)
	case '~':
		for before := sibling(n, left); before != nil; before = sibling(before, left) {
			if a := sel.from(before, i-1, left); a != no {
				return a
			}
		}
		return noSibling
	}
	for up := parent(n); up != nil; up = parent(up) {
		if a := sel.from(up, i-1, left); a == yes || a == never {
			return a
		}
	}
	return never
}

func (st *step) holds(n *html.Node, left *int) bool {
	*left -= 1 + len(n.Attr)>>2
	if *left <= 0 || st.tag != "" && st.tag != n.Data || st.id != "" && attr(n, "id") != st.id {
		return false
	}
	for _, c := range st.classes {
		if !hasWord(attr(n, "class"), c, left) {
			return false
		}
	}
	for _, holds := range st.tests {
		if !holds(n, left) {
			return false
		}
	}
	return true
}

func parent(n *html.Node) *html.Node {
	if n.Parent != nil && n.Parent.Type == html.ElementNode {
		return n.Parent
	}
	return nil
}

// sibling is the element before.
func sibling(n *html.Node, left *int) *html.Node {
	for n = n.PrevSibling; n != nil && n.Type != html.ElementNode; n = n.PrevSibling {
		*left--
	}
	return n
}

func next(n *html.Node, left *int) *html.Node {
	for n = n.NextSibling; n != nil && n.Type != html.ElementNode; n = n.NextSibling {
		*left--
	}
	return n
}

func attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, key string) bool {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return true
		}
	}
	return false
}

// hasWord reports whether list holds a word, between white space.
func hasWord(list, word string, left *int) bool {
	*left -= len(list) >> 5
	for list != "" {
		i := strings.IndexAny(list, " \t\n\r\f")
		if i < 0 {
			return list == word
		}
		if list[:i] == word {
			return true
		}
		list = list[i+1:]
	}
	return false
}

// attribute reads the inside of [name], [name=value], [name~=value] or [name|=value].
func attribute(inside string) test {
	name, value, set := strings.Cut(inside, "=")
	kind := byte('=')
	if k := len(name) - 1; set && k > 0 && (name[k] == '~' || name[k] == '|') {
		kind, name = name[k], name[:k]
	}
	value = strings.Trim(value, `"`)
	if name == "title" { // the rendered view has none left
		return func(*html.Node, *int) bool { return false }
	}
	return func(n *html.Node, left *int) bool {
		if !set {
			return hasAttr(n, name)
		}
		v := attr(n, name)
		switch kind {
		case '~':
			return hasWord(v, value, left)
		case '|':
			return v == value || strings.HasPrefix(v, value+"-")
		}
		return strings.EqualFold(v, value)
	}
}

// structural is the test of a pseudo-class that depends on where an element stands.
func structural(name, inside string) test {
	first := func(n *html.Node, left *int) bool { return sibling(n, left) == nil }
	last := func(n *html.Node, left *int) bool { return next(n, left) == nil }
	firstOf := func(n *html.Node, left *int) bool { return index(n, sibling, true, left) == 1 }
	lastOf := func(n *html.Node, left *int) bool { return index(n, next, true, left) == 1 }
	switch name {
	case "first-child":
		return first
	case "last-child":
		return last
	case "only-child":
		return func(n *html.Node, left *int) bool { return first(n, left) && last(n, left) }
	case "first-of-type":
		return firstOf
	case "last-of-type":
		return lastOf
	case "only-of-type":
		return func(n *html.Node, left *int) bool { return firstOf(n, left) && lastOf(n, left) }
	case "root":
		return func(n *html.Node, _ *int) bool { return parent(n) == nil }
	case "any-link":
		return func(n *html.Node, _ *int) bool { return n.Data == "a" && hasAttr(n, "href") }
	case "empty":
		return func(n *html.Node, left *int) bool {
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				if *left--; c.Type == html.ElementNode || c.Type == html.TextNode && c.Data != "" {
					return false
				}
			}
			return true
		}
	}
	towards, ok := map[string]func(*html.Node, *int) *html.Node{
		"nth-child": sibling, "nth-of-type": sibling, "nth-last-child": next, "nth-last-of-type": next}[name]
	if !ok {
		return nil
	}
	a, b := series(inside)
	same := strings.HasSuffix(name, "of-type")
	return func(n *html.Node, left *int) bool {
		i := index(n, towards, same, left) - b
		return a == 0 && i == 0 || a != 0 && i%a == 0 && i/a >= 0
	}
}

// index counts an element among its siblings, from 1, up to a number beyond which nobody counts.
func index(n *html.Node, step func(*html.Node, *int) *html.Node, same bool, left *int) int {
	i := 1
	for o := step(n, left); o != nil && i < 2000 && *left > 0; o = step(o, left) {
		if *left--; !same || o.Data == n.Data {
			i++
		}
	}
	return i
}

// series reads an+b, odd or even.
func series(s string) (a, b int) {
	switch s {
	case "odd":
		return 2, 1
	case "even":
		return 2, 0
	}
	x, y, found := strings.Cut(s, "n")
	if !found {
		b, _ = strconv.Atoi(strings.TrimPrefix(s, "+"))
		return 0, b
	}
	switch x {
	case "", "+":
		a = 1
	case "-":
		a = -1
	default:
		a, _ = strconv.Atoi(strings.TrimPrefix(x, "+"))
	}
	b, _ = strconv.Atoi(strings.TrimPrefix(y, "+"))
	return a, b
}
