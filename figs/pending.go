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
	related []Place
}

// maxPending is how many findings of a rule are kept while reading; further ones are counted.
const maxPending = 20_000

// note begins a finding in a file; the caller fills in the rest at once, before the next one
// is begun. Past maxPending it is counted, and what the caller fills in is dropped.
func (f *Folder) note(code Code, file File) *pending {
	if f.kept[code] >= maxPending {
		f.counts[code]++
		f.spare = pending{}
		return &f.spare
	}
	f.kept[code]++
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
// frees their places: one record may be mended a million times.
func (f *Folder) heal(r *record, seen uint32) {
	link := &r.pend
	for i := r.pend; i != 0; {
		p := &f.pend[i-1]
		next := p.next
		if seen>>p.key&1 != 0 {
			f.kept[p.code]--
			*link = next
			*p = pending{healed: true, next: f.free}
			f.free = i
		} else {
			link = &p.next
		}
		i = next
	}
}

// count notes a finding that is not listed.
func (f *Folder) count(code Code) { f.counts[code]++ }

// stands reports whether nothing took the finding back.
func (f *Folder) stands(p *pending) bool {
	if p.healed {
		return false
	}
	if p.needs == 0 {
		return true
	}
	if p.needsIn == AgentJSON {
		return f.hasUnits && f.units.entries[p.needs-1].rec == 0
	}
	return f.ledgers[p.needsIn].ids.entries[p.needs-1].rec == 0
}
