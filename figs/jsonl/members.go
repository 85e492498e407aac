package jsonl

import "unsafe"

// NextMembers is Next in an array; it also reads the members of an object into s, in one go. Their
// positions are inside the walked value; of an element of another kind there are none.
func (c *Cursor) NextMembers(s *Scanner) bool {
	s.Members, s.shape = s.Members[:0], nil
	if c.done {
		return false
	}
	if c.i = skipSeparators(c.b, c.i); c.b[c.i] != '{' {
		return c.Next()
	}
	c.Offset = c.i
	c.i, _ = s.object(unsafe.Pointer(unsafe.SliceData(c.b)), len(c.b), c.i)
	c.Value = Value{Object, c.b[c.Offset:c.i]}
	return true
}
