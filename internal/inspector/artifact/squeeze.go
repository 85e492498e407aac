package artifact

import (
	"encoding/binary"
	"errors"
)

// A module is megabytes of code in which the same sequences come back far apart. gzip looks 32 KiB back and no
// further, and browsers undo nothing better, so long repetitions over the whole module are taken out before: a tenth
// of the file. static/js/expand.js is the other side.
//
// What squeeze writes: five numbers of four bytes, low byte first (the length of the module, how many matches there
// are, how many bytes the first two columns have, how many distances are new), then the columns: for each match how many literal bytes go before
// it and how many bytes past shortest it copies, both as varints; then for each match the upper byte of its distance,
// or 255, 254, 253 or 252 for one of the last four distances, newest first; then the middle and the lower bytes of the
// other distances; then all literals. Values of a kind stand together because gzip then finds more in them.
const (
	shortest   = 16          // bytes of a match; gzip does better on shorter ones
	farthest   = 252<<16 - 1 // distance of a match, in bytes
	tries      = 100         // earlier places looked at for each match
	hashBits   = 20          // most; small inputs need fewer
	headLength = 20
)

// squeeze takes long repetitions out of b.
func squeeze(b []byte) []byte {
	s := &squeezing{b: b, bits: 8, prev: make([]int32, len(b))}
	for s.bits < hashBits && 1<<s.bits < len(b) {
		s.bits++
	}
	s.heads = make([]int32, 1<<s.bits)
	for i := range s.heads {
		s.heads[i] = -1
	}
	for i := 0; i < len(b); {
		length, distance := s.find(i)
		s.note(i)
		if length == 0 {
			i++
			continue
		}
		if more, d := s.find(i + 1); more > length+1 { // a match that begins one byte later is longer
			i++
			length, distance = more, d
			s.note(i)
		}
		s.take(i, length, distance)
		i += length
	}
	s.literals = append(s.literals, b[s.from:]...)
	return s.bytes()
}

// squeezing is one run of squeeze.
type squeezing struct {
	b           []byte
	bits        int     // of a hash
	heads, prev []int32 // places by their hash, and the one before each
	from        int     // of what no match covers yet

	matches                                       int
	recent                                        recent
	runs, lengths, upper, middle, lower, literals []byte
}

func (s *squeezing) hash(i int) uint32 {
	a, b := binary.LittleEndian.Uint64(s.b[i:]), binary.LittleEndian.Uint64(s.b[i+8:])
	return uint32((a*0x9E3779B97F4A7C15 ^ b*0xC2B2AE3D27D4EB4F) * 0x9E3779B97F4A7C15 >> (64 - s.bits))
}

// note remembers a place.
func (s *squeezing) note(i int) {
	if i+shortest <= len(s.b) {
		h := s.hash(i)
		s.prev[i], s.heads[h] = s.heads[h], int32(i)
	}
}

// find is the longest match at a place; 0 when there is none.
func (s *squeezing) find(i int) (length, distance int) {
	if i+shortest > len(s.b) {
		return 0, 0
	}
	at := s.heads[s.hash(i)]
	for n := 0; at >= 0 && n < tries && i-int(at) <= farthest; n, at = n+1, s.prev[at] {
		if l := s.same(int(at), i); l >= shortest && l > length {
			length, distance = l, i-int(at)
		}
	}
	return length, distance
}

// same is how many bytes two places have in common, of which i is the later.
func (s *squeezing) same(at, i int) (n int) {
	for i+n < len(s.b) && s.b[at+n] == s.b[i+n] {
		n++
	}
	return n
}

func (s *squeezing) take(i, length, distance int) {
	s.matches++
	s.runs = binary.AppendUvarint(s.runs, uint64(i-s.from))
	s.lengths = binary.AppendUvarint(s.lengths, uint64(length-shortest))
	if slot := s.recent.find(distance); slot >= 0 {
		s.upper = append(s.upper, byte(255-slot))
		s.recent.use(slot)
	} else {
		s.upper, s.middle, s.lower = append(s.upper, byte(distance>>16)), append(s.middle, byte(distance>>8)), append(s.lower, byte(distance))
		s.recent.add(distance)
	}
	s.literals = append(s.literals, s.b[s.from:i]...)
	for k := 1; k < length; k++ {
		s.note(i + k)
	}
	s.from = i + length
}

func (s *squeezing) bytes() []byte {
	var out []byte
	for _, n := range []int{len(s.b), s.matches, len(s.runs), len(s.lengths), len(s.lower)} {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	for _, column := range [][]byte{s.runs, s.lengths, s.upper, s.middle, s.lower, s.literals} {
		out = append(out, column...)
	}
	return out
}

// recent are the last four distances, newest first: code that comes back often does so at the same distance in parts.
type recent [4]int

func (r *recent) find(distance int) int {
	for slot, d := range r {
		if d == distance {
			return slot
		}
	}
	return -1
}

// use makes the distance of a slot the newest.
func (r *recent) use(slot int) int {
	d := r[slot]
	copy(r[1:slot+1], r[:slot])
	r[0] = d
	return d
}

func (r *recent) add(distance int) {
	copy(r[1:], r[:])
	r[0] = distance
}

var errSqueezed = errors.New("artifact: a module is damaged: its repetitions cannot be put back")

// expand undoes squeeze, or says that b is nothing that squeeze wrote. It writes at most so many bytes.
func expand(b []byte, most int) ([]byte, error) {
	if len(b) < headLength {
		return nil, errSqueezed
	}
	number := func(i int) int { return int(binary.LittleEndian.Uint32(b[4*i:])) }
	size, n, runs, lengths, fresh := number(0), number(1), number(2), number(3), number(4)
	rest := b[headLength:]
	if size > most || runs > len(rest) || lengths > len(rest)-runs || n > len(rest)-runs-lengths || fresh > (len(rest)-runs-lengths-n)/2 {
		return nil, errSqueezed
	}
	run, length := rest[:runs], rest[runs:runs+lengths]
	upper, rest := rest[runs+lengths:][:n], rest[runs+lengths+n:]
	middle, lower, literals := rest[:fresh], rest[fresh:2*fresh], rest[2*fresh:]
	var last recent
	out := make([]byte, 0, size)
	for i := range n {
		before, used := binary.Uvarint(run)
		past, also := binary.Uvarint(length)
		if used <= 0 || also <= 0 || before > uint64(len(literals)) || past > uint64(size) {
			return nil, errSqueezed
		}
		run, length = run[used:], length[also:]
		out, literals = append(out, literals[:before]...), literals[before:]
		at := len(out)
		if slot := 255 - int(upper[i]); slot < len(last) {
			at -= last.use(slot)
		} else if len(lower) == 0 {
			return nil, errSqueezed
		} else {
			last.add(int(upper[i])<<16 | int(middle[0])<<8 | int(lower[0]))
			at, middle, lower = at-last[0], middle[1:], lower[1:]
		}
		if at < 0 || at == len(out) || len(out)+shortest+int(past) > size {
			return nil, errSqueezed
		}
		for k := range shortest + int(past) { // byte by byte: a match may reach into itself
			out = append(out, out[at+k])
		}
	}
	if out = append(out, literals...); len(out) != size {
		return nil, errSqueezed
	}
	return out, nil
}
