package style

import "strings"

const hexDigits = "0123456789abcdef"

// writeHex writes one character as a hex escape, with the space that ends it.
func writeHex(b *strings.Builder, r rune) {
	b.WriteByte('\\')
	started := false
	for shift := 20; shift >= 0; shift -= 4 {
		d := r >> shift & 15
		if d != 0 || started || shift == 0 {
			b.WriteByte(hexDigits[d])
			started = true
		}
	}
	b.WriteByte(' ')
}

// writeIdent writes a name. Every character beside ASCII letters, digits, '-' and '_' is a hex
// escape, so that no other script's letter can read as syntax.
func writeIdent(b *strings.Builder, s string) {
	for i, r := range s {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', r == '_':
			b.WriteRune(r)
		case '0' <= r && r <= '9' && i > 0 && !(i == 1 && s[0] == '-'):
			b.WriteRune(r)
		case r == '-' && len(s) > 1:
			b.WriteRune(r)
		default:
			writeHex(b, r)
		}
	}
}

// writeString writes a string in double quotes.
func writeString(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r < 0x20 || r == 0x7f, strings.ContainsRune("<>&\"'\\", r):
			writeHex(b, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}

// plainIdent says whether a name can stand as it is.
func plainIdent(s string) bool {
	if s == "" || len(s) > maxIdent {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', c == '_':
		case c == '-' && len(s) > 1:
		case isDigit(c) && i > 0 && !(i == 1 && s[0] == '-'):
		default:
			return false
		}
	}
	return true
}
