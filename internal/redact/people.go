package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// titles stand before and in names, and are nobody's.
var titles = wordSet("Dr Prof Mr Mrs Ms Mx Sir Herr Frau Jr Sr Ing Dipl Mag Von Van De Der Den Di Da La Le El The And Of Geb")

// ordinary are names that sentences have as words, too: in lower case they stay.
var ordinary = wordSet("april august bauer berg best bill black brown chance cook dean faith fisher frank gene grant green gross groß hall hope hunter joy " +
	"june jung king klein koch kurz lang long manager mark mason miller page price rich richter rose schneider short smith stein team " +
	"support finance weber white will wolf wood young")

const longestName = 200

// notePerson makes a name an original, and each of its parts that is written like a name, in whatever case they stand.
func (r *Redaction) notePerson(name string) {
	if v := (&view{text: []byte(name)}).composed(); v != nil {
		name = string(v.text)
	}
	if strings.Contains(name, "@") || r.book.byText[name] != nil {
		return
	}
	r.book.note(person, name, false, cases(name, true)...)
	words := strings.FieldsFunc(name, unicode.IsSpace)
	if len(words) == 1 && !strings.Contains(name, "-") || len(name) > longestName {
		return
	}
	for _, w := range words {
		w = strings.Trim(w, ".,;()\"'")
		parts := []string{w}
		if strings.Contains(w, "-") {
			parts = append(parts, strings.Split(w, "-")...)
		}
		for _, part := range parts {
			first, _ := utf8.DecodeRuneInString(part)
			if utf8.RuneCountInString(part) < 2 && first < 0x2E80 || !unicode.IsLetter(first) || unicode.IsLower(first) || titles[part] {
				continue
			}
			lower := strings.ToLower(part)
			r.book.note(person, part, false, cases(part, len(lower) > 3 && !ordinary[lower])...)
		}
	}
}

// cases are the ways to write a name with other cases.
func cases(name string, lower bool) []string {
	upper := strings.ToUpper(name)
	forms := []string{upper, strings.ReplaceAll(upper, "ß", "SS"), titled(name)}
	if lower {
		forms = append(forms, strings.ToLower(name))
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// titled is a name with each of its words' first letter alone in upper case.
func titled(name string) string {
	first := true
	return strings.Map(func(r rune) rune {
		was := first
		first = !unicode.IsLetter(r) && !unicode.IsMark(r)
		if was {
			return unicode.ToUpper(r)
		}
		return unicode.ToLower(r)
	}, name)
}
