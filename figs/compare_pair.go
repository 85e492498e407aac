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
	gone := 0
	for k := i; k < end; k++ {
		if a.to[k] == 0 && !a.tornEnd(k) {
			gone++
		}
	}
	if gone == 0 {
		return
	}
	var came []int // newer lines that are no older one
	for k := j; k < stop; k++ {
		if !a.from[k] {
			came = append(came, k)
		}
	}
	each := gone == len(came) && stop < len(a.new) // at the end of a ledger, what came may be just new
	for ; i < end && len(came) > 0; i++ {
		if a.to[i] != 0 || a.tornEnd(i) {
			continue
		}
		for n, k := range came[:min(len(came), lookOn)] {
			if each || a.alike(i, k) {
				a.edit[i], a.from[k], came = int32(k+1), true, came[n+1:]
				break
			}
		}
	}
}

// tornEnd reports whether an older line is the torn last one, which is no record.
func (a *alignment) tornEnd(i int) bool { return a.torn && i == len(a.old)-1 }

// tell writes what was found into the change of the ledger.
func (a *alignment) tell(to *LedgerChange) {
	j, broken := a.lo, false
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
			to.keep(a.old[i], a.new[at])
			to.Anchored = to.Anchored || broken && a.holds(i)
		case a.to[i] < 0:
			note(LineMoved, i+1, -int(a.to[i]))
		case a.edit[i] > 0:
			note(LineEdited, i+1, at+1)
			broken, to.unveiled = true, to.unveiled || (a.old[i]|a.new[at])&lineVeil == 0
		case a.tornEnd(i):
			to.Dropped = true
		default:
			note(LineRemoved, i+1, 0)
			broken = true
		}
	}
	for ; j < len(a.new); j++ {
		if !a.from[j] {
			to.Added++
		}
	}
}

// holds reports whether an older line that is unchanged proves that the lines before it were there when it was written:
// another copy of the folder may have one that its agent wrote before.
func (a *alignment) holds(i int) bool {
	hash := a.old[i] &^ lineBits
	if a.tornEnd(i) || a.count[*a.find(a.old[i])-1] > 1 {
		return false
	}
	for _, before := range a.old[:i] {
		if before&^lineBits == hash {
			return false
		}
	}
	return true
}
