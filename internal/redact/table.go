package redact

import "bytes"

// table reads rows of cells. A column whose head is called like a secret or a telephone holds such, and so does the cell
// beside one that is called so.
type table struct {
	b      []byte
	heads  [][]byte
	known  bool // whether one of the heads is called so
	rows   int
	paired bool // the first row is a pair already, so that it is no head
	found  func(m match)
}

// cell is a stretch of b.
type cell struct{ start, end int }

func (t *table) reset() { t.heads, t.known, t.rows, t.paired = nil, false, 0, false }

// row takes a row.
func (t *table) row(cells []cell) {
	t.rows++
	var label []byte
	for k, c := range cells {
		text := t.b[c.start:c.end]
		if label != nil {
			t.look(label, c)
		}
		if t.known && k < len(t.heads) && t.heads[k] != nil {
			t.look(t.heads[k], c)
		}
		label = nil
		if len(text) <= 60 && callable(text) {
			label = text
		}
		if t.rows == 1 {
			t.heads = append(t.heads, label)
			t.known = t.known || label != nil
		}
	}
	if t.rows == 1 && t.paired {
		t.heads, t.known = nil, false
	}
}

func (t *table) look(label []byte, c cell) {
	if m := field(label, t.b[c.start:c.end], false); m.end > 0 {
		m.start, m.end = m.start+c.start, m.end+c.start
		t.paired = t.paired || t.rows == 1
		t.found(withEntities(m, t.b))
	}
}

// tables finds what stands in the tables of a text: a file of rows, or one of Markdown or HTML.
func tables(v *view, found func(m match)) {
	t := &table{b: v.text, found: found}
	if v.csv {
		t.csv()
	}
	if v.md {
		t.markdown()
	}
	if v.html {
		t.html()
	}
}

const longestCell = 16 << 10

// csv reads values between commas, semicolons or tabs.
func (t *table) csv() {
	b := t.b
	first := b
	if end := bytes.IndexByte(b, '\n'); end >= 0 {
		first = b[:end]
	}
	comma, most := byte(','), 0
	for _, c := range []byte(",;\t|") {
		if n := bytes.Count(first, []byte{c}); n > most {
			comma, most = c, n
		}
	}
	var cells []cell
	for i := 0; i < len(b); {
		start := i
		if b[i] == '"' {
			end := i + 1
			for ; end < len(b) && end < i+longestCell; end++ {
				if b[end] != '"' {
					continue
				}
				if at(b, end+1) != '"' {
					break
				}
				end++
			}
			if c := at(b, end+1); at(b, end) == '"' && (c == comma || c == '\n' || c == '\r' || c == 0) {
				cells = append(cells, cell{i + 1, end})
				i = end + 1
			}
		}
		if i == start {
			for i < len(b) && b[i] != comma && b[i] != '\n' {
				i++
			}
			cells = append(cells, trimCell(b, start, i))
		}
		if i < len(b) && b[i] == '\r' {
			i++
		}
		if i >= len(b) || b[i] == '\n' {
			t.row(cells)
			cells = cells[:0]
		}
		i++
	}
	if len(cells) > 0 {
		t.row(cells)
	}
}

// markdown reads rows between bars, below a line of dashes.
func (t *table) markdown() {
	b := t.b
	var above []byte
	aboveAt, inside := 0, false
	for at := 0; at < len(b); {
		end := len(b)
		if n := bytes.IndexByte(b[at:], '\n'); n >= 0 {
			end = at + n
		}
		line := b[at:end]
		switch bars := bytes.IndexByte(line, '|') >= 0; {
		case !inside && bars && dashes(line) && bytes.IndexByte(above, '|') >= 0:
			t.reset()
			t.row(barred(b, aboveAt, aboveAt+len(above)))
			inside = true
		case inside && bars:
			t.row(barred(b, at, end))
		default:
			inside = false
		}
		above, aboveAt, at = line, at, end+1
	}
}

func dashes(line []byte) bool {
	return bytes.IndexByte(line, '-') >= 0 && ruler.run(line, 0, len(line)) == len(line)
}

var ruler = setOf(" |:\r\t-")

// barred are the cells of a line.
func barred(b []byte, from, to int) (cells []cell) {
	start := from
	for i := from; i <= to; i++ {
		if i < to && (b[i] != '|' || i > from && b[i-1] == '\\') {
			continue
		}
		if i > from || i < to && b[i] != '|' {
			cells = append(cells, trimCell(b, start, i))
		}
		start = i + 1
	}
	return cells
}

// trimCell is a cell without white space, and without what marks code or bold.
func trimCell(b []byte, start, end int) cell {
	for start < end && (b[start] <= ' ' || b[start] == '`') {
		start++
	}
	for end > start && (b[end-1] <= ' ' || b[end-1] == '`') {
		end--
	}
	if end-start > 4 && bytes.HasPrefix(b[start:end], []byte("**")) && bytes.HasSuffix(b[start:end], []byte("**")) {
		start, end = start+2, end-2
	}
	return cell{start, end}
}

// html reads the cells of tables.
func (t *table) html() {
	b := t.b
	var cells []cell
	open := -1
	closeCell := func(at int) {
		if open >= 0 {
			cells = append(cells, t.content(open, at))
		}
		open = -1
	}
	closeRow := func(at int) {
		closeCell(at)
		if len(cells) > 0 {
			t.row(cells)
		}
		cells = cells[:0]
	}
	for i := 0; i < len(b); {
		n := bytes.IndexByte(b[i:], '<')
		if n < 0 {
			break
		}
		i += n
		j := i + 1
		close := at(b, j) == '/'
		if close {
			j++
		}
		if at(b, j)|0x20 != 't' {
			i++
			continue
		}
		end := alnum.run(b, j, 8)
		name := string(bytes.ToLower(b[j:end]))
		switch name {
		case "td", "th":
			closeCell(i)
			if !close {
				if e := bytes.IndexByte(b[i:min(len(b), i+longestTag)], '>'); e > 0 {
					open = i + e + 1
				}
			}
		case "tr":
			closeRow(i)
		case "table":
			closeRow(i)
			t.reset()
		}
		i = end
	}
	closeRow(len(b))
}

// content is the text of a cell, without the tags around it.
func (t *table) content(start, end int) cell {
	end = min(end, start+longestCell)
	for start < end && (t.b[start] <= ' ' || t.b[start] == '<') {
		if t.b[start] == '<' {
			_, n := tag(t.b[:end], start)
			if n == 0 {
				break
			}
			start += n
			continue
		}
		start++
	}
	for i := start; i < end; i++ {
		if t.b[i] == '<' && knownTag(t.b, i) {
			end = i
			break
		}
	}
	return trimCell(t.b, start, end)
}
