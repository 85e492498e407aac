package redact

import "encoding/base64"

const (
	leastCoded = 11 // characters of base64 that are looked into: eight bytes
	leastPlain = 6  // bytes of plain text that count in what came out
)

// base64 is all plain text in what may be base64, wherever in a group of four it begins; nil when there is none.
func (v *view) base64() *view {
	var w *view
	for i := 0; i < len(v.text); {
		if !base64s.has(v.text[i]) {
			i++
			continue
		}
		end := base64s.run(v.text, i, len(v.text))
		if end-i < leastCoded {
			i = end
			continue
		}
		var coded []byte
		var places []int32
		for end = i; end < len(v.text); {
			if c := v.text[end]; base64s.has(c) {
				coded, places = append(coded, c), append(places, int32(end))
			} else if !wrapped(v.text, i, end) {
				break
			}
			end++
		}
		if len(coded) >= leastCoded {
			for skip := range 4 {
				w = v.plain(w, coded[skip:], places[skip:])
			}
		}
		i = end
	}
	return w
}

// wrapped reports whether base64 goes on behind the end of a line.
func wrapped(b []byte, start, i int) bool {
	if b[i] == '\r' {
		return at(b, i+1) == '\n' && i-start >= 60
	}
	return b[i] == '\n' && i-start >= 60 && base64s.has(at(b, i+1))
}

// plain adds the stretches of plain text that are coded there.
func (v *view) plain(w *view, coded []byte, places []int32) *view {
	for k, c := range coded {
		switch c {
		case '-':
			coded[k] = '+'
		case '_':
			coded[k] = '/'
		}
	}
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(coded)))
	n, _ := base64.RawStdEncoding.Decode(out, coded) // what is left over at the end is no byte
	for from := 0; from < n; {
		if to := wide(out[:n], from); to-from >= 2*leastPlain {
			if w == nil {
				w = &view{code: true}
			}
			for k := from; k < to; k += 2 {
				first, last := k*8/6, (k*8+7)/6
				w.put(v, out[k:k+1], int(places[first]), int(places[last]-places[first])+1)
			}
			w.text, w.from, w.size = append(w.text, '\n'), append(w.from, 0), append(w.size, 0)
			from = to
			continue
		}
		to := from
		for to < n && (out[to] >= ' ' && out[to] != 0x7f || out[to] == '\n' || out[to] == '\r' || out[to] == '\t') {
			to++
		}
		if to-from >= leastPlain {
			if w == nil {
				w = &view{code: true}
			}
			for k := from; k < to; k++ {
				first, last := k*8/6, (k*8+7)/6
				w.put(v, out[k:k+1], int(places[first]), int(places[last]-places[first])+1)
			}
			w.text, w.from, w.size = append(w.text, '\n'), append(w.from, 0), append(w.size, 0)
		}
		from = max(to, from) + 1
	}
	return w
}

// wide is where ASCII in UTF-16 ends that begins at i.
func wide(b []byte, i int) int {
	for i+1 < len(b) && b[i+1] == 0 && (b[i] >= ' ' && b[i] < 0x7f || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i += 2
	}
	return i
}
