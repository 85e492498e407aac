package figs

// LineKind says what became of a line that had been written.
type LineKind uint8

const (
	LineEdited   LineKind = iota // it has other words
	LineRemoved                  // it is no longer there
	LineMoved                    // it is elsewhere among the others
	LineInserted                 // it was not there, and older lines follow it
)

// LineChange is one line of the past that was changed.
type LineChange struct {
	Kind     LineKind
	Old, New int // physical lines of the ledger, from 1; 0: none
}

// LedgerChange says what became of one ledger. Ledgers are append-only (§1), so all but Added is a change of the past.
// Same, Dropped, Changes and Added together are all lines of both that are not blank: blank lines, and a byte order mark
// before the first line, are no records (§4.1), and may come and go.
type LedgerChange struct {
	File  File
	Old   int  // lines that there were, without blank ones
	Same  int  // of those, the ones that are unchanged
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

	unveiled bool // a line was edited, and words were not taken out of it
}

// Rewritten reports whether the past of the ledger was changed.
func (c *LedgerChange) Rewritten() bool { return c.Gone || len(c.Changes) > 0 }

// Comparison is what became of a folder.
type Comparison struct {
	Ledgers  [Ledgers]LedgerChange
	old, new *Fingerprint
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
		old = c.f.textLine(c.old, file, l.Old)
	}
	return old, c.g.textLine(c.new, file, l.New)
}

// textLine is PhysicalLine without a byte order mark before the first.
func (f *Folder) textLine(p *Fingerprint, file File, n int) []byte {
	if n == 1 {
		return withoutMark(f.PhysicalLine(p, file, n))
	}
	return f.PhysicalLine(p, file, n)
}

// CompareWith says what became of an older reading of the folder g: f, with its print; without f, the print alone. Both
// prints are made with the same key, q of g.
func (g *Folder) CompareWith(f *Folder, p, q *Fingerprint, key FingerprintKey) *Comparison {
	c := &Comparison{old: p, new: q, f: f, g: g}
	for i := range c.Ledgers {
		c.ledger(File(i), key)
	}
	return c
}

func (c *Comparison) ledger(file File, key FingerprintKey) {
	old, new, to := &c.old.ledgers[file], &c.new.ledgers[file], &c.Ledgers[file]
	was, wasAt := old.records(c.old.blank)
	is, isAt := new.records(c.new.blank)
	m, n := len(was), len(is)
	tail := 0 // of the last older line, when it has no end
	if m > 0 && numberOf(wasAt, m) == len(old.hashes) {
		tail = old.tail
	}
	to.File, to.Old = file, m
	if to.Gone = m > 0 && !new.fed; to.Gone {
		return
	}
	for to.Same < min(m, n) && (was[to.Same]^is[to.Same])&^lineBits == 0 {
		to.keep(was[to.Same], is[to.Same])
	}
	if to.Same == m-1 && tail > 0 && m <= n {
		// Nothing but the end of a line that had none: it may have gone on.
		line := c.g.textLine(c.new, file, numberOf(isAt, m))
		if len(line) > tail && key.line(line[:tail]) == was[m-1] {
			to.Same++
			to.Completed, to.Joined = old.torn, !old.torn
		}
	}
	torn := old.torn && tail > 0
	if to.Dropped = to.Same == m-1 && torn; to.Dropped || to.Same == m {
		to.Added = n - to.Same
		return
	}
	a := alignment{old: was, new: is, lo: to.Same, torn: torn}
	a.alike = func(i, j int) bool {
		if c.f == nil {
			return true
		}
		return alikeTexts(c.Texts(file, LineChange{Old: numberOf(wasAt, i+1), New: numberOf(isAt, j+1)}))
	}
	a.align()
	a.pair()
	a.tell(to)
	for i := range to.Changes {
		change := &to.Changes[i]
		change.Old, change.New = numberOf(wasAt, change.Old), numberOf(isAt, change.New)
	}
}

// keep counts a line that is unchanged.
func (c *LedgerChange) keep(old, new uint64) {
	c.Same++
	if (old^new)&lineCR != 0 {
		c.Ends++
	}
}

// records returns the hashes of the lines that are not blank, and where among all lines each is, from 1; at is nil when
// no line is blank.
func (p *linePrint) records(blank uint64) (hashes []uint64, at []int32) {
	i := 0
	for i < len(p.hashes) && (p.hashes[i]^blank)&^lineBits != 0 {
		i++
	}
	if i == len(p.hashes) {
		return p.hashes, nil
	}
	hashes = append(hashes, p.hashes[:i]...)
	for k := range i {
		at = append(at, int32(k+1))
	}
	for ; i < len(p.hashes); i++ {
		if (p.hashes[i]^blank)&^lineBits != 0 {
			hashes, at = append(hashes, p.hashes[i]), append(at, int32(i+1))
		}
	}
	return hashes, at
}

// numberOf is the physical line of the n-th record, both from 1; 0 for 0.
func numberOf(at []int32, n int) int {
	if n == 0 || at == nil {
		return n
	}
	return int(at[n-1])
}

// alikeTexts reports whether a line may be an edit of another: more than half of the longer one stands in both, at the
// beginning and at the end.
func alikeTexts(a, b []byte) bool {
	from, behind := CommonAffixes(a, b)
	return 2*(from+behind) > max(len(a), len(b))
}

// CommonAffixes returns how many bytes two texts have in common at the beginning, and behind those at the end.
func CommonAffixes(a, b []byte) (from, behind int) {
	n := min(len(a), len(b))
	for from < n && a[from] == b[from] {
		from++
	}
	for behind < n-from && a[len(a)-1-behind] == b[len(b)-1-behind] {
		behind++
	}
	return from, behind
}
