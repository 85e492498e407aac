package figs

import "unicode/utf8"

// alike returns what two spellings of one file name have in common: lower case of ASCII, and
// one mark for a letter with accents, whether they are stored with it or after it (NFC, NFD).
// Systems store the same name either way. It is no normal form: é and è look alike too, which
// is harmless where only names without an exact match are compared. Tables of all letters
// would outweigh the rest of the core.
func alike(name []byte) []byte {
	const accented = 0
	var out []byte
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRune(name[i:])
		i += n
		next, wide := utf8.DecodeRune(name[i:])
		switch {
		case wide > 0 && isMark(next):
			for wide > 0 && isMark(next) {
				i += wide
				next, wide = utf8.DecodeRune(name[i:])
			}
			out = append(out, accented)
		case isAccented(r):
			out = append(out, accented)
		case next == 0x3099 || next == 0x309A: // a kana and its sound mark: the letter is stored one or two behind
			i += wide
			out = utf8.AppendRune(out, r+next-0x3098)
		case r >= 0xAC00 && r <= 0xD7A3:
			out = appendHangul(out, r)
		case r >= 'A' && r <= 'Z':
			out = append(out, byte(r)|0x20)
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// isMark reports whether r is an accent that stands behind its letter.
func isMark(r rune) bool { return r >= 0x300 && r <= 0x36F }

// isAccented reports whether r is a letter of Latin, Greek or Cyrillic stored with its accent.
func isAccented(r rune) bool {
	switch {
	case r >= 0xC0 && r <= 0x24F, r >= 0x1E00 && r <= 0x1FFF, r >= 0x385 && r <= 0x390, r >= 0x3AA && r <= 0x3B0, r >= 0x3CA && r <= 0x3CE:
		return true
	}
	switch r {
	case 0x400, 0x401, 0x403, 0x407, 0x40C, 0x40D, 0x40E, 0x419, 0x439, 0x450, 0x451, 0x453, 0x457, 0x45C, 0x45D, 0x45E:
		return true
	}
	return false
}

// appendHangul writes a Korean syllable as the letters that it is made of.
func appendHangul(out []byte, r rune) []byte {
	const vowels, tails = 21, 28
	s := r - 0xAC00
	out = utf8.AppendRune(out, 0x1100+s/(vowels*tails))
	out = utf8.AppendRune(out, 0x1161+s%(vowels*tails)/tails)
	if tail := s % tails; tail > 0 {
		out = utf8.AppendRune(out, 0x11A7+tail)
	}
	return out
}
