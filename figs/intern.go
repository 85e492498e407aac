package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// sym is a number for an id, from 1; 0 is none. Two ids have one sym if and only if they
// are the same key of a JavaScript Map.
type sym uint32

// entry is one interned id. rec is the record that bears it, plus one; 0 while it is only
// named by others.
type entry struct {
	off, len uint32 // in the texts of its block of entries
	rec      uint32
}

// symbols interns ids: open addressing over their texts. It allocates only to grow.
type symbols struct {
	bytesOf [][]byte // of each block of entries
	entries pages[entry]
	slots   []uint64 // the upper half of the hash, then the sym; 0: free
	seed    uint64
	early   bool // records from the limit on are not known yet
	limit   uint32
}

// intern returns the sym of id, making one when it is new.
func (t *symbols) intern(id []byte) sym {
	if t.entries.n*4 >= len(t.slots)*3 {
		t.grow(max(1024, len(t.slots)*2))
	}
	h := hash64(id, t.seed)
	mask := uint32(len(t.slots) - 1)
	for i, tries := uint32(h)&mask, 0; tries <= 64; i, tries = (i+1)&mask, tries+1 {
		slot := t.slots[i]
		if slot == 0 {
			t.add(id)
			t.slots[i] = h>>32<<32 | uint64(t.entries.n)
			return sym(t.entries.n)
		}
		if slot>>32 == h>>32 && t.holds(uint32(slot), id) {
			return sym(slot)
		}
	}
	// Ids chosen to collide: another seed scatters them.
	t.seed += 0x9E3779B97F4A7C15
	t.grow(len(t.slots) * 2)
	return t.intern(id)
}

// add keeps a new id. Texts of a block are about as long as those of the one before it, so growing leaves little behind.
func (t *symbols) add(id []byte) {
	k := t.entries.n >> blockBits
	if k == len(t.bytesOf) {
		room := 0
		if k > 0 {
			room = len(t.bytesOf[k-1]) * 17 / 16
		}
		t.bytesOf = append(t.bytesOf, make([]byte, 0, room))
	}
	e := t.entries.next()
	e.off, e.len = uint32(len(t.bytesOf[k])), uint32(len(id))
	t.bytesOf[k] = append(t.bytesOf[k], id...)
}

// textAt is the id of an entry, from 0.
func (t *symbols) textAt(i int) []byte {
	e := t.entries.at(i)
	return t.bytesOf[i>>blockBits][e.off : e.off+e.len]
}

// holds reports whether a sym is that of id.
func (t *symbols) holds(s uint32, id []byte) bool { return string(t.textAt(int(s-1))) == string(id) }

// find returns the sym of id, or 0.
func (t *symbols) find(id []byte) sym {
	if len(t.slots) == 0 {
		return 0
	}
	h := hash64(id, t.seed)
	mask := uint32(len(t.slots) - 1)
	for i := uint32(h) & mask; t.slots[i] != 0; i = (i + 1) & mask {
		if slot := t.slots[i]; slot>>32 == h>>32 && t.holds(uint32(slot), id) {
			return sym(slot)
		}
	}
	return 0
}

func (t *symbols) grow(n int) {
	t.slots = make([]uint64, n)
	mask := uint32(n - 1)
	for k := range t.entries.n {
		h := hash64(t.textAt(k), t.seed)
		i := uint32(h) & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = h>>32<<32 | uint64(k+1)
	}
}

//go:noinline
func (t *symbols) bytes(s sym) []byte {
	if s == 0 {
		return nil
	}
	return t.textAt(int(s - 1))
}

// text returns an id for people: keys of ids that are no strings stand behind a 0xFF mark.
//
//go:noinline
func (t *symbols) text(s sym) string {
	b := t.bytes(s)
	if len(b) > 0 && b[0] == 0xFF {
		return ""
	}
	return string(b)
}

// symbolTexts are all ids as parts of one text for each block of entries: few allocations instead of one for each id.
type symbolTexts struct {
	blocks  []string
	entries *pages[entry]
}

func (t *symbols) texts() symbolTexts {
	x := symbolTexts{make([]string, len(t.bytesOf)), &t.entries}
	for i, b := range t.bytesOf {
		x.blocks[i] = string(b)
	}
	return x
}

// at returns the bytes of s, which isn't 0.
func (x symbolTexts) at(s sym) string {
	e := x.entries.at(int(s - 1))
	return x.blocks[(s-1)>>blockBits][e.off : e.off+e.len]
}

// record returns the record that bears s, or -1.
func (t *symbols) record(s sym) int {
	if s == 0 {
		return -1
	}
	rec := t.entries.at(int(s - 1)).rec
	if t.early && rec > t.limit {
		return -1
	}
	return int(rec) - 1
}

func hash64(b []byte, seed uint64) uint64 {
	n := len(b)
	h := seed ^ uint64(n)*0x9E3779B97F4A7C15
	var w uint64
	if n >= 8 {
		for i := 0; i+8 < n; i += 8 {
			h = (h ^ load8(b[i:])) * 0xFF51AFD7ED558CCD
			h ^= h >> 32
		}
		w = load8(b[n-8:]) // some of these bytes once more
	} else {
		for i, c := range b {
			w |= uint64(c) << (8 * i & 63)
		}
	}
	h = (h ^ w) * 0xC4CEB9FE1A85EC53
	h ^= h >> 33
	h *= 0xFF51AFD7ED558CCD
	return h ^ h>>29
}

// appendID appends the Map key of an id value to dst. line makes the key of an array or
// object its own, as two objects are never the same key.
func appendID(dst []byte, v jsonl.Value, line uint32) []byte {
	switch v.Kind {
	case jsonl.String:
		return jsonl.AppendKey(dst, v.Raw)
	case jsonl.Number:
		return appendNumberKey(append(dst, 0xFF, 'n'), v.Raw)
	case jsonl.Array, jsonl.Object:
		return append(append(dst, 0xFF, 'o'), itoa(int(line))...)
	case jsonl.None:
		return append(dst, 0xFF, 'u')
	}
	return append(append(dst, 0xFF, 'l'), v.Raw...)
}

// appendNumberKey writes a number so that equal ones look alike: digits without leading or
// trailing zeros, and the exponent of the last.
func appendNumberKey(dst, raw []byte) []byte {
	negative, exp, seenDot := false, 0, false
	var digits []byte
	i := 0
	for ; i < len(raw) && raw[i]|0x20 != 'e'; i++ {
		switch c := raw[i]; c {
		case '-':
			negative = true
		case '.':
			seenDot = true
		default:
			if seenDot {
				exp--
			}
			if c != '0' || len(digits) > 0 {
				digits = append(digits, c)
			}
		}
	}
	if i < len(raw) {
		sign, n := 1, 0
		for _, c := range raw[i+1:] {
			switch {
			case c == '-':
				sign = -1
			case c != '+' && n < 1<<20:
				n = n*10 + int(c-'0')
			}
		}
		exp += sign * n
	}
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
		exp++
	}
	if len(digits) == 0 {
		return append(dst, '0')
	}
	if negative {
		dst = append(dst, '-')
	}
	return append(append(append(dst, digits...), 'e'), itoa(exp)...)
}
