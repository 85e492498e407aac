//go:build !core

package bridge

// further answers what the small engine leaves out; it reports whether there is such an operation.
func (e *Engine) further(op string, r request) bool {
	switch op {
	case "shelve":
		e.shelve(r)
	case "key", "print", "kept", "beside", "besides", "since", "alike", "differ":
		e.compares(op, r)
	default:
		return false
	}
	return true
}

// further gathers pages that the small engine leaves out; it reports whether there is such a page.
func (x *selector) further(page string) bool {
	switch page {
	case "waits":
		x.waits()
	case "search":
		x.search()
	case "time":
		x.timeline()
	case "step":
		return x.lineStep()
	case "compare":
		return x.comparison()
	case "smallest":
		return x.smallest()
	default:
		return false
	}
	return true
}

// order is the one in which asks are listed.
func (x *selector) order() []int {
	if x.r.text("sort") == "cost" {
		return x.a.costly(true)
	}
	return x.a.asks
}
