package picture

func walkGIF(b []byte) (*shape, error) {
	s := &shape{end: len(b)}
	if len(b) < 13 {
		return s, nil
	}
	s.width, s.height = le16(b[6:]), le16(b[8:])
	s.end, s.whole = gifBlocks(b, 13+palette(b[10]), func(_, end int, frame []byte) bool {
		s.frames++
		s.wide = max(s.wide, le16(frame[1:])+le16(frame[5:]))
		s.high = max(s.high, le16(frame[3:])+le16(frame[7:]))
		return true
	})
	if s.width == 0 || s.height == 0 {
		s.width, s.height = s.wide, s.high
	}
	if s.whole && s.frames == 0 {
		return s, flaw("it contains no image")
	}
	if s.frames = max(s.frames, 1); s.whole && s.end < len(b) { // more frames may follow the end
		named := s.frames
		end, whole := gifBlocks(b, s.end, func(_, end int, _ []byte) bool {
			s.frames++
			s.end = end
			return true
		})
		if whole && s.frames > named {
			s.end = end
		}
	}
	return s, nil
}

// gifBlocks calls do for every whole frame from a place on, with where it begins and ends and its descriptor.
func gifBlocks(b []byte, at int, do func(start, end int, frame []byte) bool) (end int, whole bool) {
	for at < len(b) {
		switch b[at] {
		case 0x3b:
			return at + 1, true
		case 0x21:
			at = subBlocks(b, at+2)
		case 0x2c:
			if at+10 > len(b) {
				return len(b), false
			}
			start := at
			at = subBlocks(b, at+10+palette(b[at+9])+1)
			if at <= len(b) && !do(start, at, b[start:start+10]) {
				return at, false
			}
		default:
			return len(b), false
		}
	}
	return len(b), false
}

func palette(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

// subBlocks returns where a chain of sub-blocks ends, or a place beyond b.
func subBlocks(b []byte, at int) int {
	for at < len(b) && b[at] != 0 {
		at += 1 + int(b[at])
	}
	if at >= len(b) {
		return len(b) + 1
	}
	return at + 1
}

// stillGIF keeps the first frame.
func stillGIF(b []byte) []byte {
	end := 0
	gifBlocks(b, 13+palette(b[10]), func(_, at int, _ []byte) bool {
		end = at
		return false
	})
	return append(append(make([]byte, 0, end+1), b[:end]...), 0x3b)
}
