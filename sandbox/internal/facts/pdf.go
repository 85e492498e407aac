package facts

import (
	"bytes"

	"github.com/figs-web/figs-web/sandbox/report"
)

// marks are names that tell what a pdf may do when it is opened.
var marks = []struct{ name, fact string }{
	{"/JavaScript", "may contain scripts"},
	{"/JS", "may contain scripts"},
	{"/OpenAction", "may run actions when opened"},
	{"/AA", "may run actions when opened"},
	{"/Launch", "may start programs"},
	{"/SubmitForm", "may send a form"},
	{"/EmbeddedFile", "may contain other files"},
	{"/RichMedia", "may contain media"},
	{"/XFA", "may contain an XFA form, which can run scripts"},
	{"/Encrypt", "encrypted"},
}

// pdf tells what the bytes of a pdf say without reading it as one.
func pdf(b []byte) ([]report.Fact, *report.Notice) {
	var l list
	at := bytes.Index(b[:min(len(b), 1024)], []byte("%PDF-"))
	if at < 0 {
		return nil, wrongType("This file is named .pdf, but it doesn't begin like a PDF.")
	}
	l.add("starts as", "a pdf"+version(b[at+5:]))
	if at > 0 {
		l.add("before the pdf", grouped(at)+" bytes of something else")
	}
	told := map[string]bool{}
	for _, m := range marks {
		if !told[m.fact] && named(b, m.name) {
			told[m.fact] = true
			l.add(m.fact, "its bytes name "+m.name[1:])
		}
	}
	l.add("not seen", "content that is compressed or obfuscated")
	if !bytes.Contains(b[max(0, len(b)-1024):], []byte("%%EOF")) {
		return l, truncated("This file doesn't end like a PDF: it may be cut off.")
	}
	return l, nil
}

// version reads digits and dots of "1.7".
func version(b []byte) string {
	n := 0
	for n < len(b) && n < 4 && (b[n] >= '0' && b[n] <= '9' || b[n] == '.') {
		n++
	}
	if n == 0 {
		return ""
	}
	return " " + string(b[:n])
}

// named reports whether a name stands in the bytes, and not only as the start of a longer one.
func named(b []byte, name string) bool {
	for {
		i := bytes.Index(b, []byte(name))
		if i < 0 {
			return false
		}
		b = b[i+len(name):]
		if len(b) == 0 || !regular(b[0]) {
			return true
		}
	}
}

// regular reports whether a byte goes on with a pdf name.
func regular(c byte) bool {
	return c > ' ' && c < 0x7f && bytes.IndexByte([]byte("()<>[]{}/%"), c) < 0
}
