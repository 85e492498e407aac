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
	f.judgeProse(t, k, within{}, t.value(m))
}

// judgeProse checks words that a person will read.
func (f *Folder) judgeProse(t *taken, k key, w within, v jsonl.Value) {
	if v.Kind != jsonl.String || !t.prose && v.Raw[1] != ',' && v.Raw[1] != '.' {
		return
	}
	s := v.Raw[1 : len(v.Raw)-1]
	if t.plain || !t.high && !hasEscape(s) {
		if dollarEaten(s) {
			f.inside(t, DollarEaten, k, w, v).quote(v)
		}
		return
	}
	f.scratch = jsonl.AppendText(f.scratch[:0], v.Raw)
	if dollarEaten(f.scratch) {
		f.inside(t, DollarEaten, k, w, v).quote(v)
	}
	if r := HiddenCharacter(f.scratch); r >= 0 {
		f.inside(t, TextHiddenCharacters, k, w, v).value = runeName(r)
	}
}

// judgeHidden checks an id, which people read but which is no prose.
func (f *Folder) judgeHidden(t *taken, k key) {
	m := &t.ms[f.at[k]]
	if !t.prose || t.plain || m.Kind != jsonl.String || !t.high && !m.Escaped {
		return
	}
	f.scratch = jsonl.AppendText(f.scratch[:0], t.b[m.ValueStart:m.ValueEnd])
	if r := HiddenCharacter(f.scratch); r >= 0 {
		f.on(t, TextHiddenCharacters, k).value = runeName(r)
	}
}

const (
	lows   = 0x0101010101010101
	tops   = 0x8080808080808080
	dots   = lows * '.'
	slants = lows * '\\'
)

// commaAstray reports whether a comma or full stop of s may follow a space or an opening
// bracket, as where a dollar was eaten; a text that begins so is not its
// matter. No byte is branched on, prose is full of commas; and four words go in one turn,
// since a jump is what costs most in WebAssembly.
func commaAstray(s []byte) bool {
	i := 1
	for ; i+32 <= len(s); i += 32 {
		w := s[i-1 : i+32 : i+32]
		if (jsonl.Astray(load8(w), load8(w[1:]))|jsonl.Astray(load8(w[8:]), load8(w[9:]))|
			jsonl.Astray(load8(w[16:]), load8(w[17:]))|jsonl.Astray(load8(w[24:]), load8(w[25:])))&tops != 0 {
			return true
		}
	}
	for ; i+8 <= len(s); i += 8 {
		if jsonl.Astray(load8(s[i-1:]), load8(s[i:]))&tops != 0 {
			return true
		}
	}
	for ; i < len(s); i++ {
		if (s[i] == ',' || s[i] == '.') && (s[i-1] == ' ' || s[i-1] == '(' || s[i-1]|0x20 == '{') {
			return true
		}
	}
	return false
}

func load8(b []byte) uint64 {
	b = b[:8:8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// hasEscape reports whether the bytes of a string hold a backslash.
func hasEscape(s []byte) bool {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		if w := load8(s[i:]) ^ slants; (w-lows)&^w&tops != 0 {
			return true
		}
	}
	for ; i < len(s); i++ {
		if s[i] == '\\' {
			return true
		}
	}
	return false
}

// dollarEaten reports whether a text shows the gap of a dollar sign that a shell took: a
// thousands group or cents without their beginning (§5).
func dollarEaten(s []byte) bool {
	const twos = lows * 0x02 // a comma's bit away from a full stop
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := (load8(s[i:]) | twos) ^ dots
		for m := (w - lows) &^ w & tops; m != 0; m &= m - 1 {
			k := i + bits.TrailingZeros64(m)>>3
			if k > 0 && inWord[s[k-1]] {
				continue
			}
			if eatenAt(s, k) {
				return true
			}
		}
	}
	for ; i < len(s); i++ {
		if eatenAt(s, i) {
			return true
		}
	}
	return false
}

// inWord holds what most often stands before a comma, and never where a dollar was eaten.
var inWord = func() (t [256]bool) {
	for c := range t {
		t[c] = wordByte(byte(c))
	}
	return t
}()

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
// is -1 when there is none. Joiners between characters outside ASCII are left alone, since
// emoji and many scripts need them.
func HiddenCharacter(s []byte) rune {
	before := rune(0)
	for i := 0; i < len(s); {
		for i+8 <= len(s) && printable(load8(s[i:])) {
			i += 8
			before = 'a'
		}
		if i == len(s) {
			break
		}
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
	return -1
}

// printable reports whether eight bytes are all ASCII that can be seen, or spaces.
func printable(w uint64) bool {
	const spaces, deletes = lows * ' ', lows * 0x7F
	return (w|(w-spaces)|((w^deletes)-lows))&tops == 0
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
//
//go:noinline
func runeName(r rune) string {
	const digits = "0123456789ABCDEF"
	s := ""
	for n := 0; n < 4 || r > 0; n++ {
		s = string(digits[r&15]) + s
		r >>= 4
	}
	return "U+" + s
}
