package find

// Words are runs of letters and digits; everything else lies between them. Outside of ASCII every
// character is a part of a word but those that certainly are none: punctuation, signs, arrows.
// The full tables of Unicode would weigh more than everything else here.

// AppendFolded writes a text as search compares it: words in small letters, a space before each
// and one at the end; nothing for a text without a word. Latin, Greek and Cyrillic letters are folded. German umlauts are
// written as they are without them, ä as ae and ß as ss, so that both spellings are the same; other accents stay.
func AppendFolded(dst, text []byte) []byte {
	begun := len(dst)
	between := true
	for i := 0; i < len(text); {
		c := text[i]
		if c < 0x80 {
			i++
			if c = small[c]; c == 0 {
				between = true
				continue
			}
			if between {
				dst = append(dst, ' ')
				between = false
			}
			dst = append(dst, c)
			continue
		}
		n := length(text[i:])
		if !wordRune(text[i : i+n]) {
			between = true
			i += n
			continue
		}
		if between {
			dst = append(dst, ' ')
			between = false
		}
		dst = appendSmall(dst, text[i:i+n])
		i += n
	}
	if len(dst) > begun {
		dst = append(dst, ' ')
	}
	return dst
}

// small is each letter and digit of ASCII in lower case; 0 is what lies between words.
var small = lowerTable()

func lowerTable() (t [128]byte) {
	for c := byte('0'); c <= 'z'; c++ {
		switch {
		case c <= '9', c >= 'a':
			t[c] = c
		case c >= 'A' && c <= 'Z':
			t[c] = c | 0x20
		}
	}
	return t
}

// length is how many bytes the character has with which b begins, at least 1; it follows the first
// byte as far as bytes of a character follow.
func length(b []byte) int {
	want := 1
	switch {
	case b[0] >= 0xF0:
		want = 4
	case b[0] >= 0xE0:
		want = 3
	case b[0] >= 0xC0:
		want = 2
	}
	n := 1
	for n < want && n < len(b) && b[n]&0xC0 == 0x80 {
		n++
	}
	return n
}

func code(b []byte) int {
	switch len(b) {
	case 2:
		return int(b[0]&0x1F)<<6 | int(b[1]&0x3F)
	case 3:
		return int(b[0]&0x0F)<<12 | int(b[1]&0x3F)<<6 | int(b[2]&0x3F)
	}
	return 1 << 20 // whole planes of letters and of pictures, none of which is folded
}

func wordRune(b []byte) bool {
	if len(b) == 1 {
		return false // no character at all
	}
	switch r := code(b); {
	case r < 0xC0:
		return r == 0xAA || r == 0xB5 || r == 0xBA
	case r == 0xD7, r == 0xF7, r == 0xFEFF, r == 0xFFFD:
		return false
	case r >= 0x2000 && r < 0x2070, r >= 0x2190 && r < 0x2460, r >= 0x2500 && r < 0x2700, r >= 0x27C0 && r < 0x2C00:
		return false
	case r >= 0x3000 && r < 0x3005, r >= 0x3008 && r < 0x3021, r >= 0xFF01 && r < 0xFF10:
		return false
	}
	return true
}

// appendSmall writes a character beyond ASCII in lower case, in at most as many bytes.
func appendSmall(dst, b []byte) []byte {
	if len(b) != 2 {
		return append(dst, b...)
	}
	r := code(b)
	switch r {
	case 0xC4, 0xE4:
		return append(dst, "ae"...)
	case 0xD6, 0xF6:
		return append(dst, "oe"...)
	case 0xDC, 0xFC:
		return append(dst, "ue"...)
	case 0xDF:
		return append(dst, "ss"...)
	}
	switch {
	case r >= 0xC0 && r <= 0xDE, r >= 0x391 && r <= 0x3AB, r >= 0x410 && r <= 0x42F:
		r += 0x20
	case r >= 0x400 && r <= 0x40F:
		r += 0x50
	case r >= 0x388 && r <= 0x38A:
		r += 0x25
	case r == 0x386:
		r = 0x3AC
	case r == 0x38C:
		r = 0x3CC
	case r == 0x38E, r == 0x38F:
		r += 0x3F
	case r == 0x178:
		r = 0xFF
	case r == 0x130, r == 0x131, r == 0x138, r == 0x149: // without a pair that is as long
	case r >= 0x139 && r <= 0x148, r >= 0x179 && r <= 0x17E:
		r += r & 1
	case r >= 0x100 && r <= 0x177:
		r |= 1
	}
	return append(dst, byte(0xC0|r>>6), byte(0x80|r&0x3F))
}

// index finds a part of folded text; -1 when it is not there.
func index(text, part []byte) int {
	if len(part) == 0 {
		return 0
	}
	first, n := part[0], len(text)-len(part)
	for i := 0; i <= n; i++ {
		if text[i] == first && string(text[i:i+len(part)]) == string(part) {
			return i
		}
	}
	return -1
}
