package sandbox

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/sandbox/report"
	"github.com/figs-web/figs-web/sandbox/visible"
)

// plain shows text as it is, every character visible.
func (p *page) plain() {
	if p.result.View == report.Source {
		p.source()
		return
	}
	p.own("f-own f-plain", p.preformatted(p.text), "")
}

// preformatted returns text as a body, with a notice when not all of it fits.
func (p *page) preformatted(text string) string {
	body, n := lines(text, p.room(), false)
	p.cut(n, len(text))
	return body
}

// textDocument shows what a machine reader would read of a report.
func (p *page) textDocument(w *words) {
	if w.full {
		p.cut(0, 1)
	}
	p.own("f-own f-words", `<pre class="f-pre">`+string(w.marked)+`</pre>`, "")
}

// source shows the exact bytes: text with numbered lines and visible marks for everything that would
// leave none, or a dump when they are no text.
func (p *page) source() {
	p.result.View = report.Source
	if p.binary {
		p.dump()
		return
	}
	s := string(p.content)
	body, n := lines(s, p.room(), true)
	p.cut(n, len(s))
	p.own("f-own f-source", body, "")
}

// cut says that only the first part is shown.
func (p *page) cut(shown, all int) {
	if shown < all {
		p.notice(report.Cut, "Only the first part of this file is shown. Download it to read the rest.")
	}
}

// A block of lines is laid out only when it is looked at: a browser then opens ten megabytes at once.
const (
	blockLines = 200
	blockBytes = 16 << 10
)

// lines writes s as a preformatted body of at most limit bytes, its lines numbered on demand. It
// returns how many bytes of s it holds.
func lines(s string, limit int, number bool) (string, int) {
	b := make([]byte, 0, min(len(s)+len(s)/4+1024, limit))
	b = append(b, `<pre class="f-pre">`...)
	at, line, fresh := 0, 0, true
	for at < len(s) && len(b) < limit-256 {
		b = append(b, `<span class="f-block"`...)
		if number {
			b = append(append(append(b, ` style="counter-reset:f `...), strconv.Itoa(line)...), '"')
		}
		b = append(b, '>')
		end := at + blockBytes
		for n := 0; n < blockLines && at < len(s) && at < end && len(b) < limit-256; n++ {
			if number && fresh {
				b = append(b, `<i></i>`...)
				line++
			}
			piece := pieceOf(s[at:], end-at)
			fresh = strings.HasSuffix(piece, "\n")
			var took int
			b, took = visible.AppendMax(b, piece, limit-256-len(b))
			if at += took; took < len(piece) {
				return string(append(b, `</span></pre>`...)), at
			}
			if !fresh {
				break // a long line goes on in the next block
			}
		}
		b = append(b, `</span>`...)
	}
	return string(append(b, `</pre>`...)), at
}

// pieceOf returns the first line of s with its end, or as much of it as most bytes of whole
// characters hold.
func pieceOf(s string, most int) string {
	if i := strings.IndexByte(s[:min(len(s), most)], '\n'); i >= 0 {
		return s[:i+1]
	}
	if len(s) <= most {
		return s
	}
	for cut := most; cut > most-utf8.UTFMax && cut > 0; cut-- {
		if utf8.RuneStart(s[cut]) {
			return s[:cut]
		}
	}
	return s[:max(1, most)]
}

// dumped is how many bytes of a binary file are shown.
const dumped = 64 << 10

// dump shows bytes that are no text, sixteen a line.
func (p *page) dump() {
	content := p.content[:min(len(p.content), dumped, p.room()/10)]
	const digits = "0123456789abcdef"
	b := append(make([]byte, 0, len(content)*6), `<pre class="f-pre">`...)
	for at := 0; at < len(content); at += 16 {
		row := content[at:min(at+16, len(content))]
		offset := strconv.FormatInt(int64(at), 16)
		b = append(append(append(b, strings.Repeat("0", 8-len(offset))...), offset...), "  "...)
		for i := range 16 {
			if i < len(row) {
				b = append(b, digits[row[i]>>4], digits[row[i]&15], ' ')
			} else {
				b = append(b, "   "...)
			}
		}
		b = append(b, ' ')
		for _, c := range row {
			b = appendByte(b, c)
		}
		b = append(b, '\n')
	}
	p.cut(len(content), len(p.content))
	p.own("f-own f-dump", string(append(b, `</pre>`...)), "")
}

// appendByte writes one byte of a dump as text; what is no letter is a dot.
func appendByte(b []byte, c byte) []byte {
	switch {
	case c < 0x20 || c > 0x7e:
		return append(b, '.')
	case c == '<':
		return append(b, "&lt;"...)
	case c == '&':
		return append(b, "&amp;"...)
	case c == '>':
		return append(b, "&gt;"...)
	}
	return append(b, c)
}
