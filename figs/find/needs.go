package find

import "github.com/figs-web/figs-web/figs"

// What an index may ask of a search before it shows a record to Match. Each answer is on the safe side: what they rule
// out does not match.

// Needs lists what must stand in the texts of a record, or in the name and the words of an attachment: the words that are looked
// for, and the values of fields that are themselves texts of the record. Words are as AppendFolded writes them, without the
// spaces around them, "acme 2026 00007"; with whole, the last one ends there. Where other isn't "", it will do instead.
func (q *Query) Needs(f func(words, other string, whole bool)) {
	for i := range q.terms {
		t := &q.terms[i]
		if t.not {
			continue
		}
		switch t.field {
		case inText, fieldBy, fieldUnit, fieldID, fieldFile:
			f(t.words())
		case fieldType:
			f((&term{word: foldedText(typeWords[t.value])}).words())
		case fieldTo:
			f((&term{word: foldedText(toWords[t.value])}).words())
		}
	}
}

// Within reports whether something may match whose time is one of several, of which from is the oldest and to the newest;
// no time at all is a from behind its to.
func (q *Query) Within(from, to int64) bool {
	for i := range q.terms {
		switch t := &q.terms[i]; t.field {
		case fieldBefore, fieldAfter, fieldOn:
			if !t.not && (from > to || to < t.from || from >= t.to) {
				return false
			}
		}
	}
	return true
}

// Dated reports whether a search asks when something was written.
func (q *Query) Dated() bool { return !q.Within(figs.NoTime+1, figs.NoTime) }

// Attaching reports whether only records that attach something can match.
func (q *Query) Attaching() bool {
	for i := range q.terms {
		if t := &q.terms[i]; !t.not && (t.field == fieldHas || t.field == fieldFile) {
			return true
		}
	}
	return false
}
