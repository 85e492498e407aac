package figs

// alignment finds which lines of an older ledger are which of a newer one, by their hashes alone: the most that can
// stay in their order, then those that stand elsewhere, then those that were edited in their place.
type alignment struct {
	old, new []uint64
	lo       int  // so many lines at the beginning are the same in both
	torn     bool // the last older line is no record
	alike    func(i, j int) bool

	class  []int32 // by newer line: the first newer line with its hash
	follow []int32 // by newer line: the next one with its hash, or -1
	count  []int32 // by first line of a hash: how many there are
	slots  []int32 // of a table by hash: the first line of the hash, plus one
	to     []int32 // by older line: its newer one plus one; 0: none; below 0: the same of one that was moved
	from   []bool  // by newer line: an older one is it
	edit   []int32 // by older line: what it was edited to, plus one; 0: nothing
}

// fewTimes is how many equal lines are told apart by where they stand best; more of them are the same in their order.
// It bounds the work for ledgers that repeat one line again and again.
const fewTimes = 8

// find returns the slot of a hash: empty, or with the first newer line that has it.
func (a *alignment) find(hash uint64) *int32 {
	mask := len(a.slots) - 1
	i := int(hash/(lineBits+1)) & mask
	for a.slots[i] > 0 && (a.new[a.slots[i]-1]^hash)&^lineBits != 0 {
		i = (i + 1) & mask
	}
	return &a.slots[i]
}

// index lists the newer lines by their hashes.
func (a *alignment) index() {
	n := len(a.new)
	size := 16
	for size < 2*n {
		size *= 2
	}
	a.slots = make([]int32, size)
	a.class, a.follow, a.count, a.from = make([]int32, n), make([]int32, n), make([]int32, n), make([]bool, n)
	last := make([]int32, n) // by first line of a hash
	for j := a.lo; j < n; j++ {
		slot := a.find(a.new[j])
		if *slot == 0 {
			*slot = int32(j + 1)
		} else {
			a.follow[last[*slot-1]] = int32(j)
		}
		first := *slot - 1
		a.class[j], a.follow[j], last[first] = first, -1, int32(j)
		a.count[first]++
	}
}

// align finds the longest run of lines that are in both in the same order (Hunt and Szymanski), and marks the others
// that both have as moved.
func (a *alignment) align() {
	a.index()
	m := len(a.old)
	a.to = make([]int32, m)
	for i := range a.lo {
		a.to[i], a.from[i] = int32(i+1), true
	}
	type node struct{ i, j, before int32 }
	var nodes []node
	var ends []int32 // by length of a run, from 1: the node that ends it soonest
	place := func(i, j int32) {
		lo, hi := 0, len(ends)
		for lo < hi {
			if mid := (lo + hi) / 2; nodes[ends[mid]].j < j {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		before := int32(-1)
		if lo > 0 {
			before = ends[lo-1]
		}
		nodes = append(nodes, node{i, j, before})
		if lo == len(ends) {
			ends = append(ends, 0)
		}
		ends[lo] = int32(len(nodes) - 1)
	}
	next := make([]int32, len(a.new)) // by first line of a hash: the next one to give away, plus one
	for i := a.lo; i < m; i++ {
		first := *a.find(a.old[i]) - 1
		if first < 0 {
			continue
		}
		if a.count[first] > fewTimes {
			j := next[first] - 1
			if j == -1 {
				j = first
			}
			if j >= 0 {
				place(int32(i), j)
				next[first] = a.after(j)
			}
			continue
		}
		var some [fewTimes]int32
		n := 0
		for j := first; j >= 0; j = a.follow[j] {
			some[n] = j
			n++
		}
		for n > 0 { // from the last: a line goes into a run once
			n--
			place(int32(i), some[n])
		}
	}
	if len(ends) > 0 {
		for at := ends[len(ends)-1]; at >= 0; at = nodes[at].before {
			a.to[nodes[at].i], a.from[nodes[at].j] = nodes[at].j+1, true
		}
	}
	a.moved()
}

// after is the next line with the hash of a newer one, plus one; -1 behind the last.
func (a *alignment) after(j int32) int32 {
	if a.follow[j] < 0 {
		return -1
	}
	return a.follow[j] + 1
}

// moved gives older lines that found no place in the run the equal newer ones that are left.
func (a *alignment) moved() {
	next := make([]int32, len(a.new))
	for i := a.lo; i < len(a.old); i++ {
		first := *a.find(a.old[i]) - 1
		if a.to[i] != 0 || first < 0 {
			continue
		}
		j := next[first] - 1
		if j == -1 {
			j = first
		}
		for j >= 0 && a.from[j] {
			j = a.follow[j]
		}
		next[first] = -1
		if j >= 0 {
			a.to[i], a.from[j] = -(j + 1), true
			next[first] = a.after(j)
		}
	}
}
