package figs

// LineKind says what became of a line that had been written.
type LineKind uint8

const (
	LineEdited   LineKind = iota // other words stand in its place
	LineRemoved                  // it is no longer there
	LineMoved                    // it stands elsewhere among the others
	LineInserted                 // it was not there, and older lines follow it
)

// LineChange is one line of the past that does not stand as it stood.
type LineChange struct {
	Kind     LineKind
	Old, New int // physical lines of the ledger, from 1; 0: none
}

// LedgerChange says what became of one ledger. Ledgers are append-only (§1), so all but Added is a change of the past.
// Same, Dropped, Changes and Added together are all lines of both.
type LedgerChange struct {
	File  File
	Old   int  // physical lines that there were
	Same  int  // of those, the ones that stand as they stood
	Added int  // lines behind all that there were
	Gone  bool // the ledger had lines and is not there any more
	// Completed says that a torn last line was written to its end; Joined, that something was written on behind a last
	// line that had been whole; Dropped, that a torn last line, which is no record (§4), was taken away or written anew.
	// None of them is a change of the past: not a byte of a record is another.
	Completed, Joined, Dropped bool
	// Ends counts those of Same that end in CR LF and did not, or did and do not any more, as a checkout on another system
	// makes them. It is no change of the past either; any other white space is.
	Ends int
	// Anchored says that a line was edited or removed, and one that was written after it stands. Without one, what differs
	// is the end of the ledger: another copy of the folder may have gone on differently there.
	Anchored bool
	Changes  []LineChange // in the order of the older lines, inserted ones where they stand

	unveiled     bool // a line was edited, and words were not taken out of it
	blanks, lost int  // of Same, and of the removed ones those that said something
}

// Rewritten reports whether the past of the ledger was changed.
func (c *LedgerChange) Rewritten() bool { return c.Gone || len(c.Changes) > 0 }

// Comparison is what became of a folder.
type Comparison struct {
	Ledgers  [Ledgers]LedgerChange
	old, new *Print
	f, g     *Folder // the older and the newer; f is nil when only a print of it was kept
}

// Rewritten reports whether the past of any ledger was changed.
func (c *Comparison) Rewritten() bool {
	for i := range c.Ledgers {
		if c.Ledgers[i].Rewritten() {
			return true
		}
	}
	return false
}

// Texts returns the lines that a change speaks of, as they were and as they are, without their line feeds; nil for one
// that is not there, and for an older one of which only a print was kept.
func (c *Comparison) Texts(file File, l LineChange) (old, new []byte) {
	if c.f != nil {
		old = c.f.PhysicalLine(c.old, file, l.Old)
	}
	return old, c.g.PhysicalLine(c.new, file, l.New)
}

// CompareWith says what became of an older reading of the folder g: f, with its print; without f, the print alone. Both
// prints are made with the same key, q of g.
func (g *Folder) CompareWith(f *Folder, p, q *Print, key PrintKey) *Comparison {
	c := &Comparison{old: p, new: q, f: f, g: g}
	for i := range c.Ledgers {
		c.ledger(File(i), key)
	}
	return c
}

func (c *Comparison) ledger(file File, key PrintKey) {
	old, new, to := &c.old.ledgers[file], &c.new.ledgers[file], &c.Ledgers[file]
	m, n := len(old.hashes), len(new.hashes)
	to.File, to.Old = file, m
	if to.Gone = m > 0 && !new.fed; to.Gone {
		return
	}
	for to.Same < min(m, n) && (old.hashes[to.Same]^new.hashes[to.Same])&^lineBits == 0 {
		to.stands(old.hashes[to.Same], new.hashes[to.Same], c.new.blank)
	}
	if to.Same == m-1 && old.tail > 0 && m <= n {
		// Nothing but the end of a line that had none: what stood of it may still stand.
		if line := c.g.PhysicalLine(c.new, file, m); len(line) > old.tail && key.line(line[:old.tail]) == old.hashes[m-1] {
			to.Same++
			to.Completed, to.Joined = old.torn, !old.torn
		}
	}
	if to.Dropped = to.Same == m-1 && old.torn && old.tail > 0; to.Dropped || to.Same == m {
		to.Added = n - to.Same
		return
	}
	a := alignment{old: old.hashes, new: new.hashes, lo: to.Same, blank: c.new.blank, torn: old.torn && old.tail > 0}
	a.alike = func(i, j int) bool {
		if c.f == nil {
			return true
		}
		return alikeTexts(c.Texts(file, LineChange{Old: i + 1, New: j + 1}))
	}
	a.align()
	a.pair()
	a.tell(to)
}

// stands counts a line that stands as it stood.
func (c *LedgerChange) stands(old, new, blank uint64) {
	c.Same++
	if (old^new)&lineCR != 0 {
		c.Ends++
	}
	if (old^blank)&^lineBits == 0 {
		c.blanks++
	}
}

// alikeTexts reports whether a line may be an edit of another: more than half of the longer one stands in both, at the
// beginning and at the end.
func alikeTexts(a, b []byte) bool {
	from, behind := CommonEnds(a, b)
	return 2*(from+behind) > max(len(a), len(b))
}

// CommonEnds returns how many bytes two texts have in common at the beginning, and behind those at the end.
func CommonEnds(a, b []byte) (from, behind int) {
	n := min(len(a), len(b))
	for from < n && a[from] == b[from] {
		from++
	}
	for behind < n-from && a[len(a)-1-behind] == b[len(b)-1-behind] {
		behind++
	}
	return from, behind
}
