package jsonl

import "unsafe"

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
	c.skip()
	if ch := c.b[c.i]; ch == ']' || ch == '}' {
		c.done = true
		return false
	}
	if c.object {
		c.KeyOffset = c.i
		c.i = end(c.b, c.i)
		c.Key = c.b[c.KeyOffset:c.i]
		c.skip()
	}
	c.Offset = c.i
	kind := kinds[c.b[c.i]]
	c.i = end(c.b, c.i)
	c.Value = Value{kind, c.b[c.Offset:c.i]}
	return true
}

// skip passes white space and the separators between values, which are known to be right.
func (c *Cursor) skip() {
	for {
		switch c.b[c.i] {
		case ' ', '\t', '\r', '\n', ',', ':':
			c.i++
		default:
			return
		}
	}
}

// end returns the index after the valid value that starts at i.
func end(b []byte, i int) int {
	switch kinds[b[i]] {
	case String:
		return endString(b, i)
	case Array, Object:
		depth := 0
		for {
			switch b[i] {
			case '"':
				i = endString(b, i)
				continue
			case '[', '{':
				depth++
			case ']', '}':
				depth--
				if depth == 0 {
					return i + 1
				}
			}
			i++
		}
	}
	for i < len(b) {
		switch b[i] {
		case ',', ']', '}', ' ', '\t', '\r', '\n':
			return i
		}
		i++
	}
	return i
}

func endString(b []byte, i int) int {
	for i++; ; i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
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
	n := end - start
	if int(start)+8 <= len(b) {
		w := load8(unsafe.Pointer(unsafe.SliceData(b)), int(start))
		if n < 8 {
			w &= 1<<(8*n) - 1
		}
		return w
	}
	var w uint64
	for i := range min(n, 8) {
		w |= uint64(b[start+i]) << (8 * i)
	}
	return w
}
