package figs

// Sort orders numbers so that less holds between neighbours, keeping the order of equals. It
// merges runs in place of the package slices, each use of which would cost the engine ten
// kilobytes.
func Sort(a []int, less func(x, y int) bool) {
	b := make([]int, len(a))
	for width := 1; width < len(a); width *= 2 {
		for lo := 0; lo < len(a); lo += 2 * width {
			mid, hi := min(lo+width, len(a)), min(lo+2*width, len(a))
			if mid == hi || !less(a[mid], a[mid-1]) { // in order already
				copy(b[lo:hi], a[lo:hi])
				continue
			}
			i, j := lo, mid
			for k := lo; k < hi; k++ {
				if j == hi || i < mid && !less(a[j], a[i]) {
					b[k] = a[i]
					i++
				} else {
					b[k] = a[j]
					j++
				}
			}
		}
		a, b = b, a
	}
	// After an odd number of passes the result stands in the spare array.
	if passes(len(a))%2 == 1 {
		copy(b, a)
	}
}

// passes is how often Sort halves n.
func passes(n int) int {
	count := 0
	for width := 1; width < n; width *= 2 {
		count++
	}
	return count
}

// Sorted returns the items so that less holds between neighbours, keeping the order of equals. It is Sort for values of
// any type: each type costs a module one short loop.
func Sorted[T any](items []T, less func(a, b *T) bool) []T {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	Sort(order, func(x, y int) bool { return less(&items[x], &items[y]) })
	out := make([]T, len(items))
	for i, at := range order {
		out[i] = items[at]
	}
	return out
}
