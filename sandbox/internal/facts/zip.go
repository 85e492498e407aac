package facts

import (
	"bytes"
	"encoding/binary"
)

// The listing at the end of a zip file is read here and not by archive/zip, which reads every
// entry into memory before one can be counted, and brings a decompressor into the module that
// readers download. Nothing here can decompress.

// maxEntries bounds how many entries of a listing are read.
const maxEntries = 10_000

type entry struct {
	name      string
	packed    uint64
	unpacked  uint64
	encrypted bool
}

// listing reads a zip file's central directory. whole says whether it holds as many entries
// as it promises; more, how many it promises beyond maxEntries.
func listing(b []byte) (entries []entry, whole bool, more int) {
	end := directoryEnd(b)
	if end < 0 {
		return nil, false, 0
	}
	promised := int(binary.LittleEndian.Uint16(b[end+10:]))
	size, at := int(binary.LittleEndian.Uint32(b[end+12:])), int(binary.LittleEndian.Uint32(b[end+16:]))
	if start := end - size; size <= end && at <= start { // bytes may stand before the archive
		at = start
	}
	for n := range promised {
		if n == maxEntries {
			return entries, true, promised - n
		}
		e, next := header(b, at)
		if next < 0 {
			return entries, false, 0
		}
		entries, at = append(entries, e), next
	}
	return entries, true, 0
}

// directoryEnd finds the record at the end of a zip file.
func directoryEnd(b []byte) int {
	const size = 22
	from := max(0, len(b)-size-0xffff)
	i := bytes.LastIndex(b[from:], []byte("PK\x05\x06"))
	if i < 0 || from+i+size > len(b) {
		return -1
	}
	return from + i
}

// header reads one entry of the central directory; next is -1 when there is none.
func header(b []byte, at int) (e entry, next int) {
	const size = 46
	if at < 0 || at+size > len(b) || string(b[at:at+4]) != "PK\x01\x02" {
		return e, -1
	}
	h := b[at:]
	name, extra, comment := int(binary.LittleEndian.Uint16(h[28:])), int(binary.LittleEndian.Uint16(h[30:])), int(binary.LittleEndian.Uint16(h[32:]))
	if at+size+name > len(b) {
		return e, -1
	}
	return entry{
		name:      string(h[size : size+name]),
		encrypted: h[8]&1 != 0,
		packed:    uint64(binary.LittleEndian.Uint32(h[20:])),
		unpacked:  uint64(binary.LittleEndian.Uint32(h[24:])),
	}, at + size + name + extra + comment
}
