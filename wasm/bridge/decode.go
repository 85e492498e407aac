package bridge

import "github.com/figs-web/figs-web/figs"

// decoder reads what list wrote. After the first error everything reads as nothing.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) fail() {
	d.bad, d.b = true, nil
}

func (d *decoder) int() int64 {
	var n uint64
	for shift := 0; shift < 70 && len(d.b) > 0; shift += 7 {
		c := d.b[0]
		d.b = d.b[1:]
		n |= uint64(c&0x7F) << shift
		if c < 0x80 {
			return int64(n>>1) ^ -int64(n&1)
		}
	}
	d.fail()
	return 0
}

func (d *decoder) num() int { return int(d.int()) }

func (d *decoder) nums(to ...*int) {
	for _, n := range to {
		*n = d.num()
	}
}

// size reads a length or an index below most; others are errors.
func (d *decoder) size(most int) int {
	n := d.int()
	if n < 0 || n >= int64(most) {
		d.fail()
		return 0
	}
	return int(n)
}

// count reads the length of a list whose elements take at least one byte each.
func (d *decoder) count() int { return d.size(len(d.b)) }

func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.b) {
		d.fail()
		return nil
	}
	b := d.b[:n:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) bytes() []byte {
	n := d.int()
	if n < 0 || n > int64(len(d.b)) {
		d.fail()
		return nil
	}
	return d.take(int(n))
}

func (d *decoder) text() string { return string(d.bytes()) }

func (d *decoder) texts(to ...*string) {
	for _, s := range to {
		*s = d.text()
	}
}

func (d *decoder) bool() bool      { return d.size(2) == 1 }
func (d *decoder) file() figs.File { return figs.File(d.size(int(figs.NoFile) + 1)) }
func (d *decoder) code() figs.Code { return figs.Code(d.size(int(figs.Codes()))) }

func (d *decoder) ref() Ref        { return Ref{d.file(), d.num()} }
func (d *decoder) place() Position { return Position{d.file(), d.num(), d.int()} }

// many reads a list as far as its elements can be read.
func many[T any](d *decoder, one func(*decoder) T) (list []T) {
	for range d.count() {
		v := one(d)
		if d.bad {
			break
		}
		list = append(list, v)
	}
	return list
}

// Decode reads a selection with the lines' bytes appended; ok is false when b is none.
func Decode(b []byte) (s *Selection, ok bool) {
	s = &Selection{Agent: -1}
	if len(b) < 4 {
		return s, false
	}
	n := int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16 | int64(b[3])<<24
	if n > int64(len(b)-4) {
		return s, false
	}
	d := &decoder{b: b[4 : 4+n]}
	s.decode(d)
	tail := &decoder{b: b[4+n:]}
	for i := range s.Lines {
		s.Lines[i].Text = tail.take(s.Lines[i].Len)
	}
	for i := range s.Excerpts {
		x := &s.Excerpts[i]
		x.Before, x.Marked, x.After = tail.take(x.lens[0]), tail.take(x.lens[1]), tail.take(x.lens[2])
	}
	for i := range s.Needed {
		s.Needed[i].Title = tail.take(s.Needed[i].size)
	}
	return s, !d.bad && !tail.bad
}

func (s *Selection) decode(d *decoder) {
	s.Agents = many(d, (*decoder).agent)
	s.Agent, s.Found = d.num(), d.bool()
	if s.Agent < -1 || s.Agent >= len(s.Agents) {
		d.bad, s.Agent = true, -1
	}
	d.nums(&s.From, &s.Total, &s.Hidden)
	s.Main, s.Hits = many(d, (*decoder).ref), many(d, (*decoder).ref)
	s.Files = many(d, (*decoder).fileInfo)
	s.Findings = many(d, (*decoder).finding)
	s.More, s.ByCode = many(d, (*decoder).uncounted), many(d, (*decoder).uncounted)
	s.MendedTotal = d.num()
	s.Mended = many(d, (*decoder).mended)
	s.Text, s.TextSize = d.bytes(), d.int()
	d.nums(&s.FirstDay, &s.Before, &s.After, &s.Timeless)
	s.Days = many(d, (*decoder).day)
	s.Lines = many(d, (*decoder).line)
	s.Excerpts = many(d, (*decoder).excerpt)
	s.Needed = many(d, (*decoder).needed)
}

func (d *decoder) agent() (a AgentInfo) {
	a.Path, a.Now, a.Config, a.Charter, a.Fed = d.text(), d.text(), d.bytes(), d.bytes(), uint32(d.int())
	for i := range a.Sizes {
		a.Sizes[i] = d.int()
	}
	a.Bytes = d.int()
	d.nums(&a.Jobs, &a.Asks, &a.Messages, &a.Files, &a.Needs, &a.Waiting, &a.Closed, &a.Orphans, &a.Lines, &a.Broken, &a.Unread, &a.Absent, &a.Errors, &a.Warnings, &a.Infos)
	for i := range a.Outcomes {
		a.Outcomes[i] = d.num()
	}
	a.Since, a.Last, a.Oldest = d.place(), d.place(), d.int()
	a.Past = d.bool()
	d.nums(&a.Step, &a.Steps)
	a.Moment = d.int()
	a.Point, a.Prev, a.Next = d.point(), d.point(), d.point()
	return a
}

func (d *decoder) point() (p figs.Point) {
	for i := range p {
		p[i] = d.num()
	}
	return p
}

func (d *decoder) fileInfo() (f FileInfo) {
	f.Key, f.Name, f.Size, f.Owner = d.num(), d.text(), d.int(), d.ref()
	f.Named = many(d, (*decoder).place)
	return f
}

func (d *decoder) day() (day Day) {
	for i := range day {
		day[i] = d.num()
	}
	return day
}

func (d *decoder) finding() (f figs.Finding) {
	f.Code = d.code()
	f.Severity = f.Code.Severity()
	d.nums(&f.Line, &f.Column, &f.EndColumn)
	f.Offset = d.int()
	d.texts(&f.File, &f.Pointer, &f.Record, &f.Message, &f.Hint, &f.Expected, &f.Suggestion)
	f.Related = many(d, func(d *decoder) figs.Position { return figs.Position{File: d.text(), Line: d.num(), Column: d.num()} })
	return f
}

func (d *decoder) mended() figs.ResolvedFinding {
	return figs.ResolvedFinding{Finding: d.finding(), By: figs.Position{File: d.text(), Line: d.num()}}
}

func (d *decoder) uncounted() figs.Overflow {
	return figs.Overflow{Code: d.code(), Count: d.num()}
}

func (d *decoder) line() (l Line) {
	l.File = d.file()
	d.nums(&l.Index, &l.Number, &l.Len, &l.Record, &l.Size, &l.Folded, &l.Found)
	l.Offset, l.TS, l.Code = d.int(), d.int(), d.code()
	if l.Len < 0 {
		d.bad, l.Len = true, 0
	}
	return l
}

func (d *decoder) needed() (n Needed) {
	d.nums(&n.Agent, &n.Ask)
	n.Type, n.ID, n.size = d.text(), d.text(), d.size(1<<30)
	return n
}

func (d *decoder) excerpt() (x Excerpt) {
	x.CutBefore, x.CutAfter, x.Torn = d.bool(), d.bool(), d.bool()
	for i := range x.lens {
		x.lens[i] = d.size(1 << 30)
	}
	return x
}
