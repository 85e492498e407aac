package figs

import (
	"bytes"
	"fmt"
	"slices"
)

// NewScanning is New for a folder that scans every line and follows no plan.
func NewScanning(opt Options) *Folder {
	opt.noPlans = true
	f := New(opt)
	f.secret = FingerprintKey{1, 2}
	return f
}

// NewPlanned is New for a folder that hashes as those of NewScanning do.
func NewPlanned(opt Options) *Folder {
	f := New(opt)
	f.secret = FingerprintKey{1, 2}
	return f
}

// Followed counts the lines that were followed.
func (f *Folder) Followed() (n int) {
	for i := range f.ledgers {
		n += f.ledgers[i].plan.Hits()
	}
	return n
}

// Differs says where two finished folders differ in anything that reading leaves behind, or "".
func (f *Folder) Differs(g *Folder) string {
	if a, b := AppendFindings(nil, f.Finish()), AppendFindings(nil, g.Finish()); string(a) != string(b) {
		return fmt.Sprintf("findings:\n%s\n%s", a, b)
	}
	if a, b := fmt.Sprintf("%+v", f.report.Resolved), fmt.Sprintf("%+v", g.report.Resolved); a != b {
		return fmt.Sprintf("mended:\n%s\n%s", a, b)
	}
	for file := range File(Ledgers) {
		l, m := &f.ledgers[file], &g.ledgers[file]
		if d := differ("line", &l.lines, &m.lines) + differ("record", &l.recs, &m.recs) + differ("id", &l.ids.entries, &m.ids.entries); d != "" {
			return file.String() + ": " + d
		}
		if !sameTexts(&l.ids, &m.ids) {
			return file.String() + ": ids"
		}
		if !slices.Equal(l.indents, m.indents) {
			return file.String() + ": indents"
		}
		if f.opt.Keep && string(f.AppendFold(nil, file)) != string(g.AppendFold(nil, file)) {
			return file.String() + ": folds"
		}
	}
	if d := differ("ask", &f.asks, &g.asks) + differ("message", &f.messages, &g.messages) + differ("change", &f.changes, &g.changes) +
		differ("mention", &f.names.mentions, &g.names.mentions) + differ("phrase", &f.phrases.entries, &g.phrases.entries) +
		differ("option", &f.optHash, &g.optHash) + differ("date", &f.resolved, &g.resolved); d != "" {
		return d
	}
	for what, same := range map[string]bool{
		"phrases": sameTexts(&f.phrases, &g.phrases), "units": sameTexts(&f.units, &g.units),
		"names": slices.Equal(f.names.files, g.names.files), "states": slices.Equal(f.states, g.states),
		"threads": slices.Equal(f.threads, g.threads), "rounds": slices.Equal(f.rounds, g.rounds),
		"counts": f.counts == g.counts && f.kept == g.kept, "notes": f.notes == g.notes,
	} {
		if !same {
			return what
		}
	}
	if h, i := f.past, g.past; h != nil {
		for file := range Messages {
			if !slices.Equal(h.traces[file], i.traces[file]) || !slices.Equal(h.heads[file], i.heads[file]) {
				return "history of " + file.String()
			}
		}
		if !slices.Equal(h.refs, i.refs) || !slices.Equal(h.spots, i.spots) || !slices.Equal(h.mendings, i.mendings) {
			return "history"
		}
	}
	return ""
}

func sameTexts(a, b *symbols) bool { return slices.EqualFunc(a.bytesOf, b.bytesOf, bytes.Equal) }

// differ names the first entries of two lists that are not the same.
func differ[T comparable](what string, a, b *pages[T]) string {
	for i := range min(a.n, b.n) {
		if *a.at(i) != *b.at(i) {
			return fmt.Sprintf("%s %d: %+v, %+v", what, i, *a.at(i), *b.at(i))
		}
	}
	if a.n != b.n {
		return fmt.Sprintf("%d and %d of %s", a.n, b.n, what)
	}
	return ""
}
