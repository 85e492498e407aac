package findings

import "github.com/figs-web/figs-web/figs"

// whole judges what one entry says of another, once all are known.
func (r *Reader) whole() {
	all := r.state.Entries
	for i := range all {
		e := &all[i]
		if r.places[i].superseded == 0 {
			continue
		}
		if e.SupersededNo = r.ids[e.SupersededBy]; e.SupersededNo == 0 {
			r.log.Add(r.replacedAt(figs.EntrySupersededByUnknown, i), e.SupersededBy)
		}
	}
	r.cycles()
}

// replacedAt begins a finding at the superseded_by of an entry.
func (r *Reader) replacedAt(code figs.Code, i int) figs.Finding {
	e, p := &r.state.Entries[i], &r.places[i]
	return figs.Finding{Code: code, File: File, Line: e.Line, Column: p.superseded - p.start + 1, EndColumn: p.supersededEnd - p.start + 1,
		Offset: int64(p.superseded), Pointer: "/superseded_by", Record: e.ID}
}

// mostRelated is how many places of a cycle a finding names.
const mostRelated = 5

// cycles reports each cycle of replacements once, at its first entry. An entry has one replacement at most, so whoever
// follows them from any entry meets the same end.
func (r *Reader) cycles() {
	all := r.state.Entries
	seen := make([]int32, len(all)) // by which walk, from 1
	for i := range all {
		at := i
		for seen[at] == 0 && all[at].SupersededNo > 0 {
			seen[at] = int32(i + 1)
			at = all[at].SupersededNo - 1
		}
		if seen[at] != int32(i+1) || all[at].SupersededNo == 0 {
			continue
		}
		first, n := at, 1
		for k := all[at].SupersededNo - 1; k != at; k = all[k].SupersededNo - 1 {
			first, n = min(first, k), n+1
		}
		f := r.replacedAt(figs.EntrySupersedesCycle, first)
		for k := all[first].SupersededNo - 1; k != first && len(f.Related) < mostRelated; k = all[k].SupersededNo - 1 {
			f.Related = append(f.Related, figs.Position{File: File, Line: all[k].Line})
		}
		r.log.Add(f, all[first].SupersededBy, string(figs.AppendInt(nil, n)))
	}
}
