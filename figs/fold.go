package figs

import "github.com/figs-web/figs-web/figs/jsonl"

// Fold merges lines into one record, field by field, later over earlier (§4.3). Values are
// kept as written. Lines that are no object add nothing.
func Fold(lines [][]byte) Object {
	var r merger
	for _, b := range lines {
		r.merge(b)
	}
	return r.fields
}

// foldObjects is Fold of lines that are known to be objects, as those of a push are.
func foldObjects(lines [][]byte) Object {
	r := merger{fields: make(Object, 0, usualFields)}
	for _, line := range lines {
		r.mergeObject(jsonl.Value{Kind: jsonl.Object, Raw: line})
	}
	return r.fields
}

const usualFields = 12

// merger is a record while lines are merged into it. An object may have millions of fields:
// past a few, an index finds them.
type merger struct {
	fields Object
	index  symbols // numbers keys as fields does, from 1; empty while there are few
	name   []byte
}

const fewFields = 32

func (r *merger) merge(line []byte) {
	if v, _, ok := jsonl.Parse(line); ok && v.Kind == jsonl.Object {
		r.mergeObject(v)
	}
}

func (r *merger) mergeObject(v jsonl.Value) {
	for c := jsonl.Walk(v); c.Next(); {
		r.name = jsonl.AppendKey(r.name[:0], c.Key)
		r.set(r.name, c.Value)
	}
}

// set gives a field its value; a new field comes last.
func (r *merger) set(key []byte, v jsonl.Value) {
	if at := r.find(key); at < len(r.fields) {
		r.fields[at].Value = v
		return
	}
	r.fields = append(r.fields, Field{string(key), v})
}

// find returns the place of a field, or the place that a new one gets.
func (r *merger) find(key []byte) int {
	if len(r.fields) < fewFields {
		for i := range r.fields {
			if r.fields[i].Key == string(key) {
				return i
			}
		}
		return len(r.fields)
	}
	if r.index.entries.n == 0 {
		for i := range r.fields {
			r.index.intern([]byte(r.fields[i].Key))
		}
	}
	return int(r.index.intern(key)) - 1
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
// first lines (§4.3); of messages, the first event of each id, ordered by instant (§4.5). It
// writes nothing when the folder does not keep bytes.
func (f *Folder) AppendFold(dst []byte, file File) []byte {
	l := &f.ledgers[file]
	for _, i := range f.FoldOrder(file) {
		chain := l.chain(i)
		if file == Messages {
			chain = chain[:1]
		}
		var r merger
		for _, n := range chain {
			ln := l.lines.at(int(n))
			r.merge(l.bytes(ln.off(), int(ln.len)))
		}
		dst = append(AppendObject(dst, r.fields), '\n')
	}
	return dst
}

// FoldOrder lists the records of a ledger by first line, messages by instant (§4.5).
func (f *Folder) FoldOrder(file File) []int {
	order := make([]int, f.ledgers[file].recs.n)
	for i := range order {
		order[i] = i
	}
	if file == Messages {
		Sort(order, func(x, y int) bool { return f.messages.at(x).at < f.messages.at(y).at })
	}
	return order
}
