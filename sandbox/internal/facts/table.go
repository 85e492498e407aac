package facts

import (
	"bytes"
	"strconv"

	"github.com/figs-web/figs-web/sandbox/report"
)

// table counts a csv file as a spreadsheet would read it.
func table(b []byte) ([]report.Fact, *report.Notice) {
	var l list
	l.add("encoding", encoding(b))
	if bytes.IndexByte(b, 0) >= 0 {
		return l, wrongType("This file is named as CSV but contains NUL bytes, so it is not text.")
	}
	t := counter{comma: delimiter(b), fewest: -1}
	t.read(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")))
	l.add("delimiter", delimiterNames[t.comma])
	l.add("rows", grouped(t.rows))
	columns := grouped(t.most)
	if t.fewest != t.most {
		columns = grouped(t.fewest) + " to " + grouped(t.most)
	}
	l.add("columns", columns)
	formulas := "none"
	if t.formulas > 0 {
		formulas = grouped(t.formulas) + " (begin with = + - @ or a control character; first in row " + grouped(t.firstRow) + ")"
	}
	l.add("cells a spreadsheet may calculate", formulas)
	if t.quoted {
		l.add("quotes", "the last quoted cell is not closed: counts may be wrong")
	}
	return l, nil
}

var delimiterNames = map[byte]string{',': "comma", ';': "semicolon", '\t': "tab", '|': "pipe"}

// delimiter guesses what separates cells: what the first row has most of.
func delimiter(b []byte) byte {
	best, most := byte(','), 0
	for _, c := range []byte(",;\t|") {
		t := counter{comma: c, fewest: -1, limit: 1}
		t.read(b[:min(len(b), 64<<10)])
		if t.most > most {
			best, most = c, t.most
		}
	}
	return best
}

// counter reads cells one after the other and keeps none.
type counter struct {
	comma        byte
	limit        int // rows to read; 0 is all
	rows         int
	fewest, most int // columns
	formulas     int
	firstRow     int // of a formula
	quoted       bool
}

func (t *counter) read(b []byte) {
	columns := 0
	for at := 0; at < len(b) && (t.limit == 0 || t.rows < t.limit); {
		end, next := t.cell(b, at)
		columns++
		if formula(bytes.TrimPrefix(b[at:end], []byte{'"'})) {
			if t.formulas++; t.formulas == 1 {
				t.firstRow = t.rows + 1
			}
		}
		if next < len(b) && b[next-1] == t.comma {
			at = next
			continue
		}
		if b[next-1] == t.comma && end < next { // a comma that ends the file: an empty cell
			columns++
		}
		t.row(columns, bytes.TrimSpace(b[at:end]))
		columns, at = 0, next
	}
}

// row counts a row. An empty line is none.
func (t *counter) row(columns int, last []byte) {
	if columns == 1 && len(last) == 0 {
		return
	}
	t.rows++
	t.most = max(t.most, columns)
	if t.fewest < 0 || columns < t.fewest {
		t.fewest = columns
	}
}

// cell returns where the cell at at ends, and where the next one begins.
func (t *counter) cell(b []byte, at int) (end, next int) {
	i := at
	if b[at] == '"' {
		i = t.closing(b, at+1)
	}
	for ; i < len(b); i++ {
		if b[i] == t.comma || b[i] == '\n' {
			return i, i + 1
		}
		if b[i] == '\r' && (i+1 == len(b) || b[i+1] != '\n') {
			return i, i + 1
		}
	}
	return len(b), len(b)
}

// closing returns where a quoted cell is closed, or the end.
func (t *counter) closing(b []byte, i int) int {
	for i < len(b) {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			break
		}
		i += n + 1
		if i == len(b) || b[i] != '"' {
			return i
		}
		i++
	}
	t.quoted = true
	return len(b)
}

// formula reports whether a spreadsheet may calculate a cell. A signed number is none.
func formula(cell []byte) bool {
	if len(cell) == 0 {
		return false
	}
	switch cell[0] {
	case '=', '@', '\t', '\r':
		return len(bytes.TrimSpace(cell)) > 0
	case '+', '-':
		_, err := strconv.ParseFloat(string(bytes.ReplaceAll(bytes.TrimRight(cell, "\" \r%"), []byte{','}, []byte{'.'})), 64)
		return err != nil && len(cell) > 1
	}
	return false
}
