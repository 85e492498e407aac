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
		i = q.part(text, i)
	}
	if long {
		q.Notes = append(q.Notes, Note{Kind: TooLong, Start: longest, End: len(q.Text)})
	}
	if q.files == 0 {
		q.note(Nothing, text, 0, len(text))
	}
	return q
}

func (q *Query) note(kind NoteKind, text string, start, end int) *Note {
	for end > start && text[end-1] <= ' ' {
		end--
	}
	q.Notes = append(q.Notes, Note{Kind: kind, Start: start, End: end})
	return &q.Notes[len(q.Notes)-1]
}

// part reads one part of a search and returns where it ends.
func (q *Query) part(text string, start int) int {
	i := start
	not := text[i] == '-' && i+1 < len(text) && text[i+1] > ' '
	if not {
		i++
	}
	colon := i
	for colon < len(text) && (text[colon]|0x20 >= 'a' && text[colon]|0x20 <= 'z' || text[colon] == '-') {
		colon++
	}
	name := ""
	if colon > i && colon < len(text) && text[colon] == ':' {
		name = text[i:colon]
		i = colon + 1
	}
	value, quoted, end := read(text, i)
	if len(q.terms) >= mostTerms {
		if n := len(q.Notes); n == 0 || q.Notes[n-1].Kind != TooMany {
			q.note(TooMany, text, start, len(text))
		}
		return end
	}
	t := term{not: not, start: start, end: end}
	if name != "" && !q.understand(&t, name, value, quoted, text, start, end) {
		return end
	}
	if t.field == inText {
		if name != "" {
			value = name + " " + value
		}
		if t.word = wordOf(value, quoted); t.word == nil {
			if value != "" || name == "" {
				q.note(NoLetters, text, start, end)
			}
			return end
		}
	}
	if !not {
		q.files &= kindsOf[t.field]
		if t.field == fieldIn {
			q.files &= [...]uint8{asRuns, asAsks, asReply, asFile}[t.value]
		}
		if t.field == fieldIs {
			q.files &= [...]uint8{asAsks, asAsks, asAsks, asAsks, asRuns, asRuns}[t.value]
		}
	}
	q.terms = append(q.terms, t)
	return end
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

// understand reads a field. It reports whether the part counts; where it does not know the field or
// the value, the part counts as words.
func (q *Query) understand(t *term, name, value string, quoted bool, text string, start, end int) bool {
	f := field(0)
	for i := range fields {
		if i > 0 && same(fields[i], name) {
			f = field(i)
		}
	}
	wrong := func(kind NoteKind) *Note {
		n := q.note(kind, text, start, end)
		n.Field, n.Value = name, value
		return n
	}
	if f == 0 {
		if len(name) == 1 || value == "" || value[0] == '/' { // C:\ or http://…
			return true
		}
		n := wrong(UnknownField)
		if s := figs.Suggest(name, fields[1:]); s != "" {
			n.Fix = text[start:start+number(t.not)] + s + ":" + text[start+number(t.not)+len(name)+1:end]
		} else {
			n.Fix = text[start:start+number(t.not)] + `"` + name + " " + value + `"`
		}
		return true
	}
	if value == "" {
		wrong(NoValue).Choices = values(f)
		return false
	}
	if choices := values(f); choices != nil {
		for i, c := range choices {
			if same(c, value) || same(synonym(c), value) {
				t.field, t.value = f, uint8(i)
				return true
			}
		}
		n := wrong(UnknownValue)
		n.Choices = choices
		if s := figs.Suggest(value, choices); s != "" {
			n.Fix = text[start:start+number(t.not)] + fields[f] + ":" + s
		}
		return true
	}
	switch f {
	case fieldRound:
		if t.from, t.to = bounds(value); t.from < 0 {
			wrong(NoNumber)
			return true
		}
	case fieldBefore, fieldAfter, fieldOn:
		from, to := period(value)
		if from == figs.NoTime {
			wrong(NoDate)
			return true
		}
		switch f {
		case fieldBefore:
			from, to = figs.NoTime+1, from
		case fieldAfter:
			from, to = to, 1<<62
		}
		t.from, t.to = from, to
	default:
		if t.word = wordOf(value, quoted); t.word == nil {
			q.note(NoLetters, text, start, end)
			return false
		}
	}
	t.field = f
	return true
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
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

// bounds reads the number of a round, or what it is compared with; from is -1 when it is none.
func bounds(s string) (from, to int64) {
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
			return -1, 0
		}
		n = n*10 + int64(s[i]-'0')
	}
	switch {
	case s == "":
		return -1, 0
	case less && equal:
		return 0, n
	case less:
		return 0, n - 1
	case more && equal:
		return n, most
	case more:
		return n + 1, most
	}
	return n, n
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
