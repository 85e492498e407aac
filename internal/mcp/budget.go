package mcp

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
)

const (
	// mostAnswer is how many bytes of JSON the texts of one answer may take; lists go on where it is spent.
	mostAnswer = 100_000
	// brief and full are how many bytes of one text are given: in lists, and of a record that was asked for alone.
	brief, full = 500, 20_000
	// mostItems is how many elements of a list inside of a record are given.
	mostItems = 200
)

// budget bounds an answer.
type budget struct {
	each int // bytes of one text
	left int // bytes of the answer
}

func briefly() *budget { return &budget{brief, mostAnswer} }
func fully() *budget   { return &budget{full, mostAnswer} }

// spent reports whether nothing more goes into the answer.
func (b *budget) spent() bool { return b.left <= 0 }

// text is what somebody wrote, with its hidden characters as code points. What is cut off is counted.
func (b *budget) text(s string) string {
	most := min(b.each, max(b.left, 0))
	var out strings.Builder
	for at, r := range s {
		if out.Len() >= most {
			out.WriteString("… [" + strconv.Itoa(len(s)-at) + " more bytes]")
			break
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		switch {
		case figs.IsHidden(r):
			out.WriteString("[U+" + codePoint(r) + "]")
		case r == utf8.RuneError && size == 1:
			out.WriteString("[byte " + strings.ToUpper(strconv.FormatInt(int64(s[at])+0x100, 16)[1:]) + "]")
		default:
			out.WriteRune(r)
		}
	}
	said := out.String()
	b.left -= cost(said)
	return said
}

// codePoint is a code point as people write it, in at least four digits.
func codePoint(r rune) string {
	digits := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	return strings.Repeat("0", max(0, 4-len(digits))) + digits
}

// cost is how many bytes of JSON a text takes.
func cost(s string) int {
	n := len(s)
	for i := range len(s) {
		switch s[i] {
		case '"', '\\', '\n', '\r', '\t':
			n++
		case '<', '>', '&':
			n += 5
		}
	}
	return n
}

// texts is text of each of a list, never null, as far as the budget goes.
func (b *budget) texts(all []string) []string {
	out := []string{}
	for i, s := range all {
		if i >= mostItems || b.spent() {
			return append(out, "… ["+strconv.Itoa(len(all)-i)+" more]")
		}
		out = append(out, b.text(s))
	}
	return out
}

// each makes parts of an answer until the budget is spent, never null; left is how many were left out.
func each[T, S any](b *budget, items []S, of func(*budget, *S) T) (out []T, left int) {
	out = []T{}
	for i := range items {
		if i > 0 && b.spent() || i >= mostItems {
			return out, len(items) - i
		}
		out = append(out, of(b, &items[i]))
	}
	return out, 0
}
