package bridge

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
)

// shelf is what speeds up the searches of one folder: what each block of its ledgers may hold, and
// the texts of its attachments. It is filled while nobody waits.
type shelf struct {
	a *agent
	f *figs.Folder
	filler
	files  []figs.Attachment
	texts  []text // by attachment
	given  int    // attachments whose text is here, or will never be
	wanted int    // attachments that may have one
}

// text is what an attachment says, and the same folded, with its name; nothing where that is only its name.
type text struct {
	words, folded []byte
	known         bool
}

const (
	keptShelf = 4
	// atOnce is how many bytes of ledgers are read into blocks before whoever types is heard again.
	atOnce = 1 << 20
)

// shelf finds what is known of an agent. That its folder was read once more for the sake of earlier points (history) changes nothing of it.
func (e *Engine) shelf(a *agent) *shelf {
	for _, s := range e.shelves {
		if s.a == a {
			s.f = a.f
			return s
		}
	}
	if len(e.shelves) == keptShelf {
		e.shelves = append([]*shelf(nil), e.shelves[1:]...)
	}
	s := &shelf{a: a, f: a.f, files: a.f.Attachments()}
	s.texts = make([]text, len(s.files))
	for i := range s.files {
		s.wanted += number(s.wants(i))
	}
	e.shelves = append(e.shelves, s)
	return s
}

// wants reports whether an attachment is here and may have a text.
func (s *shelf) wants(i int) bool { return s.files[i].Size >= 0 && find.HasText(s.files[i].Name) }

// give takes the text of an attachment; no text says that it has none.
func (s *shelf) give(name string, words []byte) {
	for i := range s.files {
		if s.files[i].Name != name || s.texts[i].known || !s.wants(i) {
			continue
		}
		s.given++
		s.texts[i] = text{append([]byte(nil), words...), find.AppendFile(make([]byte, 0, len(name)+len(words)+4), name, words), true}
	}
}

// text is what search knows of an attachment.
func (s *shelf) text(i int) text {
	if s.texts[i].known {
		return s.texts[i]
	}
	return text{folded: find.AppendFile(nil, s.files[i].Name, nil)}
}

// excerpt is the text of an attachment from which an excerpt is cut: its words, unless only its name has what was looked for.
func (s *shelf) excerpt(i int, q *find.Query) []byte {
	name, words := []byte(s.files[i].Name), s.texts[i].words
	_, inName := q.Mark(name)
	if _, inWords := q.Mark(words); inWords == 0 && inName > 0 || len(words) == 0 {
		return name
	}
	return words
}

// shelve answers "index": it takes the text of an attachment ("name", "text"), reads some more of
// the ledgers, and says whether there is more to read, and with "list" which attachments' texts are wanted.
func (e *Engine) shelve(r request) {
	a := e.agent(r)
	if a == nil {
		e.fail(noAgent)
		return
	}
	s := e.shelf(a)
	if name := r.text("name"); name != "" {
		s.give(name, []byte(r.text("text")))
	}
	more := e.keep && s.fill(atOnce)
	e.out = append(e.out, `{"more":`...)
	e.out = figs.AppendInt(e.out, number(more))
	e.out = append(e.out, `,"files":[`...)
	if r.get("list").Kind != 0 {
		n := 0
		for i := range s.files {
			if s.wants(i) && !s.texts[i].known {
				if n++; n > 1 {
					e.out = append(e.out, ',')
				}
				e.out = figs.AppendString(e.out, s.files[i].Name)
			}
		}
	}
	e.out = append(e.out, "]}"...)
}
