package figs

// History is what a comparison amounts to. Ledgers are append-only, and still two honest copies of one folder may differ,
// so only what no copy can come to by itself is called rewritten.
type History uint8

const (
	HistoryUnchanged History = iota // nothing written before was changed; more may have come
	HistoryMissing                  // ledgers that had lines are not there any more; nothing was changed in the others
	HistoryOlder                    // nothing that is here was changed, and the older reading went on: an older copy, or cut off
	HistoryMerged                   // all that was there is there, with other lines in between or in another order
	HistoryRedacted                 // in each line that was edited, words gave way to placeholders
	HistoryDiverged                 // from some line on both go on differently: another copy that went its own way, or rewritten there
	HistoryUnrelated                // not a line of what was there is here
	HistoryRewritten                // a line was edited or removed, and lines that were written after it are here
)

var pastNames = [...]string{
	HistoryUnchanged: "stands", HistoryMissing: "missing", HistoryOlder: "older", HistoryMerged: "merged", HistoryRedacted: "veiled", HistoryDiverged: "apart",
	HistoryUnrelated: "strange", HistoryRewritten: "rewritten",
}

// Histories is how many of them there are.
const Histories = len(pastNames)

// String returns its name, as JSON output uses it.
func (p History) String() string { return pastNames[p] }

// History says what the comparison amounts to.
func (c *Comparison) History() History {
	var e evidence
	for i := range c.Ledgers {
		e.add(&c.Ledgers[i])
	}
	return e.past()
}

// evidence is what the ledgers of a comparison say together, as far as History depends on it.
type evidence struct {
	same, added int // lines that are in both, in whatever place, and lines that came at the end

	gone     bool // a ledger that had lines is not there any more
	changed  bool // a ledger changed other than by growing at its end
	moved    bool // a line is in another place, or came in between
	edited   bool
	unveiled bool // words changed into anything but placeholders
	removed  bool
	cut      bool // a line was removed, and one that was written after it is here
	anchored bool // a change stands before a line that is in both
}

// add takes in one ledger.
func (e *evidence) add(l *LedgerChange) {
	e.same += l.Same
	e.added += l.Added
	e.gone = e.gone || l.Gone
	e.changed = e.changed || len(l.Changes) > 0
	e.unveiled = e.unveiled || l.unveiled
	// Replies come to every copy by themselves, in an order and with neighbours of its own: what stands behind one proves nothing.
	e.anchored = e.anchored || l.Anchored && l.File != Messages
	for _, change := range l.Changes {
		switch change.Kind {
		case LineMoved:
			e.moved = true
			e.same++
		case LineInserted:
			e.moved = true
		case LineEdited:
			e.edited = true
		case LineRemoved:
			e.removed = true
			e.cut = e.cut || l.Anchored
		}
	}
}

// past judges the evidence. The first case that holds decides.
func (e *evidence) past() History {
	veiled := e.edited && !e.unveiled // every edit put placeholders where words were
	switch {
	case !e.changed && !e.gone:
		return HistoryUnchanged
	case !e.changed:
		return HistoryMissing
	case e.same == 0 && !veiled:
		return HistoryUnrelated
	case veiled && !e.cut:
		return HistoryRedacted
	case e.anchored:
		return HistoryRewritten
	case !e.edited && !e.moved && !e.cut && e.added == 0:
		return HistoryOlder
	case !e.edited && !e.removed:
		return HistoryMerged
	}
	return HistoryDiverged
}

// ReadWhole reports whether the ledgers were read from their beginning to their end, and none of them changed meanwhile:
// what is half of one reading and half of another tells nothing of the past.
func (f *Folder) ReadWhole() bool {
	for i := range f.told {
		for file := range File(Ledgers) {
			if f.told[i].name == file.String() {
				return false
			}
		}
	}
	return true
}
