package agentfile

import (
	"strconv"
	"strings"
)

// causes are what the library says of a text that is no YAML, and how we say it. The first that fits counts.
var causes = [...][2]string{
	{"exceeded max depth", "it nests deeper than 10,000 levels"},
	{"tab character", "a tab indents this line, and YAML allows only spaces"},
	{"mapping values are not allowed", "a colon stands where none may be: put text with “: ” in quotes, or mend the indentation"},
	{"could not find expected ':'", "a key without a colon"},
	{"found unexpected end of stream", "a quoted text has no end"},
	{"found unexpected document indicator", "a quoted text has no end"},
	{"unknown escape character", "after a backslash in double quotes stands a character that means nothing there; use single quotes"},
	{"expected ',' or ']'", "a list in brackets has no end, or lacks a comma"},
	{"expected ',' or '}'", "a mapping in braces has no end, or lacks a comma"},
	{"cannot start any token", "a text begins with a character that needs quotes, such as @, ` or %"},
	{"expected '-' indicator", "this line is not indented like the other items of its list"},
	{"expected key", "this line is not indented like the other keys of its mapping"},
	{"expected node content", "a value is missing here"},
	{"block sequence entries are not allowed", "a dash begins a list where none may be; begin it on a line of its own"},
	{"unknown anchor", "an alias names an anchor that is not there"},
	{"alphabetic or numeric character", "a text begins with & or *, which needs quotes"},
	{"directive", "a line that begins with % is no directive that YAML knows"},
	{"tag", "a text begins with !, which needs quotes"},
	{"block scalar", "the block of text that begins here is not indented evenly"},
	{"comment or line break", "something stands after | or > on the line that begins a block of text"},
	{"incompatible YAML document", "it says that it is of another version of YAML"},
	{"gave up", "the reader gave up on it"},
}

// explain turns the library's error into a line, from 1, and a cause; line 0 is the file as a whole.
func (s *source) explain(err error) (line int, cause string) {
	said := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(said, "line "); ok {
		number, problem, found := strings.Cut(rest, ": ")
		if n, wrong := strconv.Atoi(number); wrong == nil && found {
			line, said = n, problem
		}
	}
	cause = "its structure cannot be told"
	for _, c := range causes {
		if strings.Contains(said, c[0]) {
			cause = c[1]
			break
		}
	}
	switch {
	case strings.HasPrefix(said, "exceeded max depth"):
		return 0, cause
	case line == 0, strings.HasPrefix(said, "did not find expected"):
		return s.stopped(), cause
	case line > len(s.breaks):
		return len(s.lines), cause
	}
	return s.at(s.breaks[line-1].offset).line, cause
}
