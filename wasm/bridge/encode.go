package bridge

import "github.com/figs-web/figs-web/figs"

// The selection's encoding: numbers as zigzag integers of variable length, texts with their
// length before them, lists with their count. Both ends are built from the same source, so
// fields carry no names. The first four bytes hold the length of the head; the bytes of lines
// and excerpts follow it. The engine writes each part as it finds it and never holds a
// Selection: code that copies structures is what its size is made of.

// list is a part of the head while it is written: how many elements, and their bytes.
type list struct {
	n int
	b []byte
}

// put appends numbers. They are as wide as the engine's int, 64 bits.
//
//go:noinline
func (l *list) put(numbers ...int) {
	for _, v := range numbers {
		n := uint64(v)<<1 ^ uint64(v>>63)
		for n >= 0x80 {
			l.b = append(l.b, byte(n)|0x80)
			n >>= 7
		}
		l.b = append(l.b, byte(n))
	}
}

//go:noinline
func (l *list) texts(texts ...string) {
	for _, s := range texts {
		l.put(len(s))
		l.b = append(l.b, s...)
	}
}

func (l *list) ref(r Ref) {
	l.n++
	l.put(int(r.File), r.Record)
}

// join appends a part with its count.
func (l *list) join(part *list) {
	l.put(part.n)
	l.b = append(l.b, part.b...)
}

func (l *list) counts(list []figs.Overflow) {
	l.put(len(list))
	for _, c := range list {
		l.put(int(c.Code), c.Count)
	}
}

func (l *list) finding(f *figs.Finding) {
	l.n++
	l.put(int(f.Code), f.Line, f.Column, f.EndColumn, int(f.Offset))
	l.texts(f.File, f.Pointer, f.Record, f.Message, f.Hint, f.Expected, f.Suggestion)
	l.put(len(f.Related))
	for i := range f.Related {
		p := &f.Related[i]
		l.texts(p.File)
		l.put(p.Line, p.Column)
	}
}

func (l *list) mended(m *figs.ResolvedFinding) {
	l.finding(&m.Finding)
	l.texts(m.By.File)
	l.put(m.By.Line)
}

// number is 1 for what is true.
func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
