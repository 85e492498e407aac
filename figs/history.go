package figs

import (
	"math/bits"

	"github.com/figs-web/figs-web/figs/jsonl"
)

// history is what reading leaves behind so that At need not read again. Only what a later line may change is kept: what
// lines say of themselves, and the order of records, replies and ids, is the same at every point that holds them.
type history struct {
	traces   [Messages][]trace    // of runs and asks, by line
	refs     []naming             // in the order of reading
	heads    [Messages]([]uint32) // by record: the newest of its refs that no line took back, plus one
	spots    []mentionSpot        // by mention
	mendings []mending
	noted    int  // so many of the pending findings come from reading; the rest is judged of the whole
	lost     bool // there was more than is kept: At reads again

	pend, ref int       // of the present line: how many there were before it
	healed    []int32   // findings that it took back, as places in pend
	taken     []uint32  // references that it took back, as places in refs
	codes     [4]uint64 // rules that it broke
}

// maxHistory is how many findings are remembered; a folder with more is read again for each point.
const maxHistory = 400_000

// trace is the fold of a record after one of its lines.
type trace struct {
	truth, ext   uint32
	status, kind uint8
	lacks        uint8 // a bit for each of lacking that the fold breaks
}

// lacking are the rules that a record breaks as long as no line of it says something.
var lacking = [Messages][]Code{
	Runs: {RunTSMissing},
	Asks: {AskTypeMissing, AskTitleMissing, OnApproveOnQuestion, SignOffWithoutAttachment, SignOffWithoutOnApprove},
}

// mending is a line with which a record stopped to break one of lacking.
type mending struct {
	code Code
	file File
	line uint32
}

// naming is a place that names a record of another ledger, or a unit of the charter. Whether that is known may change
// with every line.
type naming struct {
	code     Code
	file, in File
	key      key
	needs    sym
	line     uint32 // index of the line
	col, end uint32
	by       uint32 // the line that set the field again, plus one; 0: none
	heir     uint32 // its reference of the same rule, plus one; 0: none
	next     uint32 // the reference of the record before this one, plus one
}

// mentionSpot is where on its line a mention stands.
type mentionSpot struct {
	col, end uint32
	item     int32
	key      key
}

// beginLine looks at a line before it is judged: it takes back what its record's earlier lines referred to.
func (h *history) beginLine(f *Folder, t *taken) {
	h.pend, h.ref = len(f.pend), len(h.refs)
	h.healed, h.taken, h.codes = h.healed[:0], h.taken[:0], [4]uint64{}
	if t.l.file == Messages {
		return
	}
	heads := &h.heads[t.l.file]
	if int(t.recNo) == len(*heads) {
		*heads = append(*heads, 0)
	}
	link := &(*heads)[t.recNo]
	for i := *link; i != 0; {
		r := &h.refs[i-1]
		if t.seen>>r.key&1 != 0 {
			r.by = t.n + 1
			h.taken = append(h.taken, i-1)
			*link = r.next
		} else {
			link = &r.next
		}
		i = r.next
	}
}

// endLine notes the fold after a line, and what the line mended.
func (h *history) endLine(f *Folder, t *taken) {
	if len(h.healed) > 0 && !h.lost {
		for _, p := range f.pend[h.pend:] {
			h.codes[p.code>>6] |= 1 << (p.code & 63)
		}
		for _, i := range h.healed {
			p := &f.pend[i]
			p.again = h.codes[p.code>>6]>>(p.code&63)&1 != 0
		}
	}
	for _, i := range h.taken {
		for k := h.ref; k < len(h.refs); k++ {
			if h.refs[k].code == h.refs[i].code {
				h.refs[i].heir = uint32(k + 1)
			}
		}
	}
	if t.l.file == Messages {
		return
	}
	r := t.rec
	now := trace{truth: r.truth, ext: r.ext, status: r.status, kind: r.kind, lacks: f.lacks(t.l.file, r)}
	all := &h.traces[t.l.file]
	if t.at.prev > 0 {
		for gone := (*all)[t.at.prev-1].lacks &^ now.lacks; gone != 0; gone &= gone - 1 {
			if len(h.mendings) < maxHistory {
				h.mendings = append(h.mendings, mending{lacking[t.l.file][bits.TrailingZeros8(gone)], t.l.file, t.n})
			}
		}
	}
	for uint32(len(*all)) < t.n { // of lines that were set aside
		*all = append(*all, trace{})
	}
	*all = append(*all, now)
}

// lacks tells which of lacking a record breaks.
func (f *Folder) lacks(file File, r *record) (set uint8) {
	if file == Runs {
		return uint8(^r.truth >> keyTS & 1)
	}
	facts := f.asks.at(int(r.ext))
	signOff := r.kind == typeSignOff
	for i, is := range [...]bool{r.truth>>keyType&1 == 0, r.truth>>keyTitle&1 == 0, facts.approve.col > 0 && r.kind == typeQuestion, signOff && !facts.hasFiles, signOff && !facts.steps} {
		if is {
			set |= 1 << i
		}
	}
	return set
}

// refer notes that a field of the present line names something of another file.
func (h *history) refer(f *Folder, t *taken, code Code, k key, w within, v jsonl.Value, in File, s sym) {
	at := t.spot(&t.ms[f.at[k]])
	r := naming{code: code, file: t.l.file, in: in, key: k, needs: s, line: t.n, col: at.col + uint32(w.offset)}
	r.end = r.col + uint32(len(v.Raw))
	if t.l.file != Messages {
		r.next = h.heads[t.l.file][t.recNo]
		h.heads[t.l.file][t.recNo] = uint32(len(h.refs) + 1)
	}
	h.refs = append(h.refs, r)
}

// pointers are the places of references within their fields.
func (r *naming) pointer() string {
	p := "/" + keyNames[r.key]
	switch r.code {
	case ResolutionAnswerUnknown:
		p += "/answer"
	case ResolutionRunUnknown:
		p += "/run"
	}
	return p
}

// pending makes a finding of a reference.
func (r *naming) pending(f *Folder) pending {
	l := &f.ledgers[r.file]
	ln := l.line(int(r.line))
	p := pending{code: r.code, file: r.file, key: keyUnknown, line: ln.no, rec: ln.rec + 1, col: r.col, end: r.end, pointer: r.pointer()}
	p.off = l.place(spot{r.line, r.col, r.end})
	p.quote(jsonl.Value{Kind: jsonl.String, Raw: l.bytes(p.off, int(r.end-r.col))})
	return p
}

// settleReferences makes findings of the references that nothing meets.
func (f *Folder) settleReferences() {
	for i := range f.past.refs {
		r := &f.past.refs[i]
		if f.refers(r) && f.missing(r.in, r.needs) {
			if f.kept[r.code]++; f.kept[r.code] > maxPending {
				f.count(r.code)
			} else {
				f.pend = append(f.pend, r.pending(f))
			}
		}
	}
}

// refers reports whether a reference was made by now, and counts still.
func (f *Folder) refers(r *naming) bool {
	if !f.written(r.file, r.line+1) || r.by > 0 && f.written(r.file, r.by) {
		return false
	}
	l := &f.ledgers[r.file]
	return r.file != Asks || r.key != keyResolution || closes(l.record(l.line(int(r.line)).rec).status)
}

// written reports whether so many lines of a ledger are there.
//
//go:noinline
func (f *Folder) written(file File, lines uint32) bool { return int(lines) <= f.ledgers[file].lines.n }
