// Package facts tells what can be known about a file without opening it: what its first bytes
// say, what a listing inside it names, what can be counted. It decompresses nothing and follows
// nothing, so it is as fast as a walk over the bytes; where that leaves something unseen, the
// fact says so. The facts of pictures are the picture package's.
package facts

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/figs-web/figs-web/sandbox/report"
)

// Of returns the facts of a file by its extension (lower case, without dot). The notice says
// that the bytes are not what the extension promises, or that they end too early.
func Of(ext string, b []byte) ([]report.Fact, *report.Notice) {
	if len(b) == 0 {
		return nil, nil
	}
	switch ext {
	case "csv", "tsv":
		return table(b)
	case "pdf":
		return pdf(b)
	case "xlsx", "docx":
		return office(ext, b)
	case "xls":
		return xls(b)
	case "html", "htm", "md", "txt", "json", "svg":
		return text(b), nil
	}
	return nil, nil
}

// list collects facts.
type list []report.Fact

func (l *list) add(name, value string) { *l = append(*l, report.Fact{Name: name, Value: value}) }

// text counts lines, and says what the bytes are.
func text(b []byte) []report.Fact {
	var l list
	l.add("encoding", encoding(b))
	lines, longest := 0, 0
	for rest := b; len(rest) > 0; lines++ {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		longest = max(longest, len(bytes.TrimSuffix(line, []byte{'\r'})))
	}
	l.add("lines", grouped(lines))
	l.add("longest line", grouped(longest)+" bytes")
	return l
}

// encoding says how the bytes of a text are to be read.
func encoding(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) && utf8.Valid(b):
		return "UTF-8 with a byte order mark"
	case bytes.HasPrefix(b, []byte("\xff\xfe")), bytes.HasPrefix(b, []byte("\xfe\xff")):
		return "UTF-16, by its byte order mark"
	case !utf8.Valid(b):
		return "not UTF-8"
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return "UTF-8"
		}
	}
	return "ASCII"
}

// grouped writes a count as 12,345.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func wrongType(sentence string) *report.Notice {
	return &report.Notice{Code: report.WrongType, Text: sentence}
}

func truncated(sentence string) *report.Notice {
	return &report.Notice{Code: report.Truncated, Text: sentence}
}
