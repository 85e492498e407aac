package figs

// Point is a moment in the life of a folder: how many lines of each ledger had been written. Blank lines do not
// count, lines that were set aside do.
type Point [Ledgers]int

// String writes the point as addresses carry it: lines of runs, asks and messages, "12.5.3".
func (p Point) String() string {
	b := AppendInt(nil, p[Runs])
	b = AppendInt(append(b, '.'), p[Asks])
	return string(AppendInt(append(b, '.'), p[Messages]))
}

// End is the point with every line.
func (f *Folder) End() Point {
	return Point{f.Lines(Runs), f.Lines(Asks), f.Lines(Messages)}
}

// ParsePoint reads a point: "12.5.3" as String writes it; "137", so many steps; a date, "2026-05-04", or an instant,
// "2026-05-04T10:00:00Z": everything up to and with it. Dates, and times without an offset, are those of UTC. A point past the
// end is the end.
func (f *Folder) ParsePoint(s string) (p Point, ok bool) {
	var n [Ledgers]int
	k, digits := 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c-'0' < 10 && n[k] < 1<<40:
			n[k] = n[k]*10 + int(c-'0')
			digits++
		case c == '.' && digits > 0 && k < Ledgers-1:
			k, digits = k+1, 0
		default:
			return f.pointAfter(s)
		}
	}
	switch {
	case digits == 0 || k == 1:
		return p, false
	case k == 0:
		return f.PointOf(n[0]), true
	}
	return f.clip(n), true
}

// pointAfter reads a date or an instant.
func (f *Folder) pointAfter(s string) (Point, bool) {
	b := []byte(s)
	for i := range b {
		if b[i] == ' ' {
			b[i] = '+' // what an address makes of the offset's sign
		}
	}
	s = string(b)
	if t, ok := ParseTime(s + "T00:00:00Z"); ok {
		return f.upTo(t + 24*3600*second - 1), true
	}
	t, ok := ParseTime(s)
	if !ok {
		t, ok = ParseTime(s + "Z")
	}
	if !ok {
		return Point{}, false
	}
	return f.upTo(t), true
}

// upTo is the point with every line that was written up to an instant, as far as times tell.
func (f *Folder) upTo(t int64) (p Point) {
	for i := range p {
		m := f.moments(i, NoTime)
		for p[i] < m.lines.n && m.next(p[i]) <= t {
			p[i]++
		}
	}
	return p
}

// MomentOf is when the newest line before a point was written, microseconds since 1970 UTC, as far as times tell; NoTime
// when none of them has a time.
func (f *Folder) MomentOf(p Point) int64 {
	newest := int64(NoTime)
	for i, n := range f.clip(p) {
		m := f.moments(i, newest)
		for k := range n {
			newest = m.next(k)
		}
	}
	return newest
}

// clip puts a point within the folder.
func (f *Folder) clip(p Point) Point {
	end := f.End()
	for i := range p {
		p[i] = max(0, min(p[i], end[i]))
	}
	return p
}

// moments walks a ledger's lines and tells of each when it was written, as far as times tell: at the newest time of its
// ledger so far. A close often has no time but that of its resolution. A time in the future is a broken clock's and moves nothing.
type moments struct {
	f     *Folder
	lines *pages[line]
	dated pages[dated]
	seen  int // of dated: lines that were passed
	at    int64
}

// dated is a line, by its index, and the time that stands inside of it.
type dated struct {
	line uint32
	ts   int64
}

func (f *Folder) moments(file int, at int64) moments {
	m := moments{f: f, lines: &f.ledgers[file].lines, at: at}
	if File(file) == Asks {
		m.dated = f.resolved
	}
	return m
}

// next goes to a line; lines are walked in their order.
func (m *moments) next(i int) int64 {
	ts := m.lines.at(i).ts
	for ; m.seen < m.dated.n && int(m.dated.at(m.seen).line) <= i; m.seen++ {
		if d := m.dated.at(m.seen); int(d.line) == i {
			ts = d.ts
		}
	}
	if ts > m.at && (m.f.now == NoTime || ts <= m.f.now+futureSlack) {
		m.at = ts
	}
	return m.at
}

// steps is the order in which all lines were written.
type steps struct {
	file  []uint8 // of each step
	marks []Point // before every markEvery-th step
}

const markEvery = 256

// Steps is how many lines the folder has, which is how many steps there are in its life.
func (f *Folder) Steps() int {
	end := f.End()
	return end[Runs] + end[Asks] + end[Messages]
}

// order merges the ledgers, once.
func (f *Folder) order() *steps {
	n := f.Steps()
	if len(f.steps.file) == n {
		return &f.steps
	}
	s := steps{file: make([]uint8, n)}
	var p Point
	var ahead [Ledgers]moments
	asked := asked{f: f}
	for i := range ahead {
		ahead[i] = f.moments(i, NoTime)
		if ahead[i].lines.n > 0 {
			ahead[i].next(0)
		}
	}
	for i := range n {
		if i%markEvery == 0 {
			s.marks = append(s.marks, p)
		}
		first := -1
		for k := range ahead {
			if p[k] < ahead[k].lines.n && (first < 0 || ahead[k].at < ahead[first].at || ahead[k].at == ahead[first].at && asked.before(File(first), File(k), p)) {
				first = k
			}
		}
		asked.pass(File(first), p[first])
		s.file[i] = uint8(first)
		if p[first]++; p[first] < ahead[first].lines.n {
			ahead[first].next(p[first])
		}
	}
	f.steps = s
	return &f.steps
}

// asked knows which asks were put to a human and not replied to, while lines are put in order. Clocks are whole seconds (§6): where
// they tie, a reply to such an ask stands before what the agent wrote next, and after the line that asked.
type asked struct {
	f    *Folder
	asks []bool // by record
}

// replied is the ask of the reply that begins at a line of messages; -1 when there is none.
func (o *asked) replied(i int) int {
	l := &o.f.ledgers[Messages]
	line := l.lines.at(i)
	if line.rec == noRecord || line.flags&lineFirst == 0 {
		return -1
	}
	return o.f.askOf(int(l.record(line.rec).ext))
}

// before reports whether the next reply stands before the next line of asks.
func (o *asked) before(first, then File, p Point) bool {
	if first != Asks || then != Messages {
		return false
	}
	ask := o.replied(p[Messages])
	return ask >= 0 && ask < len(o.asks) && o.asks[ask]
}

// pass goes past a line.
func (o *asked) pass(file File, i int) {
	switch file {
	case Asks:
		rec := o.f.ledgers[Asks].lines.at(i).rec
		if rec == noRecord {
			return
		}
		for int(rec) >= len(o.asks) {
			o.asks = append(o.asks, false)
		}
		o.asks[rec] = true
	case Messages:
		if ask := o.replied(i); ask >= 0 && ask < len(o.asks) {
			o.asks[ask] = false
		}
	}
}

// Step returns the n-th line from 1 in the order of writing, as far as times tell: by the newest time of its ledger so far;
// where clocks tie, runs stand before asks and asks before messages, but for a reply to an ask that waits for one. Lines of one
// ledger never change their order. There is no line outside of 1 to Steps: the file is then NoFile.
func (f *Folder) Step(n int) (File, LineRef) {
	if n < 1 || n > f.Steps() {
		return NoFile, LineRef{Record: -1, TS: NoTime}
	}
	p := f.PointOf(n - 1)
	file := File(f.order().file[n-1])
	return file, f.Line(file, p[file])
}

// PointOf is the point after n steps.
func (f *Folder) PointOf(n int) Point {
	n = max(0, min(n, f.Steps()))
	if n == f.Steps() {
		return f.End()
	}
	s := f.order()
	p := s.marks[n/markEvery]
	for _, file := range s.file[n-n%markEvery : n] {
		p[file]++
	}
	return p
}

// StepOf is how many lines had been written at a point. It is the inverse of PointOf for the points that PointOf returns.
func (f *Folder) StepOf(p Point) int {
	p = f.clip(p)
	return p[Runs] + p[Asks] + p[Messages]
}
