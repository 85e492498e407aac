package find

import "github.com/figs-web/figs-web/figs"

// Part is one part of a text in the syntax of a search: a word, words in quotes, or a field with its value.
type Part struct {
	Not    bool   // negated with "-"
	Field  string // "" before words
	Value  string // without its quotes
	Quoted bool
}

// Parts cuts a text into its parts, for lists that have fields of their own. It reads as many as Parse.
func Parts(text string) []Part {
	var all []Part
	text = text[:min(len(text), longest)]
	for i := 0; i < len(text) && len(all) < mostTerms; {
		if text[i] <= ' ' {
			i++
			continue
		}
		p := parsePart(text, i)
		all = append(all, Part{Not: p.minus != "", Field: p.name, Value: p.value, Quoted: p.quoted})
		i = p.end
	}
	return all
}

// Period returns the times of a year, month or day in UTC, "2026", "2026-05" or "2026-05-04", to not included; ok is
// false if date is none of these.
func Period(date string) (from, to int64, ok bool) {
	from, to = period(date)
	return from, to, from != figs.NoTime
}
