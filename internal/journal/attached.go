package journal

// Attached splits the files of an ask's trail into those that a person is asked about, which are the files of the newest
// line that names any while the ask is open, and earlier ones. A line that closes the ask, or comes after the close, may
// name other files.
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
