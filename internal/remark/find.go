package remark

import (
	"bytes"
	"regexp"
	"unicode"
	"unicode/utf8"
)

// text is one of the texts of a document in which passages are looked for.
type text struct {
	text   string
	source bool
	loose  bool // only letters and digits count: a rendered text leaves out the marks of its source
}

// texts are those of the document, the likeliest first.
func (d *Document) texts(source bool) []text {
	own, plain := text{text: string(d.Content), source: true}, text{text: d.Plain}
	switch {
	case source || d.Plain == "":
		return []text{own, {text: own.text, source: true, loose: true}}
	case d.isMarkup():
		return []text{plain, own}
	}
	return []text{own, plain, {text: own.text, source: true, loose: true}}
}

// place is the position of a passage in a text.
type place struct {
	start, end int // bytes
	nth, of    int // among equal passages, from 1
	context    int // characters of its context that are as expected, in folded bytes
}

// find finds the passage whose context is most like the one that was seen; of equal ones the first.
func (t *text) find(all, wanted []byte, s Selection) *place {
	if t.loose {
		all, wanted = letters(all), letters(wanted)
		if len(wanted) < 4 {
			return nil
		}
	}
	before, after := fold(s.Before), fold(s.After)
	if t.loose {
		before, after = letters(before), letters(after)
	}
	best, at := place{context: -1}, 0
	for {
		i := bytes.Index(all[at:], wanted)
		if i < 0 {
			break
		}
		at += i
		best.of++
		if n := commonEnd(all[:at], before) + commonStart(all[at+len(wanted):], after); n > best.context {
			best.context, best.nth, best.start = n, best.of, at
		}
		at += len(wanted)
	}
	if best.of == 0 {
		return nil
	}
	best.start, best.end = t.span(best.start, len(wanted))
	return &best
}

// span converts a range of folded bytes to a range of the text.
func (t *text) span(at, length int) (start, end int) {
	counts := func(r rune) bool { return !t.loose || isLetter(r) }
	n, start := 0, -1
	walk(t.text, func(i, size int, r rune) bool {
		if !counts(r) {
			return true
		}
		if n == at {
			start = i
		}
		n += size
		end = i + size
		return n < at+length
	})
	return start, end
}

// invisible matches what Visible writes for a character that leaves no mark.
var invisible = regexp.MustCompile(`^⟨(?:U\+[0-9A-F]{4,6}|byte [0-9A-F]{2})⟩`)

// walk calls visit for each character that counts when passages are compared: no spaces, nothing that leaves no mark, and
// no code points written by Visible.
func walk(text string, visit func(at, size int, r rune) bool) {
	for i := 0; i < len(text); {
		if c := text[i]; c > ' ' && c < 0x7f {
			if !visit(i, 1, rune(c)) {
				return
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == '⟨' {
			if mark := invisible.FindString(text[i:min(len(text), i+32)]); mark != "" {
				i += len(mark)
				continue
			}
		}
		if !unicode.IsSpace(r) && !isMarked(r) && !(r == utf8.RuneError && size == 1) && !visit(i, size, r) {
			return
		}
		i += size
	}
}

// fold is what counts of a text when passages are compared.
func fold(text string) []byte {
	b := make([]byte, 0, len(text))
	walk(text, func(at, size int, _ rune) bool {
		b = append(b, text[at:at+size]...)
		return true
	})
	return b
}

// letters are the letters and digits of a folded text.
func letters(folded []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if isLetter(r) {
			return r
		}
		return -1
	}, folded)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// commonEnd is how many bytes two texts have in common at their ends, commonStart at their beginnings.
func commonEnd(a, b []byte) (n int) {
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

func commonStart(a, b []byte) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
