package jsonl

// trimLeft returns the first index from i on that JavaScript's trim would keep; the newline
// that ends the line counts as kept.
func trimLeft(b []byte, i int) int {
	for {
		switch n := spaceAt(b[i:]); {
		case isSpace[b[i]]:
			i++
		case n > 0:
			i += n
		default:
			return i
		}
	}
}

// trimRight returns the end of b[start:end] without what JavaScript's trim removes.
func trimRight(b []byte, start, end int) int {
	for end > start {
		switch {
		case isSpace[b[end-1]]:
			end--
		case end-start >= 2 && spaceAt(b[end-2:end]) == 2:
			end -= 2
		case end-start >= 3 && spaceAt(b[end-3:end]) == 3:
			end -= 3
		default:
			return end
		}
	}
	return end
}

// spaceAt returns the length of a space outside ASCII at the start of b: the byte order
// mark, line separators and Unicode's space separators. It is 0 when there is none.
func spaceAt(b []byte) int {
	if len(b) >= 2 && b[0] == 0xC2 && b[1] == 0xA0 {
		return 2
	}
	if len(b) < 3 {
		return 0
	}
	switch r := uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2]); {
	case r == 0xEFBBBF, r == 0xE19A80, r == 0xE280A8, r == 0xE280A9, r == 0xE280AF, r == 0xE2819F, r == 0xE38080,
		r >= 0xE28080 && r <= 0xE2808A:
		return 3
	}
	return 0
}
