package hidden

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// Part is what a style adds to an element: a box before or after its content, a mark, or other looks of its first
// line or letter.
type Part struct {
	Name    string // "before", "after", "marker", "first-line", "first-letter"
	Text    string // letters and digits that it writes, with "…" for a counter; "" when it writes none
	Look    Look
	Verdict Verdict // of a first line or letter
}

// Parts returns the parts of an element that bear on what is read.
func (s *Sheets) Parts(n *html.Node, looks Looks) []Part {
	var list []Part
	for i, sheet := range s.list {
		if len(sheet.parts) == 0 {
			continue
		}
		for _, name := range []string{"before", "after", "marker", "first-line", "first-letter"} {
			if p, ok := sheet.part(n, name, &looks[i]); ok && len(list) < 20 {
				list = append(list, p)
			}
		}
	}
	return list
}

func (s *Sheet) part(n *html.Node, name string, up *Look) (Part, bool) {
	var rules []*rule
	for _, r := range s.parts {
		if r.sel.part == name {
			rules = append(rules, r)
		}
	}
	if len(rules) == 0 {
		return Part{}, false
	}
	var won winners
	found := false
	set := func(d *decl, weight uint64) {
		found = true
		if d.prop == custom {
			return
		}
		if d.important {
			weight |= importantWeight
		}
		if w := &won[d.prop]; weight >= w.weight {
			w.value, w.weight = d.value, weight
		}
	}
	if s.try(rules, n, set); !found {
		return Part{}, false
	}
	p := Part{Name: name, Look: *up}
	p.Look.resolveAll(&won)
	p.Look.derive(&html.Node{Type: html.ElementNode, Data: "span"}, &won, up, s.width)
	switch name {
	case "first-line", "first-letter":
		p.Verdict = p.Look.Verdict
		return p, p.Verdict.Why != "" && up.Why == ""
	case "marker":
		p.Text = Written(won[content].value)
		return p, p.Text != ""
	}
	value := won[content].value
	if value == "" || value == "none" || value == "normal" {
		return p, false
	}
	p.Text = Written(value)
	return p, p.Text != "" && p.Look.Why == "" || p.Look.Covers
}

// Written returns what the strings of a value write, where that holds a letter or a digit. A counter is "…".
func Written(value string) string {
	var b strings.Builder
	words, strs := false, strings.Contains(value, `"`)
	if !strs && !strings.Contains(value, "counter") {
		return ""
	}
	for i := 0; i < len(value); i++ {
		switch {
		case value[i] == '"':
			end := strings.IndexByte(value[i+1:], '"')
			if end < 0 {
				end = len(value) - i - 1
			}
			text := unescaped(value[i+1 : i+1+end])
			words = words || strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
			b.WriteString(text)
			i += end + 1
		case strings.HasPrefix(value[i:], "counter(") || strings.HasPrefix(value[i:], "counters("):
			words = true
			b.WriteString("…")
			i += closing(value[i+strings.IndexByte(value[i:], '('):]) + strings.IndexByte(value[i:], '(')
		}
	}
	if !words {
		return ""
	}
	return b.String()
}

// unescaped reads the hex escapes of a string that package style wrote.
func unescaped(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		end := strings.IndexByte(s[i:], ' ')
		if end < 0 {
			break
		}
		if n, err := strconv.ParseUint(s[i+1:i+end], 16, 32); err == nil {
			b.WriteRune(rune(n))
		}
		i += end
	}
	return b.String()
}
