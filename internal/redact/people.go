package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// titles stand before and in names, and are nobody's.
var titles = map[string]bool{"Dr": true, "Prof": true, "Mr": true, "Mrs": true, "Ms": true, "Mx": true, "Sir": true, "Herr": true, "Frau": true, "Jr": true, "Sr": true,
	"Ing": true, "Dipl": true, "Mag": true, "Von": true, "Van": true, "De": true, "Der": true, "Den": true, "Di": true, "Da": true, "La": true, "Le": true, "El": true, "The": true, "And": true, "Of": true, "Geb": true}

// ordinary are names that sentences have as words, too: in lower case they stay.
var ordinary = map[string]bool{"april": true, "august": true, "bauer": true, "berg": true, "best": true, "bill": true, "black": true, "brown": true, "chance": true, "cook": true, "dean": true, "faith": true,
	"fisher": true, "frank": true, "gene": true, "grant": true, "green": true, "gross": true, "groß": true, "hall": true, "hope": true, "hunter": true, "joy": true, "june": true, "jung": true, "king": true,
	"klein": true, "koch": true, "kurz": true, "lang": true, "long": true, "manager": true, "mark": true, "mason": true, "miller": true, "page": true, "price": true, "rich": true, "richter": true, "rose": true, "schneider": true, "short": true,
	"smith": true, "stein": true, "team": true, "support": true, "finance": true, "weber": true, "white": true, "will": true, "wolf": true, "wood": true, "young": true}

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
