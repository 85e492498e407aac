package listquery

import (
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs/find"
)

// Filter is a parsed Query.Filter. Its syntax is that of searches (package find): words, "words in quotes",
// field:value, and - before what must not be true. All terms must be true of a row.
type Filter struct {
	Terms   []Term
	Unknown []string // names of fields that the list doesn't have; their terms are looked for as words
}

// Term is one condition.
type Term struct {
	Field string // name of a column; "" for a word that may be in any column
	Value string // lower case
	Not   bool
}

// ParseFilter parses a filter for a list whose columns have these names.
func ParseFilter(text string, columns []string) (f Filter) {
	for _, part := range find.Parts(text) {
		term := Term{Value: strings.ToLower(part.Value), Not: part.Not}
		for _, name := range columns {
			if strings.EqualFold(name, part.Field) {
				term.Field = name
			}
		}
		if part.Field != "" && term.Field == "" {
			f.Unknown = append(f.Unknown, part.Field)
			term.Value = strings.ToLower(part.Field + ":" + part.Value)
		}
		if term.Value != "" {
			f.Terms = append(f.Terms, term)
		}
	}
	return f
}

// Kind says how a column's values are compared with the value of a term.
type Kind int

// The kinds of columns.
const (
	Text   Kind = iota // contains the value, whatever the case of its letters
	Word               // is the value, or begins with it
	Number             // 5, <5 or >5
	Time               // microseconds since 1970; the value is a date, "2026-05", or one behind < or >
	Flags              // words, one of which begins with the value; a term without a field isn't looked for in them
)

// matches reports whether a column's value satisfies a term's value.
func (k Kind) matches(text string, number int64, value string) bool {
	switch k {
	case Word:
		return strings.HasPrefix(strings.ToLower(text), value)
	case Flags:
		return slices.ContainsFunc(strings.Fields(text), func(flag string) bool { return strings.HasPrefix(flag, value) })
	case Number, Time:
		from, to, ok := k.Range(value)
		return ok && number >= from && number < to
	}
	return strings.Contains(strings.ToLower(text), value)
}

// Range returns the numbers that a term's value selects in a Number or Time column, to not included; ok is false if the
// value can't be read.
func (k Kind) Range(value string) (from, to int64, ok bool) {
	const first, last = -1 << 62, 1 << 62
	sign, rest := "", value
	if value != "" && (value[0] == '<' || value[0] == '>') {
		sign, rest = value[:1], value[1:]
	}
	if k == Time {
		from, to, ok = find.Period(rest)
	} else if n, err := strconv.ParseInt(rest, 10, 62); err == nil {
		from, to, ok = n, n+1, true
	}
	switch {
	case ok && sign == "<":
		from, to = first, from
	case ok && sign == ">":
		from, to = to, last
	}
	return from, to, ok
}
