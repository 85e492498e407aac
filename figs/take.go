package figs

import (
	"math/bits"
	"unsafe"

	"github.com/figs-web/figs-web/figs/jsonl"
)

// taken is the line being read, as the checks see it.
type taken struct {
	l     *ledger
	b     []byte // the buffer; member positions are indexes into it
	begin int    // where the physical line starts in b
	off   int64  // offset in the file of b[0]
	at    *line
	n     uint32 // index of at
	rec   *record
	recNo uint32
	seen  uint32 // by key: the line has it,
	texts uint32 // as a string,
	full  uint32 // that is not empty
	high  bool   // a byte of the line may be outside ASCII
	plain bool   // nor is there a backslash: strings stand as they are
	prose bool   // its texts must be read: a dollar may be missing, or a character hidden
	ms    []jsonl.Member

	spelling *spelling // of a line that was followed
	calm     uint32    // fields with nothing to report unless prose is set
}

// walk starts a cursor over the value of a field.
func (f *Folder) walk(c *jsonl.Cursor, t *taken, k key) { f.scanner.Walk(c, t.b, int(f.at[k])) }

func (t *taken) value(m *jsonl.Member) jsonl.Value {
	return jsonl.Value{Kind: m.Kind, Raw: t.b[m.ValueStart:m.ValueEnd]}
}

// take reads one whole object: it finds its record, folds what the rules need, and checks
// what one line can tell.
func (f *Folder) take(l *ledger, b []byte, begin int, ln *jsonl.Line, off int64, unterminated bool, known *spelling) {
	t := taken{l: l, b: b, begin: begin, off: off - int64(ln.Start), high: ln.NonASCII, ms: f.scanner.Members, spelling: known}
	t.plain = !ln.NonASCII && !ln.Escaped
	looked := !t.plain && readable(b[ln.Start:ln.End])
	if known != nil {
		t.prose = ln.Stray || !t.plain && !looked
		t.seen, t.texts, t.full, t.calm = known.seen, known.texts, known.full, known.calm
		f.at, f.twice = &known.at, f.twice[:0]
	} else {
		t.prose = !t.plain && !looked || commaAstray(b[ln.Start:ln.End])
		f.at, f.calm = &f.scanned, 0
		f.classify(&t)
	}
	t.n = uint32(l.lines.n)
	t.at = l.lines.next()
	t.at.setOff(off)
	t.at.ts, t.at.len, t.at.no = NoTime, uint32(ln.End-ln.Start), l.lineNo
	l.noteIndent(ln.Start - begin)
	f.place(&t)
	if f.past != nil {
		f.past.beginLine(f, &t)
	}
	for _, i := range f.twice {
		f.duplicate(&t, &t.ms[i])
	}
	if t.rec.pend != 0 {
		f.heal(t.rec, t.seen, t.n+1)
	}
	switch l.file {
	case Runs:
		f.takeRun(&t)
	case Asks:
		f.takeAsk(&t)
	case Messages:
		f.takeMessage(&t)
	}
	if f.past != nil {
		f.past.endLine(f, &t)
	}
	if unterminated {
		f.here(&t, LineUnterminated)
	}
	if ln.End-ln.Start > MaxRecord {
		f.here(&t, RecordTooLarge).value = itoa(ln.End - ln.Start)
	}
	if t.high && !looked {
		if i := jsonl.InvalidUTF8(b[ln.Start:ln.End]); i >= 0 {
			p := f.here(&t, LineUTF8Invalid)
			p.off += int64(i)
			p.col = uint32(ln.Start - begin + i + 1)
			p.end = p.col + 1
			p.value = itoa(int(off) + i)
		}
	}
	if known == nil {
		f.learn(&t, ln)
	}
}

// classify finds the members that the protocol names; of duplicates the last counts (§4.3).
func (f *Folder) classify(t *taken) {
	unknown := 0
	var seen, texts, full uint32
	f.twice = f.twice[:0]
	for i := range t.ms {
		m := &t.ms[i]
		k := keyUnknown
		if m.KeyEscaped {
			f.scratch = jsonl.AppendKey(f.scratch[:0], t.b[m.KeyStart-1:m.KeyEnd+1])
			k = keyNamed(f.scratch)
		} else {
			n := m.KeyEnd - m.KeyStart
			head := jsonl.KeyHash64(t.b, m.KeyStart, m.KeyEnd)
			if s := &keyTable[keySlotOf(head, n)]; s.head == head && s.len == n && n <= 8 {
				k = s.key
			} else {
				k = keyOf(t.b, m.KeyStart, m.KeyEnd) // a long key, or an unknown one
			}
		}
		if k == keyUnknown {
			unknown++
			continue
		}
		bit := uint32(1) << k
		if seen&bit != 0 {
			f.twice = append(f.twice, i)
			texts, full = texts&^bit, full&^bit
		}
		seen |= bit
		if m.Kind == jsonl.String {
			texts |= bit
			if m.ValueEnd-m.ValueStart > 2 {
				full |= bit
			}
			if c := t.b[m.ValueStart+1]; c == ',' || c == '.' {
				t.prose = true
			}
		}
		f.at[k] = uint32(i)
	}
	t.seen, t.texts, t.full = seen, texts, full
	if unknown > 1 {
		f.duplicatesUnknown(t)
	}
}

func (f *Folder) duplicate(t *taken, m *jsonl.Member) {
	p := f.here(t, KeyDuplicate)
	p.off = t.off + int64(m.KeyStart) - 1
	p.col, p.end = m.KeyStart-uint32(t.begin), m.KeyEnd-uint32(t.begin)+2
	p.value = cut(t.b[m.KeyStart:m.KeyEnd], 60)
}

// duplicatesUnknown looks for duplicates among the fields that the protocol does not name.
func (f *Folder) duplicatesUnknown(t *taken) {
	var small [16]uint64
	seen := small[:0]
	for i := range t.ms {
		m := &t.ms[i]
		if !m.KeyEscaped && keyOf(t.b, m.KeyStart, m.KeyEnd) != keyUnknown {
			continue
		}
		f.scratch = jsonl.AppendKey(f.scratch[:0], t.b[m.KeyStart-1:m.KeyEnd+1])
		h := hash64(f.scratch, 1)
		for _, other := range seen {
			if other == h {
				f.twice = append(f.twice, i)
				break
			}
		}
		if len(seen) < 256 { // an object with more fields than that is no record of ours
			seen = append(seen, h)
		}
	}
}

// place finds or begins the record of the line and links the line to it.
func (f *Folder) place(t *taken) {
	l := t.l
	var id []byte
	missing := true
	var m *jsonl.Member
	if t.seen>>keyID&1 != 0 {
		m = &t.ms[f.at[keyID]]
		missing = m.Kind != jsonl.String || m.ValueEnd-m.ValueStart == 2
		if m.Kind == jsonl.String && !m.Escaped && (!t.high || jsonl.Plain(t.b[m.ValueStart:m.ValueEnd])) {
			id = t.b[m.ValueStart+1 : m.ValueEnd-1]
		} else {
			f.scratch = appendID(f.scratch[:0], t.value(m), l.lineNo)
			id = f.scratch
		}
	} else {
		f.scratch = appendID(f.scratch[:0], jsonl.Value{}, l.lineNo)
		id = f.scratch
	}
	if missing && l.file == Messages { // events without an id are events all the same (§4.5)
		f.scratch = append(append(f.scratch[:0], 0xFF, 'm'), itoa(int(l.lineNo))...)
		id = f.scratch
	}
	s := l.ids.intern(id)
	e := l.ids.entries.at(int(s - 1))
	if e.rec == 0 {
		r := l.recs.next()
		r.id, r.first, r.lastTS = s, t.n, NoTime
		e.rec = uint32(l.recs.n)
		f.begin(l, e.rec-1)
	}
	t.recNo = e.rec - 1
	t.rec = l.recs.at(int(t.recNo))
	t.at.rec = t.recNo
	if t.rec.count > 0 {
		t.at.prev = t.rec.last + 1
	}
	t.rec.count++
	t.rec.last = t.n
	if missing {
		f.atMember(t, [...]Code{RunIDMissing, AskIDMissing, MessageIDMissing}[l.file], m, "/id")
	}
}

// here begins a finding about the line as a whole.
func (f *Folder) here(t *taken, code Code) *pending {
	p := f.note(code, t.l.file)
	p.line, p.rec, p.off = t.at.no, t.recNo+1, t.at.off()
	return p
}

// atMember begins a finding at a member of the line, or about the whole line when m is nil.
func (f *Folder) atMember(t *taken, code Code, m *jsonl.Member, pointer string) *pending {
	p := f.here(t, code)
	if m != nil {
		s := t.spot(m)
		p.col, p.end, p.pointer = s.col, s.end, pointer
		p.off = t.off + int64(m.ValueStart)
	}
	return p
}

// spot is where a member's value stands.
func (t *taken) spot(m *jsonl.Member) spot {
	return spot{t.n, m.ValueStart - uint32(t.begin) + 1, m.ValueEnd - uint32(t.begin) + 1}
}

// on begins a finding about a field of the fold: a later line that sets the field again heals
// it. Messages do not fold (§4.5): nothing heals them.
func (f *Folder) on(t *taken, code Code, k key) *pending {
	p := f.atMember(t, code, &t.ms[f.at[k]], "/"+keyNames[k])
	if p != &f.spare && t.l.file != Messages {
		p.key = k
		p.next = t.rec.pend
		t.rec.pend = f.noted
	}
	return p
}

// within says where in a field's value another one stands. Its pointer is written out only
// for a finding.
type within struct {
	offset int
	item   int    // of an array, from 1; 0: not in one
	tail   string // the rest of the pointer
}

//go:noinline
func (w within) pointer() string {
	if w.item == 0 {
		return w.tail
	}
	return "/" + itoa(w.item-1) + w.tail
}

// inside is on for a value nested in a field.
func (f *Folder) inside(t *taken, code Code, k key, w within, v jsonl.Value) *pending {
	p := f.on(t, code, k)
	p.pointer += w.pointer()
	p.col += uint32(w.offset)
	p.end = p.col + uint32(len(v.Raw))
	p.off += int64(w.offset)
	return p
}

// quiet returns which of some fields are texts that need no look.
func (t *taken) quiet(fields uint32) uint32 {
	if t.prose {
		return 0
	}
	return t.texts&fields | t.calm
}

// decoded is a string's text as keys are compared; it stands in the line or in f.scratch.
func (f *Folder) decoded(t *taken, raw []byte) []byte {
	s := raw[1 : len(raw)-1]
	if t.plain || jsonl.Plain(s) {
		return s
	}
	f.scratch = jsonl.AppendKey(f.scratch[:0], raw)
	return f.scratch
}

// truthy reports whether JavaScript takes the value for true.
func truthy(v jsonl.Value) bool {
	switch v.Kind {
	case jsonl.String:
		return len(v.Raw) > 2
	case jsonl.Number:
		for _, c := range v.Raw {
			if c|0x20 == 'e' {
				break
			}
			if c >= '1' && c <= '9' {
				return true
			}
		}
		return false
	}
	return v.Kind >= jsonl.True && v.Kind != jsonl.None
}

// judgeTruth folds which of the wanted fields hold something.
func (f *Folder) judgeTruth(t *taken, wanted uint32) {
	t.rec.truth = t.rec.truth&^(t.texts&wanted) | t.full&wanted
	for w := t.seen & wanted &^ t.texts; w != 0; w &= w - 1 {
		k := bits.TrailingZeros32(w)
		if truthy(t.value(&t.ms[f.at[k]])) {
			t.rec.truth |= 1 << k
		} else {
			t.rec.truth &^= 1 << k
		}
	}
}

// judgeTime reads the line's ts and checks it.
func (f *Folder) judgeTime(t *taken) {
	if t.seen>>keyTS&1 == 0 {
		return
	}
	m := &t.ms[f.at[keyTS]]
	if t.full>>keyTS&1 == 0 && !truthy(t.value(m)) {
		return
	}
	ts, ok := f.readTime(t.value(m))
	if !ok {
		f.on(t, TSMalformed, keyTS).quote(t.value(m))
		return
	}
	t.at.ts = ts
	if f.now != NoTime && ts > f.now+futureSlack {
		f.on(t, TSFuture, keyTS).quote(t.value(m))
	}
	if t.l.file != Messages {
		if t.rec.lastTS != NoTime && ts < t.rec.lastTS {
			f.atMember(t, TSOutOfOrder, m, "/ts").quote(t.value(m))
		}
		t.rec.lastTS = ts
	}
}

const (
	second      = 1_000_000
	futureSlack = 5 * 60 * second
	// silence is how long an in-flight job may be without a line.
	silence = 7 * 24 * 3600 * second
)

func (f *Folder) readTime(v jsonl.Value) (int64, bool) {
	if v.Kind != jsonl.String {
		return NoTime, false
	}
	b := v.Raw[1 : len(v.Raw)-1]
	if ts, ok := f.clock.read(b); ok {
		return ts, true
	}
	return ParseTime(unsafe.String(unsafe.SliceData(b), len(b))) // read at once, never kept
}

// quote notes a value for the finding's sentence, cut to a length that fits in one.
func (p *pending) quote(v jsonl.Value) *pending {
	const most = 60
	var s []byte
	if v.Kind == jsonl.String {
		s = jsonl.AppendText(nil, v.Raw)
	} else {
		s = v.Raw
	}
	p.value = cut(s, most)
	return p
}

// cut returns at most n bytes of s as text, with an ellipsis where it went on.
//
//go:noinline
func cut(s []byte, n int) string {
	if len(s) <= n {
		return string(s)
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return string(s[:n]) + "…"
}
