package find

import "github.com/figs-web/figs-web/figs"

// Note is a part of a search that was not understood, or that cannot be.
type Note struct {
	Kind       NoteKind
	Start, End int    // of the part, in bytes of the text; it is looked for as words, unless Kind says otherwise
	Field      string // as it was typed
	Value      string
	Fix        string // what may have been meant instead of the part; "" when nobody can tell
	Choices    []string
}

// NoteKind says what is wrong.
type NoteKind uint8

const (
	// UnknownField is a name before a colon that is none of Fields.
	UnknownField NoteKind = iota
	// UnknownValue is a value that is none of Choices.
	UnknownValue
	// NoDate is a value that is no date: 2026, 2026-05 and 2026-05-04 are.
	NoDate
	// NoNumber is a value that is no number of a round: 2, >1, >=2, <3 and <=3 are.
	NoNumber
	// NoValue is a field with nothing behind its colon. It is passed over, as it is while somebody types.
	NoValue
	// NoLetters is a part without a letter or a digit. It is passed over.
	NoLetters
	// TooMany are the parts behind the sixteenth. They are passed over.
	TooMany
	// TooLong is what stands behind the first thousand bytes. It is passed over.
	TooLong
	// Nothing says that no record can be all of what is asked for: a reply has no status.
	Nothing
)

const (
	mostTerms = 16
	longest   = 1000 // bytes of a search that are read
)

// Parse reads a search. There is none that is refused: what it does not know it takes as words, and
// notes it.
func Parse(text string) *Query {
	q := &Query{Text: text, files: asAny}
	long := len(text) > longest
	if long {
		text = text[:longest]
	}
	for i := 0; i < len(text); {
		if text[i] <= ' ' {
			i++
			continue
		}
		p := parsePart(text, i)
		q.add(p)
		i = p.end
	}
	if long {
		q.Notes = append(q.Notes, Note{Kind: TooLong, Start: longest, End: len(q.Text)})
	}
	if q.files == 0 {
		q.note(Nothing, 0, len(text))
	}
	return q
}

// note adds a note about a part of the text, without the white space behind it.
func (q *Query) note(kind NoteKind, start, end int) *Note {
	for end > start && q.Text[end-1] <= ' ' {
		end--
	}
	q.Notes = append(q.Notes, Note{Kind: kind, Start: start, End: end})
	return &q.Notes[len(q.Notes)-1]
}

// part is one part of a search: words, or a field and its value.
type part struct {
	start, end int    // in the text
	minus      string // "-" where the part must not be true, else ""
	name       string // of the field; "" before words
	raw        string // the value as it was typed, with its quotes
	value      string
	quoted     bool
}

// parsePart reads the part that starts at start, which is no white space.
func parsePart(text string, start int) part {
	p, i := part{start: start}, start
	if text[i] == '-' && i+1 < len(text) && text[i+1] > ' ' {
		p.minus = "-"
		i++
	}
	colon := i
	for colon < len(text) && (text[colon]|0x20 >= 'a' && text[colon]|0x20 <= 'z' || text[colon] == '-') {
		colon++
	}
	if colon > i && colon < len(text) && text[colon] == ':' {
		p.name = text[i:colon]
		i = colon + 1
	}
	p.value, p.quoted, p.end = read(text, i)
	p.raw = text[i:p.end]
	return p
}

// add makes a term of a part, unless the part is passed over.
func (q *Query) add(p part) {
	if len(q.terms) >= mostTerms {
		if n := len(q.Notes); n == 0 || q.Notes[n-1].Kind != TooMany {
			q.note(TooMany, p.start, min(len(q.Text), longest))
		}
		return
	}
	t, ok := q.understand(p)
	if !ok {
		return
	}
	t.not, t.start, t.end = p.minus != "", p.start, p.end
	if !t.not {
		q.files &= t.kinds()
	}
	q.terms = append(q.terms, t)
}

// kinds is what a term can be true of.
func (t *term) kinds() uint8 {
	switch t.field {
	case fieldIn:
		return [...]uint8{asRuns, asAsks, asReply, asFile}[t.value]
	case fieldIs:
		return [...]uint8{asAsks, asAsks, asAsks, asAsks, asRuns, asRuns}[t.value]
	}
	return kindsOf[t.field]
}

// read reads a word, or what stands in quotes; a quote that is never closed ends with the text.
func read(text string, i int) (value string, quoted bool, end int) {
	if i < len(text) && text[i] == '"' {
		for end = i + 1; end < len(text) && text[end] != '"'; {
			end++
		}
		return text[i+1 : end], true, min(end+1, len(text))
	}
	for end = i; end < len(text) && text[end] > ' '; {
		end++
	}
	return text[i:end], false, end
}

// wordOf folds words that stand together; unless they are quoted, the last one is a beginning. nil
// is a text without letters.
func wordOf(value string, quoted bool) []byte {
	b := AppendFolded(nil, []byte(value))
	if len(b) == 0 {
		return nil
	}
	if !quoted {
		b = b[:len(b)-1]
	}
	return b
}

// understand is what a part asks for; ok is false for a part that is passed over. A part whose
// field or value is not known asks for words.
func (q *Query) understand(p part) (t term, ok bool) {
	f := fieldNamed(p.name)
	if f == inText {
		q.noteUnknownField(p)
		return q.words(p)
	}
	choices := values(f)
	if p.value == "" {
		q.noteField(NoValue, p).Choices = choices
		return term{}, false
	}
	t.field = f
	switch {
	case choices != nil:
		if t.value, ok = choice(choices, p.value); !ok {
			q.noteUnknownValue(p, f)
		}
	case f == fieldRound:
		if t.from, t.to, ok = bounds(p.value); !ok {
			q.noteField(NoNumber, p)
		}
	case f == fieldBefore || f == fieldAfter || f == fieldOn:
		if t.from, t.to, ok = dates(f, p.value); !ok {
			q.noteField(NoDate, p)
		}
	default:
		return q.text(f, p.value, p)
	}
	if !ok {
		return q.words(p)
	}
	return t, true
}

// words looks for all of a part: the name of a field that is not known is a word like others.
func (q *Query) words(p part) (t term, ok bool) {
	if p.name == "" {
		return q.text(inText, p.value, p)
	}
	return q.text(inText, p.name+" "+p.value, p)
}

// text looks for a text in a field; ok is false where it has no letters.
func (q *Query) text(f field, text string, p part) (t term, ok bool) {
	t = term{field: f, word: wordOf(text, p.quoted)}
	if t.word == nil {
		q.note(NoLetters, p.start, p.end)
		return t, false
	}
	if f == inText && !p.quoted {
		stem, other := forms(t.word[1:])
		t.shorter = 1+len(stem) < len(t.word)
		t.word = t.word[:1+len(stem)]
		if other != nil {
			t.other = append([]byte{' '}, other...)
		}
	}
	return t, true
}

// noteField adds a note about a part that has a field.
func (q *Query) noteField(kind NoteKind, p part) *Note {
	n := q.note(kind, p.start, p.end)
	n.Field, n.Value = p.name, p.value
	return n
}

// noteUnknownField says what may have been meant, unless a colon stands there for another reason, as
// in C:\ or http://….
func (q *Query) noteUnknownField(p part) {
	if len(p.name) < 2 || p.value == "" || p.value[0] == '/' {
		return
	}
	n := q.noteField(UnknownField, p)
	if s := figs.Suggest(p.name, fields[1:]); s != "" {
		n.Fix = p.minus + s + ":" + p.raw
	} else {
		n.Fix = p.minus + `"` + p.name + " " + p.value + `"`
	}
}

// noteUnknownValue says what the field takes, and what may have been meant.
func (q *Query) noteUnknownValue(p part, f field) {
	n := q.noteField(UnknownValue, p)
	n.Choices = values(f)
	if s := figs.Suggest(p.value, n.Choices); s != "" {
		n.Fix = p.minus + fields[f] + ":" + s
	}
}

// fieldNamed is the field of a name, or inText.
func fieldNamed(name string) field {
	for i, f := range fields {
		if i > 0 && same(f, name) {
			return field(i)
		}
	}
	return inText
}

// choice is the place of a value among those that a field takes.
func choice(choices []string, value string) (i uint8, ok bool) {
	for i, c := range choices {
		if same(c, value) || same(synonym(c), value) {
			return uint8(i), true
		}
	}
	return 0, false
}

// dates are the times that are before, after or on a date, to not included.
func dates(f field, value string) (from, to int64, ok bool) {
	from, to = period(value)
	if from == figs.NoTime {
		return 0, 0, false
	}
	switch f {
	case fieldBefore:
		return figs.NoTime + 1, from, true
	case fieldAfter:
		return to, 1 << 62, true
	}
	return from, to, true
}

// synonym is another word for a value, the protocol's own where ours is for people.
func synonym(choice string) string {
	switch choice {
	case "jobs":
		return "runs"
	case "replies":
		return "messages"
	case "files":
		return "attachments"
	case "attachment":
		return "attachments"
	case "needs":
		return "needs-you"
	}
	return choice
}

// same compares a known word with what was typed, whatever the case of its letters.
func same(known, typed string) bool {
	if len(known) != len(typed) {
		return false
	}
	for i := 0; i < len(known); i++ {
		if c := typed[i]; known[i] != c && (c < 'A' || c > 'Z' || known[i] != c|0x20) {
			return false
		}
	}
	return true
}

// bounds reads the number of a round, or what it is compared with.
func bounds(s string) (from, to int64, ok bool) {
	const most = 1 << 30
	less := s[0] == '<'
	more := s[0] == '>'
	if less || more {
		s = s[1:]
	}
	equal := (less || more) && s != "" && s[0] == '='
	if equal {
		s = s[1:]
	}
	n := int64(0)
	for i := 0; i < len(s); i++ {
		if s[i]-'0' > 9 || n > most {
			return 0, 0, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	switch {
	case s == "":
		return 0, 0, false
	case less && equal:
		return 0, n, true
	case less:
		return 0, n - 1, true
	case more && equal:
		return n, most, true
	case more:
		return n + 1, most, true
	}
	return n, n, true
}

// period is the day, month or year that a date names, in UTC, to not included; from is NoTime when it
// names none.
func period(s string) (from, to int64) {
	next, rest := "", ""
	switch len(s) {
	case 4:
		next, rest = count(s, 0, 4), "-01-01"
	case 7:
		if s[5:] == "12" {
			next, rest = count(s, 0, 4)+"-01", "-01"
		} else {
			next, rest = s[:5]+count(s, 5, 7), "-01"
		}
	case 10:
		from, ok := figs.ParseTime(s + "T00:00:00Z")
		if !ok {
			return figs.NoTime, 0
		}
		return from, from + 24*60*60*1_000_000
	default:
		return figs.NoTime, 0
	}
	from, ok := figs.ParseTime(s + rest + "T00:00:00Z")
	if !ok {
		return figs.NoTime, 0
	}
	to, ok = figs.ParseTime(next + rest + "T00:00:00Z")
	if !ok { // the year 9999
		to = 1 << 62
	}
	return from, to
}

// count is the number from i to end, and one more, with as many digits.
func count(s string, i, end int) string {
	b := []byte(s[i:end])
	for k := len(b) - 1; k >= 0; k-- {
		if b[k] != '9' {
			b[k]++
			break
		}
		b[k] = '0'
	}
	return string(b)
}
