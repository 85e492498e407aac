package figs

import "math/bits"

// mended lists the findings that lines took back.
func (f *Folder) mended() (list []ResolvedFinding) {
	m := menders{f: f}
	log := f.pend[:min(f.past.noted, len(f.pend))]
	if f.whole != nil {
		log = f.whole.pend
	}
	for i := range log {
		if p := &log[i]; p.by > 0 && !p.again && f.mattered(p.file, p.key, p.by) {
			m.add(p, p.file, p.by)
		}
	}
	for i := range f.past.refs {
		if r := &f.past.refs[i]; r.by > 0 && f.written(r.file, r.by) && f.mattered(r.file, r.key, r.by) && f.missing(r.in, r.needs) && !(r.heir > 0 && f.open(r.heir-1)) {
			p := r.pending(f)
			m.add(&p, r.file, r.by)
		}
	}
	for i := range f.past.mendings {
		if e := &f.past.mendings[i]; f.written(e.file, e.line+1) {
			m.lacked(e)
		}
	}
	order := make([]int, len(m.found))
	for i := range order {
		order[i] = i
	}
	Sort(order, func(x, y int) bool { return m.found[x].before(&m.found[y]) })
	for _, i := range order {
		list = append(list, ResolvedFinding{f.describe(&m.found[i]), m.by[i]})
	}
	return list
}

// mattered reports whether a field was judged at all before a line set it again: the resolution of an open ask is not.
func (f *Folder) mattered(file File, k key, by uint32) bool {
	if file != Asks || k != keyResolution || !f.written(file, by) {
		return true
	}
	before := f.ledgers[file].line(int(by - 1)).prev
	return closes(f.past.traces[file][before-1].status)
}

// menders are the findings that lines took back, while they are gathered.
type menders struct {
	f      *Folder
	found  []pending
	by     []Position
	listed [256]int
}

// add takes a finding that a line took back, when that line is there; lines is its number from 1.
func (m *menders) add(p *pending, file File, lines uint32) {
	if !m.f.written(file, lines) || m.f.opt.Loose && m.f.absent(p) {
		return
	}
	if m.listed[p.code]++; m.listed[p.code] <= PerRule {
		m.found = append(m.found, *p)
		m.by = append(m.by, Position{file.String(), int(m.f.ledgers[file].line(int(lines - 1)).no), 0})
	}
}

// open reports whether nothing meets a reference, however it ended.
func (f *Folder) open(ref uint32) bool {
	r := &f.past.refs[ref]
	return f.missing(r.in, r.needs)
}

// lacked adds what a record lacked until one of its lines said it.
func (m *menders) lacked(e *mending) {
	f := m.f
	l := &f.ledgers[e.file]
	ln := l.line(int(e.line))
	r := l.record(ln.rec)
	for set := f.lacks(e.file, r); set != 0; set &= set - 1 {
		if lacking[e.file][bits.TrailingZeros8(set)] == e.code {
			return // a still later line broke it again
		}
	}
	at := l.line(int(r.first))
	p := pending{code: e.code, file: e.file, key: keyUnknown, line: at.no, off: at.off(), rec: ln.rec + 1}
	if e.code == OnApproveOnQuestion {
		s := f.asks.at(int(f.past.traces[Asks][ln.prev-1].ext)).approve
		p.line, p.col, p.end, p.pointer = l.line(int(s.line)).no, s.col, s.end, "/onApprove"
		p.off = l.place(s)
	}
	m.add(&p, e.file, e.line+1)
}
