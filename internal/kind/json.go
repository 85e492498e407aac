package kind

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// Document is one JSON text of a file, whose values know where they stand.
type Document struct {
	File    string // named in findings
	Content []byte
	Root    Value
	first   int   // line of the file that Content begins in
	begins  []int // offsets at which lines begin; nil until somebody asks for a position
}

// Value is a JSON value and where it begins in the document's content.
type Value struct {
	jsonl.Value
	Offset int
}

// Member is one member of an object; a key that stands twice is two members.
type Member struct {
	Key       string
	KeyOffset int
	Value     Value
}

// Parse reads one JSON text, which may span several lines. Line is the line of the file in which content begins,
// from 1. ok is false, and at is where reading failed, when content is anything else; a document that is returned
// then still tells positions.
func Parse(file string, content []byte, line int) (d *Document, at int, ok bool) {
	v, at, ok := jsonl.Parse(content)
	d = &Document{File: file, Content: content, Root: Value{v, at}, first: line}
	return d, at, ok
}

// Position is the line of the file and the column in bytes, both from 1, of an offset in the content.
func (d *Document) Position(offset int) (line, column int) {
	offset = min(offset, len(d.Content))
	if d.begins == nil {
		d.begins = append(d.begins, 0)
		for i, c := range d.Content {
			if c == '\n' {
				d.begins = append(d.begins, i+1)
			}
		}
	}
	lo, hi := 0, len(d.begins) // the line is one of [lo, hi): hostile texts have as many findings as bytes
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; d.begins[mid] <= offset {
			lo = mid
		} else {
			hi = mid
		}
	}
	return d.first + lo, offset - d.begins[lo] + 1
}

// At begins a finding at a value: its place, and the end of the marked bytes where they end on the same line.
func (d *Document) At(code figs.Code, pointer string, v Value) figs.Finding {
	line, column := d.Position(v.Offset)
	f := figs.Finding{Code: code, File: d.File, Line: line, Column: column, Offset: int64(v.Offset), Pointer: pointer}
	if jsonl.IndexNewline(v.Raw) < 0 {
		f.EndColumn = column + len(v.Raw)
	}
	return f
}

// Members lists the members of an object in their order; of anything else there are none.
func (v Value) Members() (all []Member) {
	if v.Kind != jsonl.Object {
		return nil
	}
	for c := jsonl.Walk(v.Value); c.Next(); {
		key := jsonl.Value{Kind: jsonl.String, Raw: c.Key}
		all = append(all, Member{key.Text(), v.Offset + c.KeyOffset, Value{c.Value, v.Offset + c.Offset}})
	}
	return all
}

// Items lists the elements of an array; of anything else there are none.
func (v Value) Items() (all []Value) {
	if v.Kind != jsonl.Array {
		return nil
	}
	for c := jsonl.Walk(v.Value); c.Next(); {
		all = append(all, Value{c.Value, v.Offset + c.Offset})
	}
	return all
}
