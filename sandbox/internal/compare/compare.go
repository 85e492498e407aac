// Package compare shows what changed between two texts, or two JSON values, as trusted HTML.
//
// Differences are looked for around the lines that stand once on each side, then exactly between
// them, in linear memory and with a budget of work instead of a clock, so that the same two texts
// give the same picture everywhere. What is beyond the budget is shown as replaced as a whole,
// with a notice. Every character leaves a mark, and what did not change is folded, not left out.
//
// The search is our own after trial: of the libraries, go-diff stops by the clock, go-udiff gives
// up after sixty edits or needs gigabytes, and znkr.io/diff, the best of them, takes seven
// seconds for two hostile texts of 200,000 lines and cannot be told to take less.
package compare

import (
	_ "embed"
	"strconv"

	"github.com/figs-web/figs-web/sandbox/report"
	"github.com/figs-web/figs-web/sandbox/visible"
)

// CSS is the style of a comparison. JSON needs the style of package jsonview besides.
//
//go:embed compare.css
var CSS string

// Why a comparison must be read with care, besides the codes of package report.
const (
	LineEnds   report.Code = "line_ends"   // the lines are ended differently
	SameValues report.Code = "same_values" // JSON: only what no reader sees differs
)

// Diff is what changed. HTML is nil when a notice says why nothing is shown. The counts are
// complete even when HTML is cut.
type Diff struct {
	HTML    []byte
	Added   int // lines, or values
	Deleted int // lines, or values
	Changed int // values
	Notices []report.Notice
}

func (d *Diff) notice(code report.Code, text string) {
	d.Notices = append(d.Notices, report.Notice{Code: code, Text: text})
}

func (d *Diff) tooCoarse(coarse bool) {
	if coarse {
		d.notice(report.TooComplex, "Some parts differ so much that they are shown as removed and added as a whole; they may contain equal lines.")
	}
}

// page is the HTML of a comparison, of bounded size.
type page struct {
	dst    []byte
	limit  int
	folds  int // bytes that folded text may still take
	cut    bool
	budget int // of work
	words  int // of work on words
	coarse bool
}

// work is the budget of one comparison in steps, for what changed and again for the words in it:
// together about half a second on one core.
const work = 30_000_000

func newPage(l report.Limits) *page {
	room := l.Output - l.Output/8 // the rest is for the document around it
	return &page{limit: room, folds: room / 3, budget: work, words: work}
}

// add appends trusted HTML, which may go a little beyond the limit.
func (p *page) add(s string) { p.dst = append(p.dst, s...) }

// text appends untrusted text as far as there is room.
func (p *page) text(s string) {
	var n int
	p.dst, n = visible.AppendMax(p.dst, s, max(0, p.limit-len(p.dst)))
	if n < len(s) {
		p.cut = true
	}
}

func (p *page) number(n int) {
	p.add(`<span class="f-no">`)
	if n > 0 {
		p.dst = strconv.AppendInt(p.dst, int64(n), 10)
	}
	p.add(`</span>`)
}

// full reports whether nothing more fits, and remembers that something is left out.
func (p *page) full() bool {
	if len(p.dst) >= p.limit {
		p.cut = true
	}
	return p.cut
}

// finish ends the document with its notices.
func (p *page) finish(d *Diff) {
	d.tooCoarse(p.coarse)
	if p.cut {
		d.notice(report.Cut, "There are too many differences to show: only the first part is shown here.")
	}
	d.HTML = p.dst
}

// plural writes "1 unchanged line", "2 unchanged lines".
func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + more
}
