package figs

// before is At from what the reading left behind. The folder that it returns shares lines, ids and bytes with f; only records
// that had later lines are made anew, and what is judged of the whole is judged again.
func (f *Folder) before(p Point) *Folder {
	v := *f
	v.then = f.thenAt(p)
	v.whole, v.steps, v.counts, v.kept, v.noted, v.free = f, steps{}, [256]int{}, [256]int32{}, 0, 0
	for i := range v.ledgers {
		v.ledgers[i] = f.ledgers[i].before(f.past, p[i])
	}
	v.messages.n = v.ledgers[Messages].recs.n
	v.names = f.names.before(p)
	v.remember()
	v.rethread()
	v.conclude()
	return &v
}

// before is the ledger with its first n lines.
func (l *ledger) before(h *history, n int) ledger {
	v := *l
	v.lines.n, v.size, v.carry, v.tornEnd = n, l.sizeOf(n), nil, false
	v.chunks = l.chunks
	for i, c := range l.chunks {
		if c.off+int64(len(c.b)) > v.size {
			v.chunks = append([]chunk(nil), l.chunks[:i]...)
			if c.off < v.size {
				v.chunks = append(v.chunks, chunk{c.off, c.b[:v.size-c.off]})
			}
			break
		}
	}
	if n > 0 && l.line(n-1).flags&lineCut != 0 {
		v.tornEnd = true
		v.lines.own(n - 1)
		v.line(n - 1).code = LineTorn
	}
	v.layout = l.layoutOf(n)
	v.apart = 0
	for i := 0; l.apart > 0 && i < n; i++ {
		if v.line(i).rec == noRecord {
			v.apart++
		}
	}
	v.recs.n = l.begunBefore(n)
	v.ids.early, v.ids.limit = true, uint32(v.recs.n)
	v.recs.blocks = append([][]record(nil), l.recs.blocks[:(v.recs.n+1<<blockBits-1)>>blockBits]...)
	for from := 0; from < v.recs.n; from += 1 << blockBits {
		block, own := v.recs.blocks[from>>blockBits], false
		for i := range min(1<<blockBits, v.recs.n-from) {
			if int(block[i].last) < n {
				continue
			}
			if !own {
				own = true
				v.recs.own(from)
				block = v.recs.blocks[from>>blockBits]
			}
			l.rewind(h, &block[i], n)
		}
	}
	return v
}

// line is one of the ledger's lines, for what is not asked of each of them.
//
//go:noinline
func (l *ledger) line(i int) *line { return l.lines.at(i) }

// record is line for records.
//
//go:noinline
func (l *ledger) record(i uint32) *record { return l.recs.at(int(i)) }

// own makes the block of an element the list's own.
//
//go:noinline
func (p *pages[T]) own(i int) {
	p.blocks = append([][]T(nil), p.blocks...)
	p.blocks[i>>blockBits] = append([]T(nil), p.blocks[i>>blockBits]...)
}

// begunBefore is how many records have a line among the first n.
func (l *ledger) begunBefore(n int) int {
	lo, hi := 0, l.recs.n
	for lo < hi {
		if mid := (lo + hi) / 2; int(l.record(uint32(mid)).first) < n {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// rewind takes a record back to its last line among the first n.
func (l *ledger) rewind(h *history, r *record, n int) {
	for int(r.last) >= n {
		r.last = l.line(int(r.last)).prev - 1
		r.count--
	}
	if l.file != Messages {
		t := &h.traces[l.file][r.last]
		r.truth, r.ext, r.status, r.kind = t.truth, t.ext, t.status, t.kind
	}
}

// before is the attachments as the lines before a point name them. Where a name was first mentioned is only noted by
// the mention's number: few names are asked for it.
func (a *attachments) before(p Point) attachments {
	v := attachments{ids: a.ids, files: make([]attachment, len(a.files))}
	for i := range a.files {
		v.files[i].size, v.files[i].present = a.files[i].size, a.files[i].present
	}
	for i := range a.mentions.n {
		m := a.mentions.at(i)
		if m.line() >= p[m.file()] {
			continue
		}
		v.mentions.add(*m)
		if name := &v.files[m.name-1]; !name.named || m.file() < name.at.file {
			name.named = true
			name.at.file, name.at.line = m.file(), uint32(i)
		}
	}
	for i := range v.files {
		if a.files[i].named && !v.files[i].named { // nobody knows when a file came; one that a later line names first is not there yet
			v.files[i].size, v.files[i].present = -1, false
		}
		v.given = v.given || v.files[i].present
	}
	return v
}

// mentioned tells where a mention stands, by its number.
func (f *Folder) mentioned(i int) firstMention {
	m := f.whole.names.mentions.at(i)
	l := &f.ledgers[m.file()]
	ln := l.line(m.line())
	s := f.past.spots[i]
	return firstMention{m.file(), ln.no, s.col, s.end, ln.rec + 1, l.place(spot{uint32(m.line()), s.col, s.end}), s.key, s.item}
}

// remember takes the findings that had been noted by the end of the lines.
func (f *Folder) remember() {
	f.pend = nil
	for i := range f.whole.pend {
		p := &f.whole.pend[i]
		if p.code != LineTorn && f.noticed(p) && !(p.by > 0 && f.written(p.file, p.by)) {
			f.kept[p.code]++
			f.pend = append(f.pend, *p)
		}
	}
	for i := range f.ledgers {
		f.ledgers[i].judgeEnd(f)
	}
}

// noticed reports whether the lines that are there show a finding.
func (f *Folder) noticed(p *pending) bool {
	if p.file >= Ledgers {
		return true
	}
	l := &f.ledgers[p.file]
	if l.lines.n == 0 {
		return false
	}
	last := l.line(l.lines.n - 1)
	return p.line <= last.no && !(p.code == LineBroken && l.tornEnd && p.line == last.no)
}

// rethread takes the replies that are there out of the order of all. Those to asks that nobody has raised yet are orphans.
func (f *Folder) rethread() {
	all := f.whole.threads
	f.threads = make([]int, 0, f.messages.n)
	var orphans []int
	for _, m := range all {
		switch {
		case m >= f.messages.n:
		case f.askOf(m) >= 0:
			f.threads = append(f.threads, m)
		default:
			orphans = append(orphans, m)
		}
	}
	Sort(orphans, func(x, y int) bool {
		a, b := f.messages.at(x).at, f.messages.at(y).at
		return a < b || a == b && x < y
	})
	f.threads = append(f.threads, orphans...)
}

// close ends what reading adds to the history.
func (h *history) close(f *Folder) {
	h.noted = len(f.pend)
	for _, n := range f.counts {
		h.lost = h.lost || n > 0
	}
}

// overcome reports whether a later line took a finding back, or left nothing for it to speak of: the resolution of an open
// ask is stale and judged by nothing (§6).
func (f *Folder) overcome(p *pending) bool {
	if p.by > 0 {
		return f.written(p.file, p.by)
	}
	return p.file == Asks && p.key == keyResolution && !closes(f.ledgers[Asks].record(p.rec-1).status)
}
