package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// Fold merges lines into one record, field by field, later over earlier (§4.3). Values are
// kept as written. Lines that are no object add nothing.
func Fold(lines [][]byte) Object {
	var o Object
	for _, b := range lines {
		o = o.merge(b)
	}
	return o
}

func (o Object) merge(line []byte) Object {
	v, _, ok := jsonl.Parse(line)
	if !ok || v.Kind != jsonl.Object {
		return o
	}
	var name []byte
	for c := jsonl.Walk(v); c.Next(); {
		name = jsonl.AppendKey(name[:0], c.Key)
		o = o.set(string(name), c.Value)
	}
	return o
}

func (o Object) set(key string, v jsonl.Value) Object {
	for i := range o {
		if o[i].Key == key {
			o[i].Value = v
			return o
		}
	}
	return append(o, Field{key, v})
}

// Get returns a field's value; its Kind is None when there is none.
func (o Object) Get(key string) jsonl.Value {
	for i := range o {
		if o[i].Key == key {
			return o[i].Value
		}
	}
	return jsonl.Value{}
}

// AppendObject writes a record as one JSON object, fields in the order of their first line.
func AppendObject(dst []byte, o Object) []byte {
	dst = append(dst, '{')
	for i := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, o[i].Key)
		dst = append(dst, ':')
		dst = jsonl.AppendValid(dst, o[i].Value.Raw)
	}
	return append(dst, '}')
}

// AppendFold writes a ledger's folded records, one JSON object a line, in the order of their
// first lines (§4.3); of messages, the first event of each id. It writes nothing when the
// folder does not keep bytes.
func (f *Folder) AppendFold(dst []byte, file File) []byte {
	l := &f.ledgers[file]
	for i := range l.recs.n {
		chain := l.chain(i)
		if file == Messages {
			chain = chain[:1]
		}
		var o Object
		for _, n := range chain {
			ln := l.lines.at(int(n))
			o = o.merge(l.bytes(ln.off, int(ln.len)))
		}
		dst = append(AppendObject(dst, o), '\n')
	}
	return dst
}
