package figs

import (
	"math/bits"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs/jsonl"
)

// spelling is what the rules know of every line that is spelled in one way of a ledger's plan: these lines have the same members,
// so what classify finds in them, and what depends on keys and kinds alone, is the same.
type spelling struct {
	seen, texts, full uint32
	calm              uint32           // fields with nothing to report unless a text needs a look
	at                [keyCount]uint32 // member by key
	words             [keyCount]uint8  // codes of the words of closed lists; 0: judge them
}

// closedKeys are the fields that take their words from closed lists: the words are part of a line's spelling.
const closedKeys = 1<<keyType | 1<<keyStatus | 1<<keyState | 1<<keyTo | 1<<keyKind | 1<<keyVerdict | 1<<keySource

// closedList is the list that a field of a ledger takes its words from.
func closedList(file File, k key) []string {
	switch k {
	case keyType:
		return askTypes
	case keyStatus:
		if file == Runs {
			return runStatuses
		}
		return askStatuses
	case keyState:
		return runStates
	case keyTo:
		return askTos
	case keyKind:
		return messageKinds
	case keyVerdict:
		return verdicts
	}
	return messageSources
}

// learn adds the spelling of a line that was scanned to the plan of its ledger.
func (f *Folder) learn(t *taken, ln *jsonl.Line) {
	if len(f.twice) > 0 || f.opt.noPlans {
		return
	}
	var fixed uint64
	for w := t.texts & closedKeys; w != 0; w &= w - 1 {
		fixed |= 1 << f.at[bits.TrailingZeros32(w)]
	}
	if n, ok := f.scanner.Learn(&t.l.plan, t.b, t.begin, *ln, fixed); !ok || n != len(t.l.spellings) {
		return
	}
	s := &spelling{seen: t.seen, texts: t.texts, full: t.full, calm: f.calm, at: *f.at}
	for w := t.texts & closedKeys; w != 0; w &= w - 1 {
		k := key(bits.TrailingZeros32(w))
		if c := f.enum(closedList(t.l.file, k), t.value(&t.ms[f.at[k]])); c != badValue {
			s.words[k] = c
			s.calm |= 1 << k & (1<<keyTo | 1<<keySource)
		}
	}
	t.l.spellings = append(t.l.spellings, s)
}

// word returns the code of a field's word when the line's spelling tells it, or 0.
func (t *taken) word(k key) uint8 {
	if t.spelling == nil {
		return 0
	}
	return t.spelling.words[k]
}

// readable reports whether a line is valid UTF-8 in which surely no escape and no character outside ASCII hides anything:
// none is invisible, and none is a comma, a full stop or white space before one. The line must be whole.
func readable(s []byte) bool {
	for i := 0; ; {
		for i+8 <= len(s) {
			w := load8(s[i:])
			m := odd(w)
			if m == 0 && i+16 <= len(s) {
				i += 8
				m = odd(load8(s[i:]))
			}
			if m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		if i >= len(s) {
			return true
		}
		switch c := s[i]; {
		case c == '\\':
			n := readableEscape(s[i:])
			if n == 0 {
				return false
			}
			i += n
		case c < 0x7F:
			i++
		case c >= 0xC3 && c <= 0xCB && s[i+1]&0xC0 == 0x80: // umlauts and accents
			i += 2
		case c == 0xE2 && s[i+1] == 0x80 && s[i+2] >= 0x90 && s[i+2] <= 0xA7: // dashes, quotes, bullets
			i += 3
		default:
			r, n := utf8.DecodeRune(s[i:])
			if r == utf8.RuneError || r == 0x200C || r == 0x200D || IsHidden(r) {
				return false
			}
			if i += n; isSpace(r) && s[i]|2 == '.' {
				return false
			}
		}
	}
}

// odd marks, in the high bit of its byte, the first backslash or byte that is not printable ASCII, and maybe others after it.
func odd(w uint64) uint64 { return (((w^slants)-lows)&^w | w | (w + lows)) & tops }

// readableEscape returns the length of the escape, or of the surrogate pair, that s begins with; 0 when it may hide something.
func readableEscape(s []byte) int {
	n := 2
	switch s[1] {
	case '"', '\\', '/':
		return n
	case 'n', 'r', 't':
	case 'u':
		r := hexRune(s[2:])
		n = 6
		switch {
		case r < 0x20, r|2 == '.', r == 0x200C, r == 0x200D, IsHidden(r), r >= 0xDB40 && r < 0xE000:
			return 0
		case r >= 0xD800 && r < 0xDB40: // not of the hidden ones, which begin with a later half
			if s[6] != '\\' || s[7] != 'u' {
				return 0
			}
			if low := hexRune(s[8:]); low < 0xDC00 || low >= 0xE000 {
				return 0
			}
			n = 12
		}
	default:
		return 0
	}
	if s[n]|2 == '.' {
		return 0
	}
	return n
}

// hexRune reads the four digits of an escape.
func hexRune(s []byte) (r rune) {
	for _, c := range s[:4] {
		if c <= '9' {
			c -= '0'
		} else {
			c = c&^0x20 - 'A' + 10
		}
		r = r<<4 | rune(c)
	}
	return r
}
