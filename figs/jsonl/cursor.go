package jsonl

import (
	"math/bits"
	"unsafe"
)

// Cursor walks the elements of an array or the members of an object that was scanned as
// valid. It allocates nothing.
type Cursor struct {
	b      []byte
	i      int
	object bool
	done   bool
	// Key is the key of the present member in its quotes; nil in an array.
	Key []byte
	// Value is the present element; KeyOffset and Offset are positions inside the walked value.
	Value             Value
	KeyOffset, Offset int

	line        *Scanner // of a line that was followed: where its parts and slots are
	part, parts uint16   // the elements to come
	base        uint32   // where b begins in the buffer
}

// Walk starts a cursor over v; over a value that holds no others it ends at once.
func Walk(v Value) Cursor {
	c := Cursor{b: v.Raw, i: 1, object: v.Kind == Object}
	c.done = v.Kind != Object && v.Kind != Array
	return c
}

// Next goes to the next element and reports whether there is one.
func (c *Cursor) Next() bool {
	if c.done {
		return false
	}
	if c.line != nil {
		return c.nextPart()
	}
	b := c.b
	i := skipSeparators(b, c.i)
	if ch := b[i]; ch == ']' || ch == '}' {
		c.done = true
		return false
	}
	if c.object {
		c.KeyOffset = i
		i = endString(b, i)
		c.Key = b[c.KeyOffset:i]
		i = skipSeparators(b, i)
	}
	c.Offset = i
	kind := kinds[b[i]]
	if kind == String {
		i = endString(b, i)
	} else {
		i = end(b, i, kind)
	}
	c.i = i
	c.Value = Value{kind, b[c.Offset:i]}
	return true
}

// skipSeparators passes white space and what stands between values, which is known to be right.
func skipSeparators(b []byte, i int) int {
	for separates[b[i]] {
		i++
	}
	return i
}

var separates = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, ',': true, ':': true}

// end returns the index after the valid value that starts at i and is no string.
func end(b []byte, i int, kind Kind) int {
	if kind == Array || kind == Object {
		for depth := 0; ; i++ {
			switch b[i] {
			case '"':
				i = endString(b, i) - 1
			case '[', '{':
				depth++
			case ']', '}':
				depth--
				if depth == 0 {
					return i + 1
				}
			}
		}
	}
	for i < len(b) && !separates[b[i]] && b[i] != ']' && b[i] != '}' {
		i++
	}
	return i
}

// endString returns the index after the valid string that starts at i.
func endString(b []byte, i int) int {
	p := unsafe.Pointer(unsafe.SliceData(b))
	for i++; ; {
		for i+8 <= len(b) {
			if m := special(load8(p, i)); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
		i++
	}
}

// Parse reads one JSON text that may span several lines, as in agent.json. It returns the
// value and where it stands in b; ok is false, and at is where reading failed, when b holds
// anything else.
func Parse(b []byte) (v Value, at int, ok bool) {
	flat := make([]byte, len(b)+1)
	for i, c := range b {
		if c == '\n' {
			c = '\t' // white space between values, and an error inside a string, as it was
		}
		flat[i] = c
	}
	flat[len(b)] = '\n'
	var s Scanner
	ln := s.Scan(flat, 0)
	if ln.Status != Whole && ln.Status != NotObject {
		if ln.Status == Blank {
			return Value{}, 0, false
		}
		return Value{}, ln.At, false
	}
	return Value{kinds[b[ln.Start]], b[ln.Start:ln.End]}, ln.Start, true
}

// KeyHash64 returns the first eight bytes of b[start:end] as a number, zero filled, and is
// what a table of known keys compares first. The buffer must end in a newline.
func KeyHash64(b []byte, start, end uint32) uint64 {
	if int(start)+8 > len(b) {
		return keyHashNearEnd(b, start, end)
	}
	w := load8(unsafe.Pointer(unsafe.SliceData(b)), int(start))
	if n := end - start; n < 8 {
		w &= 1<<(8*n&63) - 1
	}
	return w
}

func keyHashNearEnd(b []byte, start, end uint32) uint64 {
	var w uint64
	for i := range min(end-start, 8) {
		w |= uint64(b[start+i]) << (8 * i)
	}
	return w
}
