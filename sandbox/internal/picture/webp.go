package picture

// webpChunks calls do for every whole chunk between from and to and returns false when one is cut.
func webpChunks(b []byte, from, to int, do func(c chunk, data []byte) bool) bool {
	for at := from; at < to; {
		if at+8 > to {
			return to-at < 2 // one byte of padding
		}
		size := le32(b[at+4:])
		end := at + 8 + size
		if size < 0 || end > to {
			return false
		}
		if !do(chunk{string(b[at : at+4]), at, end}, b[at+8:end]) {
			return true
		}
		at = end + end&1
	}
	return true
}

func walkWebP(b []byte) (*shape, error) {
	s := &shape{end: 8 + le32(b[4:])}
	s.whole = s.end >= 12 && s.end <= len(b)
	s.end = min(max(s.end, 12), len(b))
	frames, plain, hollow, canvas := 0, 0, false, 0
	kept := webpChunks(b, 12, s.end, func(c chunk, data []byte) bool {
		switch c.name {
		case "VP8X":
			if len(data) >= 10 {
				s.width, s.height = le24(data[4:])+1, le24(data[7:])+1
			}
			canvas++
		case "ANMF":
			frames++
			hollow = hollow || !s.frame(data)
		default:
			if isPicture(c) {
				plain++
				hollow = hollow || !s.bitstream(c, data)
			}
		}
		return true
	})
	s.whole = s.whole && kept
	s.frames = max(1, frames)
	switch {
	case !s.whole:
	case canvas > 1 || plain > 1 || frames > 0 && plain > 0:
		return s, flaw("it repeats a part that may occur only once")
	case hollow || frames == 0 && plain == 0:
		return s, flaw("a frame contains no image")
	case plain > 0 && (s.wide != s.width || s.high != s.height):
		return s, flaw("it names two sizes")
	default:
		s.laterWebP(b)
	}
	return s, nil
}

// laterWebP counts frames behind the end that the file names: some writers never correct that length.
func (s *shape) laterWebP(b []byte) {
	webpChunks(b, s.end+s.end&1, len(b), func(c chunk, data []byte) bool {
		if c.name != "ANMF" || !new(shape).frame(data) {
			return false
		}
		s.frames++
		s.end = min(c.end+c.end&1, len(b))
		return true
	})
}

// frame reads one frame of an animation and says whether it holds a picture.
func (s *shape) frame(data []byte) bool {
	if len(data) < 16 {
		return false
	}
	s.sized(le24(data[6:])+1, le24(data[9:])+1)
	found, good := 0, true
	whole := webpChunks(data, 16, len(data), func(c chunk, data []byte) bool {
		if isPicture(c) {
			found++
			good = good && s.bitstream(c, data)
		}
		return true
	})
	return found == 1 && good && whole
}

// isPicture says whether a chunk holds one encoded picture.
func isPicture(c chunk) bool { return c.name == "VP8 " || c.name == "VP8L" }

// bitstream reads the size of one encoded picture and says whether there is one.
func (s *shape) bitstream(c chunk, data []byte) bool {
	w, h := 0, 0
	switch {
	case c.name == "VP8 " && len(data) >= 10 && data[0]&1 == 0 && string(data[3:6]) == "\x9d\x01\x2a":
		w, h = le16(data[6:])&0x3fff, le16(data[8:])&0x3fff
	case c.name == "VP8L" && len(data) >= 5 && data[0] == 0x2f:
		bits := le32(data[1:])
		w, h = bits&0x3fff+1, bits>>14&0x3fff+1
	}
	s.sized(w, h)
	return w > 0 && h > 0
}

// stillWebP keeps the first frame of one that moves, as an image of its own.
func stillWebP(b []byte) []byte {
	var frame []byte
	end := min(8+le32(b[4:]), len(b))
	webpChunks(b, 12, end, func(c chunk, data []byte) bool {
		if c.name == "ANMF" && len(data) > 16 {
			frame = data
		}
		return frame == nil
	})
	if frame == nil {
		return b[:end]
	}
	var body []byte
	var flags byte
	webpChunks(frame, 16, len(frame), func(c chunk, _ []byte) bool {
		if c.name == "ALPH" {
			flags = 0x10
		}
		if c.name == "ALPH" || c.name == "VP8 " || c.name == "VP8L" {
			body = append(body, frame[c.start:c.end]...)
			if len(body)&1 == 1 {
				body = append(body, 0)
			}
		}
		return true
	})
	head := append([]byte("VP8X\x0a\x00\x00\x00"), flags, 0, 0, 0)
	head = append(head, frame[6:12]...)
	n := 4 + len(head) + len(body)
	out := append([]byte("RIFF"), byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	return append(append(append(out, "WEBP"...), head...), body...)
}
