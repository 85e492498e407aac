package jsonl

import "unsafe"

// Learn adds the spelling of the line that Scan has just read, and returns its number. fixed are the members, by number, that
// hold one of few words, such as "in-flight": the word is then part of the spelling. ok is false when the line is not one to learn: it was indented,
// has escaped keys, or too much of something, or the plan has no room or has learned too much already that was never met again.
func (s *Scanner) Learn(plan *Plan, b []byte, begin int, ln Line, fixed uint64) (spelling int, ok bool) {
	plan.misses++
	if plan.off || plan.learned >= firstTries+plan.hits/8+plan.misses/256 || len(plan.shapes) >= maxShapes ||
		begin != ln.Start || ln.Next-begin > maxLearned || len(s.Members) == 0 || len(s.Members) > maxSlots {
		return 0, false
	}
	plan.learned++
	l := learner{b: b, from: begin}
	for i := range s.Members {
		m := &s.Members[i]
		v := Value{m.Kind, b[m.ValueStart:m.ValueEnd]}
		t := l.part(int(m.KeyStart), int(m.KeyEnd), int(m.ValueStart))
		l.sh.members = append(l.sh.members, t)
		first := len(l.sh.inner)
		l.value(v, int(m.ValueStart), &t, 0, fixed>>i&1 != 0)
		t.inner, t.innerDone = uint16(first), uint16(len(l.sh.inner))
		l.sh.members[i] = t
	}
	l.literal(ln.Next, slotNone)
	l.sh.tail = ln.Next - ln.End
	if l.bad || !plan.hasRoom(l.literals) {
		return 0, false
	}
	at := uint16(0)
	for _, lit := range l.literals {
		at = plan.step(at, lit)
	}
	if plan.stops[at].shape >= 0 {
		return 0, false // it is known: something in its values kept it from being followed
	}
	spelling = len(plan.shapes)
	plan.stops[at].shape = int16(spelling)
	plan.shapes = append(plan.shapes, l.sh)
	return spelling, true
}

// learner takes a line apart.
type learner struct {
	b        []byte
	from     int // where the literal begins that is not ended yet
	literals []literalOf
	sh       shape
	bad      bool // the line is not one to learn
}

type literalOf struct {
	text []byte
	end  slotKind
}

// part begins a member or an element.
func (l *learner) part(keyStart, keyEnd, value int) part {
	if keyStart-l.from > maxLiteral || value-keyStart > maxLiteral {
		l.bad = true
	}
	return part{from: uint8(len(l.literals)), key: uint16(keyStart - l.from), keyLen: uint16(keyEnd - keyStart), gap: uint16(value - keyEnd)}
}

// value takes a value at i apart and completes its part. Only the elements of a member become parts, not what these hold.
func (l *learner) value(v Value, i int, t *part, depth int, fixed bool) {
	end := i + len(v.Raw)
	l.bad = l.bad || depth > maxNested
	t.kind = v.Kind
	switch v.Kind {
	case String:
		if len(v.Raw) > 2 && !(fixed && isWord(v.Raw)) {
			l.literal(i+1, slotString)
			l.from = end - 1
			t.text = uint8(len(l.literals))
		}
	case Number:
		l.literal(i, slotNumber)
		l.from = end
	case Array, Object:
		for c := Walk(v); c.Next() && !l.bad; {
			at := i + c.Offset
			inner := l.part(at, at, at)
			if v.Kind == Object {
				key := i + c.KeyOffset + 1
				inner = l.part(key, key+len(c.Key)-2, at)
			}
			l.value(c.Value, at, &inner, depth+1, false)
			if depth == 0 {
				l.sh.inner = append(l.sh.inner, inner)
			}
		}
	}
	if len(l.sh.inner) > 4*maxSlots || end-l.from > maxLiteral {
		l.bad = true
	}
	t.to, t.tail = uint8(len(l.literals)), uint16(end-l.from)
}

const (
	maxLearned = 16 << 10 // bytes of a line
	maxNested  = 8
)

// isWord reports whether a string is short and made of small letters and hyphens, as the words of closed lists are.
func isWord(raw []byte) bool {
	for _, c := range raw[1 : len(raw)-1] {
		if (c < 'a' || c > 'z') && c != '-' {
			return false
		}
	}
	return len(raw) <= maxWord
}

// maxWord is how long a string may be that is part of the spelling, with its quotes.
const maxWord = 24

// literal ends the present literal at end. One with anything but printable ASCII, or with an escape, is not learned: so
// the facts of a line's text are those of its slots.
func (l *learner) literal(end int, after slotKind) {
	text := l.b[l.from:end]
	if len(text) > maxLiteral || len(l.literals) == maxSlots && after != slotNone || l.bad {
		l.bad = true
		return
	}
	for i, c := range text {
		space := after == slotNone && (c == '\n' || c == '\r' || c == '\t')
		if (c < ' ' || c >= 0x7F || c == '\\') && !space || c == '\n' && i != len(text)-1 {
			l.bad = true
			return
		}
	}
	l.literals = append(l.literals, literalOf{text, after})
}

// hasRoom reports whether a line of so many stops fits, on a path whose places have room for another way to go on.
func (plan *Plan) hasRoom(literals []literalOf) bool {
	if len(plan.stops) == 0 {
		plan.stops = append(plan.stops, stop{shape: -1})
	}
	if len(plan.stops)+len(literals) > maxStops {
		return false
	}
	at := uint16(0)
	for _, lit := range literals {
		next := plan.stops[at].child
		for n := 1; next != 0 && !plan.stops[next].is(lit); n++ {
			if n == maxSiblings {
				return false
			}
			next = plan.stops[next].next
		}
		if at = next; at == 0 {
			return true
		}
	}
	return true
}

// step goes from a stop to the one with a literal, which is made when there is none. A literal is tried before those that it
// begins with.
func (plan *Plan) step(at uint16, lit literalOf) uint16 {
	for next := plan.stops[at].child; next != 0; next = plan.stops[next].next {
		if plan.stops[next].is(lit) {
			return next
		}
	}
	st := stop{n: uint32(len(lit.text)), end: lit.end, shape: -1}
	var head [16]byte
	copy(head[:], lit.text)
	p := unsafe.Pointer(&head)
	st.head, st.head2 = load8(p, 0), load8(p, 8)
	st.mask, st.mask2 = firstBytes(len(lit.text)), firstBytes(len(lit.text)-8)
	if len(lit.text) > 16 {
		st.text = append([]byte(nil), lit.text...)
	}
	made := uint16(len(plan.stops))
	plan.stops = append(plan.stops, st)
	link := &plan.stops[at].child
	for *link != 0 && !plan.stops[*link].begins(lit.text) {
		link = &plan.stops[*link].next
	}
	plan.stops[made].next = *link
	*link = made
	return made
}

// firstBytes is a mask of the first n bytes of a word.
func firstBytes(n int) uint64 {
	if n >= 8 {
		return ^uint64(0)
	}
	return 1<<(8*max(0, n)) - 1
}

// begins reports whether the literal of a stop is how text begins.
func (st *stop) begins(text []byte) bool {
	if int(st.n) > len(text) {
		return false
	}
	var head [16]byte
	copy(head[:], text)
	p := unsafe.Pointer(&head)
	if (load8(p, 0)^st.head)&st.mask|(load8(p, 8)^st.head2)&st.mask2 != 0 {
		return false
	}
	return st.n <= 16 || string(st.text) == string(text[:st.n])
}

func (st *stop) is(lit literalOf) bool {
	return st.end == lit.end && int(st.n) == len(lit.text) && st.begins(lit.text)
}
