package agentfile

import (
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/kind"
)

// object is a JSON object of a manifest or a status file, and how to speak of what is wrong in it.
type object struct {
	r                  *Reader
	d                  *kind.Document
	members            []kind.Member
	prefix             string // of names in sentences, "promotion."
	pointer, record    string
	where              place     // of the object
	missing, malformed figs.Code // rules for fields that are not there, and for values of another kind
}

// openObject reads a JSON file that must be one object.
func (r *Reader) openObject(file string, content []byte, broken figs.Code, record string) (*object, bool) {
	d, at, ok := kind.Parse(file, content, 1)
	if bad := jsonl.InvalidUTF8(content); bad >= 0 && !utf16Like(content) {
		r.addUTF8(file, content, bad)
	}
	if !ok || d.Root.Kind != jsonl.Object {
		line, column := d.Position(at)
		r.add(broken, place{file: file, line: line, column: column, end: column, offset: int64(at), record: record})
		return nil, false
	}
	o := &object{r: r, d: d, record: record, where: spot(d, d.Root, "", record)}
	o.open(d.Root)
	return o, true
}

// addUTF8 notes the first byte of a file that is no UTF-8.
func (r *Reader) addUTF8(file string, content []byte, bad int) {
	line, begin := 1, 0
	for i, c := range content[:bad] {
		if c == '\n' {
			line, begin = line+1, i+1
		}
	}
	column := bad - begin + 1
	r.add(figs.ProjectUTF8Invalid, place{file: file, line: line, column: column, end: column + 1, offset: int64(bad)}, strconv.Itoa(bad+1))
}

// open lists the members and notes those that stand twice.
func (o *object) open(v kind.Value) {
	o.members = v.Members()
	seen := make(map[string]bool, len(o.members))
	for _, m := range o.members {
		if seen[m.Key] {
			line, column := o.d.Position(m.KeyOffset)
			o.r.add(figs.ManifestKeyDuplicate, place{o.d.File, line, column, column, int64(m.KeyOffset), o.pointer, o.record}, m.Key)
		}
		seen[m.Key] = true
	}
}

// get is the last value of a key.
func (o *object) get(key string) (v kind.Value, ok bool) {
	for i := len(o.members) - 1; i >= 0; i-- {
		if o.members[i].Key == key {
			return o.members[i].Value, true
		}
	}
	return v, false
}

// has reports whether one of the keys is there.
func (o *object) has(keys ...string) bool {
	for _, key := range keys {
		if _, ok := o.get(key); ok {
			return true
		}
	}
	return false
}

// at is the place of the value of a key.
func (o *object) at(v kind.Value, key string) place {
	return spot(o.d, v, o.pointer+"/"+key, o.record)
}

// lacks notes that a field which must be there is not.
func (o *object) lacks(key string) { o.r.add(o.missing, o.where, o.prefix+key) }

// text reads a field that is text. Null counts as absent. It is ok when the value can be judged further.
func (o *object) text(key string, required bool) (s string, at place, ok bool) {
	v, there := o.get(key)
	if !there || v.Kind == jsonl.Null {
		if required {
			o.lacks(key)
		}
		return "", o.where, false
	}
	at = o.at(v, key)
	if v.Kind != jsonl.String {
		o.r.add(o.malformed, at, o.prefix+key, text)
		return "", at, false
	}
	if s = v.Text(); s == "" && required {
		o.r.add(o.missing, at, o.prefix+key)
		return "", at, false
	}
	return s, at, s != ""
}

// time reads a field that is a time with its offset.
func (o *object) time(key string, required bool) (s string, at place, ok bool) {
	s, at, ok = o.text(key, required)
	if ok {
		if _, ok = figs.ParseTime(s); !ok { // the text stays, as written
			o.r.add(o.malformed, at, o.prefix+key, "a date and time with its offset")
		}
	}
	return s, at, ok
}

// size reads a field that is a number of bytes; it is -1 when there is none.
func (o *object) size(key string) (n int64, at place) {
	v, there := o.get(key)
	if !there || v.Kind == jsonl.Null {
		return -1, at
	}
	at = o.at(v, key)
	n, err := strconv.ParseInt(string(v.Raw), 10, 64)
	if v.Kind != jsonl.Number || err != nil || n < 0 {
		o.r.add(o.malformed, at, o.prefix+key, "a whole number of bytes")
		return -1, at
	}
	return n, at
}

// object reads a field that is an object.
func (o *object) object(key string, required bool) (in *object, ok bool) {
	v, there := o.get(key)
	if !there || v.Kind == jsonl.Null {
		if required {
			o.lacks(key)
		}
		return nil, false
	}
	if v.Kind != jsonl.Object {
		o.r.add(o.malformed, o.at(v, key), o.prefix+key, "an object")
		return nil, false
	}
	return o.inner(v, key, o.prefix+key+"."), true
}

// inner goes into an object below this one.
func (o *object) inner(v kind.Value, key, prefix string) *object {
	in := *o
	in.prefix, in.pointer, in.where = prefix, o.pointer+"/"+key, o.at(v, key)
	in.open(v)
	return &in
}

// list reads a field that is a list of objects, and where it stands. What is no object in it is noted and left out.
func (o *object) list(key string) (items []*object, at place) {
	v, there := o.get(key)
	if !there || v.Kind == jsonl.Null {
		return nil, o.where
	}
	at = o.at(v, key)
	if v.Kind != jsonl.Array {
		o.r.add(o.malformed, at, o.prefix+key, "a list of objects")
		return nil, at
	}
	for c, n := jsonl.Walk(v.Value), 0; c.Next(); n++ {
		item := kind.Value{Value: c.Value, Offset: v.Offset + c.Offset}
		name := key + "/" + strconv.Itoa(n)
		switch {
		case n == mostEntries:
			o.r.add(o.malformed, o.at(item, name), o.prefix+key, "a list of at most 10,000 objects, of which the rest is not read")
			return items, at
		case item.Kind != jsonl.Object:
			o.r.add(o.malformed, o.at(item, name), name, "an object")
		default:
			items = append(items, o.inner(item, name, key+"."))
		}
	}
	return items, at
}
