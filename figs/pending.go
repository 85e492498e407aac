package figs

// pending is a finding before the whole folder is known: compact, without its sentences.
type pending struct {
	code    Code
	file    File
	key     key // a later line that sets it heals the finding; keyUnknown: nothing heals it
	healed  bool
	needsIn File
	needs   sym // stands only when nothing in needsIn bears this id at the end
	line    uint32
	col     uint32 // 1-based; 0: the whole line
	end     uint32
	rec     uint32 // record of file's ledger, plus one; 0: none
	next    int32  // the record's pending finding before this one, plus one
	off     int64
	name    string // the file's name, with file NoFile
	pointer string
	value   string // what the sentence quotes
	extra   string // a second thing that it quotes
	list    []string
	related []Position
	by      uint32 // with a history, the line that took it back, plus one; 0: none
	again   bool   // that line broke the rule again
}

// maxPending is how many findings of a rule are kept while reading; further ones are counted.
const maxPending = 20_000

// note begins a finding in a file; the caller fills in the rest at once, before the next one
// is begun. History maxPending it is counted, and what the caller fills in is dropped.
func (f *Folder) note(code Code, file File) *pending {
	f.notes++
	if f.kept[code] >= maxPending {
		f.counts[code]++
		f.spare = pending{}
		return &f.spare
	}
	f.kept[code]++
	if f.past != nil && len(f.pend) >= maxHistory {
		f.past.lost = true
	}
	if f.free > 0 {
		f.noted = f.free
		f.free = f.pend[f.noted-1].next
	} else {
		f.pend = append(f.pend, pending{})
		f.noted = int32(len(f.pend))
	}
	p := &f.pend[f.noted-1]
	*p = pending{code: code, file: file, key: keyUnknown}
	return p
}

// heal takes back the findings about fields that a later line of the record sets again, and
// frees their places: one record may be mended a million times. by is the line, plus one.
func (f *Folder) heal(r *record, seen, by uint32) {
	link := &r.pend
	for i := r.pend; i != 0; {
		p := &f.pend[i-1]
		next := p.next
		if seen>>p.key&1 != 0 {
			f.kept[p.code]--
			*link = next
			if h := f.past; h != nil && !h.lost {
				p.by = by
				h.healed = append(h.healed, i-1)
			} else {
				*p = pending{healed: true, next: f.free}
				f.free = i
			}
		} else {
			link = &p.next
		}
		i = next
	}
}

// count notes a finding that is not listed.
func (f *Folder) count(code Code) { f.counts[code]++ }

// owed is a finding past maxPending that stands only when nothing bears an id at the end:
// in a large folder most such references are met by a file that is fed later.
type owed struct {
	code     Code
	file, in File
	key      key
	needs    sym
	line     uint32 // index of the line
	at       spot
	off      int64
	under    string // pointer below the field
}

// until makes a finding stand only when nothing in a file bears the id at the end.
func (f *Folder) until(p *pending, code Code, t *taken, k key, under string, in File, s sym) {
	p.needs, p.needsIn = s, in
	if p == &f.spare {
		f.counts[code]--
		f.owed = append(f.owed, owed{code, t.l.file, in, k, s, t.n, spot{t.n, p.col, p.end}, p.off, under})
	}
}

// settleOwed turns what is still owed into findings, as many as a report lists.
func (f *Folder) settleOwed() {
	if f.past != nil {
		f.settleReferences()
		return
	}
	var listed [256]int
	for _, o := range f.owed {
		if !f.missing(o.in, o.needs) {
			continue
		}
		if listed[o.code]++; listed[o.code] > PerRule {
			f.counts[o.code]++
			continue
		}
		ln := f.ledgers[o.file].lines.at(int(o.line))
		f.pend = append(f.pend, pending{code: o.code, file: o.file, key: keyUnknown, line: ln.no, rec: ln.rec + 1, col: o.at.col, end: o.at.end, off: o.off,
			pointer: "/" + keyNames[o.key] + o.under, value: cut(f.idsOf(o.in).bytes(o.needs), 60)})
	}
	f.owed = nil
}

// stands reports whether nothing took the finding back.
func (f *Folder) stands(p *pending) bool {
	if f.past != nil && f.overcome(p) {
		return false
	}
	return !p.healed && (p.needs == 0 || f.missing(p.needsIn, p.needs)) && !(f.opt.Loose && f.absent(p))
}

// absent reports whether a finding only says that a file was not given.
func (f *Folder) absent(p *pending) bool {
	switch {
	case p.file != NoFile && !f.fed[p.file]:
		return true
	case p.code == CloseWithoutVerdict:
		return !f.fed[Messages]
	case p.code == AttachmentMissing:
		return !f.names.given
	}
	return false
}

// missing reports whether nothing in a file bears an id. A charter without units misses none, and of a ledger that could not
// be read nobody knows.
func (f *Folder) missing(in File, s sym) bool {
	if in == AgentJSON && !f.hasUnits || f.opt.Loose && !f.fed[in] || in < Ledgers && f.Unread(in) {
		return false
	}
	return f.idsOf(in).record(s) < 0
}

// idsOf returns the ids of a ledger, or those of the charter's units.
func (f *Folder) idsOf(in File) *symbols {
	if in == AgentJSON {
		return &f.units
	}
	return &f.ledgers[in].ids
}
