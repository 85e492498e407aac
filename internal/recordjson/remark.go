package recordjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/remark"
)

// Note is what a reply's text says in structured form, if it has remarks (package remark). Without any, all fields are left out.
type Note struct {
	Summary  string   `json:"summary,omitempty" jsonschema:"of a text with remarks: what it says on the whole"`
	Resolved []int    `json:"resolved,omitempty" jsonschema:"numbers of remarks of the previous round that the person calls resolved"`
	Remarks  []Remark `json:"remarks,omitempty" jsonschema:"what the person says about single places of what they reviewed, in the order of the text"`
}

// Remark is one remark, with its number from 1.
type Remark struct {
	Number int `json:"number"`
	remark.Remark
}

// NewNote takes the text of a reply apart.
func NewNote(text string) Note {
	n := remark.Parse(text)
	if len(n.Remarks)+len(n.Resolved) == 0 {
		return Note{}
	}
	out := Note{Summary: n.Summary, Resolved: n.Resolved}
	for i := range n.Remarks {
		out.Remarks = append(out.Remarks, Remark{i + 1, n.Remarks[i]})
	}
	return out
}

// WithRemarks adds the remarks that a reply's text has to its record, one JSON object on one line: the fields of Note,
// instead of fields that the record itself has under their names, with hidden characters as escapes. A record without
// remarks is returned as it is.
func WithRemarks(record []byte) []byte {
	o := figs.Fold([][]byte{record})
	r := NewNote(o.Get("text").Text())
	if len(r.Remarks)+len(r.Resolved) == 0 {
		return record
	}
	var more bytes.Buffer
	e := json.NewEncoder(&more)
	e.SetEscapeHTML(false)
	if e.Encode(r) != nil {
		return record
	}
	o = slices.DeleteFunc(o, func(f figs.Field) bool { return f.Key == "summary" || f.Key == "resolved" || f.Key == "remarks" })
	return figs.AppendObject(nil, append(o, figs.Fold([][]byte{escapeHidden(bytes.TrimSpace(more.Bytes()))})...))
}

// escapeHidden writes the hidden characters of JSON, which can only be in its strings, as escapes.
func escapeHidden(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for _, r := range string(b) {
		if !figs.IsHidden(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}
