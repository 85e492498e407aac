package bridge

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

const stringKind = jsonl.String

// files takes a page of attachments, or the one with that number from 0.
func (x *selector) files(only int) bool {
	all := x.a.f.Attachments()
	if only >= len(all) {
		return false
	}
	order := make([]int, 0, len(all))
	for _, named := range [...]bool{true, false} {
		for i, file := range all {
			if file.Named == named && (named || file.Size >= 0) {
				order = append(order, i)
			}
		}
	}
	words := splitWords(x.r.text("text"))
	index := make([]int, len(all))
	for _, i := range order {
		if only >= 0 && i != only || !containsAll([]byte(all[i].Name), words) {
			continue
		}
		if only >= 0 || x.s.Total >= x.s.From && x.s.Total < x.s.From+x.n {
			index[i] = len(x.s.Files) + 1
			x.s.Files = append(x.s.Files, FileInfo{Key: i + 1, Name: all[i].Name, Size: all[i].Size, Owner: Ref{figs.NoFile, 0}})
		}
		x.s.Total++
	}
	x.mention(index)
	return only < 0 || len(x.s.Files) > 0
}

// attachments takes every file that a record's lines name.
func (x *selector) attachments(r Ref) {
	all := x.a.f.Attachments()
	index := make([]int, len(all))
	for _, m := range x.a.f.Mentions() {
		if index[m.Attachment] > 0 || m.File != r.File || m.Line.Record != r.Record {
			continue
		}
		index[m.Attachment] = len(x.s.Files) + 1
		file := all[m.Attachment]
		x.s.Files = append(x.s.Files, FileInfo{Key: m.Attachment + 1, Name: file.Name, Size: file.Size, Owner: Ref{figs.NoFile, 0}})
	}
	x.mention(index)
}

// mention adds the lines that name the chosen files, and each file's first owner. index holds,
// by attachment, its place among the files plus one.
func (x *selector) mention(index []int) {
	if len(x.s.Files) == 0 {
		return
	}
	for _, m := range x.a.f.Mentions() {
		i := index[m.Attachment] - 1
		if i < 0 || len(x.s.Files[i].Named) >= 100 {
			continue
		}
		file := &x.s.Files[i]
		file.Named = append(file.Named, Place{m.File, m.Line.Number, m.Line.TS})
		if file.Owner.File == figs.NoFile {
			file.Owner = Ref{m.File, m.Line.Record}
			x.record(file.Owner)
		}
	}
}

// findings takes a page of the report.
func (x *selector) findings() {
	severity, code, file := x.r.text("severity"), x.r.text("code"), x.r.text("file")
	words := splitWords(x.r.text("text"))
	total := [256]int{}
	var order []figs.Code
	for i := range x.a.report.Findings {
		f := &x.a.report.Findings[i]
		if total[f.Code]++; total[f.Code] == 1 {
			order = append(order, f.Code)
		}
		if severity != "" && f.Severity.String() != severity || code != "" && f.Code.String() != code || file != "" && f.File != file ||
			!containsAll([]byte(f.Message+" "+f.Record+" "+f.File+" "+f.Code.String()), words) {
			continue
		}
		if x.s.Total >= x.s.From && x.s.Total < x.s.From+x.n {
			x.finding(f)
		}
		x.s.Total++
	}
	x.s.More = x.a.report.More
	for _, c := range order {
		n := total[c]
		for _, m := range x.s.More {
			if m.Code == c {
				n += m.Count
			}
		}
		x.s.ByCode = append(x.s.ByCode, figs.Uncounted{Code: c, Count: n})
	}
}

// finding adds a finding with the bytes that it marks.
func (x *selector) finding(f *figs.Finding) {
	x.s.Findings = append(x.s.Findings, *f)
	x.s.Excerpts = append(x.s.Excerpts, x.excerpt(f))
}

const around = 140

// excerpt cuts the marked bytes out of their line, with some before and after.
func (x *selector) excerpt(f *figs.Finding) Excerpt {
	file := figs.FileNamed(f.File)
	if file == figs.NoFile || f.Line == 0 {
		return Excerpt{}
	}
	mark := max(0, f.EndColumn-f.Column)
	if file >= figs.Ledgers {
		text := x.a.f.Small(file)
		start, end := int(f.Offset), int(f.Offset)
		for start > 0 && text[start-1] != '\n' {
			start--
		}
		for end < len(text) && text[end] != '\n' {
			end++
		}
		ex := frame(int64(start), int64(end), f.Offset, mark)
		cutText(&ex, text, int(ex.span.offset))
		return ex
	}
	ref, ok := x.lineNumbered(file, f.Line)
	if !ok {
		return Excerpt{}
	}
	ex := frame(ref.Offset, ref.Offset+int64(ref.Len), f.Offset, mark)
	ex.Torn = f.Code == figs.LineTorn
	ex.span.agent, ex.span.file = x.s.Agent, file
	if b := x.a.f.Span(file, ex.span.offset, ex.span.n); b != nil {
		cutText(&ex, b, 0)
	}
	return ex
}

// frame chooses which bytes of a line an excerpt shows.
func frame(start, end, mark int64, n int) Excerpt {
	mark = min(max(mark, start), end)
	marked := min(int64(n), end-mark, 200)
	from := max(start, mark-around)
	to := min(end, mark+marked+around)
	if n == 0 {
		to = min(end, mark+2*around)
	}
	return Excerpt{CutBefore: from > start, CutAfter: to < end, lens: [3]int{int(mark - from), int(marked), int(to - mark - marked)}, span: span{offset: from, n: int(to - from)}}
}

// cutText takes an excerpt's three parts from a text.
func cutText(ex *Excerpt, text []byte, at int) {
	if at+ex.span.n > len(text) {
		ex.lens, ex.span.n = [3]int{}, 0
		return
	}
	ex.Before = text[at : at+ex.lens[0]]
	at += ex.lens[0]
	ex.Marked = text[at : at+ex.lens[1]]
	at += ex.lens[1]
	ex.After = text[at : at+ex.lens[2]]
}

// lineNumbered finds the line with a number of the file.
func (x *selector) lineNumbered(file figs.File, number int) (figs.LineRef, bool) {
	lo, hi := 0, x.a.f.Lines(file)
	for lo < hi {
		mid := (lo + hi) / 2
		if x.a.f.Line(file, mid).Number < number {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < x.a.f.Lines(file) {
		ref := x.a.f.Line(file, lo)
		return ref, ref.Number == number
	}
	return figs.LineRef{}, false
}
