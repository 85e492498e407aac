package figs

// line is one line that is not blank, or several broken ones set aside together. Large folders have millions: it takes 32 bytes.
type line struct {
	ts       int64  // microseconds, or NoTime
	offset   uint32 // of the trimmed text, in the file: the lower bits,
	offsetHi uint16 // and the upper ones
	code     Code   // why it is set aside
	flags    lineFlags
	len      uint32
	no       uint32 // 1-based
	rec      uint32 // noRecord when set aside
	prev     uint32 // the record's line before this one, plus one; 0: none
}

// off is where the trimmed text begins in the file.
func (ln *line) off() int64 { return int64(ln.offsetHi)<<32 | int64(ln.offset) }

func (ln *line) setOff(off int64) { ln.offset, ln.offsetHi = uint32(off), uint16(off>>32) }

// indent is how many bytes a line has before its trimmed text. Few lines have any.
type indent struct{ line, n uint32 }

// noteIndent notes the indent of the newest line, if it has any.
func (l *ledger) noteIndent(n int) {
	if n > 0 {
		l.indents = append(l.indents, indent{uint32(l.lines.n - 1), uint32(n)})
	}
}

// indent is how many bytes a line has before its trimmed text.
func (l *ledger) indent(i int) uint32 {
	lo, hi := 0, len(l.indents)
	for lo < hi {
		if mid := (lo + hi) / 2; int(l.indents[mid].line) < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(l.indents) && int(l.indents[lo].line) == i {
		return l.indents[lo].n
	}
	return 0
}

// place is the place in the file of a value with known columns.
func (l *ledger) place(s spot) int64 {
	i := int(s.line)
	return l.line(i).off() - int64(l.indent(i)) + int64(s.col) - 1
}

const noRecord = ^uint32(0)

type lineFlags uint8

const (
	lineRaises    lineFlags = 1 << iota // asks: a raise line (§6)
	lineReopens                         // asks: sets status open after a close
	lineCloses                          // asks: sets a closed status
	lineFirst                           // messages: the event that counts
	lineNamesFile                       // names an attachment
	lineCut                             // ends too early: torn, as long as it is the last
	lineFlies                           // runs: leaves the job in flight
	lineFolded                          // asks: the first version of a store, in which lines before it may be folded

	lineChanges = lineFirst // asks: changes the request; for lines without a type
)
