package redact

import (
	"bytes"
	"encoding/base64"
	"html"
	"unicode/utf8"
)

// view is a text as some program reads it, with where each of its bytes stands in the text that it was made of.
type view struct {
	text []byte
	from []int32 // of each byte; nil: the text as it stands
	size []uint8 // how many bytes there it is; 0: it stands for nothing that could be replaced
	html bool    // markup is taken out of words
}

// spans calls add for the stretches of the original in which text[start:end] stands.
func (v *view) spans(start, end int, add func(from, to int)) {
	if v.from == nil {
		add(start, end)
		return
	}
	from, to := -1, -1
	for i := start; i < end; i++ {
		if v.size[i] == 0 {
			continue
		}
		a := int(v.from[i])
		b := a + int(v.size[i])
		switch {
		case from < 0:
			from, to = a, b
		case a <= to && a >= from:
			to = max(to, b)
		default:
			add(from, to)
			from, to = a, b
		}
	}
	if from >= 0 {
		add(from, to)
	}
}

// put appends bytes that stand for v.text[i:i+n].
func (w *view) put(v *view, out []byte, i, n int) {
	from, size := i, n
	if v.from != nil {
		from, size = int(v.from[i]), 0
		for k := i; k < i+n; k++ {
			if v.size[k] > 0 {
				size = max(size, int(v.from[k])+int(v.size[k])-from)
			}
		}
	}
	if size > 255 {
		size = 0
	}
	for _, c := range out {
		w.text, w.from, w.size = append(w.text, c), append(w.from, int32(from)), append(w.size, uint8(size))
	}
}

// step reads what begins at i: how many bytes it takes, 0 when it is nothing but a byte, and what they are read as.
type step func(text []byte, i int) (out []byte, n int)

// through is the view with every step taken that begins with one of the triggers; nil when there is none to take.
func (v *view) through(triggers *set, s step) (w *view) {
	done := 0
	for i := 0; i < len(v.text); {
		if !triggers.has(v.text[i]) {
			i++
			continue
		}
		out, n := s(v.text, i)
		if n == 0 {
			i++
			continue
		}
		if w == nil {
			size := len(v.text)
			w = &view{text: make([]byte, 0, size), from: make([]int32, 0, size), size: make([]uint8, 0, size), html: v.html}
		}
		w.copy(v, done, i)
		w.put(v, out, i, n)
		i += n
		done = i
	}
	if w != nil {
		w.copy(v, done, len(v.text))
	}
	return w
}

// copy appends what stands for itself.
func (w *view) copy(v *view, start, end int) {
	w.text = append(w.text, v.text[start:end]...)
	if v.from != nil {
		w.from, w.size = append(w.from, v.from[start:end]...), append(w.size, v.size[start:end]...)
		return
	}
	for i := start; i < end; i++ {
		w.from, w.size = append(w.from, int32(i)), append(w.size, 1)
	}
}

// what steps begin with.
var (
	backslash   = setOf("\\")
	percentSign = setOf("%")
	ampersand   = setOf("&")
	unseen      = setOf("\xc2\xe1\xe2\xef\xf3")
	marks       = setOf("<\xc2\xe1\xe2\xef\xf3")
)

// deep is how often what was undone is looked at once more.
const deep = 2

// each visits the view, and all that can be made of it by undoing what hides text.
func (v *view) each(visit func(*view)) { v.undo(deep, visit) }

func (v *view) undo(depth int, visit func(*view)) {
	visit(v)
	if depth == 0 {
		return
	}
	for _, w := range [...]*view{v.through(backslash, escape), v.through(percentSign, percent), v.through(ampersand, entity), v.through(unseen, invisible), v.untagged(), v.base64()} {
		if w != nil {
			w.undo(depth-1, visit)
		}
	}
}

// escape undoes a backslash of JSON, JavaScript and most other languages.
func escape(b []byte, i int) ([]byte, int) {
	if b[i] != '\\' || i+1 >= len(b) {
		return nil, 0
	}
	switch c := b[i+1]; c {
	case 'n', 'r', 't', 'b', 'f':
		return []byte{"\n\r\t\b\f"[bytes.IndexByte([]byte("nrtbf"), c)]}, 2
	case '"', '\\', '/', '\'', '@', '.', '-', '_', '+', ':':
		return b[i+1 : i+2], 2
	case 'x':
		if r, ok := hexAt(b, i+2, 2); ok && r < 0x80 {
			return []byte{byte(r)}, 4
		}
	case 'u':
		r, ok := hexAt(b, i+2, 4)
		if !ok {
			return nil, 0
		}
		if r >= 0xD800 && r < 0xDC00 && at(b, i+6) == '\\' && at(b, i+7) == 'u' {
			if low, ok := hexAt(b, i+8, 4); ok && low >= 0xDC00 && low < 0xE000 {
				return utf8.AppendRune(nil, (r-0xD800)<<10|(low-0xDC00)+0x10000), 12
			}
		}
		return utf8.AppendRune(nil, r), 6
	}
	return nil, 0
}

func hexAt(b []byte, i, n int) (r rune, ok bool) {
	if i+n > len(b) {
		return 0, false
	}
	for _, c := range b[i : i+n] {
		d := c | 0x20
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case d >= 'a' && d <= 'f':
			r = r<<4 | rune(d-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

func percent(b []byte, i int) ([]byte, int) {
	if b[i] != '%' {
		return nil, 0
	}
	r, ok := hexAt(b, i+1, 2)
	if !ok {
		return nil, 0
	}
	return []byte{byte(r)}, 3
}

func entity(b []byte, i int) ([]byte, int) {
	if b[i] != '&' {
		return nil, 0
	}
	end := bytes.IndexByte(b[i:min(len(b), i+34)], ';')
	if end < 2 {
		return nil, 0
	}
	whole := string(b[i : i+end+1])
	if out := html.UnescapeString(whole); out != whole {
		return []byte(out), end + 1
	}
	return nil, 0
}

// untagged is the view of markup without tags: those that end a word become a tab.
func (v *view) untagged() *view {
	if !v.html {
		return nil
	}
	w := v.through(marks, tag)
	if w != nil {
		w.html = false
	}
	return w
}

// inline are the elements in the middle of which a word goes on.
var inline = map[string]bool{"a": true, "abbr": true, "b": true, "bdi": true, "bdo": true, "code": true, "em": true, "font": true, "i": true, "ins": true, "kbd": true,
	"mark": true, "s": true, "samp": true, "small": true, "span": true, "strong": true, "sub": true, "sup": true, "tspan": true, "tt": true, "u": true, "var": true, "wbr": true}

func tag(b []byte, i int) ([]byte, int) {
	if b[i] != '<' {
		return invisible(b, i)
	}
	if bytes.HasPrefix(b[i:], []byte("<!--")) {
		if end := bytes.Index(b[i:min(len(b), i+4<<10)], []byte("-->")); end > 0 {
			return nil, end + 3
		}
		return nil, 0
	}
	name := i + 1
	if at(b, name) == '/' {
		name++
	}
	end := alnum.run(b, name, 20)
	if end == name || !letters.has(b[name]) {
		return nil, 0
	}
	close := bytes.IndexByte(b[end:min(len(b), end+4<<10)], '>')
	if close < 0 {
		return nil, 0
	}
	if inline[string(bytes.ToLower(b[name:end]))] {
		return nil, end + close + 1 - i
	}
	return []byte{'\t'}, end + close + 1 - i
}

// invisible takes characters that no font draws.
func invisible(b []byte, i int) ([]byte, int) {
	if b[i] < 0x80 {
		return nil, 0
	}
	r, n := utf8.DecodeRune(b[i:])
	switch {
	case r == 0xAD, r == 0x180E, r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r == 0xFEFF,
		r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE0FFF:
		return nil, n
	}
	return nil, 0
}

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
		to := from
		for to < n && (out[to] >= ' ' && out[to] != 0x7f || out[to] == '\n' || out[to] == '\r' || out[to] == '\t') {
			to++
		}
		if to-from >= leastPlain {
			if w == nil {
				w = &view{}
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
