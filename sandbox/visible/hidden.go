package visible

// Hidden reports whether a character leaves no mark of its own, or turns the direction of
// what follows. Joiners and selectors that an emoji needs are spared; last is the character
// before.
func Hidden(r, last rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return true
	case r < 0xad:
		return false
	case r == 0x200d || r == 0xfe0f:
		return !pictograph(last)
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe0fff:
		return true
	case private(r) || nonCharacter(r):
		return true
	case r >= 0x206a && r <= 0x206f, r >= 0x1d173 && r <= 0x1d17a, r >= 0xfff0 && r <= 0xfffc:
		return true
	}
	return names[r] != ""
}

// private reports whether r is a private-use character, which means nothing without the font that defines it.
func private(r rune) bool {
	return r >= 0xe000 && r <= 0xf8ff || r >= 0xf0000 && r <= 0x10fffd && r&0xfffe != 0xfffe
}

// nonCharacter reports whether Unicode reserves r as a noncharacter.
func nonCharacter(r rune) bool { return r >= 0xfdd0 && r <= 0xfdef || r >= 0 && r&0xfffe == 0xfffe }

// pictograph reports whether a joiner or a selector after r belongs to an emoji.
func pictograph(r rune) bool {
	switch {
	case r >= 0x1f000 && r <= 0x1faff, r >= 0x2190 && r <= 0x2bff, r >= '0' && r <= '9':
		return true
	}
	switch r {
	case 0xfe0f, 0xa9, 0xae, 0x203c, 0x2049, '#', '*':
		return true
	}
	return false
}

var names = map[rune]string{
	0x00ad: "soft hyphen",
	0x034f: "combining grapheme joiner",
	0x061c: "Arabic letter mark",
	0x115f: "Hangul filler",
	0x1160: "Hangul filler",
	0x17b4: "Khmer inherent vowel",
	0x17b5: "Khmer inherent vowel",
	0x180b: "Mongolian selector",
	0x180c: "Mongolian selector",
	0x180d: "Mongolian selector",
	0x180e: "Mongolian vowel separator",
	0x180f: "Mongolian selector",
	0x200b: "zero width space",
	0x200c: "zero width non-joiner",
	0x200d: "zero width joiner",
	0x200e: "left-to-right mark",
	0x200f: "right-to-left mark",
	0x2028: "line separator",
	0x2029: "paragraph separator",
	0x202a: "left-to-right embedding",
	0x202b: "right-to-left embedding",
	0x202c: "end of direction",
	0x202d: "left-to-right override",
	0x202e: "right-to-left override",
	0x2060: "word joiner",
	0x2061: "invisible function",
	0x2062: "invisible times",
	0x2063: "invisible comma",
	0x2064: "invisible plus",
	0x2066: "left-to-right isolate",
	0x2067: "right-to-left isolate",
	0x2068: "first strong isolate",
	0x2069: "end of isolate",
	0x2800: "blank braille pattern",
	0x3164: "Hangul filler",
	0xfeff: "byte order mark",
	0xffa0: "half-width Hangul filler",

	0x1bca0: "shorthand format control",
	0x1bca1: "shorthand format control",
	0x1bca2: "shorthand format control",
	0x1bca3: "shorthand format control",

	BadByte: "a byte that is not UTF-8",
}

// Name describes a hidden character in a few words that need no escaping.
func Name(r rune) string {
	if name := names[r]; name != "" {
		return name
	}
	switch {
	case r >= 0xe0000 && r <= 0xe007f:
		return "tag character"
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef:
		return "variation selector"
	case private(r):
		return "private-use character"
	case nonCharacter(r):
		return "noncharacter"
	case r == 0xfffc:
		return "object replacement"
	case r < 0xa0:
		return "control character"
	}
	return "invisible character"
}
