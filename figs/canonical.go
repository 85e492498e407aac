package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// AppendCanonical writes a value so that two equal values have equal bytes: no white space,
// members sorted by key with the last of duplicates, strings in one way of escaping. Numbers
// stay as written: a reader must not decide that 1.0 and 1 are the same to an agent.
func AppendCanonical(dst []byte, v jsonl.Value) []byte {
	switch v.Kind {
	case jsonl.String:
		if spelledPlain(v.Raw) {
			return append(dst, v.Raw...)
		}
		return AppendString(dst, string(jsonl.AppendKey(nil, v.Raw)))
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
	for _, c := range raw {
		if c < 0x20 || c >= 0x7F || c == '\\' {
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
	return string(AppendCanonical(nil, a)) == string(AppendCanonical(nil, b))
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
