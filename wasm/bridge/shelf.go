//go:build !core

package bridge

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
)

// shelf is what speeds up the searches of one folder: which parts of words each block of its
// ledgers has, and the texts of its attachments. It is filled while nobody waits.
type shelf struct {
	f      *figs.Folder
	blocks [figs.Ledgers][][]uint64 // by block of the ledger: a bit for each gram
	line   [figs.Ledgers]int        // the line that is read next
	files  []figs.Attachment
	texts  []text // by attachment
	given  int    // attachments whose text is here, or will never be
	wanted int    // attachments that may have one
}

// text is what an attachment is called and says, and the same folded; nothing where that is only its name.
type text struct{ plain, folded []byte }

const (
	blockBits = 16 // of a block's size in bytes
	grams     = 36 * 36 * 36
	keptShelf = 4
)

// shelf finds what is known of a folder.
func (e *Engine) shelf(f *figs.Folder) *shelf {
	for _, s := range e.shelves {
		if s.f == f {
			return s
		}
	}
	if len(e.shelves) == keptShelf {
		e.shelves = append([]*shelf(nil), e.shelves[1:]...)
	}
	s := &shelf{f: f, files: f.Attachments()}
	s.texts = make([]text, len(s.files))
	for i := range s.files {
		s.wanted += number(s.wants(i))
	}
	e.shelves = append(e.shelves, s)
	return s
}

// digit is a letter or a digit as a number below 36; -1 is what is none.
func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		return int(c|0x20-'a') + 10
	}
	return -1
}

var digits = digitTable()

func digitTable() (t [256]int8) {
	for i := range t {
		t[i] = int8(digit(byte(i)))
	}
	return t
}

// gramOf numbers three letters or digits.
func gramOf(a, b, c byte) int { return (digit(a)*36+digit(b))*36 + digit(c) }

// fill reads more lines into the blocks, about so many bytes; it reports whether there are more.
func (s *shelf) fill(budget int) bool {
	for file := range figs.File(figs.Ledgers) {
		for ; s.line[file] < s.f.Lines(file); s.line[file]++ {
			if budget <= 0 {
				return true
			}
			ref := s.f.Line(file, s.line[file])
			budget -= ref.Len + 16
			block := int(ref.Offset >> blockBits)
			for len(s.blocks[file]) <= block {
				s.blocks[file] = append(s.blocks[file], make([]uint64, (grams+63)/64))
			}
			if ref.Record < 0 {
				continue
			}
			line := s.f.Bytes(file, ref)
			if hasUnicode(line) {
				line = plainText(line)
			}
			note(s.blocks[file][block], line)
		}
	}
	return false
}

// note sets the bits of what a line has.
func note(bits []uint64, line []byte) {
	run, gram := 0, 0
	for _, c := range line {
		d := int(digits[c])
		if d < 0 {
			run, gram = 0, 0
			continue
		}
		gram = (gram%(36*36))*36 + d
		if run++; run >= 3 {
			bits[gram>>6] |= 1 << (gram & 63)
		}
	}
}

// heat marks, for each block that is read whole, the words that may be in it.
func (l *looking) heat(s *shelf) {
	for file := range figs.File(figs.Ledgers) {
		blocks := s.blocks[file]
		whole := len(blocks) - 1 // the last one may still grow
		if s.line[file] == l.f.Lines(file) {
			whole = len(blocks)
		}
		for ; l.dense[file] < whole; l.dense[file]++ {
			var mask uint16
			for n := range l.needs {
				has := true
				for _, g := range l.needs[n].grams {
					has = has && blocks[l.dense[file]][g>>6]&(1<<(g&63)) != 0
				}
				if has {
					mask |= 1 << n
				}
			}
			l.hot[file] = append(l.hot[file], mask)
		}
	}
}

// wants reports whether an attachment is here and may have a text.
func (s *shelf) wants(i int) bool { return s.files[i].Size >= 0 && find.HasText(s.files[i].Name) }

// give takes the text of an attachment; no text says that it has none.
func (s *shelf) give(name string, words []byte) {
	for i := range s.files {
		if s.files[i].Name != name || s.texts[i].plain != nil || !s.wants(i) {
			continue
		}
		s.given++
		plain := append(append([]byte(name), ' '), words...)
		s.texts[i] = text{plain, find.AppendFolded(make([]byte, 0, len(plain)+2), plain)}
	}
}

// text is what search knows of an attachment.
func (s *shelf) text(i int) text {
	if s.texts[i].plain != nil {
		return s.texts[i]
	}
	name := []byte(s.files[i].Name)
	return text{name, find.AppendFolded(nil, name)}
}

// shelve answers "shelve": it takes the text of an attachment ("name", "text"), reads some more of
// the ledgers, and says whether there is more to read, and with "list" which attachments' texts are wanted.
func (e *Engine) shelve(r request) {
	a := e.agent(r)
	if a == nil {
		e.fail(noAgent)
		return
	}
	s := e.shelf(a.f)
	if name := r.text("name"); name != "" {
		s.give(name, []byte(r.text("text")))
	}
	more := e.keep && s.fill(3<<20)
	e.out = append(e.out, `{"more":`...)
	e.out = figs.AppendInt(e.out, number(more))
	e.out = append(e.out, `,"files":[`...)
	if r.get("list").Kind != 0 {
		n := 0
		for i := range s.files {
			if s.wants(i) && s.texts[i].plain == nil {
				if n++; n > 1 {
					e.out = append(e.out, ',')
				}
				e.out = figs.AppendString(e.out, s.files[i].Name)
			}
		}
	}
	e.out = append(e.out, "]}"...)
}
