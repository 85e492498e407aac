package agentfile

import (
	"bytes"
	"io"
	"strings"
)

// causes are what the library says of a text that is no YAML, and how we say it. The first that fits counts.
var causes = [...][2]string{
	{"exceeded max depth", "it nests deeper than 1,000 levels"},
	{tab, "a tab indents this line, and YAML allows only spaces"},
	{"mapping values are not allowed", "a colon is where none is allowed: put text that contains “: ” in quotes, or fix the indentation"},
	{"could not find expected ':'", "a key has no colon, or a text goes on where none may"},
	{"found unexpected end of stream", "a quoted text has no end"},
	{"found unexpected document indicator", "a quoted text has no end"},
	{"unknown escape character", "a backslash in double quotes is followed by a character that has no meaning there; use single quotes"},
	{"expected ',' or ']'", "a list in brackets has no end, or lacks a comma"},
	{"expected ',' or '}'", "a mapping in braces has no end, or lacks a comma"},
	{"cannot start any token", "a text begins with a character that needs quotes, such as @, ` or the percent sign"},
	{"expected '-' indicator", "this line fits into no list; look at its indentation and its dash"},
	{"expected key", "this line fits into no mapping; look at its indentation, its colon and its quotes"},
	{"expected node content", "a value is missing here"},
	{"block sequence entries are not allowed", "a dash starts a list where none is allowed; start it on a new line"},
	{"unknown anchor", "an alias names an anchor that is not there"},
	{"alphabetic or numeric character", "a text begins with & or *, which needs quotes"},
	{"directive", "a line that begins with a percent sign is not a directive that YAML knows"},
	{"tag", "a text begins with !, which needs quotes"},
	{"block scalar", "the block of text that begins here is not indented evenly"},
	{"comment or line break", "something follows | or > on the line that starts a block of text"},
	{"incompatible YAML document", "it says that it is of another version of YAML"},
	{"gave up", "the reader gave up on it"},
}

// tab is what the library says of most tabs that indent a line; of the others it says that they begin nothing.
const tab = "tab character"

// explain says in our words what the library found in a line.
func (s *source) explain(problem string, line int) string {
	if row := s.lines[max(line, 1)-1:]; strings.Contains(problem, "cannot start any token") {
		begins := s.content[row[0]:]
		if blank := begins[:len(begins)-len(bytes.TrimLeft(begins, " \t"))]; bytes.IndexByte(blank, '\t') >= 0 {
			problem = tab
		}
	}
	for _, c := range causes {
		if strings.Contains(problem, c[0]) {
			return c[1]
		}
	}
	return "its structure cannot be told"
}

// problem is what the library says, without the line. That is often the beginning of what it was in, a list or the
// whole file, and is counted in two ways.
func problem(err error) string {
	if err == nil {
		return ""
	}
	said := strings.TrimPrefix(err.Error(), "yaml: ")
	if strings.HasPrefix(said, "line ") {
		if _, rest, found := strings.Cut(said, ": "); found {
			return rest
		}
	}
	return said
}

// Looking for the line costs another reading for each line that it is looked for in.
const (
	mostBack     = 20
	mostSearched = 64 << 10
)

// failed is the line, from 1, with which the problem comes into the text; 0 is the file as a whole. The library looks
// ahead, so the line in which it stopped is the last that it can be.
func (s *source) failed(what string) int {
	if strings.HasPrefix(what, "exceeded max depth") {
		return 0
	}
	f := &feeder{text: s.text}
	_, _ = decode(f)
	read := s.text[:f.read]
	line := 1 + bytes.Count(bytes.TrimSuffix(read, []byte("\n")), []byte("\n"))
	for back := 0; back < mostBack && line > 1 && len(read) <= mostSearched; back++ {
		read = read[:1+bytes.LastIndexByte(bytes.TrimSuffix(read, []byte("\n")), '\n')]
		if _, err := decode(bytes.NewReader(read)); problem(err) != what {
			break
		}
		line--
	}
	return line
}

// feeder hands out one byte at a time, and knows how many the library has asked for.
type feeder struct {
	text []byte
	read int
}

func (f *feeder) Read(p []byte) (int, error) {
	if f.read == len(f.text) {
		return 0, io.EOF
	}
	p[0] = f.text[f.read]
	f.read++
	return 1, nil
}
