package agentfile

import (
	"bytes"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/figs-web/figs-web/figs"
)

// source is the text of a YAML file and the places in it.
type source struct {
	file    string
	content []byte // as it is in the file
	mark    int    // bytes of a byte-order mark, before text
	text    []byte // what is parsed: valid UTF-8
	lines   []int  // where lines begin in content
	breaks  []row  // where they begin as YAML counts them: with \r, U+0085, U+2028 and U+2029
	marks   []int  // where every so many characters begin, from breaks[0] on
}

// row is the beginning of a line: its offset in bytes, and its character, from 0.
type row struct{ offset, char int }

// every is how many characters there are from mark to mark.
const every = 256

// newSource makes a text fit for parsing. A cause says, of the rule and the offset in the file, what is wrong with it.
func newSource(file string, content []byte) (s source, code figs.Code, at int, cause string) {
	s = source{file: file, content: content, text: content, lines: []int{0}}
	if utf16Like(content) {
		return s, figs.YAMLBroken, 0, "it is saved as UTF-16, not UTF-8"
	}
	if bytes.HasPrefix(content, []byte("\uFEFF")) {
		s.mark = len("\uFEFF")
		s.text = content[s.mark:]
	}
	s.breaks = []row{{offset: s.mark}}
	directives, char := 0, 0
	for i := s.mark; i < len(content); {
		c, n := utf8.DecodeRune(content[i:])
		begins := i == s.breaks[len(s.breaks)-1].offset
		if char%every == 0 {
			s.marks = append(s.marks, i)
		}
		switch {
		case c == utf8.RuneError && n == 1:
			if cause == "" {
				code, at, cause = figs.ProjectUTF8Invalid, i, strconv.Itoa(i+1)
			}
		case !isPrintable(c):
			return s, figs.YAMLBroken, i, "it holds the control character " + codePoint(c)
		case c == '%' && begins:
			if directives++; directives > mostDirectives {
				return s, figs.YAMLBroken, i, "it has more than " + strconv.Itoa(mostDirectives) + " lines that begin with a percent sign"
			}
		}
		i, char = i+n, char+1
		if c == '\n' || c == '\r' && (i == len(content) || content[i] != '\n') || c == 0x85 || c == 0x2028 || c == 0x2029 {
			s.breaks = append(s.breaks, row{i, char})
		}
		if c == '\n' {
			s.lines = append(s.lines, i)
		}
	}
	if cause != "" {
		s.text = valid(s.text)
	}
	return s, code, at, cause
}

// utf16Like reports whether a text begins as UTF-16 or UTF-32 does.
func utf16Like(b []byte) bool {
	return bytes.HasPrefix(b, []byte{0xFF, 0xFE}) || bytes.HasPrefix(b, []byte{0xFE, 0xFF}) || bytes.IndexByte(b[:min(len(b), 4)], 0) >= 0
}

// isPrintable reports whether YAML allows a character.
func isPrintable(c rune) bool {
	return c >= 0x20 && c <= 0x7E || c == '\t' || c == '\n' || c == '\r' || c == 0x85 || c >= 0xA0 && c < 0xFFFE || c > 0xFFFF
}

// codePoint is a character as people write what they cannot see, U+200B.
func codePoint(c rune) string {
	digits := strings.ToUpper(strconv.FormatInt(int64(c), 16))
	return "U+" + "0000"[min(len(digits), 4):] + digits
}

// valid puts the replacement character for each byte that is no UTF-8, so that characters keep their columns.
func valid(b []byte) []byte {
	out := make([]byte, 0, len(b)+len(b)/8)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		out = utf8.AppendRune(out, r)
		b = b[n:]
	}
	return out
}

// at is the place of a byte of the file, and of nothing more.
func (s *source) at(offset int) place {
	line := sort.SearchInts(s.lines, offset+1)
	column := offset - s.lines[line-1] + 1
	return place{file: s.file, line: line, column: column, end: column, offset: int64(offset)}
}

// inLine is the place of a line, from 1; 0 is the file as a whole.
func (s *source) inLine(line int) place {
	if line < 1 {
		return whole(s.file)
	}
	line = min(line, len(s.lines))
	return place{file: s.file, line: line, offset: int64(s.lines[line-1])}
}

// node is the place of a node.
func (s *source) node(n *yaml.Node, pointer string) place {
	at := min(max(n.Line, 1), len(s.breaks)) - 1
	last := len(s.content)
	if at+1 < len(s.breaks) {
		last = s.breaks[at+1].offset
	}
	offset := min(s.offset(s.breaks[at].char+max(n.Column, 1)-1), last)
	p := s.at(offset)
	p.end = p.column + s.width(n, offset)
	p.pointer = pointer
	return p
}

// offset is where a character begins, which is counted from the mark.
func (s *source) offset(char int) int {
	if char/every >= len(s.marks) {
		return len(s.content)
	}
	offset := s.marks[char/every]
	for range char % every {
		_, size := utf8.DecodeRune(s.content[offset:])
		offset += size
	}
	return offset
}

// mostMarked is how many bytes a finding marks.
const mostMarked = 1000

// width is how many bytes of its first line a node takes.
func (s *source) width(n *yaml.Node, offset int) int {
	rest := s.content[offset:min(offset+mostMarked, len(s.content))]
	if end := bytes.IndexAny(rest, "\r\n"); end >= 0 {
		rest = rest[:end]
	}
	switch {
	case n.Kind == yaml.MappingNode && len(n.Content) > 0 && n.Style&yaml.FlowStyle == 0:
		return s.width(n.Content[0], offset)
	case n.Kind == yaml.AliasNode:
		return min(len(n.Value)+1, len(rest))
	case n.Kind != yaml.ScalarNode:
		return min(1, len(rest))
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 && len(rest) > 0:
		return quoted(rest)
	case bytes.HasPrefix(rest, []byte(n.Value)):
		return len(n.Value)
	}
	return len(bytes.TrimRight(rest, " \t"))
}

// quoted is how long the quoted text is that line begins with; all of the line when it goes on in the next one.
func quoted(line []byte) int {
	for i := 1; i < len(line); i++ {
		switch {
		case line[i] == '\\' && line[0] == '"':
			i++
		case line[i] == line[0] && line[0] == '\'' && i+1 < len(line) && line[i+1] == '\'':
			i++
		case line[i] == line[0]:
			return i + 1
		}
	}
	return len(line)
}
