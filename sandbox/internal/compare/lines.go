package compare

import (
	"bytes"
	"strings"

	"github.com/figs-web/figs-web/sandbox/report"
)

// context is how many unchanged lines stand before and after a change; a longer stretch than
// twice that and a few is folded.
const (
	context = 3
	fewest  = 4
)

// Lines compares two texts line by line, with marks on the words that differ.
func Lines(before, after []byte, l report.Limits) Diff {
	var d Diff
	if len(before) > l.Diff || len(after) > l.Diff {
		d.notice(report.TooLarge, "These texts are too large to compare line by line.")
		return d
	}
	t := table{}
	x, y := split(string(before)), split(string(after))
	xs, ys := number(t, x), number(t, y)
	p := newPage(l)
	changes, coarse := script(xs, ys, len(t), &p.budget)
	p.coarse = coarse
	lineEnds(&d, before, after, len(changes) == 0)
	w := lineWriter{page: p, x: x, y: y}
	p.add(`<div class="f-diff">` + "\n")
	x0, y0 := 0, 0
	for _, c := range changes {
		w.equal(x0, y0, c.x0-x0, false)
		d.Deleted += c.x1 - c.x0
		d.Added += c.y1 - c.y0
		w.change(c)
		x0, y0 = c.x1, c.y1
	}
	w.equal(x0, y0, len(x)-x0, true)
	p.add("</div>\n")
	p.finish(&d)
	return d
}

// split returns the lines of a text without their ends.
func split(s string) []string {
	if s == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	return lines
}

func number(t table, all []string) []int32 {
	ids := make([]int32, len(all))
	for i, s := range all {
		ids[i] = t.id(s)
	}
	return ids
}

// lineEnds says what the comparison of lines leaves out: how they end.
func lineEnds(d *Diff, before, after []byte, same bool) {
	cr := func(b []byte) int { return bytes.Count(b, []byte("\r\n")) }
	lf := func(b []byte) int { return bytes.Count(b, []byte("\n")) }
	all := func(b []byte) bool { return cr(b) > 0 && cr(b) == lf(b) }
	switch {
	case all(before) != all(after) && cr(before)+cr(after) > 0 || same && cr(before) != cr(after):
		d.notice(LineEnds, "The files use different line endings (CR LF and LF). That alone doesn't count as a difference.")
	case same && !bytes.Equal(before, after):
		d.notice(LineEnds, "Every line is the same; only the end of the last line differs.")
	}
}

// lineWriter writes lines with their numbers on both sides.
type lineWriter struct {
	*page
	x, y []string
}

// equal writes n equal lines, folding what is far from a change.
func (w *lineWriter) equal(x0, y0, n int, last bool) {
	head, tail := context, context
	if x0 == 0 && y0 == 0 {
		head = 0
	}
	if last {
		tail = 0
	}
	if n <= head+tail+fewest {
		w.same(x0, y0, n)
		return
	}
	w.same(x0, y0, head)
	w.fold(x0+head, y0+head, n-head-tail)
	w.same(x0+n-tail, y0+n-tail, tail)
}

// fold writes lines that are seen when they are asked for; when there is no room for them, only
// how many there are.
func (w *lineWriter) fold(x0, y0, n int) {
	if w.full() {
		return
	}
	summary := plural(n, "unchanged line", "unchanged lines")
	start := len(w.dst)
	w.add(`<details class="f-fold"><summary>` + summary + "</summary>\n")
	for i := 0; i < n && len(w.dst)-start <= w.folds && len(w.dst) < w.limit; i++ {
		w.sameLine(x0+i, y0+i)
	}
	w.add("</details>\n")
	if len(w.dst)-start > w.folds || len(w.dst) >= w.limit {
		w.dst = w.dst[:start]
		w.cut = false
		w.add(`<div class="f-fold">` + summary + ", not repeated here</div>\n")
		return
	}
	w.folds -= len(w.dst) - start
}

func (w *lineWriter) same(x0, y0, n int) {
	for i := 0; i < n && !w.full(); i++ {
		w.sameLine(x0+i, y0+i)
	}
}

func (w *lineWriter) sameLine(i, j int) {
	w.add("<div>")
	w.number(i + 1)
	w.number(j + 1)
	w.add("<span>")
	w.text(w.y[j])
	w.add("</span></div>\n")
}

// change writes the deleted lines of a change, then the added ones.
func (w *lineWriter) change(c change) {
	marks := w.pairs(c)
	for i := c.x0; i < c.x1 && !w.full(); i++ {
		w.add(`<div class="f-del">`)
		w.number(i + 1)
		w.number(0)
		w.add("<del>")
		w.marked(w.x[i], marks.of(marks.x, i-c.x0))
		w.add("</del></div>\n")
	}
	for j := c.y0; j < c.y1 && !w.full(); j++ {
		w.add(`<div class="f-add">`)
		w.number(0)
		w.number(j + 1)
		w.add("<ins>")
		w.marked(w.y[j], marks.of(marks.y, j-c.y0))
		w.add("</ins></div>\n")
	}
}
