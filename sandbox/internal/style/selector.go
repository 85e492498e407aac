package style

import (
	"strings"
)

// Allowed pseudo-classes and pseudo-elements: they depend on the document alone.
var (
	pseudoClasses = words(`first-child last-child only-child first-of-type last-of-type only-of-type empty root any-link`)
	pseudoCounts  = words(`nth-child nth-last-child nth-of-type nth-last-of-type`)
	pseudoLists   = words(`not is where`)
	pseudoParts   = words(`before after first-line first-letter marker`)
	// attributes that remain in the document unchanged.
	matchable = words(`open colspan rowspan align valign dir lang scope start type title alt headers width height`)
)

// selectors filters a list of selectors and returns those that are left, written afresh.
func (f *filter) selectors(lo, hi int) []string {
	var kept []string
	for lo < hi {
		end := f.comma(lo, hi)
		s := selector{f: f, i: lo, hi: end}
		text, ok := s.complex()
		switch {
		case !ok:
			f.drop(f.example(lo, end))
		case len(kept) >= maxList:
			f.drop("too many selectors")
		default:
			kept = append(kept, text)
		}
		lo = end + 1
	}
	return kept
}

// selector reads one selector.
type selector struct {
	f        *filter
	i, hi    int
	b        strings.Builder
	depth    int
	siblings int
	ended    bool // a pseudo-element was the last word
}

func (s *selector) at(i int) *token {
	if i < s.hi {
		return &s.f.toks[i]
	}
	return &token{kind: kNone}
}

// complex reads compounds and what stands between them.
func (s *selector) complex() (string, bool) {
	s.i, s.hi = s.f.trim(s.i, s.hi)
	for steps := 0; steps < maxCompound; steps++ {
		if !s.compound() {
			return "", false
		}
		if s.i >= s.hi {
			return s.b.String(), true
		}
		if s.ended || !s.combinator() {
			return "", false
		}
	}
	return "", false
}

func (s *selector) combinator() bool {
	start := s.i
	s.i = s.f.space(s.i, s.hi)
	switch t := s.at(s.i); {
	case t.is("~"):
		if s.siblings++; s.siblings > maxSibling {
			return false
		}
		s.b.WriteString(" ~ ")
	case t.is(">"), t.is("+"):
		s.b.WriteString(" " + t.text + " ")
	case s.i > start:
		s.b.WriteByte(' ')
		return true
	default:
		return false
	}
	s.i = s.f.space(s.i+1, s.hi)
	return true
}

// compound reads what must hold for one element.
func (s *selector) compound() bool {
	start := s.i
	switch t := s.at(s.i); {
	case t.is("*"):
		s.b.WriteByte('*')
		s.i++
	case t.kind == kIdent:
		if !plainIdent(t.text) {
			return false
		}
		s.b.WriteString(t.text)
		s.i++
	}
	for parts := 0; s.i < s.hi && !s.ended; parts++ {
		if parts >= maxParts {
			return false
		}
		t := s.at(s.i)
		ok := true
		switch {
		case t.is("."):
			ok = s.named(".", s.at(s.i+1), 2)
		case t.kind == kHash:
			ok = s.named("#", t, 1)
		case t.kind == kLeftBracket:
			ok = s.attribute(int(t.close))
		case t.kind == kColon:
			ok = s.pseudo()
		default:
			return s.i > start
		}
		if !ok {
			return false
		}
	}
	return s.i > start
}

// named writes a class or an id with the prefix.
func (s *selector) named(mark string, t *token, used int) bool {
	if t.text == "" || len(t.text) > maxIdent || t.kind != kIdent && t.kind != kHash {
		return false
	}
	s.b.WriteString(mark)
	writeIdent(&s.b, Name(t.text))
	s.i += used
	return true
}

// attribute reads [name], [name=value], [name~=value] or [name|=value].
func (s *selector) attribute(end int) bool {
	if end >= s.hi {
		return false
	}
	i := s.f.space(s.i+1, end)
	name := strings.ToLower(s.at(i).text)
	if s.at(i).kind != kIdent || !matchable[name] {
		return false
	}
	s.b.WriteString("[" + name)
	i = s.f.space(i+1, end)
	if i < end {
		op, val := s.at(i), s.f.space(i+1, end)
		if !op.is("=") && op.kind != kIncludeMatch && op.kind != kDashMatch || val >= end {
			return false
		}
		v := s.at(val)
		if v.kind != kIdent && v.kind != kString || len(v.text) > maxIdent {
			return false
		}
		if rest := s.f.space(val+1, end); rest < end { // only the flag i, which these attributes do not need
			if !strings.EqualFold(s.at(rest).text, "i") || s.f.space(rest+1, end) < end {
				return false
			}
		}
		s.b.WriteString(op.text)
		writeString(&s.b, v.text)
	}
	s.b.WriteByte(']')
	s.i = end + 1
	return true
}

// pseudo reads a pseudo-class or a pseudo-element.
func (s *selector) pseudo() bool {
	i, colons := s.i+1, 1
	if s.at(i).kind == kColon {
		i, colons = i+1, 2
	}
	t := s.at(i)
	name := strings.ToLower(t.text)
	switch {
	case t.kind == kIdent && pseudoParts[name] && (colons == 2 || name != "marker"):
		if s.depth > 0 {
			return false
		}
		s.b.WriteString("::" + name)
		s.ended = true
	case t.kind == kIdent && colons == 1 && name == "link":
		s.b.WriteString(":any-link")
	case t.kind == kIdent && colons == 1 && pseudoClasses[name]:
		s.b.WriteString(":" + name)
	case t.kind == kFunction && colons == 1 && int(t.close) < s.hi:
		return s.functional(name, i)
	default:
		return false
	}
	s.i = i + 1
	return true
}

// functional reads a pseudo-class with arguments; i is its function token.
func (s *selector) functional(name string, i int) bool {
	end := int(s.at(i).close)
	var inside string
	switch {
	case pseudoCounts[name]:
		inside = count(s.f.raw(i+1, end))
	case pseudoLists[name] && s.depth < 2:
		inside = s.list(i+1, end)
	}
	if inside == "" {
		return false
	}
	s.b.WriteString(":" + name + "(" + inside + ")")
	s.i = end + 1
	return true
}

// list reads the selectors inside :not(), :is() and :where(); all must be allowed, since leaving
// one out would turn the meaning round.
func (s *selector) list(lo, hi int) string {
	var out []string
	for lo < hi {
		end := s.f.comma(lo, hi)
		in := selector{f: s.f, i: lo, hi: end, depth: s.depth + 1, siblings: s.siblings}
		text, ok := in.complex()
		if !ok || len(out) >= 16 {
			return ""
		}
		s.siblings = in.siblings
		out = append(out, text)
		lo = end + 1
	}
	return strings.Join(out, ",")
}

// count returns odd, even or an+b without white space, or "" when it is none of these.
func count(raw string) string {
	s := strings.ToLower(strings.Join(strings.Fields(raw), ""))
	if s == "odd" || s == "even" {
		return s
	}
	a, b, found := strings.Cut(s, "n")
	if !found {
		a, b = "", s
	}
	if a == "" && b == "" && !found || !whole(a, found) || !whole(b, false) || found && b != "" && isDigit(b[0]) {
		return ""
	}
	return s
}

// whole says whether s is empty or a whole number of at most four digits; a sign alone may stand for one.
func whole(s string, sign bool) bool {
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || len(digits) > 4 {
		return false
	}
	for i := 0; i < len(digits); i++ {
		if !isDigit(digits[i]) {
			return false
		}
	}
	return digits != "" || s == "" || sign
}
