package bridge

import "github.com/figs-web/figs-web/figs"

// The selection's encoding: numbers as variable-length integers, texts with their length
// before them, lists with their count. Both ends are built from the same source, so fields
// carry no names. The first four bytes hold the length of the head that follows.

type encoder struct{ b []byte }

func (e *encoder) uint(n uint64) {
	for n >= 0x80 {
		e.b = append(e.b, byte(n)|0x80)
		n >>= 7
	}
	e.b = append(e.b, byte(n))
}

func (e *encoder) int(n int64)    { e.uint(uint64(n)<<1 ^ uint64(n>>63)) }
func (e *encoder) bytes(b []byte) { e.uint(uint64(len(b))); e.b = append(e.b, b...) }
func (e *encoder) text(s string)  { e.uint(uint64(len(s))); e.b = append(e.b, s...) }
func (e *encoder) bool(v bool) {
	if v {
		e.b = append(e.b, 1)
	} else {
		e.b = append(e.b, 0)
	}
}

func (e *encoder) ints(list ...int) {
	for _, n := range list {
		e.int(int64(n))
	}
}

// decoder reads what encoder wrote. After the first error everything reads as nothing.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) uint() uint64 {
	var n uint64
	for shift := 0; shift < 70 && len(d.b) > 0; shift += 7 {
		c := d.b[0]
		d.b = d.b[1:]
		n |= uint64(c&0x7F) << shift
		if c < 0x80 {
			return n
		}
	}
	d.bad, d.b = true, nil
	return 0
}

func (d *decoder) int() int64 {
	n := d.uint()
	return int64(n>>1) ^ -int64(n&1)
}

func (d *decoder) num() int { return int(d.int()) }

func (d *decoder) bytes() []byte { return d.take(d.uint()) }

func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return nil
	}
	b := d.b[:n:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) text() string { return string(d.bytes()) }
func (d *decoder) bool() bool   { b := d.take(1); return len(b) == 1 && b[0] == 1 }

// count reads the length of a list whose elements take at least one byte each.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return 0
	}
	return int(n)
}

// file and code read numbers that index tables; others are errors.
func (d *decoder) file() figs.File {
	n := d.uint()
	if n > uint64(figs.NoFile) {
		d.bad = true
		return figs.NoFile
	}
	return figs.File(n)
}

func (d *decoder) code() figs.Code {
	n := d.uint()
	if n >= uint64(figs.Codes()) {
		d.bad = true
		return 0
	}
	return figs.Code(n)
}

// append writes the selection: the length of its head, the head, and the bytes of its lines
// as far as they are kept.
func (s *Selection) append(dst []byte) []byte {
	e := encoder{append(dst, 0, 0, 0, 0)}
	start := len(e.b)
	e.uint(uint64(len(s.Agents)))
	for i := range s.Agents {
		e.agent(&s.Agents[i])
	}
	e.int(int64(s.Agent))
	e.bool(s.Found)
	e.ints(s.From, s.Total, s.Hidden)
	e.refs(s.Main)
	e.refs(s.Hits)
	e.uint(uint64(len(s.Files)))
	for i := range s.Files {
		e.file(&s.Files[i])
	}
	e.uint(uint64(len(s.Findings)))
	for i := range s.Findings {
		e.finding(&s.Findings[i])
	}
	e.counts(s.More)
	e.counts(s.ByCode)
	e.bytes(s.Text)
	e.int(s.TextSize)
	e.uint(uint64(len(s.Lines)))
	for i := range s.Lines {
		e.line(&s.Lines[i])
	}
	e.uint(uint64(len(s.Excerpts)))
	for i := range s.Excerpts {
		e.excerpt(&s.Excerpts[i])
	}
	n := len(e.b) - start
	e.b[start-4], e.b[start-3], e.b[start-2], e.b[start-1] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
	for i := range s.Lines {
		e.b = append(e.b, s.Lines[i].Text...)
	}
	for i := range s.Excerpts {
		x := &s.Excerpts[i]
		e.b = append(append(append(e.b, x.Before...), x.Marked...), x.After...)
	}
	return e.b
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
		s.Lines[i].Text = tail.take(uint64(s.Lines[i].Len))
	}
	for i := range s.Excerpts {
		x := &s.Excerpts[i]
		x.Before, x.Marked, x.After = tail.take(uint64(x.lens[0])), tail.take(uint64(x.lens[1])), tail.take(uint64(x.lens[2]))
	}
	return s, !d.bad && !tail.bad
}

func (s *Selection) decode(d *decoder) {
	for range d.count() {
		s.Agents = append(s.Agents, d.agent())
	}
	s.Agent, s.Found = d.num(), d.bool()
	if s.Agent < -1 || s.Agent >= len(s.Agents) {
		d.bad, s.Agent = true, -1
	}
	s.From, s.Total, s.Hidden = d.num(), d.num(), d.num()
	s.Main, s.Hits = d.refs(), d.refs()
	for range d.count() {
		s.Files = append(s.Files, d.fileInfo())
	}
	for range d.count() {
		s.Findings = append(s.Findings, d.finding())
	}
	s.More, s.ByCode = d.counts(), d.counts()
	s.Text, s.TextSize = d.bytes(), d.int()
	for range d.count() {
		s.Lines = append(s.Lines, d.line())
	}
	for range d.count() {
		s.Excerpts = append(s.Excerpts, d.excerpt())
	}
}
