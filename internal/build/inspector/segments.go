package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// joinGap is up to how many zero bytes between two data segments are written out. The linker
// starts a new segment wherever eight bytes in a row are zero, which makes tens of thousands:
// smaller as they stand, but their offsets hardly compress. Joined, the engine takes 40 kB
// less with brotli, and starts with a dozen copies.
const joinGap = 256

// segment is the bytes that a module puts at an offset of its memory when it starts.
type segment struct {
	offset uint64
	bytes  []byte
}

// joinSegments writes a module's data with few segments. The memory that the module starts
// with stays the same, byte for byte, but for what edit changes in it; edit may be nil.
func joinSegments(module []byte, edit func(image []byte)) ([]byte, error) {
	const dataSection = 11
	return rewriteSection(module, dataSection, func(body []byte) ([]byte, error) {
		segments, err := readSegments(body)
		if err != nil {
			return nil, err
		}
		slices.SortStableFunc(segments, func(a, b segment) int { return cmp.Compare(a.offset, b.offset) })
		image, err := imageOf(segments)
		if err != nil {
			return nil, err
		}
		if edit != nil {
			edit(image)
		}
		return writeSegments(splitImage(image)), nil
	})
}

// imageOf is the memory that the segments make, from address 0.
func imageOf(segments []segment) ([]byte, error) {
	size := uint64(0)
	if len(segments) > 0 {
		size = segments[len(segments)-1].end()
	}
	if size > 1<<31 {
		return nil, errModule // no memory of such a size is ours
	}
	image := make([]byte, size)
	end := uint64(0)
	for _, s := range segments {
		if s.offset < end {
			return nil, errModule // what stands there depends on the order of writing
		}
		end = s.end()
		copy(image[s.offset:], s.bytes)
	}
	return image, nil
}

// splitImage writes an image as segments, without the long stretches of zeros.
func splitImage(image []byte) []segment {
	var list []segment
	for at := 0; at < len(image); {
		if image[at] == 0 {
			at++
			continue
		}
		start, zeros := at, 0
		for ; at < len(image) && zeros <= joinGap; at++ {
			zeros++
			if image[at] != 0 {
				zeros = 0
			}
		}
		list = append(list, segment{uint64(start), image[start : at-zeros]})
	}
	return list
}

func (s segment) end() uint64 { return s.offset + uint64(len(s.bytes)) }

// readSegments reads a data section whose segments all go to the one memory, at constant
// offsets: a flag, the constant's code, the offset, the code that ends it, length and bytes.
func readSegments(body []byte) ([]segment, error) {
	count, n := binary.Uvarint(body)
	if n <= 0 || count > uint64(len(body)) {
		return nil, errModule
	}
	body = body[n:]
	list := make([]segment, 0, count)
	for range count {
		rest, ok := bytes.CutPrefix(body, []byte{0, i32Const})
		if !ok {
			return nil, errModule
		}
		offset, n := signed(rest)
		if n <= 0 || offset < 0 || len(rest) == n || rest[n] != end {
			return nil, errModule
		}
		rest = rest[n+1:]
		size, n := binary.Uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) {
			return nil, errModule
		}
		list = append(list, segment{uint64(offset), rest[n : n+int(size)]})
		body = rest[n+int(size):]
	}
	if len(body) > 0 {
		return nil, errModule
	}
	return list, nil
}

const i32Const, end = 0x41, 0x0B

func writeSegments(list []segment) []byte {
	body := binary.AppendUvarint(nil, uint64(len(list)))
	for _, s := range list {
		body = append(appendSigned(append(body, 0, i32Const), int64(s.offset)), end)
		body = append(binary.AppendUvarint(body, uint64(len(s.bytes))), s.bytes...)
	}
	return body
}

// signed reads a signed LEB128 number, which unlike Go's varints is no zigzag; n is 0 when
// there is none.
func signed(b []byte) (v int64, n int) {
	for shift := 0; n < len(b) && n < 5; shift += 7 {
		c := b[n]
		n++
		v |= int64(c&0x7F) << shift
		if c < 0x80 {
			if c&0x40 != 0 {
				v -= 1 << (shift + 7)
			}
			return v, n
		}
	}
	return 0, 0
}

func appendSigned(dst []byte, v int64) []byte {
	for {
		c := byte(v & 0x7F)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(dst, c)
		}
		dst = append(dst, c|0x80)
	}
}
