package figs

// At returns the folder as it was at a point: finished, and equal in everything that can be asked to one that was read
// from just those lines, with the moment of the point as the present (unless Options.FixedNow), with the same small files, and the same files of artifacts/ without those that only a later line names.
// Attachments keep their numbers: a name that no line gives yet is in the list, neither Named nor present. At the end it is f itself. It is nil when f keeps no bytes,
// and must not be fed.
func (f *Folder) At(p Point) *Folder {
	if f.whole != nil {
		f = f.whole
	}
	p = f.clip(p)
	if p == f.End() {
		return f
	}
	if f.past != nil && !f.past.lost {
		return f.before(p)
	}
	g := f.readAgain(p, Options{Keep: true, Now: f.opt.Now, FixedNow: f.opt.FixedNow, Loose: f.opt.Loose})
	if g != nil {
		g.whole = f
	}
	return g
}

// History returns the folder with what At needs to be quick: f itself when it was read with Options.History, else read once
// more from the bytes that it keeps. It is nil when f keeps none.
func (f *Folder) History() *Folder {
	if f.opt.History {
		return f
	}
	return f.readAgain(f.End(), Options{Keep: true, History: true, Now: f.opt.Now, FixedNow: f.opt.FixedNow, Loose: f.opt.Loose})
}

// thenAt is the present of a point: when its newest line was written, as far as times tell. Who looks back asks what was silent
// then, not what would be by now.
func (f *Folder) thenAt(p Point) int64 {
	if f.now == NoTime || f.opt.FixedNow || p == f.End() {
		return f.now
	}
	if at := f.MomentOf(p); at != NoTime {
		return min(at, f.now)
	}
	return f.now
}

// readAgain reads the lines before a point once more.
func (f *Folder) readAgain(p Point, o Options) *Folder {
	if !f.opt.Keep {
		return nil
	}
	g := New(o)
	g.then = f.thenAt(p)
	for _, t := range f.told {
		g.Problem(t.name, t.code, t.value)
	}
	for file := AgentJSON; file < NoFile; file++ {
		if f.fed[file] {
			g.fed[file], g.small[file], g.smallCut[file] = true, f.small[file], f.smallCut[file]
		}
	}
	for i := range f.names.files { // in the same order, so that they keep their numbers
		g.names.intern(f.names.ids.bytes(sym(i + 1)))
	}
	order := [...]File{Runs, Messages, Asks}
	if f.asksFirst {
		order = [...]File{Messages, Asks, Runs}
	}
	for _, file := range order {
		l := &f.ledgers[file]
		if !f.fed[file] {
			continue
		}
		g.Feed(file, nil)
		size := l.sizeOf(p[file])
		for _, c := range l.chunks {
			if c.off < size {
				g.Feed(file, c.b[:min(int64(len(c.b)), size-c.off)])
			}
		}
	}
	for i := range f.names.files {
		if a := &f.names.files[i]; a.present && (g.names.files[i].named || !a.named) {
			g.Attach(string(f.names.ids.bytes(sym(i+1))), a.size)
		}
	}
	g.Finish()
	return g
}

// sizeOf is how many bytes of the file the first n lines take, through the end of the last; blank lines behind the very
// last line belong to it.
func (l *ledger) sizeOf(n int) int64 {
	switch n {
	case l.lines.n:
		return l.size
	case 0:
		return 0
	}
	last := l.line(n - 1)
	end := last.off() + int64(last.len)
	if b := l.bytes(end-1, 1); len(b) == 1 && b[0] == '\n' {
		return end // set aside with its line break
	}
	next := l.line(n)
	for end < next.off() {
		b := l.bytes(end, int(min(4096, next.off()-end)))
		for i := range b {
			if b[i] == '\n' {
				return end + int64(i) + 1
			}
		}
		if end += int64(len(b)); len(b) == 0 {
			break
		}
	}
	return end
}
