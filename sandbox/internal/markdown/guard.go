package markdown

import (
	"bytes"

	"github.com/figs-web/figs-web/sandbox/report"
)

// The guard's limits. goldmark is linear on documents within them; beyond them it is quadratic
// in time or memory in one place or another.
const (
	maxMarkers     = 16          // block quotes and list items opened on one line
	maxIndent      = 64          // columns before a list item's marker
	maxSpecials    = 1000        // characters of one block that may open inline markup
	maxCells       = 100_000     // of all tables
	maxDefinitions = 2000        // of link targets
	maxBlock       = 256 << 10   // bytes without a blank line
	maxEscapes     = 2000        // escaped pipes beside code in tables: each is looked for in all
	maxEmpty       = 300_000     // empty lines, each times the lists and quotes that are open: it costs that much
	maxTargets     = 100_000_000 // link targets times the lines of the longest block: each target may move them all
)

// guard reads src once, line by line, and says why goldmark must not read it; nil when it may.
// It knows no context: a line inside a code block counts like any other, so that no trick
// with the ends of code blocks gets past it.
func guard(src []byte) *report.Notice {
	var g lines
	for at := 0; at < len(src); {
		end := len(src)
		if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if why := g.line(src[at:end]); why != "" {
			return &report.Notice{Code: report.TooComplex, Text: why + plainInstead, At: int64(at)}
		}
		at = end
	}
	return nil
}

const plainInstead = " It is shown as plain text."

// lines is what the guard knows of the lines so far.
type lines struct {
	blockLines  int // lines since a blank line
	longest     int // lines of the longest block
	block       int // bytes since a blank line
	columns     int // of the widest delimiter row since a blank line
	cells       int
	definitions int
	escapes     int
	open        int  // at most so many lists and quotes are open
	afterEmpty  bool // the line before is empty
	empty       int  // empty lines times what was open
}

// line takes the next line and returns what is wrong with it.
func (g *lines) line(line []byte) string {
	rest, markers, indent := containers(line)
	switch {
	case markers > maxMarkers:
		return "A line of this Markdown opens more than 16 lists and quotes."
	case indent > maxIndent:
		return "A list in this Markdown is indented by more than 64 columns."
	}
	if len(bytes.TrimSpace(line)) == 0 {
		g.block, g.blockLines, g.columns, g.afterEmpty = 0, 0, 0, true
		if g.empty += g.open; g.empty > maxEmpty {
			return "The lists in this Markdown contain too many empty lines."
		}
		return ""
	}
	g.nesting(line, markers, indent)
	g.definitions += definitions(rest)
	g.countCells(rest)
	g.block += len(line)
	g.blockLines++
	g.longest = max(g.longest, g.blockLines)
	switch {
	case g.block > maxBlock:
		return "A block in this Markdown has more than 256 KiB without an empty line."
	case g.definitions > maxDefinitions:
		return "This Markdown defines more than 2,000 link targets."
	case g.definitions*g.longest > maxTargets:
		return "This Markdown defines many link targets and has a very long paragraph."
	case g.cells > maxCells:
		return "The tables in this Markdown have more than 100,000 cells."
	case g.escapes > maxEscapes:
		return "The tables in this Markdown escape more than 2,000 pipes."
	}
	return ""
}

// nesting notes how many lists and quotes may be open after a line. Only a line at the margin
// after an empty one closes all for certain.
func (g *lines) nesting(line []byte, markers, indent int) {
	if g.afterEmpty && line[0] != ' ' && line[0] != '\t' {
		g.open = 0
	}
	if markers > 0 {
		g.open = max(g.open, markers+indent/2)
	}
	g.afterEmpty = false
}

// countCells adds what a table would make of a line. Rows are filled up to the columns of the
// delimiter row, however short they are.
func (g *lines) countCells(rest []byte) {
	pipes := bytes.Count(rest, []byte{'|'})
	if delimiterRow(rest) {
		g.columns = max(g.columns, pipes+1)
	}
	g.cells += g.columns // of the delimiter row: its header
	if pipes > 0 && bytes.IndexByte(rest, '`') >= 0 {
		g.escapes += bytes.Count(rest, []byte(`\|`))
	}
}

// delimiterRow reports whether a line may be the row below a table's header.
func delimiterRow(line []byte) bool {
	dash := false
	for _, c := range line {
		switch c {
		case '-':
			dash = true
		case '|', ':', ' ', '\t', '\r', '\n', '\v', '\f':
		default:
			return false
		}
	}
	return dash
}

// definitions counts what may define a link target in a line. A definition may hold several
// lines; each has its "]:".
func definitions(line []byte) int { return bytes.Count(line, []byte("]:")) }

// containers skips the quotes and list markers that a line begins with. indent is the most
// columns of white space before one of them.
func containers(line []byte) (rest []byte, markers, indent int) {
	column, gap := 0, 0
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == ' ':
			column, gap = column+1, gap+1
			i++
		case c == '\t':
			wide := 4 - column%4
			column, gap = column+wide, gap+wide
			i++
		case c == '>':
			markers++
			column, gap = column+1, 0
			i++
		default:
			size := listMarker(line[i:])
			if size == 0 {
				return line[i:], markers, indent
			}
			markers++
			indent = max(indent, gap)
			column, gap = column+size, 0
			i += size
		}
	}
	return nil, markers, indent
}

// listMarker returns the length of a list item's marker at the start of s, or 0.
func listMarker(s []byte) int {
	n := 1
	switch c := s[0]; {
	case c == '-' || c == '*' || c == '+':
	case c >= '0' && c <= '9':
		for n < len(s) && n < 10 && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		if n == len(s) || s[n] != '.' && s[n] != ')' {
			return 0
		}
		n++
	default:
		return 0
	}
	if n < len(s) && s[n] != ' ' && s[n] != '\t' && s[n] != '\n' && s[n] != '\r' {
		return 0
	}
	return n
}
