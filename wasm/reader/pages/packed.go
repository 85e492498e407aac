package pages

import "encoding/binary"

// Several pieces travel as one run of bytes: each after its length, four bytes, the lowest first. static/js/files/pack.js
// does the same.

func pack(pieces ...[]byte) []byte {
	n := 0
	for _, p := range pieces {
		n += 4 + len(p)
	}
	b := make([]byte, 0, n)
	for _, p := range pieces {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(p))), p...)
	}
	return b
}

// unpack returns the pieces, which share the memory of b; not ok when b is not a whole number of them.
func unpack(b []byte) (pieces [][]byte, ok bool) {
	for len(b) >= 4 {
		n := int64(binary.LittleEndian.Uint32(b))
		if n > int64(len(b)-4) {
			return nil, false
		}
		pieces = append(pieces, b[4:4+n:4+n])
		b = b[4+n:]
	}
	return pieces, len(b) == 0
}
