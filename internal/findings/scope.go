package findings

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// scope reads what the entry applies to.
func (r *Reader) scope(l *line, e *Entry, p *parts) {
	e.Languages = r.texts(l, p, fieldLanguages, nil)
	e.When = r.texts(l, p, fieldWhen, func(f figs.Finding, word string) {
		if IsApplicable(word) {
			return
		}
		f.Code, f.Suggestion = figs.EntryApplicableUnknown, figs.Suggest(word, Applicable)
		r.log.Add(f, word)
	})
	if m := p[fieldWhen]; m != nil && m.Kind == jsonl.Array && len(e.When) == 0 {
		r.log.Add(l.on(figs.EntryApplicableMissing, "/applicable_when", m))
	}
}

// IsApplicable reports whether a word is of the controlled vocabulary.
func IsApplicable(word string) bool {
	for _, w := range Applicable {
		if w == word {
			return true
		}
	}
	return false
}

// texts reads a list of texts, and calls each for every one, with a finding that begins there.
func (r *Reader) texts(l *line, p *parts, f field, each func(figs.Finding, string)) (all []string) {
	m := p[f]
	if m == nil {
		return nil
	}
	if m.Kind != jsonl.Array {
		r.log.Add(l.on(figs.EntryFieldMalformed, "/"+Fields[f], m), Fields[f], "a list of texts")
		return nil
	}
	n := 0
	for c := jsonl.Walk(l.value(m)); c.Next(); n++ {
		at := int(m.ValueStart) + c.Offset
		finding := l.at(figs.EntryFieldMalformed, "/"+Fields[f]+"/"+string(figs.AppendInt(nil, n)), at, at+len(c.Value.Raw))
		if n == mostItems {
			r.log.Add(finding, Fields[f], "a list of at most 64 texts; the others are not read")
			break
		}
		s := r.text(l, c.Value)
		if c.Value.Kind != jsonl.String || isBlank(s) {
			r.log.Add(finding, "each of "+Fields[f], aText)
			continue
		}
		all = append(all, s)
		r.hidden(l, finding.Pointer, m, s)
		if each != nil {
			each(finding, s)
		}
	}
	return all
}

// numbers reads the fields that count.
func (r *Reader) numbers(l *line, e *Entry, p *parts) {
	if m := p[fieldVersion]; m != nil {
		n, ok := integer(l.value(m))
		switch {
		case !ok:
			r.log.Add(l.on(figs.EntryFieldMalformed, "/version", m), "version", "the number 1")
		case n != 1:
			r.log.Add(l.on(figs.EntryVersionUnknown, "/version", m), string(figs.AppendInt(nil, n)))
		}
		e.Version = n
	}
	if m := p[fieldHitCount]; m != nil {
		n, ok := integer(l.value(m))
		if !ok || n < 0 {
			r.log.Add(l.on(figs.EntryFieldMalformed, "/hit_count", m), "hit_count", "a whole number from 0")
			n = 0
		}
		e.HitCount = n
	}
	if m := p[fieldTTLDays]; m != nil && m.Kind != jsonl.Null {
		n, ok := integer(l.value(m))
		if !ok || n < 0 {
			r.log.Add(l.on(figs.EntryFieldMalformed, "/ttl_days", m), "ttl_days", "a whole number of days from 0, or null")
			n = -1
		}
		e.TTLDays = n
	}
}

// mostDigits is how many digits a whole number may have: those that JavaScript, too, reads exactly.
const mostDigits = 15

// integer reads a whole number that is written without an exponent; 30.0, which some programs write, is one.
func integer(v jsonl.Value) (n int, ok bool) {
	if v.Kind != jsonl.Number {
		return 0, false
	}
	s, sign := v.Raw, 1
	if s[0] == '-' {
		s, sign = s[1:], -1
	}
	i := 0
	for ; i < len(s) && s[i] != '.'; i++ {
		if s[i] < '0' || s[i] > '9' || i == mostDigits {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	for i++; i < len(s); i++ {
		if s[i] != '0' {
			return 0, false
		}
	}
	return sign * n, true
}
