package figs

import (
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs/jsonl"
)

// AppendCanonical writes a value so that two equal values have equal bytes: no white space,
// members sorted by key with the last of duplicates, strings in one way of escaping. Numbers
// stay as written: a reader must not decide that 1.0 and 1 are the same to an agent.
func AppendCanonical(dst []byte, v jsonl.Value) []byte {
	switch v.Kind {
	case jsonl.String:
		if spelledPlain(v.Raw) {
			return append(dst, v.Raw...)
		}
		return quote(jsonl.AppendKey(dst, v.Raw), len(dst))
	case jsonl.Array:
		dst = append(dst, '[')
		first := true
		for c := jsonl.Walk(v); c.Next(); first = false {
			if !first {
				dst = append(dst, ',')
			}
			dst = AppendCanonical(dst, c.Value)
		}
		return append(dst, ']')
	case jsonl.Object:
		var few fewMembers
		if few.read(v) {
			return few.appendCanonical(dst)
		}
		var r merger
		for c := jsonl.Walk(v); c.Next(); {
			r.name = jsonl.AppendKey(r.name[:0], c.Key)
			r.set(r.name, c.Value)
		}
		return AppendCanonicalObject(dst, r.fields)
	}
	return append(dst, v.Raw...)
}

// spelledPlain reports whether a string, with its quotes, is printable ASCII without escapes: then there is one way to spell it.
func spelledPlain(raw []byte) bool {
	i := 0
	for ; i+8 <= len(raw); i += 8 {
		if w := load8(raw[i:]); !printable(w) || ((w^slants)-lows)&^w&tops != 0 {
			return false
		}
	}
	for _, c := range raw[i:] {
		if c < 0x20 || c >= 0x7F || c == '\\' {
			return false
		}
	}
	return true
}

// fewMembers are the members of a small object, as most are, whose keys are all different and spelled plainly.
type fewMembers struct {
	n      int
	keys   [8][]byte
	values [8]jsonl.Value
}

// read takes the members of an object. It returns false if there are too many, or a key is repeated or has escapes.
func (o *fewMembers) read(v jsonl.Value) bool {
	for c := jsonl.Walk(v); c.Next(); {
		if o.n == len(o.keys) || !spelledPlain(c.Key) || o.find(c.Key) < o.n {
			return false
		}
		o.keys[o.n], o.values[o.n] = c.Key, c.Value
		o.n++
	}
	return true
}

// find returns the place of a member, or n.
func (o *fewMembers) find(key []byte) int {
	for i, k := range o.keys[:o.n] {
		if string(k) == string(key) {
			return i
		}
	}
	return o.n
}

// appendCanonical is AppendCanonical for the object.
func (o *fewMembers) appendCanonical(dst []byte) []byte {
	dst = append(dst, '{')
	var last []byte // the key written last, without its quotes: a closing quote sorts before letters
	for i := range o.n {
		least := -1
		for k, key := range o.keys[:o.n] {
			if name := string(key[1 : len(key)-1]); (i == 0 || name > string(last)) && (least < 0 || name < string(o.keys[least][1:len(o.keys[least])-1])) {
				least = k
			}
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		key := o.keys[least]
		last = key[1 : len(key)-1]
		dst = AppendCanonical(append(append(dst, key...), ':'), o.values[least])
	}
	return append(dst, '}')
}

// same reports whether two objects have the same members.
func (o *fewMembers) same(p *fewMembers) bool {
	if o.n != p.n {
		return false
	}
	for i := range o.n {
		if at := p.find(o.keys[i]); at == p.n || !SameValue(o.values[i], p.values[at]) {
			return false
		}
	}
	return true
}

// AppendCanonicalObject is AppendCanonical for a record.
func AppendCanonicalObject(dst []byte, o Object) []byte {
	order := make([]int, len(o))
	for i := range order {
		order[i] = i
	}
	Sort(order, func(x, y int) bool { return o[x].Key < o[y].Key })
	dst = append(dst, '{')
	for n, i := range order {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, o[i].Key)
		dst = append(dst, ':')
		dst = AppendCanonical(dst, o[i].Value)
	}
	return append(dst, '}')
}

// SameValue reports whether two values say the same.
func SameValue(a, b jsonl.Value) bool {
	if string(a.Raw) == string(b.Raw) {
		return true
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case jsonl.String:
		if differAtOnce(a.Raw, b.Raw) {
			return false
		}
		return string(jsonl.AppendKey(nil, a.Raw)) == string(jsonl.AppendKey(nil, b.Raw))
	case jsonl.Array:
		c, d := jsonl.Walk(a), jsonl.Walk(b)
		for {
			more := c.Next()
			if d.Next() != more || more && !SameValue(c.Value, d.Value) {
				return false
			}
			if !more {
				return true
			}
		}
	case jsonl.Object:
		var o, p fewMembers
		if o.read(a) && p.read(b) {
			return o.same(&p)
		}
	}
	return string(AppendCanonical(nil, a)) == string(AppendCanonical(nil, b))
}

// differAtOnce reports whether the first character at which two spellings part proves that the strings differ. The spellings
// must not be equal.
func differAtOnce(a, b []byte) bool {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && a[n]&0xC0 == 0x80 {
		n--
	}
	r, _ := utf8.DecodeRune(a[n:])
	q, _ := utf8.DecodeRune(b[n:])
	return r != utf8.RuneError && q != utf8.RuneError && r != '\\' && q != '\\' && !hasEscape(a[:n])
}

// AppendWords writes every text of a value, with a space before each: what a search finds.
func AppendWords(dst []byte, v jsonl.Value) []byte {
	if v.Kind == jsonl.String {
		return jsonl.AppendText(append(dst, ' '), v.Raw)
	}
	for c := jsonl.Walk(v); c.Next(); {
		dst = AppendWords(dst, c.Value)
	}
	return dst
}
