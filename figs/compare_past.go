package figs

// Past is what a comparison amounts to. Ledgers are append-only, and still two honest copies of one folder may differ,
// so only what no copy can come to by itself is called rewritten.
type Past uint8

const (
	PastStands    Past = iota // nothing written before was changed; more may have come
	PastMissing               // ledgers that had lines are not there any more; nothing was changed in the others
	PastOlder                 // nothing that is here was changed, and the older reading went on: an older copy, or cut off
	PastMerged                // all that was there is there, with other lines in between or in another order
	PastVeiled                // in each line that was edited, words gave way to placeholders
	PastApart                 // from some line on both go on differently: another copy that went its own way, or rewritten there
	PastStrange               // not a line of what was there is here
	PastRewritten             // a line was edited or removed, and lines that were written after it are here
)

var pastNames = [...]string{
	PastStands: "stands", PastMissing: "missing", PastOlder: "older", PastMerged: "merged", PastVeiled: "veiled", PastApart: "apart",
	PastStrange: "strange", PastRewritten: "rewritten",
}

// Pasts is how many of them there are.
const Pasts = len(pastNames)

// String returns its name, as JSON output uses it.
func (p Past) String() string { return pastNames[p] }

// Past says what the comparison amounts to.
func (c *Comparison) Past() Past {
	var old, same, added int
	var gone, changed, moved, removed, edited, cut, anchored, unveiled bool
	for i := range c.Ledgers {
		l := &c.Ledgers[i]
		old, same, added = old+l.Old, same+l.Same, added+l.Added
		gone, changed = gone || l.Gone, changed || len(l.Changes) > 0
		unveiled = unveiled || l.unveiled
		// Replies come to every copy by themselves, in an order and with neighbours of its own: what stands behind one proves nothing.
		anchored = anchored || l.Anchored && l.File != Messages
		for _, change := range l.Changes {
			switch change.Kind {
			case LineMoved:
				moved, same = true, same+1
			case LineInserted:
				moved = true
			case LineEdited:
				edited = true
			case LineRemoved:
				removed = true
				cut = cut || l.Anchored
			}
		}
	}
	switch {
	case !changed && !gone:
		return PastStands
	case !changed:
		return PastMissing
	case same == 0 && !(edited && !unveiled):
		return PastStrange
	case edited && !unveiled && !cut:
		return PastVeiled
	case anchored:
		return PastRewritten
	case !edited && !moved && !cut && added == 0:
		return PastOlder
	case !edited && !removed:
		return PastMerged
	}
	return PastApart
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
