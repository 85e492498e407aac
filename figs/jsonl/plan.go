package jsonl

import (
	"math/bits"
	"unsafe"
)

// A Plan knows how the lines of one file are spelled. A file of lines is mostly written by one program, so nearly every line
// has the keys, the punctuation and the nesting of a line before it and differs in its strings and numbers only. A plan is a
// trie of the bytes between those: Follow compares them, and looks for nothing but the ends of strings and numbers.
//
// The zero value knows nothing. What a plan learns is bounded, whatever a file holds, and a plan that does not pay is no
// longer used.
type Plan struct {
	stops  []stop
	shapes []shape
	// hits, misses and learned count lines, saved and wasted the bytes that Follow passed, to an end and in vain.
	hits, misses, learned int
	saved, wasted         int
	off                   bool // following does not pay
}

const (
	// Slack is how many bytes must follow in the buffer after the newline of a line that Follow reads.
	Slack = 64

	maxSlots    = 63   // strings and numbers of a line
	maxStops    = 2048 // of a plan
	maxShapes   = 256
	maxSiblings = 8   // ways to go on at one place
	maxLiteral  = 512 // bytes between two values
	// firstTries is how many lines a plan learns before one of them must have been met again.
	firstTries = 32
	// patience is how many bytes Follow passes in vain before they may be no more than a quarter of those it passed to an end.
	patience = 128 << 10
)

// stop is a node of the trie: the bytes between two values, before the first, or after the last.
type stop struct {
	head, head2 uint64 // the first sixteen bytes
	mask, mask2 uint64 // which of these there are
	text        []byte // all of them
	n           uint32
	end         slotKind // what comes after it
	next        uint16   // another stop at the same place; 0: none
	child       uint16   // the first stop after the value
	shape       int16    // of the lines that end here
}

type slotKind uint8

const (
	slotString slotKind = iota // up to its closing quote; never empty
	slotNumber
	slotNone // the end of the line
)

// shape is what the lines that end at one stop have in common.
type shape struct {
	members []part
	inner   []part // the elements of members that are arrays or objects
	tail    int    // bytes after the text, with the newline
}

// part locates a member or an element: key is the distance from the end of slot from, gap that from the end of the key to the
// value, and tail that from the end of slot to to the end of the value. Slot 0 is the start of the line.
type part struct {
	from, to         uint8
	kind             Kind
	text             uint8  // the slot of a string, which may have escapes; 0: none
	key, keyLen      uint16 // an element of an array has no key
	gap, tail        uint16
	inner, innerDone uint16 // of a member that holds others: the range of its elements
}

// Follow reads the line at i into ln as Scan does if it is spelled like one that the plan has learned: the line, and the members in
// Scanner.Members, are those of Scan, but that NonASCII may be true for other lines. spelling is the number that Learn gave it.
// Otherwise ok is false and nothing has happened. After the line's newline, Slack bytes must follow in the buffer.
func (s *Scanner) Follow(ln *Line, plan *Plan, b []byte, i int) (spelling int, ok bool) {
	if plan.off || len(plan.stops) == 0 {
		return 0, false
	}
	p, stops := unsafe.Pointer(unsafe.SliceData(b)), unsafe.Pointer(unsafe.SliceData(plan.stops))
	st := (*stop)(stops)
	start, k := i, 0
	s.ends[0] = uint32(i)
	var high, stray, escaped uint64
	for {
		if st.child == 0 {
			return plan.miss(i - start)
		}
		st = (*stop)(unsafe.Add(stops, uintptr(st.child)*unsafe.Sizeof(stop{})))
		w, w2 := load8(p, i), load8(p, i+8)
		for (w^st.head)&st.mask|(w2^st.head2)&st.mask2 != 0 || st.n > 16 && !st.tail(p, i) {
			if st.next == 0 {
				return plan.miss(i - start)
			}
			st = (*stop)(unsafe.Add(stops, uintptr(st.next)*unsafe.Sizeof(stop{})))
		}
		i += int(st.n)
		if st.end == slotString {
			c := at(p, i)
			if c == '"' {
				return plan.miss(i - start)
			}
			if c|2 == '.' {
				stray = highs
			}
			for {
				w, before := load8(p, i), load8(p, i-1)
				high |= w | (w + ones)
				stray |= Astray(before, w)
				m := special(w)
				if m == 0 {
					i += 8
					w, before = load8(p, i), load8(p, i-1)
					high |= w | (w + ones)
					stray |= Astray(before, w)
					if m = special(w); m == 0 {
						i += 8
						continue
					}
				}
				i += bits.TrailingZeros64(m) >> 3
				if at(p, i) == '"' {
					break
				}
				if at(p, i) != '\\' {
					return plan.miss(i - start)
				}
				escaped |= 2 << (k & 63)
				if i = escape(p, i); i < 0 {
					return plan.miss(-i - start)
				}
			}
		} else if st.end == slotNumber {
			if i = number(p, i); i < 0 {
				return plan.miss(-i - start)
			}
		} else {
			break
		}
		k++
		s.ends[k&63] = uint32(i)
	}
	plan.hits++
	plan.saved += i - start
	sh := &plan.shapes[st.shape]
	s.shape = sh
	*ln = Line{Status: Whole, NonASCII: high&highs != 0, Escaped: escaped != 0, Stray: stray&highs != 0, Start: start, End: i - sh.tail, Next: i}
	s.place(sh)
	if escaped != 0 {
		for j := range s.Members {
			s.Members[j].Escaped = sh.members[j].text > 0 && escaped>>(sh.members[j].text&63)&1 != 0
		}
	}
	return int(st.shape), true
}

// place finds the members of a line from the ends of its slots.
func (s *Scanner) place(sh *shape) {
	n := len(sh.members)
	if cap(s.Members) < n {
		s.Members = make([]Member, n, 2*n)
	}
	s.Members = s.Members[:n]
	for j := range sh.members {
		t, m := &sh.members[j], &s.Members[j]
		m.KeyStart = s.ends[t.from&63] + uint32(t.key)
		m.KeyEnd = m.KeyStart + uint32(t.keyLen)
		m.ValueStart = m.KeyEnd + uint32(t.gap)
		m.ValueEnd = s.ends[t.to&63] + uint32(t.tail)
		m.Kind, m.KeyEscaped, m.Escaped = t.kind, false, false
	}
}

// miss notes that n bytes were passed in vain.
func (plan *Plan) miss(n int) (int, bool) {
	plan.wasted += n
	plan.off = plan.wasted > patience+plan.saved/4
	return 0, false
}

// tail compares what a stop has beyond sixteen bytes; its bytes begin at i.
func (st *stop) tail(p unsafe.Pointer, i int) bool {
	r, n := unsafe.Pointer(unsafe.SliceData(st.text)), len(st.text)
	for k := 16; k+8 < n; k += 8 {
		if load8(p, i+k) != load8(r, k) {
			return false
		}
	}
	return load8(p, i+n-8) == load8(r, n-8)
}

// escape returns the index after the escape at i, or minus the index where reading failed.
func escape(p unsafe.Pointer, i int) int {
	switch at(p, i+1) {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		for k := i + 2; k < i+6; k++ {
			if !isHex[at(p, k)] {
				return -k
			}
		}
		return i + 6
	}
	return -(i + 1)
}

// Astray sets the high bit of a byte of w that is a comma or full stop behind a byte of before that is a space or an opening
// bracket. It may set others above the first, but none of bytes outside ASCII.
func Astray(before, w uint64) uint64 {
	const (
		eights, opens = ones * 0x08, ones * ' ' // a bit away from '('
		cases, boxes  = ones * 0x20, ones * '[' // a bit away from '{'
		twos, dots    = ones * 0x02, ones * '.' // a comma's bit away from a full stop
	)
	return ((((before &^ eights) ^ opens) - ones) | (((before &^ cases) ^ boxes) - ones)) & (((w | twos) ^ dots) - ones) &^ (before | w)
}

// Walk lets c start over the value of a member of the last line, as the function Walk does. Over a line that was followed it does
// not scan; c is then of use until the next line is read.
func (s *Scanner) Walk(c *Cursor, b []byte, member int) {
	m := &s.Members[member]
	c.b, c.i, c.object, c.done = b[m.ValueStart:m.ValueEnd], 1, m.Kind == Object, m.Kind != Object && m.Kind != Array
	c.line = nil
	if s.shape != nil {
		t := &s.shape.members[member]
		c.line, c.part, c.parts, c.base = s, t.inner, t.innerDone, m.ValueStart
	}
}

// nextPart goes to the next element of a line that was followed.
func (c *Cursor) nextPart() bool {
	if c.part == c.parts {
		c.done = true
		return false
	}
	t, ends := &c.line.shape.inner[c.part], &c.line.ends
	c.part++
	key := ends[t.from&63] + uint32(t.key) - c.base
	value := key + uint32(t.keyLen) + uint32(t.gap)
	if c.object {
		c.KeyOffset = int(key) - 1
		c.Key = c.b[key-1 : key+uint32(t.keyLen)+1]
	}
	c.Offset = int(value)
	c.Value = Value{t.kind, c.b[value : ends[t.to&63]+uint32(t.tail)-c.base]}
	return true
}

// Hits counts the lines that were followed.
func (plan *Plan) Hits() int { return plan.hits }
