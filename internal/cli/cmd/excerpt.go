package cmd

import (
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
)

// excerptBefore is how many bytes are shown before the marked ones when these stand too far
// right for the line to be shown from its beginning.
const excerptBefore = 40

// skipLimit is how far into a file without random access an excerpt is looked for.
const skipLimit = 64 << 20

// excerpt is the part of a line that a finding marks, ready to print.
type excerpt struct {
	Text  string // safe for a terminal
	Caret string // spaces, then ^ under every marked column; "" when the line as a whole is meant
}

// ExcerptOf reads the line of a finding in the file name again, width columns of it; false when
// there is none to show.
func ExcerptOf(fsys fs.FS, name string, f *figs.Finding, width int) (excerpt, bool) {
	if f.Line == 0 {
		return excerpt{}, false
	}
	from := f.Offset - int64(max(f.Column-1, 0)) // where the line begins
	lead := int64(0)
	if before := f.Offset - from; before+int64(min(f.EndColumn-f.Column, excerptBefore)) > int64(width) {
		lead = before - excerptBefore
	}
	most := 4*width + excerptBefore
	raw, err := ReadAt(fsys, name, from+lead, most)
	if err != nil || len(raw) == 0 {
		return excerpt{}, false
	}
	line, _, ended := strings.Cut(string(raw), "\n")
	ended = ended || len(raw) < most
	line = strings.TrimSuffix(line, "\r")
	if lead > 0 {
		for len(line) > 0 && !utf8.RuneStart(line[0]) {
			line, lead = line[1:], lead+1
		}
	}
	mark := int(f.Offset - from - lead)
	end := mark + f.EndColumn - f.Column
	if f.Column == 0 {
		mark, end = -1, -1
	}
	return layOut(line, mark, end, lead > 0, !ended, width), true
}

// ReadAt returns at most n bytes from offset of a file.
func ReadAt(fsys fs.FS, name string, offset int64, n int) ([]byte, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	b := make([]byte, n)
	if r, ok := file.(io.ReaderAt); ok {
		n, err = r.ReadAt(b, offset)
	} else if offset > skipLimit {
		return nil, io.ErrNoProgress
	} else if _, err = io.CopyN(io.Discard, file, offset); err == nil {
		n, err = io.ReadFull(file, b)
	} else {
		n = 0
	}
	if n > 0 {
		err = nil
	}
	return b[:n], err
}

// layOut prints a line until width columns are full, and marks the bytes from mark to end.
func layOut(line string, mark, end int, cutBefore, cutAfter bool, width int) excerpt {
	var text, caret strings.Builder
	used := 0
	put := func(s string, marked bool) {
		n := Columns(s)
		used += n
		text.WriteString(s)
		if marked {
			caret.WriteString(strings.Repeat("^", n))
		} else {
			caret.WriteString(strings.Repeat(" ", n))
		}
	}
	if cutBefore {
		put("…", false)
	}
	at := 0
	for at < len(line) && used < width {
		r, n := utf8.DecodeRuneInString(line[at:])
		put(visible(r, n, line[at]), mark >= 0 && at >= mark && (at < end || at == mark))
		at += n
	}
	if mark == at && at == len(line) {
		caret.WriteString("^") // the mark is where the line ends
	}
	if at < len(line) || cutAfter {
		text.WriteString("…")
	}
	return excerpt{text.String(), strings.TrimRight(caret.String(), " ")}
}
