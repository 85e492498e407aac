package picture

func walkJPEG(b []byte) (*shape, error) {
	s := &shape{frames: 1, end: len(b)}
	at := 2
	for at+1 < len(b) {
		if b[at] != 0xff {
			return s, flaw("a segment doesn't begin where the one before it ends")
		}
		mark := b[at+1]
		switch {
		case mark == 0xff: // filling
			at++
			continue
		case mark == 0xd9:
			s.end, s.whole = at+2, true
			return s, nil
		case mark == 1 || mark >= 0xd0 && mark <= 0xd7:
			at += 2
			continue
		}
		if at+4 > len(b) {
			break
		}
		size := be16(b[at+2:])
		if size < 2 {
			return s, flaw("a segment has no length")
		}
		if isFrame(mark) && size >= 8 && at+9 <= len(b) {
			s.sized(be16(b[at+7:]), be16(b[at+5:]))
		}
		at += 2 + size
		if mark == 0xda {
			at = entropy(b, at)
		}
	}
	return s, nil
}

// isFrame says whether a marker begins a frame, which names the size.
func isFrame(mark byte) bool {
	return mark >= 0xc0 && mark <= 0xcf && mark != 0xc4 && mark != 0xc8 && mark != 0xcc
}

// sized takes the first size as that of the image and keeps the largest.
func (s *shape) sized(w, h int) {
	if s.width == 0 && s.height == 0 {
		s.width, s.height = w, h
	}
	s.wide, s.high = max(s.wide, w), max(s.high, h)
}

// entropy returns where the next marker begins after a scan.
func entropy(b []byte, at int) int {
	for at+1 < len(b) {
		if b[at] == 0xff && b[at+1] != 0 && (b[at+1] < 0xd0 || b[at+1] > 0xd7) {
			return at
		}
		at++
	}
	return len(b)
}
