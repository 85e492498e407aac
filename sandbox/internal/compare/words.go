package compare

import (
	"unicode"
	"unicode/utf8"
)

// span is a stretch of bytes of a line.
type span struct{ start, end int }

// pairMarks are the stretches of paired lines that differ.
type pairMarks struct{ x, y [][]span }

func (pairMarks) of(side [][]span, i int) []span {
	if i < len(side) {
		return side[i]
	}
	return nil
}

// mostPairs is how many lines a change may have for its lines to be paired.
const mostPairs = 400

// pairs compares the lines of a change with each other, in their order.
func (p *lineWriter) pairs(c change) (m pairMarks) {
	n := min(c.x1-c.x0, c.y1-c.y0)
	if n > mostPairs {
		return m
	}
	for i := range n {
		x, y := p.differ(p.x[c.x0+i], p.y[c.y0+i])
		m.x, m.y = append(m.x, x), append(m.y, y)
	}
	return m
}

// differ returns what differs in two lines; nothing when they have little in common.
func (p *page) differ(before, after string) (x, y []span) {
	t := table{}
	xs, ys := tokens(before), tokens(after)
	xi, yi := numberTokens(t, before, xs), numberTokens(t, after, ys)
	changes, _ := script(xi, yi, len(t), &p.words)
	changed := 0
	for _, c := range changes {
		if c.x0 < c.x1 {
			x = append(x, span{xs[c.x0].start, xs[c.x1-1].end})
			changed += x[len(x)-1].end - x[len(x)-1].start
		}
		if c.y0 < c.y1 {
			y = append(y, span{ys[c.y0].start, ys[c.y1-1].end})
			changed += y[len(y)-1].end - y[len(y)-1].start
		}
	}
	if 3*changed > 2*(len(before)+len(after)) {
		return nil, nil
	}
	return x, y
}

func numberTokens(t table, s string, all []span) []int32 {
	ids := make([]int32, len(all))
	for i, token := range all {
		ids[i] = t.id(s[token.start:token.end])
	}
	return ids
}

// tokens cuts a line into words, white space and single other characters.
func tokens(s string) []span {
	all := make([]span, 0, len(s)/4+1)
	last := other
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		kind := kindOf(r)
		if n := len(all); n > 0 && kind == last && kind != other {
			all[n-1].end += size
		} else {
			all = append(all, span{i, i + size})
		}
		last = kind
		i += size
	}
	return all
}

const (
	other = iota
	letter
	space
)

func kindOf(r rune) int {
	switch {
	case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == '_':
		return letter
	case r == ' ', r == '\t':
		return space
	}
	return other
}

// marked writes a line with marks on what differs.
func (p *page) marked(line string, marks []span) {
	at := 0
	for _, m := range marks {
		p.text(line[at:m.start])
		p.add("<mark>")
		p.text(line[m.start:m.end])
		p.add("</mark>")
		if at = m.end; p.full() {
			return
		}
	}
	p.text(line[at:])
}
