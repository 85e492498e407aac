package redact

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// Redaction is one pass over a folder: Learn all of it, Settle, Switch what stays, then Write all of it. It is one
// goroutine's.
type Redaction struct {
	book    book
	finder  *finder
	people  []string
	edits   []edit
	counted map[string]map[*Match]bool // by file
	inNames map[string]*Match          // the one in the name of a file; nil where it is spelled otherwise
}

// New begins.
func New() *Redaction {
	return &Redaction{book: newBook()}
}

// IsLedger reports whether a file is read line by line.
func IsLedger(name string) bool {
	return name == "runs.jsonl" || name == "asks.jsonl" || name == "messages.jsonl"
}

// IsReadable reports whether a file can be looked through: text of the kinds that the protocol knows, in UTF-8. Of
// others only the name is known, and the rest may hold anything.
func IsReadable(name string, content []byte) bool {
	switch ending(name) {
	case "html", "md", "txt", "json", "jsonl", "svg", "csv":
		return bytes.IndexByte(content, 0) < 0 && (jsonl.InvalidUTF8(content) < 0 || IsLedger(name))
	}
	return false
}

func ending(name string) string { return strings.ToLower(name[strings.LastIndexByte(name, '.')+1:]) }

// Learn takes content of a file: of a ledger whole lines, in any number of calls; of others all of it.
func (r *Redaction) Learn(name string, content []byte) {
	if e := ending(name); e == "json" || e == "jsonl" {
		r.keys(content)
	}
	r.pieces(name, content, 0, r.learn)
}

// LearnName takes the name of an attachment.
func (r *Redaction) LearnName(name string) {
	if _, ok := r.book.names[name]; ok {
		return
	}
	r.book.names[name] = name
	stem := name
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		stem = name[:dot]
	}
	r.learn(&piece{raw: []byte(stem)})
	if !attachable[ending(name)] { // what stands behind the dot may be the end of an address
		r.learn(&piece{raw: []byte(name)})
	}
}

// attachable are the endings that an attachment may have (§7), and that are no domains.
var attachable = wordSet("html md txt json png jpg jpeg gif webp svg csv pdf xlsx xls docx")

// learn notes what the rules find in a piece.
func (r *Redaction) learn(p *piece) {
	if p.attachment != "" {
		r.LearnName(p.attachment)
	}
	if p.by != "" {
		r.people = append(r.people, p.by)
	}
	if p.kept {
		return
	}
	v := p.view()
	if p.number {
		if end := cardAt(v.text, 0); end == len(v.text) {
			r.book.note(card, string(v.text), true)
		} else if calledPhone(p.context) && digits.run(v.text, 0, 16) == len(v.text) && len(v.text) > 6 {
			r.book.note(phone, string(v.text), false)
		}
		return
	}
	if len(p.context) > 0 {
		if m := field(p.context, v.text, true); m.end > 0 {
			r.book.note(m.rule, string(v.text[m.start:m.end]), false)
		}
	}
	v.each(func(v *view) {
		for i := 0; ; i++ {
			next := bytes.IndexByte(v.text[i:], '[')
			if next < 0 {
				break
			}
			i += next
			if end := placeholder(v.text, i); end > 0 {
				r.book.taken[string(v.text[i:end])] = true
			}
		}
		note := func(m match) { r.note(v.text, m) }
		find(v.text, note)
		tables(v, note)
	})
}

// note makes what a rule found an original.
func (r *Redaction) note(b []byte, m match) {
	text := string(b[m.start:m.end])
	switch {
	case m.rule == privateKey && len(m.forms) > 0, m.rule == certificate:
		if m.apart {
			text = ""
		}
		r.book.noteKey(m.rule, text, m.forms)
	case Rules[m.rule].Group == Secrets && template([]byte(text)):
	default:
		r.book.note(m.rule, text, m.proven, m.forms...)
		if m.inside != "" {
			r.book.note(m.rule, m.inside, false)
		}
	}
}

// Settle ends the learning: every original has its placeholder then.
func (r *Redaction) Settle() {
	for _, name := range r.people {
		r.notePerson(name)
	}
	r.people = nil
	r.book.number()
	r.Switch(KeepNames)
}

// KeepNames leaves the names of people where they are.
func KeepNames(_ int, o *Match) (stays bool) { return Rules[o.Rule].Group == Names }

// Switch says which originals stay, each with its index in Originals, and forgets what was counted.
func (r *Redaction) Switch(stays func(i int, o *Match) bool) {
	for i, o := range r.book.list {
		o.Off, o.Count, o.Places, o.Files = stays(i, o), 0, nil, nil
	}
	r.counted, r.inNames = map[string]map[*Match]bool{}, map[string]*Match{}
	names := r.book.names
	r.book.names = nil
	f := r.book.finder()
	r.book.names = map[string]string{}
	r.rename(names, f)
	r.finder = r.book.finder()
	for name := range names {
		if _, ok := r.book.names[name]; !ok {
			r.book.names[name] = name
		}
	}
}

// rename gives files in whose names something is replaced new ones, each its own.
func (r *Redaction) rename(names map[string]string, f *finder) {
	given := map[string]bool{}
	var changed []string
	for name := range names {
		if !reads(name, f) {
			given[name] = true
		} else {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	number := 0
	for _, name := range changed {
		fitted := r.book.fit(name, f)
		for given[fitted] || reads(fitted, f) || figs.IsBareName(name) && !figs.IsBareName(fitted) {
			number++
			fitted = "[file-" + strconv.Itoa(number) + "]"
			if end := ending(name); attachable[end] {
				fitted += "." + end
			}
		}
		given[fitted] = true
		r.book.names[name] = fitted
	}
}

// Name is the new name of an attachment.
func (r *Redaction) Name(name string) string {
	if fitted, ok := r.book.names[name]; ok {
		return fitted
	}
	return name
}

// Originals are what was found, in the order in which it was met. They are r's own.
func (r *Redaction) Originals() []*Match { return r.book.list }

// Write appends content with everything in its place replaced, and counts. line is the number of the first line of a
// ledger's content, from 1. Every byte that is no part of an original stays as it is.
func (r *Redaction) Write(dst []byte, name string, line int, content []byte) []byte {
	r.edits = r.edits[:0]
	r.pieces(name, content, line, func(p *piece) { r.replace(name, p) })
	return apply(dst, content, r.edits)
}

// Text is a text with everything replaced, which counts nowhere.
func (r *Redaction) Text(text string) string {
	var edits []edit
	(&view{text: []byte(text)}).each(func(v *view) {
		r.finder.find(v.text, func(o *Match, start, end int) {
			by := o.By
			v.spans(start, end, func(from, to int) {
				edits = append(edits, edit{from, to, by})
				by = ""
			})
		})
	})
	return string(apply(nil, []byte(text), edits))
}

// replace notes the edits of a piece.
func (r *Redaction) replace(name string, p *piece) {
	if p.kept {
		return
	}
	v := p.view()
	if p.number {
		if o := r.book.byText[string(p.raw)]; o != nil && !o.Off {
			r.edits = append(r.edits, edit{p.at, p.at + len(p.raw), `"` + o.By + `"`})
			r.count(o, name, p, v, 0, len(v.text))
		}
		return
	}
	first := true
	v.each(func(v *view) {
		r.finder.find(v.text, func(o *Match, start, end int) {
			by, fresh := o.By, false
			if p.quoted {
				by = quoted(by)
			}
			v.spans(start, end, func(from, to int) {
				if first || !covered(r.edits, p.at+from, p.at+to) {
					r.edits, fresh = append(r.edits, edit{p.at + from, p.at + to, by}), true
					by = ""
				}
			})
			if fresh {
				r.count(o, name, p, v, start, end)
			}
		})
		first = false
	})
}

// covered reports whether one of the last edits has all of it.
func covered(edits []edit, start, end int) bool {
	for i := len(edits) - 1; i >= 0 && i >= len(edits)-200; i-- {
		if edits[i].start <= start && end <= edits[i].end {
			return true
		}
	}
	return false
}

// quoted is a placeholder, or the name of a file, inside the quotes of JSON.
func quoted(s string) string {
	if strings.IndexByte(s, '"') < 0 && strings.IndexByte(s, '\\') < 0 {
		return s
	}
	q := figs.AppendString(nil, s)
	return string(q[1 : len(q)-1])
}

func (r *Redaction) count(o *Match, name string, p *piece, v *view, start, end int) {
	if o.Rule == fileName {
		r.countName(name, o.Text)
		return
	}
	o.Count++
	if r.counted[name] == nil {
		r.counted[name] = map[*Match]bool{}
	}
	if !r.counted[name][o] {
		r.counted[name][o] = true
		o.Files = append(o.Files, name)
	}
	if len(o.Places) < mostPlaces {
		text := v.text
		if v.code { // what stands beside it there was decoded from elsewhere
			from := bytes.LastIndexByte(text[:start], '\n') + 1
			if to := bytes.IndexByte(text[end:], '\n'); to >= 0 {
				text = text[:end+to]
			}
			text, start, end = text[from:], start-from, end-from
		}
		before, after := excerpt(text, start, end)
		o.Places = append(o.Places, Occurrence{File: name, Line: p.line, Before: before, After: after})
	}
}

// countName counts the original in the name of a file.
func (r *Redaction) countName(in, name string) {
	o, known := r.inNames[name]
	if !known {
		for _, x := range r.book.list {
			if !x.Off && strings.Contains(name, x.Text) {
				o = x
				break
			}
		}
		r.inNames[name] = o
	}
	if o == nil {
		return
	}
	o.Count++
	if len(o.Places) < mostPlaces {
		before, after, _ := strings.Cut(name, o.Text)
		o.Places = append(o.Places, Occurrence{File: in, Before: before, After: after})
	}
}
