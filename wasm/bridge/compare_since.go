package bridge

import "github.com/figs-web/figs-web/figs"

var changeNames = [...]string{figs.LineEdited: "edited", figs.LineRemoved: "removed", figs.LineMoved: "moved", figs.LineInserted: "inserted"}

// since tells what became of the folder since the openings whose prints were kept, as numbers of lines: of which opening is
// said most, and what. It is -1 when there is nothing to say: none was of this folder, or it stood as it stands at one of them
// ("known").
//
// An agent may have several copies, which grow apart, are older, or are merged, and one browser may have opened all of them.
// So what contradicts an opening is told only as long as no other opening explains it: one that this folder continues, and that
// the contradicted one does not.
func (e *Engine) since(a *agent) {
	q := a.f.Print(e.compare.key)
	prints := make([]*figs.Fingerprint, len(e.compare.kept))
	all := make([]*figs.Comparison, len(prints))
	if !a.f.ReadWhole() {
		prints = nil
	}
	for i := range prints {
		p := e.print(i, q)
		if p == nil {
			continue
		}
		if p.Equal(q) {
			e.told(-1, i, nil)
			return
		}
		prints[i], all[i] = p, a.f.CompareWith(nil, p, q, e.compare.key)
	}
	continued, strange, most, against := -1, -1, -1, -1
	for i, c := range all {
		if c == nil {
			continue
		}
		switch past := c.History(); {
		case past == figs.HistoryUnchanged:
			if old := linesOf(c); old > most {
				continued, most = i, old
			}
		case past == figs.HistoryUnrelated:
			if strange < 0 {
				strange = i
			}
		case (against < 0 || plainer(c, all[against])) && !explained(prints, all, i):
			against = i
		}
	}
	switch {
	case against >= 0:
		e.told(against, -1, all[against])
	case continued >= 0:
		e.told(continued, -1, all[continued])
	case strange >= 0:
		e.told(strange, -1, all[strange])
	default:
		e.told(-1, -1, nil)
	}
}

// explained reports whether an opening that the folder continues had gone another way than the one that it contradicts.
func explained(prints []*figs.Fingerprint, all []*figs.Comparison, contradicted int) bool {
	for i, c := range all {
		if c != nil && c.History() == figs.HistoryUnchanged && !prints[i].Begins(prints[contradicted]) {
			return true
		}
	}
	return false
}

// plainer reports whether what contradicts one opening is better told than what contradicts another: what was rewritten before what
// may be another copy, then what is other in fewer lines.
func plainer(c, other *figs.Comparison) bool {
	if a, b := c.History() == figs.HistoryRewritten, other.History() == figs.HistoryRewritten; a != b {
		return a
	}
	return changedIn(c) < changedIn(other)
}

func changedIn(c *figs.Comparison) (n int) {
	for i := range c.Ledgers {
		if n += len(c.Ledgers[i].Changes); c.Ledgers[i].Gone {
			n += c.Ledgers[i].Old
		}
	}
	return n
}

// linesOf counts the lines that there were.
func linesOf(c *figs.Comparison) (n int) {
	for i := range c.Ledgers {
		n += c.Ledgers[i].Old
	}
	return n
}

func (e *Engine) told(which, known int, c *figs.Comparison) {
	e.out = figs.AppendInt(append(e.out, `{"op":"since","which":`...), which)
	e.out = figs.AppendInt(append(e.out, `,"known":`...), known)
	if c != nil {
		counts := [len(changeNames)]int{}
		added, gone, ends := 0, 0, 0
		for i := range c.Ledgers {
			l := &c.Ledgers[i]
			added, ends = added+l.Added, ends+l.Ends
			if l.Gone {
				gone += l.Old
			}
			for _, change := range l.Changes {
				counts[change.Kind]++
			}
		}
		e.out = figs.AppendString(append(e.out, `,"past":`...), c.History().String())
		e.out = figs.AppendCount(e.out, "old", linesOf(c))
		e.out = figs.AppendCount(e.out, "added", added)
		e.out = figs.AppendCount(e.out, "gone", gone)
		e.out = figs.AppendCount(e.out, "ends", ends)
		for i, name := range changeNames {
			e.out = figs.AppendCount(e.out, name, counts[i])
		}
	}
	e.out = append(e.out, '}')
}
