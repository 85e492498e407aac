package figs

// lookOn is how many newer lines are tried for an older one that may have been edited.
const lookOn = 64

// pair takes, between two lines that stayed, an older line that is gone and a newer one that came for an edit: one for
// one where there are as many, else where they are alike.
func (a *alignment) pair() {
	a.edit = make([]int32, len(a.old))
	for i, j := a.lo, a.lo; i < len(a.old); {
		end := i
		for end < len(a.old) && a.to[end] <= 0 {
			end++
		}
		stop := len(a.new)
		if end < len(a.old) {
			stop = int(a.to[end]) - 1
		}
		a.between(i, end, j, stop)
		i, j = end+1, stop+1
	}
}

// between pairs the older lines from i to end with the newer ones from j to stop.
func (a *alignment) between(i, end, j, stop int) {
	gone, came := 0, 0
	for k := i; k < end; k++ {
		if a.to[k] == 0 {
			gone++
		}
	}
	for k := j; k < stop && came <= gone; k++ {
		if !a.from[k] {
			came++
		}
	}
	each := gone == came && stop < len(a.new) // at the end of a ledger, what came may be just new
	for ; i < end; i++ {
		if a.to[i] != 0 {
			continue
		}
		for k, tries := j, 0; k < stop && tries < lookOn; k++ {
			if a.from[k] {
				continue
			}
			if tries++; each || a.alike(i, k) {
				a.edit[i], a.from[k], j = int32(k+1), true, k+1
				break
			}
		}
	}
}

// tell writes what was found into the change of the ledger.
func (a *alignment) tell(to *LedgerChange) {
	j := a.lo
	note := func(kind LineKind, old, new int) { to.Changes = append(to.Changes, LineChange{kind, old, new}) }
	for i := a.lo; i < len(a.old); i++ {
		at := int(max(a.to[i], a.edit[i])) - 1
		for ; j < at; j++ {
			if !a.from[j] {
				note(LineInserted, 0, j+1)
			}
		}
		switch j = max(j, at+1); {
		case a.to[i] > 0:
			to.Same++
		case a.to[i] < 0:
			note(LineMoved, i+1, -int(a.to[i]))
		case a.edit[i] > 0:
			note(LineEdited, i+1, at+1)
		default:
			note(LineRemoved, i+1, 0)
		}
	}
	for ; j < len(a.new); j++ {
		if !a.from[j] {
			to.Added++
		}
	}
}
