package redact

import (
	"bytes"
	"html"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// view is a text as some program reads it, with where each of its bytes stands in the text that it was made of.
type view struct {
	text []byte
	from []int32  // of each byte; nil: the text as it stands
	size []uint16 // how many bytes there it is; 0: it stands for nothing that could be replaced
	html bool     // markup is taken out of words
	md   bool     // and so are the marks of markdown
	csv  bool     // rows of values
	code bool     // each line of it was decoded by itself

	marks bool // what was undone were marks and letters alone, each of which became another
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
	if size > 1<<16-1 {
		size = 0
	}
	for _, c := range out {
		w.text, w.from, w.size = append(w.text, c), append(w.from, int32(from)), append(w.size, uint16(size))
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
			w = &view{text: make([]byte, 0, size), from: make([]int32, 0, size), size: make([]uint16, 0, size), html: v.html, md: v.md, csv: v.csv, code: v.code, marks: true}
		}
		w.marks = w.marks && len(out) > 0 && v.text[i] >= 0x80
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
	formSigns   = setOf("+")
	ampersand   = setOf("&")
	doubleQuote = setOf("\"")
	unseen      = setOf("\x00-\x08\x0b\x0c\x0e-\x1f\x7f\xc2\xcd\xd8\xe1\xe2\xe3\xef\xf3")
	marks       = setOf("<]\x00-\x08\x0b\x0c\x0e-\x1f\x7f\xc2\xcd\xd8\xe1\xe2\xe3\xef\xf3")
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
	for _, w := range [...]*view{v.through(backslash, escape), v.through(percentSign, percent), v.through(formSigns, form), v.through(ampersand, entity), v.untagged(), v.unmarked(), v.undoubled(), v.base64()} {
		if w != nil {
			w.undo(depth-1, visit)
		}
	}
	for _, w := range [...]*view{v.through(unseen, invisible), v.composed()} {
		switch {
		case w == nil:
		case w.marks: // of nothing that could be undone: the same comes of undoing first
			visit(w)
		default:
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
	case 'x':
		if r, ok := hexAt(b, i+2, 2); ok && r < 0x80 {
			return []byte{byte(r)}, 4
		}
	case 'u':
		if at(b, i+2) == '{' {
			end := anyHex.run(b, i+3, 6)
			if r, ok := hexAt(b, i+3, end-i-3); ok && end > i+3 && at(b, end) == '}' {
				return utf8.AppendRune(nil, r), end + 1 - i
			}
			return nil, 0
		}
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
	default: // markdown, and what escapes more than it has to
		if c > ' ' && c < 0x7f && !alnum.has(c) {
			return b[i+1 : i+2], 2
		}
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

// form undoes the + that stands for a space in the values of a form.
func form(b []byte, i int) ([]byte, int) {
	if b[i] != '+' || !isAlnum(at(b, i-1)) && at(b, i-1) != '-' || at(b, i+1) <= ' ' {
		return nil, 0
	}
	formed := false
	for k := i - 1; k >= 0 && k > i-100 && b[k] > ' ' && b[k] != '"' && b[k] != '<'; k-- {
		if c := b[k]; c == '=' || c == '%' || c == '&' {
			formed = true
			break
		}
	}
	if !formed {
		return nil, 0
	}
	return []byte{' '}, 1
}

// undoubled is the view of a file of rows in which quotes in quotes are single ones.
func (v *view) undoubled() *view {
	if !v.csv {
		return nil
	}
	w := v.through(doubleQuote, undouble)
	if w != nil {
		w.csv = false
	}
	return w
}

func undouble(b []byte, i int) ([]byte, int) {
	if b[i] != '"' || at(b, i+1) != '"' {
		return nil, 0
	}
	return b[i : i+1], 2
}

// entity undoes a character reference as HTML reads it: its semicolon may be missing, and zeros may lead.
func entity(b []byte, i int) ([]byte, int) {
	if b[i] != '&' {
		return nil, 0
	}
	if at(b, i+1) == '#' {
		return numbered(b, i)
	}
	end := alnum.run(b, i+1, 32)
	if at(b, end) == ';' {
		whole := string(b[i : end+1])
		if out := html.UnescapeString(whole); out != whole {
			return plainly(out), end + 1 - i
		}
	}
	for end = min(end, i+7); end > i+2; end-- { // names from before there were semicolons
		if out := html.UnescapeString(string(b[i:end])); out != string(b[i:end]) && utf8.RuneCountInString(out) == 1 {
			return plainly(out), end - i
		}
	}
	return nil, 0
}

// plainly is what an entity stands for, as a plain character where it looks like one.
func plainly(s string) []byte {
	if r, n := utf8.DecodeRuneInString(s); n == len(s) {
		if c := plainOf(r); c != 0 {
			return []byte{c}
		}
	}
	return []byte(s)
}

// numbered undoes &#64; and &#x40;.
func numbered(b []byte, i int) ([]byte, int) {
	from, base, allowed := i+2, rune(10), digits
	if c := at(b, from); c == 'x' || c == 'X' {
		from, base, allowed = from+1, 16, anyHex
	}
	end := allowed.run(b, from, 1<<15)
	if end == from {
		return nil, 0
	}
	r := rune(0)
	for _, c := range b[from:end] {
		d := rune(c - '0')
		if c > '9' {
			d = rune(c|0x20-'a') + 10
		}
		if r = r*base + d; r > utf8.MaxRune {
			r = utf8.RuneError
			break
		}
	}
	if at(b, end) == ';' {
		end++
	}
	return plainly(string(r)), end - i
}

// invisible takes characters that leave no mark, and reads those that look like a plain one as that: spaces that break no
// line, hyphens, letters and digits of full width.
func invisible(b []byte, i int) ([]byte, int) {
	if b[i] < 0x80 {
		if c := b[i]; c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
			return nil, 1
		}
		return nil, 0
	}
	r, n := utf8.DecodeRune(b[i:])
	switch {
	case r == 0xAD, r == 0x34F, r == 0x61C, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r >= 0x180B && r <= 0x180F, r >= 0x200B && r <= 0x200F,
		r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r == 0x3164, r == 0xFEFF, r == 0xFFA0, r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE0FFF:
		return nil, n
	}
	if c := plainOf(r); c != 0 {
		return []byte{c}, n
	}
	return nil, 0
}

// plainOf is the character of ASCII that a space, a hyphen or one of full width stands for; 0 for others.
func plainOf(r rune) byte {
	switch {
	case r == 0xA0, r == 0x1680, r >= 0x2000 && r <= 0x200A, r == 0x202F, r == 0x205F, r == 0x3000:
		return ' '
	case r >= 0x2010 && r <= 0x2015, r == 0x2212, r == 0xFE58, r == 0xFE63:
		return '-'
	case r > 0xFF00 && r < 0xFF5F:
		return byte(r - 0xFEE0)
	}
	return 0
}

// composed is the view in which letters and the marks above them are one character, as they are mostly written (NFC).
func (v *view) composed() *view {
	if bytes.IndexByte(v.text, 0xCC) < 0 && bytes.IndexByte(v.text, 0xCD) < 0 {
		return nil
	}
	return v.through(letters, compose)
}

func compose(b []byte, i int) ([]byte, int) {
	end := i + 1
	for end+1 < len(b) && end < i+16 && (b[end] == 0xCC || b[end] == 0xCD && b[end+1] < 0xB0) {
		end += 2
	}
	if end == i+1 {
		return nil, 0
	}
	out := norm.NFC.Bytes(b[i:end])
	return out, end - i
}
