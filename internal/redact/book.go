package redact

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Original is something that is replaced.
type Original struct {
	Rule   int
	Text   string
	By     string // the placeholder
	Proven bool   // a checksum or its structure says so
	Off    bool   // it stays, because a person said so
	Count  int    // how often it was replaced, or would be
	Places []Place
	Files  []string // in which, in the order in which they were written
}

// Placeholder is By.
func (o *Original) Placeholder() string { return o.By }

// Place is where an original stands.
type Place struct {
	File          string
	Line          int // of a ledger, from 1; 0 in other files
	Before, After string
}

const (
	mostPlaces = 3  // that are kept of one original
	around     = 48 // bytes that are kept before and behind it
)

// book is all originals with their placeholders.
type book struct {
	list   []*Original
	byText map[string]*Original
	names  map[string]string // of files: the new one
	taken  map[string]bool   // placeholders that the folder has already
}

// note makes a text an original, unless it is one.
func (k *book) note(rule int, text string, proven bool) {
	if o := k.byText[text]; o != nil {
		o.Proven = o.Proven || proven
		return
	}
	if len(text) < 3 || !utf8.ValidString(text) {
		return
	}
	o := &Original{Rule: rule, Text: strings.Clone(text), Proven: proven}
	k.byText[o.Text], k.list = o, append(k.list, o)
}

// number gives every original its placeholder.
func (k *book) number() {
	var next [fileName]int
	same := map[string]string{}
	for _, o := range k.list {
		if o.By != "" {
			continue
		}
		key := o.canonical()
		if o.By = same[key]; o.By != "" {
			continue
		}
		for o.By == "" || k.taken[o.By] {
			next[o.Rule]++
			o.By = "[" + Rules[o.Rule].ID + "-" + strconv.Itoa(next[o.Rule]) + "]"
		}
		same[key] = o.By
	}
}

// canonical is the same for every way of writing one value: numbers by their digits, addresses in lower case.
func (o *Original) canonical() string {
	text := o.Text
	switch o.Rule {
	case email:
		text = strings.ToLower(text)
	case phone, card, iban:
		text = strings.Map(func(r rune) rune {
			if r < 0x80 && !alnum.has(byte(r)) {
				return -1
			}
			return r
		}, text)
		if o.Rule == phone && strings.HasPrefix(text, "00") {
			text = text[2:]
		}
	}
	return strconv.Itoa(o.Rule) + " " + text
}

// takenAt notes a placeholder that the text has of its own: ours must be told from it.
func (k *book) takenAt(b []byte, i int) {
	end := bytes.IndexByte(b[i:min(len(b), i+40)], ']')
	if end < 4 {
		return
	}
	word := string(b[i+1 : i+end])
	if dash := strings.LastIndexByte(word, '-'); dash > 0 && RuleNamed(word[:dash]) >= 0 {
		k.taken[string(b[i:i+end+1])] = true
	}
}

// finder finds all originals of a book in a text.
type finder struct {
	first [256]bool
	three []uint64 // of the first three bytes
	next  map[uint64]uint32
	ends  map[uint32]*Original
	long  map[uint32][]*Original // that begin so and go on, the longest first
}

// indexed is how much of an original the finder steps through byte by byte: keys are as long as somebody makes them.
const indexed = 128

// finder is for what is not switched off.
func (k *book) finder() *finder {
	f := &finder{three: make([]uint64, 1<<10), next: map[uint64]uint32{}, ends: map[uint32]*Original{}, long: map[uint32][]*Original{}}
	for _, o := range k.list {
		if !o.Off {
			f.add(o.Text, o)
		}
	}
	for name, by := range k.names {
		f.add(name, &Original{Rule: fileName, Text: name, By: by})
	}
	return f
}

func (f *finder) add(text string, o *Original) {
	f.first[text[0]] = true
	h := three(text[0], text[1], text[2])
	f.three[h>>6] |= 1 << (h & 63)
	node := uint32(0)
	for i := range min(len(text), indexed) {
		edge := uint64(node)<<8 | uint64(text[i])
		to, ok := f.next[edge]
		if !ok {
			to = uint32(len(f.next) + 1)
			f.next[edge] = to
		}
		node = to
	}
	if len(text) <= indexed {
		f.ends[node] = o
		return
	}
	f.long[node] = append(f.long[node], o)
	slices.SortFunc(f.long[node], func(a, b *Original) int { return len(b.Text) - len(a.Text) })
}

func three(a, b, c byte) uint32 { return (uint32(a)<<16 | uint32(b)<<8 | uint32(c)) * 0x9E3779B1 >> 16 }

// find calls found for every original in b, the longest first where several begin.
func (f *finder) find(b []byte, found func(o *Original, start, end int)) {
	for i := 0; i+2 < len(b); i++ {
		if !f.first[b[i]] {
			continue
		}
		if h := three(b[i], b[i+1], b[i+2]); f.three[h>>6]>>(h&63)&1 == 0 {
			continue
		}
		var best *Original
		end, node := 0, uint32(0)
		for j := i; j < len(b); j++ {
			to, ok := f.next[uint64(node)<<8|uint64(b[j])]
			if !ok {
				break
			}
			node = to
			if o := f.ends[node]; o != nil && whole(o, b, i, j+1) {
				best, end = o, j+1
			}
			if j-i+1 == indexed {
				for _, o := range f.long[node] {
					if n := i + len(o.Text); n <= len(b) && string(b[j+1:n]) == o.Text[indexed:] && whole(o, b, i, n) {
						best, end = o, n
						break
					}
				}
			}
		}
		if best != nil {
			found(best, i, end)
			i = end - 1
		}
	}
}

// short is how long a secret is at least that is one wherever it stands: a shorter one may be a part of any word.
const short = 8

// whole reports whether an original that is no secret stands there as a word of its own. A secret is one wherever it is.
func whole(o *Original, b []byte, start, end int) bool {
	if o.Rule < fileName && Rules[o.Rule].Group == Secrets && len(o.Text) >= short {
		return true
	}
	return !(joins(b[start]) && joins(at(b, start-1))) && !(joins(b[end-1]) && joins(at(b, end)))
}

// joins reports whether a byte may be of a word. Those of other scripts do not count: what follows an address there
// may be the next sentence.
func joins(c byte) bool { return alnum.has(c) }

// fit is the new name of a file: what is replaced in it is, its ending is not.
func (k *book) fit(name string, f *finder) string {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		dot = len(name)
	}
	var out strings.Builder
	at := 0
	f.find([]byte(name[:dot]), func(o *Original, start, end int) {
		if o.Rule != fileName {
			out.WriteString(name[at:start])
			out.WriteString(o.By)
			at = end
		}
	})
	if at == 0 {
		return name
	}
	out.WriteString(name[at:])
	return out.String()
}

// reads reports whether an original can still be read in the name of a file, however it is spelled.
func reads(name string, f *finder) (found bool) {
	(&view{text: []byte(name), html: true}).each(func(v *view) {
		f.find(v.text, func(o *Original, _, _ int) { found = found || o.Rule != fileName })
	})
	return found
}

// excerpt is what stands around text[start:end], on one line.
func excerpt(text []byte, start, end int) (before, after string) {
	from, to := max(0, start-around), min(len(text), end+around)
	for from > 0 && from < start && !utf8.RuneStart(text[from]) {
		from++
	}
	for to < len(text) && to > end && !utf8.RuneStart(text[to]) {
		to--
	}
	line := func(b []byte) string {
		return strings.ToValidUTF8(strings.Join(strings.Fields(" "+string(b)+" "), " "), "�")
	}
	before, after = line(text[from:start]), line(text[end:to])
	if start > from && (text[start-1] == ' ' || text[start-1] == '\n') {
		before += " "
	}
	if end < to && (text[end] == ' ' || text[end] == '\n') {
		after = " " + after
	}
	if from > 0 {
		before = "…" + before
	}
	if to < len(text) {
		after += "…"
	}
	return before, after
}

// edit is one replacement in the bytes of a text.
type edit struct {
	start, end int
	by         string
}

// apply appends b with its edits. Where some overlap, all that they cover goes.
func apply(dst, b []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	done := 0
	for _, e := range edits {
		if e.start < done {
			done = max(done, e.end)
			continue
		}
		dst = append(append(dst, b[done:e.start]...), e.by...)
		done = e.end
	}
	return append(dst, b[done:]...)
}
