package figs

// layout gathers how the lines of a ledger that were set aside lie in the file, so that one finding can name what makes the
// ledger as a whole unreadable.
type layout struct {
	first         byte // of the first line that was set aside
	depth         int  // of braces and brackets that are open
	values        int  // that were closed at depth 0
	returns       int  // values that follow another one after a carriage return
	bytes, zeroes int
	odd           bool // something else than objects and arrays
}

// add takes the text of a line that was set aside.
func (s *layout) add(text []byte) {
	if s.bytes == 0 && len(text) > 0 {
		s.first = text[0]
	}
	s.bytes += len(text)
	quoted, before, after := false, byte(0), s.values
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == 0:
			s.zeroes++
			s.odd = true
		case quoted:
			if c == '\\' {
				i++
			}
			quoted = c != '"'
		case c == '"':
			quoted = true
			s.odd = s.odd || s.depth == 0
		case c == '{', c == '[':
			if s.depth == 0 && s.values > after && before == '\r' {
				s.returns++
			}
			s.depth++
		case c == '}', c == ']':
			if s.depth--; s.depth == 0 {
				s.values++
			}
			s.odd = s.odd || s.depth < 0
		case s.depth == 0 && c != ' ' && c != '\t' && c != '\r':
			s.odd = true
		}
		before = c
	}
	s.odd = s.odd || quoted
}

// misshape is what makes a ledger as a whole unreadable.
type misshape uint8

const (
	wellShaped misshape = iota
	spreadOver          // objects over several lines
	inArray
	returnsOnly // lines end in CR
	wideText    // UTF-16 without a byte order mark
)

// misshape finds what makes a ledger as a whole unreadable; none where the lines are broken one by one.
func (f *Folder) misshape(file File) misshape {
	l := &f.ledgers[file]
	s := &l.layout
	switch {
	case s.bytes == 0 || !f.Unread(file):
		return wellShaped
	case 3*s.zeroes > s.bytes:
		return wideText
	case s.odd || s.depth != 0 || s.values == 0:
		return wellShaped
	case s.first == '[':
		return inArray
	case s.returns > 0 && s.returns == s.values-1:
		return returnsOnly
	case s.returns == 0 && s.first == '{' && s.values < l.lines.n:
		return spreadOver
	}
	return wellShaped
}

// explain puts what makes the ledger unreadable into the one finding about it.
func (f *Folder) explain(d *Finding, file File, m misshape) {
	l := &f.ledgers[file]
	d.Expected = "one JSON object a line"
	switch m {
	case wideText:
		d.Message, d.Hint, d.Expected = "This file is UTF-16 without a byte order mark, so no client can read it.", texts[FileUTF16].hint, "UTF-8"
	case inArray:
		d.Message, d.Hint = "This file is a JSON array, and a ledger has no brackets around its lines.", "Remove the [ ] and the commas: one object per line."
	case returnsOnly:
		d.Message, d.Hint = "Lines in this file end in CR only, so all of it is one line.", "End every line with LF or CR LF."
	case spreadOver:
		d.Hint = "A ledger has one object per line."
		switch n := itoa(l.height()); {
		case l.recs.n > 0:
			d.Message = "JSON objects in this file are spread over several lines, so most lines could not be read."
		case l.layout.values == 1:
			d.Message = "This file is one JSON object spread over " + n + " lines."
		default:
			d.Message = "This file has " + itoa(l.layout.values) + " JSON objects spread over " + n + " lines."
		}
	}
}

// height is the number of the last line.
func (l *ledger) height() int {
	if l.broken > maxBroken { // of the last ones only the first has a number
		return int(l.lineNo)
	}
	return int(l.line(l.lines.n - 1).no)
}

// misshapes finds, for each ledger that is unreadable as a whole, why, and which of the findings in order speaks for all: the
// first about a line that was set aside.
func (f *Folder) misshapes(order []int) (why [Ledgers]misshape, speaks [Ledgers]int) {
	for file := range File(Ledgers) {
		why[file], speaks[file] = f.misshape(file), -1
	}
	for _, i := range order {
		p := &f.pend[i]
		if p.file < Ledgers && why[p.file] != wellShaped && speaks[p.file] < 0 && (p.code == LineBroken || p.code == LineNotObject) {
			speaks[p.file] = i
		}
	}
	for file := range speaks {
		if speaks[file] < 0 {
			why[file] = wellShaped
		}
	}
	return why, speaks
}

// layoutOf is the layout of the first n lines.
func (l *ledger) layoutOf(n int) (s layout) {
	if l.layout.bytes == 0 {
		return s
	}
	for i := range n {
		if ln := l.line(i); ln.rec == noRecord && ln.code != LineTooLong {
			s.add(l.bytes(ln.off(), int(ln.len)))
		}
	}
	return s
}

// isWide reports whether a text is UTF-16, by its mark or by the zero byte of its first character.
func isWide(b []byte) bool {
	return len(b) > 1 && (b[0] == 0xFF && b[1] == 0xFE || b[0] == 0xFE && b[1] == 0xFF || (b[0] == 0) != (b[1] == 0))
}
