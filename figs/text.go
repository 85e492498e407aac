package figs

import (
	"math/bits"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs/jsonl"
)

// judgeText checks a field that should be text. null counts as absent.
func (f *Folder) judgeText(t *taken, k key) {
	m := &t.ms[f.at[k]]
	if m.Kind != jsonl.String {
		if m.Kind != jsonl.Null {
			f.on(t, TextMalformed, k)
		}
		return
	}
	f.judgeProse(t, k, "", 0, t.value(m))
}

// judgeProse checks words that a person will read. offset is where v stands in the field.
func (f *Folder) judgeProse(t *taken, k key, pointer string, offset int, v jsonl.Value) {
	if v.Kind != jsonl.String {
		return
	}
	s := v.Raw[1 : len(v.Raw)-1]
	eaten, escaped := dollarEaten(s)
	if !escaped && !t.high {
		if eaten {
			f.inside(t, DollarEaten, k, pointer, offset, v).quote(v)
		}
		return
	}
	f.scratch = jsonl.AppendText(f.scratch[:0], v.Raw)
	if eaten, _ = dollarEaten(f.scratch); eaten {
		f.inside(t, DollarEaten, k, pointer, offset, v).quote(v)
	}
	if r := HiddenCharacter(f.scratch); r != 0 {
		f.inside(t, TextHiddenCharacters, k, pointer, offset, v).value = runeName(r)
	}
}

// judgeHidden checks an id, which people read but which is no prose.
func (f *Folder) judgeHidden(t *taken, k key) {
	m := &t.ms[f.at[k]]
	if m.Kind != jsonl.String || !t.high && !m.Escaped {
		return
	}
	f.scratch = jsonl.AppendText(f.scratch[:0], t.b[m.ValueStart:m.ValueEnd])
	if r := HiddenCharacter(f.scratch); r != 0 {
		f.on(t, TextHiddenCharacters, k).value = runeName(r)
	}
}

const (
	lows   = 0x0101010101010101
	tops   = 0x8080808080808080
	commas = lows * ','
	dots   = lows * '.'
	slants = lows * '\\'
)

// dollarEaten reports whether s shows the gap of a dollar sign that a shell took: a thousands
// group or cents without their beginning (§5). escaped says that s holds a backslash; then
// the answer is worth nothing when s is still encoded.
func dollarEaten(s []byte) (eaten, escaped bool) {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		b := s[i : i+8 : i+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		c, d, e := w^commas, w^dots, w^slants
		m := ((c-lows)&^c | (d-lows)&^d | (e-lows)&^e) & tops
		for ; m != 0; m &= m - 1 {
			k := i + bits.TrailingZeros64(m)>>3
			escaped = escaped || s[k] == '\\'
			if eatenAt(s, k) {
				return true, escaped
			}
		}
	}
	for ; i < len(s); i++ {
		escaped = escaped || s[i] == '\\'
		if eatenAt(s, i) {
			return true, escaped
		}
	}
	return false, escaped
}

// eatenAt reports whether ",ddd" or ".00" starts a word at i.
func eatenAt(s []byte, i int) bool {
	if s[i] != ',' && s[i] != '.' {
		return false
	}
	if i > 0 {
		switch c := s[i-1]; c {
		case ' ', '\t', '\n', '\r', '\v', '\f', '(', '[', '{':
		default:
			if c < 0x80 || !spaceBefore(s[:i]) {
				return false
			}
		}
	}
	n := 0
	for i+1+n < len(s) && n < 4 && s[i+1+n]-'0' < 10 {
		n++
	}
	switch {
	case s[i] == ',':
		if n != 3 {
			return false
		}
	case n != 2 || s[i+1] != '0' || s[i+2] != '0':
		return false
	}
	return i+1+n == len(s) || !wordByte(s[i+1+n])
}

// spaceBefore reports whether s ends in white space.
func spaceBefore(s []byte) bool {
	r, _ := utf8.DecodeLastRune(s)
	return isSpace(r)
}

// isSpace reports white space as JavaScript's \s and trim have it.
func isSpace(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\v', '\f', '\r', 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
		return true
	}
	return r >= 0x2000 && r <= 0x200A
}

func wordByte(c byte) bool {
	return c == '_' || c-'0' < 10 || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// HiddenCharacter returns the first character of s that a reader cannot see or that turns the
// order of what she sees: controls, bidirectional marks, zero-width characters and tags. It
// is 0 when there is none. Joiners between characters outside ASCII are left alone, since
// emoji and many scripts need them.
func HiddenCharacter(s []byte) rune {
	before := rune(0)
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < 0x7F {
			before = rune(c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		if IsHidden(r) || (r == 0x200C || r == 0x200D) && before < 0x80 {
			return r
		}
		before = r
		i += n
	}
	return 0
}

// IsHidden reports whether a character cannot be seen or turns the order of text. Tabs and
// line breaks can; joiners are judged by HiddenCharacter.
func IsHidden(r rune) bool {
	switch {
	case r < 0x20:
		return r != '\n' && r != '\t' && r != '\r'
	case r < 0xA0:
		return r >= 0x7F
	case r < 0x2000:
		return r == 0xAD || r == 0x61C || r == 0x115F || r == 0x1160 || r == 0x17B4 || r == 0x17B5 || r == 0x180E
	}
	return r == 0x200B || r == 0x200E || r == 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F ||
		r == 0x3164 || r == 0xFEFF || r == 0xFFA0 || r >= 0xFFF9 && r <= 0xFFFB || r >= 0xE0000 && r <= 0xE0FFF
}

// runeName is a character's code point as people write it, "U+200B".
func runeName(r rune) string {
	const digits = "0123456789ABCDEF"
	s := ""
	for n := 0; n < 4 || r > 0; n++ {
		s = string(digits[r&15]) + s
		r >>= 4
	}
	return "U+" + s
}
