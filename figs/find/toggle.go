package find

// With is the search with a part in it, "in:jobs", instead of others that ask about the same field;
// where the part is there already, the search without it.
func (q *Query) With(part string) string {
	name, _, _ := cutField(part)
	out, had := "", false
	for i := range q.terms {
		t := &q.terms[i]
		typed := q.Text[t.start:t.end]
		if !t.not && name != "" && t.field != inText && fields[t.field] == name {
			had = had || same(part, typed)
			continue
		}
		if out != "" {
			out += " "
		}
		out += q.typed(i)
	}
	if had {
		return out
	}
	if out != "" {
		out += " "
	}
	return out + part
}

// Wider is a search without one of its parts.
type Wider struct{ Part, Search string }

// Wider lists the searches without one of the parts that must be true, unless there is only one part.
func (q *Query) Wider() (all []Wider) {
	for i := range q.terms {
		if q.terms[i].not || len(q.terms) == 1 {
			continue
		}
		w := Wider{Part: q.typed(i)}
		for k := range q.terms {
			if k != i {
				if w.Search != "" {
					w.Search += " "
				}
				w.Search += q.typed(k)
			}
		}
		all = append(all, w)
	}
	return all
}

// typed is a part as it was typed, with its last quote.
func (q *Query) typed(i int) string {
	typed := q.Text[q.terms[i].start:q.terms[i].end]
	if quotes(typed)&1 == 1 { // that was never closed
		typed += `"`
	}
	return typed
}

// Has reports whether a search has a part, "in:jobs".
func (q *Query) Has(part string) bool {
	for i := range q.terms {
		if t := &q.terms[i]; same(part, q.Text[t.start:t.end]) {
			return true
		}
	}
	return false
}

// HasField reports whether a search asks about a field, "in", and not for what it is not.
func (q *Query) HasField(name string) bool {
	for i := range q.terms {
		if t := &q.terms[i]; t.field != inText && fields[t.field] == name && !t.not {
			return true
		}
	}
	return false
}

// Fixed is the search as a note would have it.
func (q *Query) Fixed(n *Note) string { return q.Text[:n.Start] + n.Fix + q.Text[n.End:] }

func quotes(s string) (n int) {
	for i := range len(s) {
		if s[i] == '"' {
			n++
		}
	}
	return n
}

func cutField(part string) (name, value string, ok bool) {
	for i := range len(part) {
		if part[i] == ':' {
			return part[:i], part[i+1:], true
		}
	}
	return "", part, false
}
