package redact

import (
	"encoding/base64"
	"unicode/utf8"
)

const (
	leastCoded = 11 // characters of base64 that are looked into: eight bytes
	leastPlain = 6  // bytes of plain text that count in what came out

	longestLines = 640 // characters before the last line that are looked into once more, without it
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
		line := 0 // where the last line begins in coded
		for end = i; end < len(v.text); {
			if c := v.text[end]; base64s.has(c) {
				coded, places = append(coded, c), append(places, int32(end))
			} else if !wrapped(v.text, i, end) {
				break
			} else if c == '\n' {
				line = len(coded)
			}
			end++
		}
		if len(coded) >= leastCoded {
			for skip := range 4 {
				w = v.plain(w, coded[skip:], places[skip:])
			}
			if last := len(coded) - line; line > 0 && last < 60 { // or a word that stands on the next line
				from := max(0, line-longestLines)
				for skip := range 4 {
					w = v.plain(w, coded[from+skip:line], places[from+skip:line])
				}
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
	if b[i] != '\n' || i-start < 60 || !base64s.has(at(b, i+1)) {
		return false
	}
	next := at(b, base64s.run(b, i+1, len(b)))
	return next < ' ' || next >= 0x7f || next == '=' || next == '"' || next == '\'' || next == '<' || next == '`' || next == '\\' || next == '&'
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
	add := func(text []byte, k, size int) {
		if w == nil {
			w = &view{code: true}
		}
		first, last := k*8/6, ((k+size-1)*8+7)/6
		w.put(v, text, int(places[first]), int(places[last]-places[first])+1)
	}
	ended := func() { w.text, w.from, w.size = append(w.text, '\n'), append(w.from, 0), append(w.size, 0) }
	zeros := false
	for from := 0; from < n; {
		to := from
		for to < n && (out[to] >= ' ' && out[to] != 0x7f || out[to] == '\n' || out[to] == '\r' || out[to] == '\t') {
			to++
		}
		zeros = zeros || to < n && out[to] == 0
		if to-from >= leastPlain {
			for k := from; k < to; k++ {
				add(out[k:k+1], k, 1)
			}
			ended()
		}
		from = max(to, from) + 1
	}
	for k := 0; zeros && k < n; { // UTF-16, of either order: PowerShell's commands, and what Windows writes
		wide := func(k int) (r rune) {
			if k+1 < n {
				if r = rune(out[k]) | rune(out[k+1])<<8; !plainWide(r) {
					r = rune(out[k])<<8 | rune(out[k+1])
				}
			}
			if !plainWide(r) {
				return 0
			}
			return r
		}
		to := k
		for wide(to) != 0 {
			to += 2
		}
		if to-k < 2*leastPlain {
			k = max(to-1, k+1)
			continue
		}
		for ; k < to; k += 2 {
			add(utf8.AppendRune(nil, wide(k)), k, 2)
		}
		ended()
	}
	return w
}

// plainWide reports whether a character of UTF-16 is one of Western texts; others are too often what two bytes happen to be.
func plainWide(r rune) bool {
	return r >= ' ' && r < 0x180 && r != 0x7f || r == '\n' || r == '\r' || r == '\t' || r >= 0x2010 && r < 0x2040
}
