//go:build !core

package bridge

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// What a comparison compares with, and why there is none.
const (
	CompareNothing = iota // nothing was chosen
	CompareFolder         // another folder, of which all is here
	ComparePrint          // an earlier opening, of which only the print was kept
	ComparePoints         // the same folder at another time
)

const (
	CompareFine    = iota
	CompareUnknown // what the address names is not here
	CompareBlind   // the folder is too large for its bytes to be kept
)

// shownRecords is how many records of a ledger a comparison lists, shownFiles how many files.
const shownRecords, shownFiles = 60, 100

// comparison fills the page about a folder and what it is compared with: "agent-2" and "beside" are folders, "kept-…" an
// earlier opening, "point-…" another time. What it finds goes into the text of the selection, in an encoding of its own,
// and the lines of the newer folder's records with the others.
func (x *selector) comparison() bool {
	with, e := x.r.text("with"), x.e
	kind, name := with, ""
	for i := range len(with) {
		if with[i] == '-' {
			kind, name = with[:i], with[i+1:]
			break
		}
	}
	var h, ledgers, lines, records, files list
	var counts [figs.RecordChanged + 1][figs.Ledgers]int
	var old *agent
	var by *figs.Comparison
	mode, problem := CompareNothing, CompareFine
	switch {
	case with == "":
	case !e.keep:
		problem = CompareBlind
	case kind == "point":
		mode, problem = ComparePoints, CompareUnknown
		if p, ok := x.end.f.ParsePoint(name); ok {
			old, problem = e.at(x.end, p), CompareFine
			if f := x.end.f; f.StepOf(p) > f.StepOf(x.f.End()) {
				old, x.a = x.a, old
				x.f = x.a.f
			}
		}
	case kind == "kept":
		mode = ComparePrint
		x.a, x.f = x.end, x.end.f
		if by = e.with(x.a, nil); by == nil {
			problem = CompareUnknown
		} else if p, _ := figs.ReadPrint(e.compare.kept); !by.Rewritten() {
			old = e.at(x.end, p.Point())
		}
	default:
		mode = CompareFolder
		n := len(e.agents)
		if kind == "agent" {
			n = int(count(jsonl.Value{Kind: jsonl.Number, Raw: []byte(name)})) - 1
		}
		x.a, x.f = x.end, x.end.f
		if old = e.folder(n); old == nil || old.report == nil || old == x.a {
			problem = CompareUnknown
		} else {
			by = e.with(x.a, old)
		}
	}
	if problem == CompareFine && by != nil {
		x.rewritten(by, &ledgers, &lines)
	}
	path, from, to := "", figs.Point{}, x.f.End()
	fromAt, toAt := int64(figs.NoTime), x.f.MomentOf(to)
	if problem == CompareFine && old != nil {
		path, from, fromAt = old.path, old.f.End(), old.f.MomentOf(old.f.End())
		x.became(old, &records, &counts)
		if mode == CompareFolder {
			x.filesOf(old, &files)
		}
	}
	h.put(mode, problem, int(fromAt), int(toAt))
	h.put(from[:]...)
	h.put(to[:]...)
	h.texts(path)
	for i := range counts {
		h.put(counts[i][:]...)
	}
	for _, part := range [...]*list{&ledgers, &lines, &records, &files} {
		h.join(part)
	}
	x.text = h.b
	return true
}

// rewritten lists what became of the lines, and the texts of a page of those that were changed.
func (x *selector) rewritten(c *figs.Comparison, ledgers, lines *list) {
	for i := range c.Ledgers {
		l := &c.Ledgers[i]
		var counts [len(changeNames)]int
		for _, change := range l.Changes {
			counts[change.Kind]++
			if x.onPage() {
				lines.n++
				x.changed(c, l.File, change, lines)
			}
		}
		ledgers.n++
		ledgers.put(l.Old, l.Same, l.Added, number(l.Gone), number(l.Completed), number(l.Joined))
		ledgers.put(counts[:]...)
	}
}

// changed writes one changed line with both texts around the first difference.
func (x *selector) changed(c *figs.Comparison, file figs.File, change figs.LineChange, l *list) {
	old, new := c.Texts(file, change)
	record, from := -1, 0
	if ref := x.numbered(file, change.New); change.New > 0 && ref.Number == change.New {
		record = ref.Record
	}
	if change.Kind == figs.LineEdited && old != nil {
		from, _ = figs.CommonEnds(old, new)
	}
	l.put(int(change.Kind), int(file), change.Old, change.New, record)
	for _, text := range [...][]byte{old, new} {
		const before, most = 600, 4096
		start := min(max(0, from-before), len(text))
		l.put(number(text != nil), start, len(text))
		l.texts(string(text[start:min(len(text), start+most)]))
	}
}

// became lists the records that are not as they were: so many of each ledger, and how many there are.
func (x *selector) became(old *agent, l *list, counts *[figs.RecordChanged + 1][figs.Ledgers]int) {
	var shown [figs.Ledgers]int
	for _, c := range x.f.CompareRecords(old.f) {
		counts[c.Kind][c.File]++
		if shown[c.File] == shownRecords || x.from > 0 {
			continue
		}
		shown[c.File]++
		l.n++
		id, was, is := "", -1, -1
		if c.Old >= 0 {
			was = stateOf(old.f, c.File, c.Old)
		}
		if c.New >= 0 {
			is = stateOf(x.f, c.File, c.New)
			x.record(Ref{c.File, c.New})
			if c.File == figs.Messages {
				if ask := x.f.AskOf(c.New); ask >= 0 {
					x.record(Ref{figs.Asks, ask})
				}
			}
		} else {
			id = old.f.ID(c.File, c.Old)
		}
		l.put(int(c.Kind), int(c.File), c.New, was, is)
		l.texts(id)
	}
}

// stateOf is the outcome of a job or the phase of an ask.
func stateOf(f *figs.Folder, file figs.File, record int) int {
	switch file {
	case figs.Runs:
		return int(f.Outcome(record))
	case figs.Asks:
		return int(f.State(record).Phase)
	}
	return -1
}

// filesOf lists the files that are not as they were.
func (x *selector) filesOf(old *agent, l *list) {
	for _, c := range x.f.CompareFiles(old.f) {
		if c.Kind == figs.FileAlike {
			for _, name := range x.e.compare.differ {
				if string(name) == c.Name {
					c.Kind = figs.FileOther
				}
			}
		}
		if c.Kind != figs.FileAlike && l.n < shownFiles {
			l.n++
			l.put(int(c.Kind), number(c.Artifact), int(c.Old), int(c.New))
			l.texts(c.Name)
		}
	}
}
