package style

import (
	"strings"
)

// media filters the list of queries of an @media rule: a screen and its width, nothing else. It
// returns the queries that are left, or "".
func (f *filter) media(lo, hi int) string {
	var kept []string
	for lo < hi {
		end := f.comma(lo, hi)
		if q := f.query(lo, end); q != "" {
			if len(kept) < 8 {
				kept = append(kept, q)
			}
		} else {
			f.drop("@media " + f.example(lo, end))
		}
		lo = end + 1
	}
	return strings.Join(kept, ",")
}

// comma returns the end of the first item of a list separated by commas.
func (f *filter) comma(lo, hi int) int {
	for lo < hi && f.toks[lo].kind != kComma {
		lo = min(f.next(lo), hi)
	}
	return lo
}

// query filters one media query.
func (f *filter) query(lo, hi int) string {
	var parts []string
	and := true // an item may stand here
	for i := f.space(lo, hi); i < hi && len(parts) < 8; i = f.space(f.next(i), hi) {
		t := &f.toks[i]
		word := strings.ToLower(t.text)
		switch {
		case t.kind == kIdent && word == "only" && len(parts) == 0 && and:
		case t.kind == kIdent && word == "and" && !and:
			and = true
		case t.kind == kIdent && (word == "screen" || word == "all") && len(parts) == 0 && and:
			parts, and = append(parts, word), false
		case t.kind == kLeftParenthesis && and && int(t.close) < hi:
			feature := f.width(i+1, int(t.close))
			if feature == "" {
				return ""
			}
			parts, and = append(parts, feature), false
		default:
			return ""
		}
	}
	if and {
		return ""
	}
	return strings.Join(parts, " and ")
}

// width filters the inside of one feature: min-width, max-width, width, or a range of width, which
// is written in the older way so that no '<' or '>' remains.
func (f *filter) width(lo, hi int) string {
	var items []string // words, lengths, ':' and comparisons
	for i := lo; i < hi; i++ {
		switch t := &f.toks[i]; {
		case t.kind == kWhitespace:
		case t.is("=") && len(items) > 0 && (items[len(items)-1] == "<" || items[len(items)-1] == ">"):
		case t.kind == kIdent, t.kind == kColon, t.kind == kDelim:
			items = append(items, strings.ToLower(t.text))
		case t.kind == kDimension, t.kind == kNumber && t.text == "0":
			text, _, ok := f.value(&rule{fixed: true}, i, i+1)
			if !ok {
				return ""
			}
			items = append(items, text)
		default:
			return ""
		}
	}
	return feature(items)
}

func feature(items []string) string {
	switch {
	case len(items) == 3 && items[1] == ":" && isLength(items[2]):
		if n := items[0]; n == "min-width" || n == "max-width" || n == "width" {
			return "(" + n + ":" + items[2] + ")"
		}
	case len(items) == 3 && items[0] == "width" && isLength(items[2]):
		return bound(items[1], items[2])
	case len(items) == 3 && items[2] == "width" && isLength(items[0]):
		return bound(mirrored(items[1]), items[0])
	case len(items) == 5 && items[2] == "width" && items[1] == items[3] && isLength(items[0]) && isLength(items[4]):
		a, b := bound(mirrored(items[1]), items[0]), bound(items[3], items[4])
		if a != "" && b != "" {
			return a + " and " + b
		}
	}
	return ""
}

func isLength(s string) bool {
	return s != "" && (isDigit(s[0]) || s[0] == '.' || s[0] == '-' || s[0] == '+')
}

func mirrored(comparison string) string {
	switch comparison {
	case "<":
		return ">"
	case ">":
		return "<"
	}
	return comparison
}

func bound(comparison, length string) string {
	switch comparison {
	case "<":
		return "(max-width:" + length + ")"
	case ">":
		return "(min-width:" + length + ")"
	case "=":
		return "(width:" + length + ")"
	}
	return ""
}
