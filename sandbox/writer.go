package sandbox

import (
	"errors"
	"strconv"
)

// errFull is what a writer answers beyond its limit.
var errFull = errors.New("the document would be larger than its limit")

// writer gathers a document and holds no more than limit bytes of it. After it is full it takes
// nothing more: what it holds then is not the document.
type writer struct {
	buf   []byte
	limit int
	full  bool
}

// Write implements io.Writer. It fails with errFull once the limit would be passed.
func (w *writer) Write(b []byte) (int, error) {
	if !w.room(len(b)) {
		return 0, errFull
	}
	w.buf = append(w.buf, b...)
	return len(b), nil
}

// WriteString is Write for strings.
func (w *writer) WriteString(s string) (int, error) {
	if !w.room(len(s)) {
		return 0, errFull
	}
	w.buf = append(w.buf, s...)
	return len(s), nil
}

func (w *writer) room(n int) bool {
	if w.full || n > w.limit-len(w.buf) {
		w.full = true
	}
	return !w.full
}

// add writes strings and leaves the question whether they fit to full.
func (w *writer) add(parts ...string) {
	for _, s := range parts {
		w.WriteString(s)
	}
}

// escaped writes text so that it is text inside an element and inside a quoted attribute.
func (w *writer) escaped(s string) {
	start := 0
	for i := 0; i < len(s) && !w.full; i++ {
		e := ""
		switch s[i] {
		case '&':
			e = "&amp;"
		case '<':
			e = "&lt;"
		case '>':
			e = "&gt;"
		case '"':
			e = "&#34;"
		case '\'':
			e = "&#39;"
		case '\r':
			e = "&#13;"
		default:
			continue
		}
		w.add(s[start:i], e)
		start = i + 1
	}
	w.add(s[start:])
}

// size writes a limit for people: "10 MB".
func size(n int) string {
	switch {
	case n >= 1<<20:
		return strconv.Itoa(n>>20) + " MB"
	case n >= 1<<10:
		return strconv.Itoa(n>>10) + " KB"
	}
	return strconv.Itoa(n) + " bytes"
}
