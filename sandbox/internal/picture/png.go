package picture

const pngMagic = "\x89PNG\r\n\x1a\n"

// chunk is one chunk of a PNG: where it begins and ends, its length and name included.
type chunk struct {
	name       string
	start, end int
}

// pngChunks calls do for every whole chunk from a place up to IEND and says whether IEND was there. It stops
// early when do returns false.
func pngChunks(b []byte, at int, do func(c chunk) bool) (end int, whole bool) {
	for at+12 <= len(b) {
		size := be32(b[at:])
		if size < 0 || size > 1<<31-1 || at+12+size > len(b) {
			return len(b), false
		}
		c := chunk{string(b[at+4 : at+8]), at, at + 12 + size}
		if !do(c) {
			return len(b), false
		}
		at = c.end
		if c.name == "IEND" {
			return at, true
		}
	}
	return len(b), false
}

func walkPNG(b []byte) (*shape, error) {
	s := &shape{frames: 1}
	var err error
	first := true
	s.end, s.whole = pngChunks(b, len(pngMagic), func(c chunk) bool {
		data := b[c.start+8 : c.end-4]
		switch {
		case first && (c.name != "IHDR" || len(data) != 13), !first && c.name == "IHDR":
			err = flaw("it does not begin with its size")
			return false
		case first:
			s.width, s.height = be32(data), be32(data[4:])
		case c.name == "acTL" && len(data) == 8:
			s.frames = max(1, be32(data))
		}
		first = false
		return true
	})
	if s.whole && err == nil { // more frames may follow the end
		frames := 0
		pngChunks(b, s.end, func(c chunk) bool {
			switch c.name {
			case "fcTL":
				return true
			case "fdAT":
				frames++
			case "IEND":
			default:
				return false
			}
			if frames > 0 {
				s.end = c.end
			}
			return true
		})
		s.frames += frames
	}
	if s.width > 1<<30 || s.height > 1<<30 {
		s.width, s.height = min(s.width, 1<<30), min(s.height, 1<<30)
	}
	return s, err
}

// stillPNG leaves out what makes a PNG move, and what follows its end.
func stillPNG(b []byte) []byte {
	out := append(make([]byte, 0, len(b)), pngMagic...)
	pngChunks(b, len(pngMagic), func(c chunk) bool {
		if c.name != "acTL" && c.name != "fcTL" && c.name != "fdAT" {
			out = append(out, b[c.start:c.end]...)
		}
		return true
	})
	return out
}
