package dense

import "encoding/binary"

// Unpack undoes Pack. It writes at most so many bytes, and says when b is nothing that Pack wrote.
func Unpack(b []byte, most int) ([]byte, error) {
	if len(b) < 4 || int64(binary.LittleEndian.Uint32(b)) > int64(most) {
		return nil, errDamaged
	}
	size := int(binary.LittleEndian.Uint32(b))
	u := &unpacker{b: b[4:]}
	var s [streams]decoder
	for i, shape := range shapes {
		s[i] = u.decoder(shape, segmentsOf(size))
	}
	var out []byte
	var last recent
	before := 0
	for len(out) < size && !u.bad {
		segment := len(out) >> segmentBits
		run := u.number(u.symbol(&s[runs], segment, before))
		if run > size-len(out) {
			return nil, errDamaged
		}
		for k := range run {
			out = append(out, byte(u.symbol(&s[literals], len(out)>>segmentBits, contextOf(out, k, last[0]))))
		}
		if u.bad || len(out) == size {
			break
		}
		distance := u.symbol(&s[distances], segment, before)
		if distance < 4 {
			last.use(last[distance])
		} else {
			last.use(int32(u.apart(distance)))
		}
		before = known(distance < 4)
		length := shortest + u.number(u.symbol(&s[lengths], segment, kind(distance)))
		at := len(out) - int(last[0])
		if at < 0 || at == len(out) || length > size-len(out) {
			return nil, errDamaged
		}
		for k := range length { // byte by byte: a match may reach into itself
			out = append(out, out[at+k])
		}
	}
	if u.bad {
		return nil, errDamaged
	}
	return out, nil
}

// contextOf is that of a literal which has so many others of its sequence before it.
func contextOf(out []byte, run int, distance int32) int {
	switch {
	case len(out) == 0:
		return 0
	case run == 0 && distance > 0:
		return 256 + int(out[len(out)-int(distance)])
	}
	return int(out[len(out)-1])
}

// unpacker reads bits. Past the end everything reads as zeros, and bad says so.
type unpacker struct {
	b    []byte
	bits uint64
	n    int
	bad  bool
}

func (u *unpacker) fill() {
	for u.n <= 32 {
		if len(u.b) > 0 {
			u.bits |= uint64(u.b[0]) << u.n
			u.b = u.b[1:]
		} else if u.n < -64 {
			u.bad = true
			return
		}
		u.n += 8
	}
}

func (u *unpacker) plain(n int) int {
	u.fill()
	v := int(u.bits & (1<<n - 1))
	u.bits >>= n
	u.n -= n
	return v
}

// decoder is a stream's tables: by the next maxBits bits a symbol and the length of its code.
type decoder struct {
	contexts int
	tables   [][]uint16
	of       []int
}

// table makes one of the lengths of codes. What is no code reads as symbol 0 and bad.
func (u *unpacker) table(lengths []uint8) []uint16 {
	table := make([]uint16, 1<<maxBits)
	sum := 0
	for _, n := range lengths {
		if n > 0 {
			sum += 1 << (maxBits - n)
		}
	}
	if sum > 1<<maxBits {
		u.bad = true
		return table
	}
	for symbol, code := range codesOf(lengths) {
		n := lengths[symbol]
		for at := int(code); n > 0 && at < len(table); at += 1 << n {
			table[at] = uint16(symbol)<<4 | uint16(n)
		}
	}
	return table
}

func (u *unpacker) code(table []uint16) int {
	u.fill()
	entry := table[u.bits&(1<<maxBits-1)]
	n := int(entry & 15)
	if n == 0 {
		u.bad = true
	}
	u.bits >>= n
	u.n -= n
	return int(entry >> 4)
}

func (u *unpacker) symbol(d *decoder, segment, context int) int {
	return u.code(d.tables[d.of[segment*d.contexts+context]])
}

// small reads the lengths of a code that itself stands before something.
func (u *unpacker) small(n int) []uint16 {
	lengths := make([]uint8, n)
	for i := range lengths {
		if lengths[i] = uint8(u.plain(codeBits4)); lengths[i] > maxBits {
			u.bad, lengths[i] = true, 0
		}
	}
	return u.table(lengths)
}

func (u *unpacker) decoder(s shape, segments int) decoder {
	d := decoder{contexts: s.contexts, of: make([]int, segments*s.contexts)}
	n := u.plain(tableBits)
	if n == 0 {
		u.bad, n = true, 1
	}
	said := u.small(lengthSymbols)
	for range n {
		lengths := make([]uint8, s.symbols)
		for i := 0; i < len(lengths); i++ {
			switch symbol := u.code(said); symbol {
			case fewZeros:
				i += leastFew + u.plain(fewBits) - 1
			case manyZeros:
				i += leastMany + u.plain(manyBits) - 1
			default:
				lengths[i] = uint8(symbol)
			}
		}
		d.tables = append(d.tables, u.table(lengths))
	}
	said = u.small(n + 1)
	b := book{shape: s, of: d.of}
	for i := range d.of {
		d.of[i] = b.likely(i)
		if symbol := u.code(said); symbol > 0 {
			d.of[i] = symbol - 1
		}
	}
	return d
}

func (u *unpacker) number(symbol int) int {
	if symbol < plain {
		return symbol
	}
	bits := (symbol-plain)/2 + 3
	return (2+symbol&1)<<bits | u.plain(bits)
}

func (u *unpacker) apart(symbol int) int {
	if symbol -= 4; symbol < 2 {
		return 1
	}
	bits := symbol/2 - 1
	return (2+symbol&1)<<bits | u.plain(bits)
}
