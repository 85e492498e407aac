package bridge

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/smallest"
)

// smallest takes the finding that the request names by its rule, its file and its line, and in the place of a
// text the smallest folder that shows it; no text when there can be none.
func (x *selector) smallest() bool {
	code, line, best := x.r.text("code"), x.from, -1
	all := x.a.report.Findings
	for i := range all {
		if f := &all[i]; f.Code.String() == code && (best < 0 || f.File == x.r.text("file") && f.Line == line) {
			best = i
			if f.Line == line {
				break
			}
		}
	}
	if best < 0 {
		return false
	}
	x.finding(&all[best])
	e, ok := smallest.Of(x.f, smallest.Goal{Finding: &all[best], Now: x.a.report.Now})
	if !ok {
		return true
	}
	var l list
	l.finding(&e.Finding)
	l.texts(e.Now)
	l.put(e.Replaced, e.From, e.Lines, len(e.Others))
	for _, c := range e.Others {
		l.put(int(c))
	}
	l.put(len(e.Files))
	for _, f := range e.Files {
		l.put(int(f.File))
		l.texts(string(f.Text))
	}
	l.put(len(e.Attached))
	for _, a := range e.Attached {
		l.texts(a.Name)
		l.put(int(a.Size))
	}
	l.put(len(e.Kept))
	l.texts(e.Kept...)
	x.text = l.b
	return true
}

// DecodeExample reads the text of a selection of the page "smallest"; nil when there is no example.
func DecodeExample(b []byte) *smallest.Example {
	d := &decoder{b: b}
	e := &smallest.Example{Finding: d.finding(), Now: d.text()}
	d.nums(&e.Replaced, &e.From, &e.Lines)
	e.Others = many(d, (*decoder).code)
	e.Files = many(d, func(d *decoder) smallest.File { return smallest.File{File: d.file(), Text: d.bytes()} })
	e.Attached = many(d, func(d *decoder) figs.Attachment { return figs.Attachment{Name: d.text(), Size: d.int()} })
	e.Kept = many(d, (*decoder).text)
	if d.bad {
		return nil
	}
	return e
}
