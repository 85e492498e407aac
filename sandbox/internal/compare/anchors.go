package compare

import "slices"

// anchor is a thing that stands once in a stretch of x and once in one of y.
type anchor struct{ x, y int32 }

// anchors returns the most things that stand once on each side, in the same order on both.
func (s *search) anchors(c change) []anchor {
	*s.budget -= c.x1 - c.x0 + c.y1 - c.y0
	for _, v := range s.x[c.x0:c.x1] {
		s.count[v] = seen{}
	}
	for _, v := range s.y[c.y0:c.y1] {
		s.count[v] = seen{}
	}
	for _, v := range s.x[c.x0:c.x1] {
		s.count[v].x++
	}
	for j, v := range s.y[c.y0:c.y1] {
		s.count[v].y++
		s.count[v].placeY = int32(c.y0 + j)
	}
	var all []anchor
	for i, v := range s.x[c.x0:c.x1] {
		if n := s.count[v]; n.x == 1 && n.y == 1 {
			all = append(all, anchor{int32(c.x0 + i), n.placeY})
		}
	}
	return rising(all)
}

// rising returns the longest run of anchors that rises on both sides. They rise in x already.
func rising(all []anchor) []anchor {
	if len(all) == 0 {
		return nil
	}
	ends := make([]int32, 0, len(all)) // the best last anchor of a run of each length
	before := make([]int32, len(all))  // the anchor before, in the best run that ends here
	for i, a := range all {
		n, _ := slices.BinarySearchFunc(ends, a.y, func(end int32, y int32) int { return int(all[end].y - y) })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, int32(i))
		} else {
			ends[n] = int32(i)
		}
	}
	run := make([]anchor, len(ends))
	for i, n := ends[len(ends)-1], len(run)-1; n >= 0; i, n = before[i], n-1 {
		run[n] = all[i]
	}
	return run
}
