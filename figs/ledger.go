package figs

import "github.com/figs-web/figs-web/figs/jsonl"

const (
	// MaxLine is the longest line that is read, in bytes; a longer one is set aside.
	MaxLine = 64 << 20
	// MaxRecord is the longest line that a hosted reader takes, in bytes.
	MaxRecord = 1 << 20
	// MaxLines is how many lines of one ledger are read; the rest is set aside.
	MaxLines = 16 << 20
	// maxBroken is how many broken lines stand alone; later neighbours are set aside together.
	maxBroken = 10_000
)

// record is the fold of the lines with one id, as far as rules need it.
type record struct {
	id          sym
	first, last uint32 // lines
	count       uint32
	truth       uint32 // by key: the folded value is true for JavaScript
	pend        int32  // newest pending finding, plus one
	status      uint8  // code of the folded value, 0: default
	kind        uint8  // type of an ask, state of a run, kind of a message
	ext         uint32 // index of the ask's or message's further facts
	lastTS      int64
}

// ledger is one of the three files of lines.
type ledger struct {
	file    File
	keep    bool
	chunks  []chunk
	size    int64
	lines   pages[line]
	indents []indent // of indented lines, in their order
	recs    pages[record]
	ids     symbols
	carry   []byte
	begun   int64 // offset of carry's first byte
	lineNo  uint32
	broken  int
	skips   int64 // bytes of an overlong line passed so far; 0: not in one
	full    bool  // MaxLines reached or no text at all: all further bytes are set aside
	aside   int   // the line that collects set-aside bytes, plus one
	apart   int   // lines that were set aside
	utf16   bool
	tornEnd bool // the last line so far is incomplete
	layout  layout

	plan      jsonl.Plan
	spellings []*spelling          // by their number in plan
	lost      [LineUTF8Invalid]int // findings about lines set aside that were only counted, by code
}

type chunk struct {
	off int64
	b   []byte
}

// feed takes the next bytes of the file. scan is called for each piece of whole lines.
func (l *ledger) feed(f *Folder, b []byte) {
	if len(b) == 0 {
		return
	}
	start := l.size
	l.size += int64(len(b))
	if l.keep {
		l.chunks = append(l.chunks, chunk{start, b})
	}
	if start < 2 && l.size >= 2 && l.isUTF16(b) {
		l.utf16 = true
		l.full = true
		f.note(FileUTF16, l.file)
		start, l.carry = 0, nil
	}
	if l.full {
		l.setAside(start, l.size-start)
		return
	}
	if l.skips > 0 || len(l.carry) > 0 {
		n := jsonl.IndexNewline(b) + 1
		if n == 0 {
			l.hold(b)
			return
		}
		l.hold(b[:n])
		l.endCarried(f)
		start += int64(n)
		b = b[n:]
	}
	if n := lastNewline(b) + 1; n > 0 {
		l.scan(f, b[:n], start, false)
		start += int64(n)
		b = b[n:]
	}
	if len(b) > 0 && !l.full {
		l.begun = start
		l.hold(b)
	}
}

// isUTF16 reports whether the file begins with a mark of UTF-16; b holds its second byte.
func (l *ledger) isUTF16(b []byte) bool {
	if len(l.carry) == 1 {
		b = []byte{l.carry[0], b[0]}
	}
	return len(b) > 1 && (b[0] == 0xFF && b[1] == 0xFE || b[0] == 0xFE && b[1] == 0xFF)
}

// hold keeps the beginning of a line for the next feed, or counts it when it grew too long.
//
//go:noinline
func (l *ledger) hold(b []byte) {
	switch {
	case l.skips > 0:
		l.skips += int64(len(b))
	case len(l.carry)+len(b) > MaxLine+4096: // room for white space around the text
		l.skips = int64(len(l.carry) + len(b))
		l.carry = nil
	default:
		l.carry = append(l.carry, b...)
	}
}

// endCarried reads the line that hold collected.
func (l *ledger) endCarried(f *Folder) {
	if l.skips > 0 {
		l.lineNo++
		n := l.skips
		l.skips = 0
		l.setBroken(f, LineTooLong, l.begun, n, 0, 0)
		return
	}
	b := l.carry
	l.carry = l.carry[:0]
	l.scan(f, b, l.begun, false)
	if cap(l.carry) > 4<<20 {
		l.carry = nil
	}
}

// end reads what stands after the last newline and judges the last line.
func (l *ledger) end(f *Folder) {
	if l.skips > 0 {
		l.endCarried(f)
	}
	if len(l.carry) > 0 {
		b := append(l.carry, '\n')
		l.carry = nil
		l.scan(f, b, l.begun, true)
	}
	l.judgeEnd(f)
}

// scan reads every line of b, which ends in a newline and starts at off in the file.
func (l *ledger) scan(f *Folder, b []byte, off int64, unterminated bool) {
	s := &f.scanner
	var ln jsonl.Line
	safe := -1 // lines that begin up to here may be followed
	if len(b) > jsonl.Slack && !f.opt.noPlans {
		safe = lastNewline(b[:len(b)-jsonl.Slack])
	}
	for i := 0; i < len(b); {
		begin := i
		var known *spelling
		if i <= safe {
			if n, ok := s.Follow(&ln, &l.plan, b, i); ok {
				known = l.spellings[n]
			}
		}
		if known == nil {
			ln = s.Scan(b, i)
		}
		i = ln.Next
		l.lineNo++
		if ln.Status == jsonl.Blank {
			continue
		}
		if l.lines.n >= MaxLines {
			l.full = true
			f.note(LedgerTooLarge, l.file).line = l.lineNo
			l.setAside(off+int64(ln.Start), int64(len(b)-ln.Start))
			return
		}
		start := off + int64(ln.Start)
		if ln.End-ln.Start > MaxLine {
			l.setBroken(f, LineTooLong, start, int64(ln.End-ln.Start), 0, ln.Start-begin)
			continue
		}
		if ln.Status != jsonl.Whole {
			l.layout.add(b[ln.Start:ln.End])
			l.setBroken(f, brokenCode[ln.Status], start, int64(ln.End-ln.Start), max(0, ln.At-ln.Start), ln.Start-begin)
			continue
		}
		if l.tornEnd {
			l.settleTorn(f)
		}
		f.take(l, b, begin, &ln, start, unterminated, known)
	}
}

var brokenCode = [...]Code{jsonl.NotObject: LineNotObject, jsonl.Incomplete: LineTorn, jsonl.Broken: LineBroken, jsonl.TooDeep: LineTooDeep}

// setBroken sets one line aside. at is where reading failed, counted from the trimmed text,
// which stands indent bytes into the line. Whether an incomplete line is torn or broken is
// known when the next line comes, or none.
func (l *ledger) setBroken(f *Folder, code Code, off, n int64, at, indent int) {
	if l.tornEnd {
		l.settleTorn(f)
	}
	l.broken++
	if l.broken > maxBroken && l.lines.n > 0 {
		if last := l.lines.at(l.lines.n - 1); last.rec == noRecord && off+n-last.off() < 1<<32 {
			last.len = uint32(off + n - last.off())
			last.flags = 0
			if code == LineTorn {
				code = LineBroken // nobody can tell any more which one is the last
			}
			f.count(code)
			l.lost[code]++
			return
		}
	}
	l.apart++
	l.addAside(line{len: uint32(n), code: code}, off)
	l.noteIndent(indent)
	if code == LineTorn {
		l.lines.at(l.lines.n - 1).flags = lineCut
		l.tornEnd = true
		return
	}
	p := f.note(code, l.file)
	if p == &f.spare {
		l.lost[code]++
	}
	p.line, p.off = l.lineNo, off+int64(at)
	p.col, p.end = uint32(indent+at+1), uint32(int64(indent)+min(int64(at)+2, n+1))
}

// addAside adds a line that is set aside and returns its index.
func (l *ledger) addAside(ln line, off int64) int {
	ln.ts, ln.no, ln.rec = NoTime, l.lineNo, noRecord
	ln.setOff(off)
	return l.lines.add(ln)
}

// settleTorn makes an incomplete line that turned out not to be the last a broken one.
func (l *ledger) settleTorn(f *Folder) {
	l.tornEnd = false
	last := l.lines.at(l.lines.n - 1)
	last.code = LineBroken
	l.reportEnd(f, LineBroken)
}

// judgeEnd reports a torn last line.
func (l *ledger) judgeEnd(f *Folder) {
	if !l.tornEnd {
		return
	}
	l.reportEnd(f, LineTorn)
}

// reportEnd adds a finding at the end of the last line.
func (l *ledger) reportEnd(f *Folder, code Code) {
	last := l.lines.at(l.lines.n - 1)
	col := l.indent(l.lines.n-1) + last.len + 1
	p := f.note(code, l.file)
	if p == &f.spare {
		l.lost[code]++
	}
	p.line, p.col, p.end, p.off = last.no, col, col, last.off()+int64(last.len)
	p.value = itoa(int(last.len))
}

// setAside counts bytes that are kept and not read, as one long line.
func (l *ledger) setAside(off, n int64) {
	l.lineNo++
	for n > 0 {
		part := min(n, 1<<31)
		if l.aside > 0 {
			if last := l.lines.at(l.aside - 1); last.off()+int64(last.len) == off && int64(last.len)+part < 1<<32 {
				last.len += uint32(part)
				off, n = off+part, n-part
				continue
			}
		}
		code := LedgerTooLarge
		if l.utf16 {
			code = FileUTF16
		}
		l.apart++
		l.aside = l.addAside(line{len: uint32(part), code: code}, off) + 1
		off, n = off+part, n-part
	}
}

// bytes returns the kept bytes of the file from off on; nil when they were not kept. Bytes
// that span chunks are copied.
func (l *ledger) bytes(off int64, n int) []byte {
	if len(l.chunks) == 0 || n < 0 {
		return nil
	}
	lo, hi := 0, len(l.chunks)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; l.chunks[mid].off <= off {
			lo = mid
		} else {
			hi = mid
		}
	}
	c := l.chunks[lo]
	if at := int(off - c.off); at+n <= len(c.b) {
		return c.b[at : at+n : at+n]
	}
	b := make([]byte, 0, n)
	for ; lo < len(l.chunks) && len(b) < n; lo++ {
		c = l.chunks[lo]
		at := int(off + int64(len(b)) - c.off)
		if at >= len(c.b) {
			break
		}
		b = append(b, c.b[at:min(len(c.b), at+n-len(b))]...)
	}
	return b
}

// lastNewline returns the index of the last newline, or -1.
func lastNewline(b []byte) int {
	i := len(b) - 1
	for i >= 0 && b[i] != '\n' {
		i--
	}
	return i
}
