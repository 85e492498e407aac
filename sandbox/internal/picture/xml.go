package picture

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/sandbox/report"
)

// node is an element, or a text when it has no name.
type node struct {
	name  string
	attrs []attr
	kids  []*node
	text  string
}

type attr struct{ name, value string }

// get returns the value of an attribute, or "".
func (n *node) get(name string) string {
	for _, a := range n.attrs {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// parser reads the part of XML that an svg image needs: no document type with declarations, no
// entities beside the five, no other encoding than UTF-8. What is not well-formed is not read.
type parser struct {
	s        string
	at       int
	l        report.Limits
	elements int
	comments int
	hints    []string // processing instructions, and document types without declarations
	stack    []*node
	root     *node
}

// flawed is why a tree was not read.
type flawed struct {
	code report.Code
	text string
}

func (p *parser) fail(code report.Code, text string) *flawed { return &flawed{code, text} }

func (p *parser) broken(what string) *flawed {
	return p.fail(report.NotParsed, "The SVG is not well-formed: "+what+".")
}

// parse reads a whole document.
func (p *parser) parse() *flawed {
	if !utf8.ValidString(p.s) {
		return p.fail(report.NotParsed, "The SVG is not UTF-8.")
	}
	p.s = strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(p.s, "\uFEFF"), "\r\n", "\n"), "\r", "\n")
	if strings.ContainsFunc(p.s, illegal) {
		return p.broken("it contains a control character")
	}
	for p.at < len(p.s) {
		if err := p.item(); err != nil {
			return err
		}
	}
	switch {
	case len(p.stack) > 0:
		return p.fail(report.Truncated, "The SVG is cut off: an element is not closed.")
	case p.root == nil:
		return p.broken("it has no element")
	case p.root.name != "svg":
		return p.broken("its outermost element is not svg")
	}
	return nil
}

// item reads one piece of markup or text.
func (p *parser) item() *flawed {
	rest := p.s[p.at:]
	switch {
	case rest[0] != '<':
		return p.characters()
	case strings.HasPrefix(rest, "<!--"):
		p.comments++
		return p.skip("-->", "a comment is not closed")
	case strings.HasPrefix(rest, "<![CDATA["):
		end := strings.Index(rest, "]]>")
		if end < 0 || len(p.stack) == 0 {
			return p.broken("a CDATA section is misplaced or not closed")
		}
		p.add(&node{text: rest[len("<![CDATA["):end]})
		p.at += end + 3
		return nil
	case strings.HasPrefix(rest, "<?"):
		if !strings.HasPrefix(rest, "<?xml ") {
			p.hint(rest, "?>")
		}
		return p.skip("?>", "an instruction is not closed")
	case strings.HasPrefix(rest, "<!"):
		return p.doctype(rest)
	case strings.HasPrefix(rest, "</"):
		return p.close(rest)
	}
	return p.open()
}

func (p *parser) skip(end, why string) *flawed {
	i := strings.Index(p.s[p.at:], end)
	if i < 0 {
		return p.broken(why)
	}
	p.at += i + len(end)
	return nil
}

func (p *parser) hint(rest, end string) {
	if i := strings.Index(rest, end); i >= 0 && len(p.hints) < 20 {
		p.hints = append(p.hints, rest[:i])
	}
}

func (p *parser) doctype(rest string) *flawed {
	end := strings.IndexByte(rest, '>')
	if !strings.HasPrefix(strings.ToUpper(rest[:min(len(rest), 9)]), "<!DOCTYPE") || p.root != nil || end < 0 {
		return p.broken("a declaration is misplaced")
	}
	if strings.IndexByte(rest[:end], '[') >= 0 {
		return p.fail(report.TooComplex, "The SVG declares its own entities (a DTD). It is not drawn, because a few such lines can expand to gigabytes.")
	}
	p.hint(rest, ">")
	p.at += end + 1
	return nil
}

func (p *parser) characters() *flawed {
	end := strings.IndexByte(p.s[p.at:], '<')
	if end < 0 {
		end = len(p.s) - p.at
	}
	raw := p.s[p.at : p.at+end]
	p.at += end
	if len(p.stack) == 0 {
		if strings.TrimSpace(raw) != "" {
			return p.broken("there is text outside its outermost element")
		}
		return nil
	}
	text, ok := resolve(raw)
	if !ok {
		return p.broken("it uses an entity other than the five of XML")
	}
	p.add(&node{text: text})
	return nil
}

func (p *parser) add(n *node) {
	top := p.stack[len(p.stack)-1]
	top.kids = append(top.kids, n)
}

func (p *parser) close(rest string) *flawed {
	end := strings.IndexByte(rest, '>')
	if end < 0 {
		return p.broken("a closing tag is not closed")
	}
	name := strings.TrimRight(rest[2:end], " \t\r\n")
	if n := len(p.stack); n == 0 || p.stack[n-1].name != local(name) {
		return p.broken("a closing tag does not match the open element")
	}
	p.stack = p.stack[:len(p.stack)-1]
	p.at += end + 1
	return nil
}

// local drops the prefix that some programs put before every element of an svg.
func local(name string) string {
	return strings.TrimPrefix(name, "svg:")
}

func (p *parser) open() *flawed {
	p.at++
	name := p.word()
	if name == "" {
		return p.broken("a '<' does not begin a tag")
	}
	if p.elements++; p.elements > p.l.Elements {
		return p.fail(report.TooManyElements, "The SVG has too many elements.")
	}
	n := &node{name: local(name)}
	closed, err := p.attributes(n)
	if err != nil {
		return err
	}
	switch {
	case len(p.stack) > 0:
		p.add(n)
	case p.root != nil:
		return p.broken("it has more than one outermost element")
	default:
		p.root = n
	}
	if !closed {
		p.stack = append(p.stack, n)
		if len(p.stack) > p.l.Depth {
			return p.fail(report.TooDeep, "The SVG is nested too deeply.")
		}
	}
	return nil
}

// maxAttrs bounds the attributes of one element.
const maxAttrs = 200

func (p *parser) attributes(n *node) (closed bool, err *flawed) {
	for {
		spaced := p.space()
		switch {
		case p.at >= len(p.s):
			return false, p.fail(report.Truncated, "The SVG is cut off inside a tag.")
		case p.s[p.at] == '>':
			p.at++
			return false, nil
		case strings.HasPrefix(p.s[p.at:], "/>"):
			p.at += 2
			return true, nil
		}
		name := p.word()
		value, ok := p.value()
		if name == "" || !spaced || !ok || len(n.attrs) >= maxAttrs {
			return false, p.broken("an attribute is broken")
		}
		if name = strings.TrimPrefix(name, "xlink:"); name == "href" && n.get("href") != "" {
			continue // href and xlink:href: the first one counts
		}
		for _, a := range n.attrs {
			if a.name == name {
				return false, p.broken("an element has the same attribute twice")
			}
		}
		n.attrs = append(n.attrs, attr{name, value})
	}
}

func (p *parser) space() bool {
	start := p.at
	for p.at < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.at]) >= 0 {
		p.at++
	}
	return p.at > start
}

// word reads a name.
func (p *parser) word() string {
	start := p.at
	for p.at < len(p.s) {
		c := p.s[p.at]
		if 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == ':' || c >= 0x80 || p.at > start && ('0' <= c && c <= '9' || c == '-' || c == '.') {
			p.at++
			continue
		}
		break
	}
	return p.s[start:p.at]
}

func (p *parser) value() (string, bool) {
	p.space()
	if p.at >= len(p.s) || p.s[p.at] != '=' {
		return "", false
	}
	p.at++
	p.space()
	if p.at >= len(p.s) || p.s[p.at] != '"' && p.s[p.at] != '\'' {
		return "", false
	}
	end := strings.IndexByte(p.s[p.at+1:], p.s[p.at])
	if end < 0 {
		return "", false
	}
	raw := p.s[p.at+1 : p.at+1+end]
	p.at += end + 2
	if strings.IndexByte(raw, '<') >= 0 {
		return "", false
	}
	return resolve(raw)
}

// resolve replaces the references of a text.
func resolve(s string) (string, bool) {
	if strings.IndexByte(s, '&') < 0 {
		return s, true
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			b.WriteString(s)
			return b.String(), true
		}
		b.WriteString(s[:i])
		s = s[i+1:]
		end := strings.IndexByte(s[:min(len(s), 12)], ';')
		if end < 0 {
			return "", false
		}
		r := reference(s[:end])
		if r < 0 {
			return "", false
		}
		b.WriteRune(r)
		s = s[end+1:]
	}
}

func reference(name string) rune {
	switch name {
	case "lt":
		return '<'
	case "gt":
		return '>'
	case "amp":
		return '&'
	case "quot":
		return '"'
	case "apos":
		return '\''
	}
	digits, numeric := strings.CutPrefix(name, "#")
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	v, err := strconv.ParseUint(digits, base, 32)
	if !numeric || err != nil || v > utf8.MaxRune || !utf8.ValidRune(rune(v)) || illegal(rune(v)) {
		return -1
	}
	return rune(v)
}

// illegal says whether XML has no place for a character.
func illegal(r rune) bool {
	return r < 0x20 && r != '\t' && r != '\n' || r == 0xfffe || r == 0xffff
}
