package cmd

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// paint colours text on a terminal, and leaves it alone elsewhere.
type paint struct{ On bool }

func (p paint) with(code, s string) string {
	if !p.On || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p paint) Bold(s string) string   { return p.with("1", s) }
func (p paint) Faint(s string) string  { return p.with("2", s) }
func (p paint) Red(s string) string    { return p.with("1;31", s) }
func (p paint) Yellow(s string) string { return p.with("1;33", s) }
func (p paint) Green(s string) string  { return p.with("1;32", s) }
func (p paint) Blue(s string) string   { return p.with("36", s) }

// Clean makes text of an agent safe to print: what a terminal would obey, reorder or hide is
// shown as an escape.
func Clean(s string) string {
	if !strings.ContainsFunc(s, hidden) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		b.WriteString(visible(r, n, s[0]))
		s = s[n:]
	}
	return b.String()
}

// visible returns how a rune of n bytes, the first of them given, is printed.
func visible(r rune, n int, first byte) string {
	switch {
	case r == utf8.RuneError && n <= 1:
		return `\x` + hex(uint32(first), 2)
	case r == '\t':
		return " "
	case hidden(r) && r > 0xFFFF:
		return `\U` + hex(uint32(r), 8)
	case hidden(r):
		return `\u` + hex(uint32(r), 4)
	}
	return string(r)
}

// hidden reports whether a rune is a control, a format character such as a bidirectional
// override, or a separator that breaks lines.
func hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
}

func hex(v uint32, digits int) string {
	const all = "0123456789abcdef"
	b := make([]byte, digits)
	for i := range b {
		b[digits-1-i] = all[v&15]
		v >>= 4
	}
	return string(b)
}
