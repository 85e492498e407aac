package redact

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Match is something that is replaced.
type Match struct {
	Rule   int
	Text   string
	By     string   // the placeholder
	Proven bool     // a checksum or its structure says so
	Off    bool     // it stays, because a person said so
	forms  []string // in which it is written, Text among them
	Count  int      // how often it was replaced, or would be
	Places []Occurrence
	Files  []string // in which, in the order in which they were written
}

// Placeholder is By.
func (o *Match) Placeholder() string { return o.By }

// Occurrence is where an original stands.
type Occurrence struct {
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
	list   []*Match
	byText map[string]*Match // by each of its forms
	byKey  map[string]*Match // by what is the same in all of its forms
	names  map[string]string // of files: the new one
	taken  map[string]bool   // placeholders that the folder has already
}

func newBook() book {
	return book{byText: map[string]*Match{}, byKey: map[string]*Match{}, names: map[string]string{}, taken: map[string]bool{}}
}

// note makes a text an original, or a form of one that is the same value in another form.
func (k *book) note(rule int, text string, proven bool, forms ...string) {
	if o := k.byText[text]; o != nil {
		o.Proven = o.Proven || proven
		k.add(o, forms...)
		return
	}
	if len(text) < 2 || len(text) == 2 && rule != person || !utf8.ValidString(text) {
		return
	}
	k.noteAs(rule, canonical(rule, text), proven, append([]string{text}, forms...))
}

// noteKey makes a key an original that is known by its lines. whole is how it stands in a text of its own; it is empty
// where other things stand between the lines.
func (k *book) noteKey(rule int, whole string, lines []string) {
	joined := strings.Join(lines, "\n")
	if o := k.byText[lines[len(lines)-1]]; o != nil && (whole == "" || o.Text == joined) && !slices.ContainsFunc(lines, func(l string) bool { return k.byText[l] != o }) {
		k.add(o, whole)
		return
	}
	if whole == "" {
		whole = joined
	}
	k.noteAs(rule, whole, true, append([]string{whole}, lines...))
}

// noteAs makes forms those of the original with a key. The first is what people are told its length of.
func (k *book) noteAs(rule int, key string, proven bool, forms []string) {
	key = Rules[rule].ID + " " + key
	o := k.byKey[key]
	if o == nil {
		o = &Match{Rule: rule, Text: strings.Clone(forms[0]), Proven: proven}
		k.byKey[key], k.list = o, append(k.list, o)
	}
	o.Proven = o.Proven || proven
	k.add(o, forms...)
}

// add gives an original forms that none has.
func (k *book) add(o *Match, forms ...string) {
	for _, text := range forms {
		if k.byText[text] == nil && len(text) > 1 && utf8.ValidString(text) {
			text = strings.Clone(text)
			k.byText[text], o.forms = o, append(o.forms, text)
		}
	}
}

// canonical is what is the same in all forms of a value: the digits of a number, an address without its case.
func canonical(rule int, text string) string {
	switch rule {
	case email:
		return strings.ToLower(text)
	case person:
		return strings.ToUpper(text)
	case phone:
		return dialed(text)
	case iban, card:
		return strings.Map(func(r rune) rune {
			if r == ' ' || r == '-' {
				return -1
			}
			return r
		}, text)
	case address:
		if a, err := netip.ParseAddr(text); err == nil {
			return a.String()
		}
	}
	return text
}

// number gives every original its placeholder.
func (k *book) number() {
	var next [fileName]int
	for _, o := range k.list {
		if o.By != "" {
			continue
		}
		for o.By == "" || k.taken[o.By] {
			next[o.Rule]++
			o.By = "[" + Rules[o.Rule].ID + "-" + strconv.Itoa(next[o.Rule]) + "]"
		}
	}
}

// finder finds all originals of a book in a text.
type finder struct {
	first [256]bool
	three []uint64          // of the first three bytes
	two   map[string]*Match // that have two bytes
	next  map[uint64]uint32
	ends  map[uint32]*Match
	long  map[uint32][]longForm // that begin so and go on, the longest first
}

// longForm is a form that goes on where the finder's steps end.
type longForm struct {
	text string
	of   *Match
}

// indexed is how much of an original the finder steps through byte by byte: keys are as long as somebody makes them.
const indexed = 128

// finder is for what is not switched off.
func (k *book) finder() *finder {
	f := &finder{three: make([]uint64, 1<<10), next: map[uint64]uint32{}, ends: map[uint32]*Match{}, long: map[uint32][]longForm{}, two: map[string]*Match{}}
	for _, o := range k.list {
		if !o.Off {
			for _, text := range o.forms {
				f.add(text, o)
			}
		}
	}
	for name, by := range k.names {
		f.add(name, &Match{Rule: fileName, Text: name, By: by})
	}
	return f
}

func (f *finder) add(text string, o *Match) {
	f.first[text[0]] = true
	if len(text) == 2 {
		f.two[text] = o
		return
	}
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
	f.long[node] = append(f.long[node], longForm{text, o})
	slices.SortFunc(f.long[node], func(a, b longForm) int { return len(b.text) - len(a.text) })
}

func three(a, b, c byte) uint32 { return (uint32(a)<<16 | uint32(b)<<8 | uint32(c)) * 0x9E3779B1 >> 16 }

// find calls found for every original in b, the longest first where several begin.
func (f *finder) find(b []byte, found func(o *Match, start, end int)) {
	for i := 0; i+1 < len(b); i++ {
		if !f.first[b[i]] {
			continue
		}
		var best *Match
		end, node := 0, uint32(0)
		if len(f.two) > 0 {
			if o := f.two[string(b[i:i+2])]; o != nil && whole(o, b, i, i+2) {
				best, end = o, i+2
			}
		}
		if best == nil {
			if i+2 == len(b) {
				break
			}
			if h := three(b[i], b[i+1], b[i+2]); f.three[h>>6]>>(h&63)&1 == 0 {
				continue
			}
		}
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
				for _, l := range f.long[node] {
					if n := i + len(l.text); n <= len(b) && string(b[j+1:n]) == l.text[indexed:] && whole(l.of, b, i, n) {
						best, end = l.of, n
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
func whole(o *Match, b []byte, start, end int) bool {
	if o.Rule < fileName && Rules[o.Rule].Group == Secrets && end-start >= short {
		return true
	}
	if o.Rule == person && (at(b, start-1) == '<' || at(b, start-1) == '/' && at(b, start-2) == '<' || at(b, mailUser.run(b, end, 64)) == '@') {
		return false // the name of an element; a part of an address, which has a rule of its own
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
	f.find([]byte(name[:dot]), func(o *Match, start, end int) {
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
		f.find(v.text, func(o *Match, _, _ int) { found = found || o.Rule != fileName })
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
