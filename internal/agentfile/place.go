package agentfile

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/kind"
)

// place is where something stands in a file, so that a rule can speak of it when the file itself is no longer there.
type place struct {
	file              string
	line, column, end int // from 1, columns in bytes; 0 as in figs.Finding
	offset            int64
	pointer, record   string
}

// whole is a file as a whole.
func whole(file string) place { return place{file: file} }

// spot is where a value of a JSON document stands.
func spot(d *kind.Document, v kind.Value, pointer, record string) place {
	f := d.At(0, pointer, v)
	return place{f.File, f.Line, f.Column, f.EndColumn, f.Offset, pointer, record}
}

// finding begins a finding there.
func (p place) finding(code figs.Code) figs.Finding {
	return figs.Finding{Code: code, File: p.file, Line: p.line, Column: p.column, EndColumn: p.end, Offset: p.offset,
		Pointer: p.pointer, Record: p.record}
}

// add notes a finding, with the values that its sentences quote.
func (r *Reader) add(code figs.Code, at place, values ...string) {
	r.log.Add(at.finding(code), values...)
}

// suggest notes a finding with the value that was meant, when that is certain.
func (r *Reader) suggest(code figs.Code, at place, meant string, values ...string) {
	f := at.finding(code)
	f.Suggestion = meant
	r.log.Add(f, values...)
}
