package journal

// Attached divides the files of an ask's trail: those of the newest line that names any while the ask is open, which are
// what a person is asked about, and those of other lines. A line that closes the ask, or comes after the close, may name
// others.
func Attached(trail []TrailEntry) (now, earlier []File) {
	newest, open := -1, true
	for i := range trail {
		if trail[i].Raises || trail[i].Closes {
			open = trail[i].Raises
		}
		if len(trail[i].Files) > 0 && (open || newest < 0) {
			newest = i
		}
	}
	if newest < 0 {
		return nil, nil
	}
	now = trail[newest].Files
	seen := map[string]bool{}
	for _, f := range now {
		seen[f.Name] = true
	}
	for i := range trail {
		for _, f := range trail[i].Files {
			if !seen[f.Name] {
				seen[f.Name] = true
				earlier = append(earlier, f)
			}
		}
	}
	return now, earlier
}
