package dense

// The description of a stream: seven bits say how many tables there are. The lengths of their codes stand one table after the other as
// symbols of a code of its own, whose lengths are 15 numbers of four bits: 0 to 12 are lengths, 13 is three zeros and as many more as
// three bits say, 14 is eleven and as many more as seven bits say; zeros do not go on into the next table. Then comes which
// context has which table: the lengths of the code (four bits each, one more than there are tables), and for each segment and context
// the symbol 0 for the table of the same context a segment before (in the first: of the context before, at first table 0), or
// 1 + the table.

const (
	lengthSymbols        = maxBits + 3
	fewZeros, manyZeros  = maxBits + 1, maxBits + 2
	fewBits, manyBits    = 3, 7
	leastFew, leastMany  = 3, leastFew + 1<<fewBits
	tableBits, codeBits4 = 7, 4
)

// writer collects bits, the lowest of each byte first.
type writer struct {
	out  []byte
	bits uint64
	n    int
}

func (w *writer) plain(bits, n int) {
	w.bits |= uint64(bits) << w.n
	for w.n += n; w.n >= 8; w.n -= 8 {
		w.out = append(w.out, byte(w.bits))
		w.bits >>= 8
	}
}

func (w *writer) end() []byte {
	if w.n > 0 {
		w.out = append(w.out, byte(w.bits))
	}
	return w.out
}

// write puts the description.
func (b *book) write(w *writer) {
	w.plain(len(b.tables), tableBits)
	counts := make([]int, lengthSymbols)
	for _, lengths := range b.tables {
		said(lengths, func(symbol, _, _ int) { counts[symbol]++ })
	}
	shape := codeLengths(counts)
	for _, n := range shape {
		w.plain(int(n), codeBits4)
	}
	codes := codesOf(shape)
	for _, lengths := range b.tables {
		said(lengths, func(symbol, bits, n int) {
			w.plain(int(codes[symbol]), int(shape[symbol]))
			w.plain(bits, n)
		})
	}
	symbols := make([]int, len(b.of))
	counts = make([]int, len(b.tables)+1)
	for i, table := range b.of {
		if symbols[i] = table + 1; table == b.likely(i) {
			symbols[i] = 0
		}
		counts[symbols[i]]++
	}
	shape = codeLengths(counts)
	for _, n := range shape {
		w.plain(int(n), codeBits4)
	}
	codes = codesOf(shape)
	for _, symbol := range symbols {
		w.plain(int(codes[symbol]), int(shape[symbol]))
	}
}

// likely is the table that a context has if nothing else is said.
func (b *book) likely(i int) int {
	switch {
	case i >= b.contexts:
		return b.of[i-b.contexts]
	case i > 0:
		return b.of[i-1]
	}
	return 0
}

// said calls symbol for the lengths of one table.
func said(lengths []uint8, symbol func(symbol, bits, n int)) {
	for i := 0; i < len(lengths); {
		zeros := 0
		for i+zeros < len(lengths) && lengths[i+zeros] == 0 {
			zeros++
		}
		switch {
		case zeros >= leastMany:
			zeros = min(zeros, leastMany+1<<manyBits-1)
			symbol(manyZeros, zeros-leastMany, manyBits)
		case zeros >= leastFew:
			symbol(fewZeros, zeros-leastFew, fewBits)
		default:
			zeros = 1
			symbol(int(lengths[i]), 0, 0)
		}
		i += zeros
	}
}

// put writes one symbol.
func (b *book) put(w *writer, segment, context, symbol int) {
	table := b.of[segment*b.contexts+context]
	w.plain(int(b.codes[table][symbol]), int(b.tables[table][symbol]))
}
