// Package dense packs a WebAssembly module for the page that carries it. Browsers unpack gzip, which looks 32 KiB back and
// knows one table of codes at a time; a module is megabytes in which the same sequences come back far apart. This format
// looks back over the whole module, chooses among all ways of saying it the shortest, and has tables of codes for what
// stands before a byte: about a fourth less than gzip. static/js/expand.js is the other side.
//
// # Format
//
// Four bytes, low first: how many bytes come out. Then bits, the lowest of each byte first. Four streams of symbols are
// described (see Stream), in the order of the constants below, and then sequences follow until everything is out: how
// many literal bytes, these bytes, and, unless that was all, where a match begins and how long it is.
//
//   - A number n below 16 is the symbol n; a larger one is the symbol 16 + 2·(b−5) + h, where b is how many bits n has and h the
//     bit below the highest; b−2 plain bits follow.
//   - A distance is one of the last four (symbols 0 to 3, newest first; it becomes the newest), or the symbol 4 + 2·(b−1) + h with
//     max(b−2, 0) plain bits.
//   - A match has two bytes more than its number says.
//
// The context of a literal is the byte before it, or, right behind a match, 256 + the byte that the match would have gone on with. That
// of a run and of a distance is whether the last match was at a known distance (for the first: 0), that of a length the kind of its
// distance (kind). Each segment of a MiB has contexts of its own; the table of a sequence is that of the place where it begins, the
// table of a literal that of the literal's own place.
package dense

import (
	"encoding/binary"
	"errors"
)

const (
	segmentBits = 20
	shortest    = 2  // bytes of a match
	maxBits     = 12 // of a code
	plain       = 16 // numbers below are symbols

	literals = iota - 4 // the streams
	runs
	lengths
	distances
	streams
)

// shape of a stream: how many symbols and how many contexts a segment has, and at most how many tables.
type shape struct{ symbols, contexts, tables int }

var shapes = [streams]shape{literals: {256, 512, 96}, runs: {64, 2, 12}, lengths: {64, 5, 24}, distances: {64, 2, 16}}

var errDamaged = errors.New("dense: a packed module is damaged")

// Pack packs b. The same bytes give the same result.
func Pack(b []byte) []byte {
	p := &parser{b: b, segments: segmentsOf(len(b))}
	p.link()
	p.costs.guess(p.segments)
	var books [streams]*book
	var found []sequence
	for range passes {
		found = p.parse()
		counts := p.count(found)
		for s := range books {
			books[s] = newBook(shapes[s], p.segments, counts[s])
		}
		p.costs.learn(&books)
	}
	w := &writer{out: binary.LittleEndian.AppendUint32(nil, uint32(len(b)))}
	for _, book := range books {
		book.write(w)
	}
	p.walk(found, func(s, segment, context, symbol int) {
		books[s].put(w, segment, context, symbol)
	}, w.plain)
	return w.end()
}

func segmentsOf(n int) int { return max(1, (n+1<<segmentBits-1)>>segmentBits) }

// number splits a number into its symbol and plain bits.
func number(n int) (symbol, bits, extra int) {
	if n < plain {
		return n, 0, 0
	}
	b := bitLength(n)
	return plain + 2*(b-5) + n>>(b-2)&1, b - 2, n & (1<<(b-2) - 1)
}

// apart splits a distance that is none of the last four.
func apart(n int) (symbol, bits, extra int) {
	b := bitLength(n)
	if b == 1 {
		return 4, 0, 0
	}
	return 4 + 2*(b-1) + n>>(b-2)&1, b - 2, n & (1<<(b-2) - 1)
}

func bitLength(n int) (b int) {
	for ; n > 0; n >>= 1 {
		b++
	}
	return b
}

// kind of a distance's symbol, the context of the match's length.
func kind(symbol int) int {
	switch {
	case symbol == 0:
		return 0
	case symbol < 4:
		return 1
	case symbol < 4+2*8:
		return 2
	case symbol < 4+2*16:
		return 3
	}
	return 4
}

// recent are the last four distances, newest first.
type recent [4]int32

// use makes a distance the newest and returns its symbol if it was among them, else -1.
func (r *recent) use(distance int32) int {
	at := 0
	for at < len(r) && r[at] != distance {
		at++
	}
	slot := at
	if at == len(r) {
		slot, at = -1, len(r)-1
	}
	copy(r[1:at+1], r[:at])
	r[0] = distance
	return slot
}
