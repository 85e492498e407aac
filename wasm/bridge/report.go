package bridge

import "github.com/figs-web/figs-web/figs"

// report takes a page of the findings, and how many there are of each rule.
func (x *selector) report() {
	severity, code, file := x.r.text("severity"), x.r.text("code"), x.r.text("file")
	line, words := x.r.size("line"), splitWords(x.r.text("text"))
	x.more = x.a.report.More
	total := [256]int{}
	for _, m := range x.more {
		total[m.Code] = m.Count
	}
	if most := x.r.size("mended"); most > 0 {
		x.mendings = -1
	}
	if most := x.r.size("mended"); most > 0 && x.e.keep && (x.r.text("state") == "mended" || x.a.quick()) {
		mended := x.a.history().Finish().Resolved
		x.mendings = len(mended)
		for i := range min(most, len(mended)) {
			x.mended.mended(&mended[i])
		}
	}
	all := x.a.report.Findings
	for i := range all {
		total[all[i].Code]++
	}
	for i := range all {
		f := &all[i]
		name := f.Code.String()
		if n := total[f.Code]; n > 0 {
			total[f.Code] = 0
			x.code.n++
			x.code.put(int(f.Code), n)
		}
		if (severity == "" || f.Severity.String() == severity) && (code == "" || name == code) && (file == "" || f.File == file) && (line == 0 || f.Line == line) &&
			containsAll(f.Message+" "+f.Record+" "+f.File+" "+name, words) && x.onPage() {
			x.finding(f)
		}
	}
}

// quickly is how many bytes of ledgers are read once more just to say what was mended in them.
const quickly = 8 << 20

// quick reports whether that takes no time that anybody would notice.
func (a *agent) quick() bool {
	size := int64(0)
	for file := range figs.File(figs.Ledgers) {
		size += a.f.Size(file)
	}
	return size <= quickly
}

// finding adds a finding with the bytes that it marks.
func (x *selector) finding(f *figs.Finding) {
	x.findings.finding(f)
	file := figs.ParseFile(f.File)
	var start, end int
	switch {
	case f.Line == 0:
	case file < figs.Ledgers:
		if ref := x.numbered(file, f.Line); ref.Number == f.Line {
			start = int(ref.Offset)
			end = start + ref.Len
		}
	case file < figs.NoFile:
		text := x.f.Small(file)
		start = int(f.Offset)
		end = start
		for start > 0 && text[start-1] != '\n' {
			start--
		}
		for end < len(text) && text[end] != '\n' {
			end++
		}
	}
	x.excerpt(file, start, end, int(f.Offset), f.EndColumn-f.Column, f.Code == figs.LineTorn)
}

// numbered finds the line with that number of the file, or the next.
func (x *selector) numbered(file figs.File, number int) (ref figs.LineRef) {
	lo, hi := 0, x.f.Lines(file)
	for lo < hi {
		mid := (lo + hi) / 2
		if at := x.f.Line(file, mid); at.Number < number {
			lo = mid + 1
		} else {
			ref, hi = at, mid
		}
	}
	return ref
}

// excerpt adds what surrounds n marked bytes of a line, which stands from start to end of its
// file; an empty line gives an empty excerpt.
func (x *selector) excerpt(file figs.File, start, end, mark, n int, torn bool) {
	const around = 140
	x.cut.n++
	if start == end {
		x.cut.put(0, 0, number(torn), 0, 0, 0)
		return
	}
	mark = min(max(mark, start), end)
	n = min(max(0, n), end-mark, 200)
	from, to := max(start, mark-around), min(end, mark+n+around)
	if n == 0 {
		to = min(end, mark+2*around)
	}
	x.cut.put(number(from > start), number(to < end), number(torn), mark-from, n, to-mark-n)
	x.ofCuts = append(x.ofCuts, piece{file: file, offset: int64(from), n: to - from})
}
