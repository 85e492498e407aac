package bridge

import "github.com/figs-web/figs-web/figs"

func (e *encoder) agent(a *AgentInfo) {
	e.text(a.Path)
	e.bytes(a.Config)
	e.bytes(a.Charter)
	e.uint(uint64(a.Fed))
	for _, n := range a.Sizes {
		e.int(n)
	}
	e.int(a.Bytes)
	e.ints(a.Jobs, a.Asks, a.Messages, a.Files, a.Needs, a.Waiting, a.Closed, a.Orphans, a.Lines, a.Broken, a.Errors, a.Warnings, a.Infos)
	e.ints(a.Outcomes[:]...)
	e.place(a.Since)
	e.place(a.Last)
	e.int(a.Oldest)
}

func (d *decoder) agent() (a AgentInfo) {
	a.Path, a.Config, a.Charter, a.Fed = d.text(), d.bytes(), d.bytes(), uint32(d.uint())
	for i := range a.Sizes {
		a.Sizes[i] = d.int()
	}
	a.Bytes = d.int()
	for _, n := range [...]*int{&a.Jobs, &a.Asks, &a.Messages, &a.Files, &a.Needs, &a.Waiting, &a.Closed, &a.Orphans, &a.Lines, &a.Broken, &a.Errors, &a.Warnings, &a.Infos} {
		*n = d.num()
	}
	for i := range a.Outcomes {
		a.Outcomes[i] = d.num()
	}
	a.Since, a.Last, a.Oldest = d.place(), d.place(), d.int()
	return a
}

func (e *encoder) place(p Place) {
	e.uint(uint64(p.File))
	e.int(int64(p.Line))
	e.int(p.At)
}

func (d *decoder) place() Place { return Place{d.file(), d.num(), d.int()} }

func (e *encoder) refs(list []Ref) {
	e.uint(uint64(len(list)))
	for _, r := range list {
		e.uint(uint64(r.File))
		e.int(int64(r.Record))
	}
}

func (d *decoder) refs() (list []Ref) {
	for range d.count() {
		list = append(list, Ref{d.file(), d.num()})
	}
	return list
}

func (e *encoder) file(f *FileInfo) {
	e.int(int64(f.Key))
	e.text(f.Name)
	e.int(f.Size)
	e.refs([]Ref{f.Owner})
	e.uint(uint64(len(f.Named)))
	for _, p := range f.Named {
		e.place(p)
	}
}

func (d *decoder) fileInfo() (f FileInfo) {
	f.Key, f.Name, f.Size = d.num(), d.text(), d.int()
	if refs := d.refs(); len(refs) == 1 {
		f.Owner = refs[0]
	}
	for range d.count() {
		f.Named = append(f.Named, d.place())
	}
	return f
}

func (e *encoder) finding(f *figs.Finding) {
	e.uint(uint64(f.Code))
	e.text(f.File)
	e.ints(f.Line, f.Column, f.EndColumn)
	e.int(f.Offset)
	for _, s := range [...]string{f.Pointer, f.Record, f.Message, f.Hint, f.Expected, f.Suggestion} {
		e.text(s)
	}
	e.uint(uint64(len(f.Related)))
	for _, p := range f.Related {
		e.text(p.File)
		e.ints(p.Line, p.Column)
	}
}

func (d *decoder) finding() (f figs.Finding) {
	f.Code = d.code()
	f.Severity = f.Code.Severity()
	f.File, f.Line, f.Column, f.EndColumn, f.Offset = d.text(), d.num(), d.num(), d.num(), d.int()
	for _, s := range [...]*string{&f.Pointer, &f.Record, &f.Message, &f.Hint, &f.Expected, &f.Suggestion} {
		*s = d.text()
	}
	for range d.count() {
		f.Related = append(f.Related, figs.Place{File: d.text(), Line: d.num(), Column: d.num()})
	}
	return f
}

func (e *encoder) counts(list []figs.Uncounted) {
	e.uint(uint64(len(list)))
	for _, c := range list {
		e.uint(uint64(c.Code))
		e.int(int64(c.Count))
	}
}

func (d *decoder) counts() (list []figs.Uncounted) {
	for range d.count() {
		list = append(list, figs.Uncounted{Code: d.code(), Count: d.num()})
	}
	return list
}

func (e *encoder) line(l *Line) {
	e.uint(uint64(l.File))
	e.ints(l.Index, l.Number, l.Len, l.Record, l.Size, l.Folded)
	e.int(l.Offset)
	e.int(l.TS)
	e.uint(uint64(l.Code))
}

func (d *decoder) line() (l Line) {
	l.File = d.file()
	l.Index, l.Number, l.Len, l.Record, l.Size, l.Folded = d.num(), d.num(), d.num(), d.num(), d.num(), d.num()
	l.Offset, l.TS, l.Code = d.int(), d.int(), d.code()
	if l.Len < 0 {
		d.bad, l.Len = true, 0
	}
	return l
}

func (e *encoder) excerpt(x *Excerpt) {
	e.bool(x.CutBefore)
	e.bool(x.CutAfter)
	e.bool(x.Torn)
	for _, n := range x.lens {
		e.uint(uint64(n))
	}
}

func (d *decoder) excerpt() (x Excerpt) {
	x.CutBefore, x.CutAfter, x.Torn = d.bool(), d.bool(), d.bool()
	for i := range x.lens {
		x.lens[i] = int(d.uint() & (1<<30 - 1))
	}
	return x
}
