package journal

// Attached divides the files of an ask's trail: those of its newest raise that names any, and those
// of other lines.
func Attached(trail []Moment) (now, earlier []File) {
	newest := -1
	for i := range trail {
		if len(trail[i].Files) > 0 && (trail[i].Raises || newest < 0) {
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
