package findings

import (
	"unicode/utf8"
	"unsafe"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// field numbers the fields of the contract, in its order; all are required.
type field uint8

const (
	fieldID field = iota
	fieldVersion
	fieldTier
	fieldSource
	fieldDate
	fieldSeverity
	fieldCategory
	fieldPattern
	fieldQuestion
	fieldChecklist
	fieldLanguages
	fieldWhen
	fieldStatus
	fieldSupersededBy
	fieldDedupKey
	fieldHitCount
	fieldLastCited
	fieldTTLDays
	fieldConfidence
	fieldCount
	fieldUnknown
)

// Fields are the fields that every entry has, in the contract's order.
var Fields = [fieldCount]string{"id", "version", "tier", "source", "date", "severity", "category", "pattern", "detection_question",
	"checklist_item", "applicable_languages", "applicable_when", "status", "superseded_by", "dedup_key", "hit_count", "last_cited", "ttl_days", "confidence"}

// SourceFields are the parts of source, in the contract's order.
var SourceFields = [4]string{"repo", "session", "file", "skill"}

func fieldOf(key []byte) field {
	for f, name := range Fields {
		if name == string(key) {
			return field(f)
		}
	}
	return fieldUnknown
}

// parts are the members of the line that count, by field: of a key that stands twice, the last one.
type parts [fieldCount]*jsonl.Member

// entry reads and judges one line.
func (r *Reader) entry(l *line) {
	l.invalid = l.ln.NonASCII && !utf8.Valid(l.b[l.ln.Start:l.ln.End])
	r.state.Entries = append(r.state.Entries, Entry{No: len(r.state.Entries) + 1, Line: l.number, TTLDays: -1, Expires: figs.NoTime, Raw: l.b[l.ln.Start:l.ln.End:l.ln.End]})
	e := &r.state.Entries[len(r.state.Entries)-1]
	r.places = append(r.places, place{start: l.offset + l.start})
	for i := range l.ms {
		if m := &l.ms[i]; string(r.key(l, m)) == Fields[fieldID] {
			e.ID = r.text(l, l.value(m))
		}
	}
	l.record = e.ID
	p := r.members(l, e)
	if l.invalid {
		r.log.Add(l.whole(figs.ProjectUTF8Invalid))
	}
	r.missing(l, &p)
	r.wording(l, e, &p)
	r.source(l, e, p[fieldSource])
	r.scope(l, e, &p)
	r.numbers(l, e, &p)
	r.lifecycle(l, e, &p)
	r.identity(l, e, &p)
}

// members sorts the members of the line by field, and notes keys that stand twice.
func (r *Reader) members(l *line, e *Entry) (p parts) {
	for i := range l.ms {
		m := &l.ms[i]
		key := r.key(l, m)
		if f := fieldOf(key); f != fieldUnknown {
			if p[f] != nil {
				r.log.Add(l.at(figs.EntryKeyDuplicate, "", int(m.KeyStart)-1, int(m.KeyEnd)+1), Fields[f])
			}
			p[f] = m
			continue
		}
		if at := extraAt(e.Extra, key); at < len(e.Extra) {
			r.log.Add(l.at(figs.EntryKeyDuplicate, "", int(m.KeyStart)-1, int(m.KeyEnd)+1), e.Extra[at].Key)
			e.Extra[at].Value = l.value(m)
		} else if at < mostExtra {
			e.Extra = append(e.Extra, figs.Field{Key: string(key), Value: l.value(m)})
		}
	}
	return p
}

// key is a member's key, decoded. It is good until the next one.
func (r *Reader) key(l *line, m *jsonl.Member) []byte {
	if !m.KeyEscaped {
		return l.b[m.KeyStart:m.KeyEnd]
	}
	r.scratch = jsonl.AppendKey(r.scratch[:0], l.b[m.KeyStart-1:m.KeyEnd+1])
	return r.scratch
}

// extraAt is the place of an unknown field, or the one that a new one gets.
func extraAt(extra figs.Object, key []byte) int {
	for i := range extra {
		if extra[i].Key == string(key) {
			return i
		}
	}
	return len(extra)
}

func (l *line) value(m *jsonl.Member) jsonl.Value {
	return jsonl.Value{Kind: m.Kind, Raw: l.b[m.ValueStart:m.ValueEnd:m.ValueEnd]}
}

// text decodes a string. Where that changes nothing it points into the file, which spares memory.
func (r *Reader) text(l *line, v jsonl.Value) string {
	if v.Kind != jsonl.String {
		return ""
	}
	inner := v.Raw[1 : len(v.Raw)-1]
	if l.invalid || l.ln.Escaped && hasBackslash(inner) {
		return string(jsonl.AppendText(nil, v.Raw))
	}
	return unsafe.String(unsafe.SliceData(inner), len(inner))
}

func hasBackslash(b []byte) bool {
	for _, c := range b {
		if c == '\\' {
			return true
		}
	}
	return false
}

// missing notes, in one finding, the fields that the entry does not have.
func (r *Reader) missing(l *line, p *parts) {
	var names []string
	for f, m := range p {
		if m == nil {
			names = append(names, Fields[f])
		}
	}
	if len(names) > 0 {
		r.log.Add(l.whole(figs.EntryFieldMissing), shared(names[:min(len(names), mostMissing)], len(names)))
	}
}

// mostMissing is how many missing fields a finding names.
const mostMissing = 8

// list is “a, b and c”.
func list(names []string) string {
	s := names[0]
	for i, name := range names[1:] {
		if i == len(names)-2 {
			s += " and " + name
		} else {
			s += ", " + name
		}
	}
	return s
}

// words reads a field that must be a text with something in it; "" and false when it is not.
func (r *Reader) words(l *line, p *parts, f field) (string, bool) {
	m := p[f]
	if m == nil {
		return "", false
	}
	s := r.text(l, l.value(m))
	if m.Kind != jsonl.String || isBlank(s) {
		r.log.Add(l.on(figs.EntryFieldMalformed, "/"+Fields[f], m), Fields[f], aText)
		return s, false
	}
	r.hidden(l, "/"+Fields[f], m, s)
	return s, true
}

const aText = "a non-empty string"

// isBlank reports whether nothing of s can be seen.
func isBlank(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ', '\t', '\n', '\r', '\v', '\f':
		default:
			return false
		}
	}
	return true
}

// hidden warns about characters that nobody sees, but that a model which is given the text reads.
func (r *Reader) hidden(l *line, pointer string, m *jsonl.Member, s string) {
	if !l.ln.NonASCII && !l.ln.Escaped {
		return
	}
	if c := figs.HiddenCharacter(unsafe.Slice(unsafe.StringData(s), len(s))); c >= 0 {
		r.log.Add(l.on(figs.EntryTextHidden, pointer, m), string(c))
	}
}

// wording reads the fields that are plain text.
func (r *Reader) wording(l *line, e *Entry, p *parts) {
	r.words(l, p, fieldID)
	e.Tier, _ = r.words(l, p, fieldTier)
	e.Category, _ = r.words(l, p, fieldCategory)
	e.Pattern, _ = r.words(l, p, fieldPattern)
	e.Question, _ = r.words(l, p, fieldQuestion)
	e.Checklist, _ = r.words(l, p, fieldChecklist)
	e.Confidence, _ = r.words(l, p, fieldConfidence)
	var ok bool
	if e.Severity, ok = r.words(l, p, fieldSeverity); ok && SeverityRank(e.Severity) == unranked {
		f := l.on(figs.EntrySeverityUnknown, "/severity", p[fieldSeverity])
		f.Suggestion = figs.Suggest(e.Severity, Severities)
		r.log.Add(f, e.Severity)
	}
	e.Rank = SeverityRank(e.Severity)
}

// source reads the provenance record.
func (r *Reader) source(l *line, e *Entry, m *jsonl.Member) {
	if m == nil {
		return
	}
	if m.Kind != jsonl.Object {
		r.log.Add(l.on(figs.EntryFieldMalformed, "/source", m), "source", "an object with repo, session, file and skill")
		return
	}
	into := [...]*string{&e.Source.Repo, &e.Source.Session, &e.Source.File, &e.Source.Skill}
	var seen [len(SourceFields)]bool
	for c := jsonl.Walk(l.value(m)); c.Next(); {
		r.scratch = jsonl.AppendKey(r.scratch[:0], c.Key)
		for i, name := range SourceFields {
			if name != string(r.scratch) {
				continue
			}
			if seen[i] {
				at := int(m.ValueStart) + c.KeyOffset
				r.log.Add(l.at(figs.EntryKeyDuplicate, "/source", at, at+len(c.Key)), name)
			}
			seen[i] = true
			*into[i] = r.text(l, c.Value)
			r.hidden(l, "/source/"+name, m, *into[i])
		}
	}
	var missing []string
	for i, name := range SourceFields {
		if isBlank(*into[i]) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		r.log.Add(l.on(figs.EntrySourceIncomplete, "/source", m), list(missing))
	}
}
