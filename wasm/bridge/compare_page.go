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
	CompareOK      = iota
	CompareUnknown // what the address names is not here
	CompareBlind   // the folder is too large for its bytes to be kept
)

// shownRecords is how many records of a ledger a comparison lists, shownFiles how many files.
const shownRecords, shownFiles = 20, 40

// comparison fills the page about a folder and what it is compared with. What it finds goes into the text of the selection,
// in an encoding of its own, and the lines of the newer folder's records with the others.
func (x *selector) comparison() bool {
	x.text = x.encodeComparison(x.loadComparison(x.r.text("with")))
	return true
}

// comparison is what there is to compare with.
type comparison struct {
	mode, problem int
	old           *agent           // the older folder; nil: its records and files are not here
	lines         *figs.Comparison // nil: the lines are not compared
}

// loadComparison finds what a page is compared with: "agent-2" and "beside" are folders, "kept-…" an earlier opening,
// "point-…" another time. The page is then about the newer of the two.
func (x *selector) loadComparison(with string) comparison {
	kind, name := cutDash(with)
	switch {
	case !x.e.keep:
		return comparison{problem: CompareBlind}
	case with == "":
		return comparison{}
	case kind == "point":
		return x.loadPoint(name)
	case kind == "kept":
		return x.loadPrint()
	case kind == "agent":
		return x.loadFolder(int(count(jsonl.Value{Kind: jsonl.Number, Raw: []byte(name)})) - 1)
	default:
		return x.loadFolder(len(x.e.agents))
	}
}

// cutDash cuts a text around its first dash.
func cutDash(s string) (before, after string) {
	for i := range len(s) {
		if s[i] == '-' {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// loadPoint takes the same folder at another time.
func (x *selector) loadPoint(name string) comparison {
	f := x.end.f
	p, ok := f.ParsePoint(name)
	if !ok {
		return comparison{mode: ComparePoints, problem: CompareUnknown}
	}
	old := x.e.at(x.end, p)
	if f.StepOf(p) > f.StepOf(x.f.End()) {
		old, x.a = x.a, old
		x.f = x.a.f
	}
	return comparison{mode: ComparePoints, old: old}
}

// loadPrint takes an earlier opening, of which only the print was kept: where its lines are all here still, the folder as it
// was then.
func (x *selector) loadPrint() comparison {
	x.a, x.f = x.end, x.end.f
	c := comparison{mode: ComparePrint, lines: x.e.with(x.a, nil)}
	if c.lines == nil {
		c.problem = CompareUnknown
	} else if !c.lines.Rewritten() {
		c.old = x.e.at(x.end, x.e.print(0, x.f.Print(x.e.compare.key)).Point())
	}
	return c
}

// loadFolder takes the n-th folder.
func (x *selector) loadFolder(n int) comparison {
	x.a, x.f = x.end, x.end.f
	old := x.e.folder(n)
	if old == nil || old.report == nil || old == x.a {
		return comparison{mode: CompareFolder, problem: CompareUnknown}
	}
	return comparison{mode: CompareFolder, old: old, lines: x.e.with(x.a, old)}
}

// encodeComparison writes what became of lines, records and files.
func (x *selector) encodeComparison(c comparison) []byte {
	var h, ledgers, lines, records, files list
	var counts [figs.RecordChanged + 1][figs.Ledgers]int
	past, others, partial := figs.HistoryUnchanged, false, false
	if c.lines != nil {
		past, partial = c.lines.History(), !x.f.ReadWhole()
		x.rewritten(c.lines, &ledgers, &lines)
	}
	path, from, to := "", figs.Point{}, x.f.End()
	fromAt, toAt := int64(figs.NoTime), x.f.MomentOf(to)
	if old := c.old; old != nil {
		path, from, fromAt = old.path, old.f.End(), old.f.MomentOf(old.f.End())
		if c.mode == CompareFolder {
			others, partial = x.a.unlike(old), partial || !old.f.ReadWhole()
			x.filesOf(old, &files)
		}
		x.became(old, past == figs.HistoryUnrelated, &records, &counts)
	}
	h.put(c.mode, c.problem, int(past), number(others), number(partial), int(fromAt), int(toAt))
	h.put(from[:]...)
	h.put(to[:]...)
	h.texts(path)
	for i := range counts {
		h.put(counts[i][:]...)
	}
	for _, part := range [...]*list{&ledgers, &lines, &records, &files} {
		h.join(part)
	}
	return h.b
}

// unlike reports whether both agents have an id, and it is not the same.
func (a *agent) unlike(b *agent) bool {
	var ids [2][]byte
	for i, f := range [...]*figs.Folder{a.f, b.f} {
		config, _ := figs.ReadConfig(f.Small(figs.ConfigJSON))
		ids[i] = []byte(config.AgentID)
		for k, c := range ids[i] {
			if c-'A' < 26 {
				ids[i][k] = c | 0x20
			}
		}
	}
	return len(ids[0]) > 0 && len(ids[1]) > 0 && string(ids[0]) != string(ids[1])
}

// rewritten lists what became of the lines, and the texts of a page of those that were changed. Where not a line stands, there
// are none to show: all of them are others.
func (x *selector) rewritten(c *figs.Comparison, ledgers, lines *list) {
	strange := c.History() == figs.HistoryUnrelated
	for i := range c.Ledgers {
		l := &c.Ledgers[i]
		var counts [len(changeNames)]int
		for _, change := range l.Changes {
			counts[change.Kind]++
			if !strange && x.onPage() {
				lines.n++
				x.changed(c, l.File, change, lines)
			}
		}
		ledgers.n++
		ledgers.put(l.Old, l.Same, l.Added, l.Ends, number(l.Gone), number(l.Completed), number(l.Joined), number(l.Dropped))
		ledgers.put(counts[:]...)
	}
}

// changed writes one changed line with both texts, of long ones what stands around the difference.
func (x *selector) changed(c *figs.Comparison, file figs.File, change figs.LineChange, l *list) {
	const around, most = 240, 2000
	old, new := c.Texts(file, change)
	record, from, behind := -1, 0, 0
	if ref := x.numbered(file, change.New); change.New > 0 && ref.Number == change.New {
		record = ref.Record
	}
	if change.Kind == figs.LineEdited && old != nil {
		from, behind = figs.CommonAffixes(old, new)
	}
	l.put(int(change.Kind), int(file), change.Old, change.New, record)
	for _, text := range [...][]byte{old, new} {
		start := min(max(0, from-around), len(text))
		if len(text) <= most/2 {
			start = 0
		}
		end := max(start+most/2, min(start+most, len(text)-behind+around))
		l.put(number(text != nil), start, len(text))
		l.texts(string(text[start:min(len(text), end)]))
	}
}

// became lists the records that are not as they were: so many of each ledger, and how many there are.
func (x *selector) became(old *agent, countOnly bool, l *list, counts *[figs.RecordChanged + 1][figs.Ledgers]int) {
	var shown [figs.Ledgers]int
	for _, c := range x.f.CompareRecords(old.f) {
		counts[c.Kind][c.File]++
		if countOnly || shown[c.File] == shownRecords || x.from > 0 {
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

// filesOf lists the files that are not as they were, and those of which nobody knows: they are as large, and their bytes were not
// read.
func (x *selector) filesOf(old *agent, l *list) {
	var told *bytesCompared
	for i := range x.e.compare.files {
		if t := &x.e.compare.files[i]; t.of == x.a && t.with == old {
			told = t
		}
	}
	for _, c := range x.f.CompareFiles(old.f) {
		if c.Kind == figs.FileSameSize {
			switch {
			case c.New == 0:
				continue
			case told == nil || listed(told.unread, c.Name):
			case listed(told.differ, c.Name):
				c.Kind = figs.FileDiffers
			default:
				continue
			}
		}
		if l.n < shownFiles {
			l.n++
			l.put(int(c.Kind), number(c.Artifact), int(c.Old), int(c.New))
			l.texts(c.Name)
		}
	}
}

func listed(names [][]byte, name string) bool {
	for _, n := range names {
		if string(n) == name {
			return true
		}
	}
	return false
}
