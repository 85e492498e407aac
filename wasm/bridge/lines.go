package bridge

import "github.com/figs-web/figs-web/figs"

const (
	// linesAbove is how many lines a page shows above the line that the request names.
	linesAbove = 3
	// perLine is how many findings a page of lines carries for one line.
	perLine = 50
)

// ledgerLines takes a page of the lines of one ledger, each with the findings on it. A request that names a line gets the
// page that shows it; one that names a line after the last gets the end.
func (x *selector) ledgerLines() bool {
	file := figs.ParseFile(x.r.text("file"))
	if file >= figs.Ledgers {
		return false
	}
	x.total = x.f.Lines(file)
	if line := x.r.size("line"); line > 0 && x.total > 0 {
		x.turnTo(file, line)
	}
	to := min(x.total, x.from+x.n)
	if x.from >= to {
		return true
	}
	x.more = x.a.report.More
	found := x.foundOn(file, x.f.Line(file, x.from).Number, x.f.Line(file, to-1).Number)
	for i := x.from; i < to; i++ {
		ref := x.f.Line(file, i)
		x.add(file, &ref, min(ref.Len, 8<<10), 0, found[ref.Number], nil)
	}
	return true
}

// turnTo moves the page so that it shows a line, unless it does already.
func (x *selector) turnTo(file figs.File, line int) {
	at := x.f.Line(file, x.total-1)
	if line <= at.Number {
		at = x.numbered(file, line)
	}
	switch {
	case line > at.Number:
		x.from = max(0, x.total-x.n)
	case at.Index < x.from || at.Index >= x.from+x.n:
		x.from = max(0, at.Index-min(linesAbove, x.n-1))
	}
}

// foundOn adds the findings on the lines numbered first to last, and counts them by line. The page's lines are few
// and so are the findings of a report: one pass over them is all that it takes.
func (x *selector) foundOn(file figs.File, first, last int) map[int]int {
	counts, name := map[int]int{}, file.String()
	all := x.a.report.Findings
	for i := range all {
		if f := &all[i]; f.Line >= first && f.Line <= last && f.File == name {
			if counts[f.Line]++; counts[f.Line] <= perLine {
				x.findings.finding(f)
			}
		}
	}
	return counts
}
