package findings

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// WordingChoice says whose pattern, detection_question and checklist_item a merge keeps.
type WordingChoice uint8

const (
	KeepWording WordingChoice = iota // what is in the registry
	NewWording                       // the newcomer's
)

// MergeResult is what a merge of two records with one dedup_key gives.
type MergeResult struct {
	Line    []byte              // the merged record, without a line break; the existing bytes when nothing changed
	Changed []string            // fields that are not as they were, in the contract's order, unknown ones last
	Kept    []string            // fields of which the existing value was kept although the newcomer has another one
	Wording []WordingDifference // where the two say it differently
}

// WordingDifference is one field of the wording in which two records differ.
type WordingDifference struct {
	Field              string
	Existing, Newcomer string
	New                bool // the newcomer's was taken
}

// Merge merges a newcomer into the record with the same dedup_key.
//
// The existing wording stays unless the newcomer's is chosen. The fields of the lifecycle (status, superseded_by,
// ttl_days, confidence) are always written: as the newcomer states them, else as they were. hit_count becomes the
// higher one, last_cited the later one. applicable_languages and applicable_when become both together, existing ones
// first. All other fields stay; a field that is missing or malformed is taken from the newcomer, and so are fields
// that only the newcomer has. MergeResult the same newcomer again changes nothing.
func Merge(existing, newcomer *Entry, w WordingChoice) MergeResult {
	m := merging{old: figs.Fold([][]byte{existing.Raw}), add: figs.Fold([][]byte{newcomer.Raw})}
	m.out = append(figs.Object(nil), m.old...)
	for f := range fieldCount {
		m.field(f, w)
	}
	for i := range m.add {
		if key := m.add[i].Key; fieldOf([]byte(key)) == fieldUnknown {
			if m.old.Get(key).Kind == jsonl.None {
				m.set(key, m.add[i].Value)
			} else if !figs.SameValue(m.old.Get(key), m.add[i].Value) {
				m.Kept = append(m.Kept, key)
			}
		}
	}
	if m.Line = existing.Raw; len(m.Changed) > 0 {
		m.Line = figs.AppendObject(nil, m.out)
	}
	return m.MergeResult
}

type merging struct {
	MergeResult
	old, add, out figs.Object
}

// field merges one field of the contract.
func (m *merging) field(f field, w WordingChoice) {
	old, add := m.old.Get(Fields[f]), m.add.Get(Fields[f])
	oldGood, addGood := usable(f, old), usable(f, add)
	switch {
	case f == fieldSupersededBy && !addGood && usable(fieldStatus, m.add.Get("status")) && m.add.Get("status").Text() != Superseded:
		m.set(Fields[f], null) // it belonged to the status that was
	case isLifecycle(f) && !addGood:
		if old.Kind == jsonl.None {
			m.set(Fields[f], otherwise(f))
		}
	case !addGood:
	case !oldGood || isLifecycle(f):
		m.set(Fields[f], add)
	case isWording(f):
		if figs.SameValue(old, add) {
			return
		}
		m.Wording = append(m.Wording, WordingDifference{Fields[f], old.Text(), add.Text(), w == NewWording})
		if w == NewWording {
			m.set(Fields[f], add)
		}
	case f == fieldHitCount:
		was, _ := integer(old)
		if is, _ := integer(add); is > was {
			m.set(Fields[f], add)
		}
	case f == fieldLastCited:
		if add.Kind == jsonl.String && (old.Kind == jsonl.Null || Instant(add.Text()) > Instant(old.Text())) {
			m.set(Fields[f], add)
		}
	case f == fieldLanguages || f == fieldWhen:
		m.set(Fields[f], union(f, old, add))
	case !figs.SameValue(old, add):
		m.Kept = append(m.Kept, Fields[f])
	}
}

// set gives a field its value, when that is another one.
func (m *merging) set(key string, v jsonl.Value) {
	if was := m.old.Get(key); was.Kind != jsonl.None && figs.SameValue(was, v) {
		return
	}
	m.Changed = append(m.Changed, key)
	m.out = put(m.out, key, v)
}

func put(o figs.Object, key string, v jsonl.Value) figs.Object {
	for i := range o {
		if o[i].Key == key {
			o[i].Value = v
			return o
		}
	}
	return append(o, figs.Field{Key: key, Value: v})
}

func isWording(f field) bool { return f == fieldPattern || f == fieldQuestion || f == fieldChecklist }

func isLifecycle(f field) bool {
	return f == fieldStatus || f == fieldSupersededBy || f == fieldTTLDays || f == fieldConfidence
}

var null = jsonl.Value{Kind: jsonl.Null, Raw: []byte("null")}

// otherwise is what a field of the lifecycle is when neither record has it.
func otherwise(f field) jsonl.Value {
	switch f {
	case fieldStatus:
		return jsonl.Value{Kind: jsonl.String, Raw: []byte(`"active"`)}
	case fieldConfidence:
		return jsonl.Value{Kind: jsonl.String, Raw: []byte(`"medium"`)}
	}
	return null
}

// usable reports whether a field has a value of the form that the contract gives it.
func usable(f field, v jsonl.Value) bool {
	switch f {
	case fieldVersion:
		n, ok := integer(v)
		return ok && n == 1
	case fieldSource:
		return v.Kind == jsonl.Object
	case fieldLanguages, fieldWhen:
		return v.Kind == jsonl.Array
	case fieldHitCount, fieldTTLDays:
		n, ok := integer(v)
		return ok && n >= 0 || f == fieldTTLDays && v.Kind == jsonl.Null
	case fieldSupersededBy:
		return v.Kind == jsonl.Null || v.Kind == jsonl.String
	case fieldLastCited:
		return v.Kind == jsonl.Null || v.Kind == jsonl.String && Instant(v.Text()) != figs.NoTime
	}
	return v.Kind == jsonl.String && !isBlank(v.Text())
}

// union is one list with what stands in either, existing elements first and as they are. Of applicable_when only words
// of the vocabulary are added.
func union(f field, old, add jsonl.Value) jsonl.Value {
	raw, n, seen := []byte{'['}, 0, map[string]bool{}
	push := func(v jsonl.Value) {
		if n++; n > 1 {
			raw = append(raw, ", "...)
		}
		raw = append(raw, v.Raw...)
	}
	for c := jsonl.Walk(old); c.Next(); {
		seen[c.Value.Text()] = true
		push(c.Value)
	}
	before := n
	for c := jsonl.Walk(add); c.Next(); {
		s := c.Value.Text()
		if c.Value.Kind != jsonl.String || seen[s] || isBlank(s) || f == fieldWhen && !IsApplicable(s) {
			continue
		}
		seen[s] = true
		push(c.Value)
	}
	if n == before {
		return old
	}
	return jsonl.Value{Kind: jsonl.Array, Raw: append(raw, ']')}
}

// SetField is a record, of which one field has another value, given as JSON. A new field comes last.
func SetField(record figs.Object, key string, json []byte) figs.Object {
	v, _, ok := jsonl.Parse(json)
	if !ok {
		return record
	}
	return put(append(figs.Object(nil), record...), key, v)
}
