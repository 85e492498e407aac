package compare

// shortest finds a shortest script as Myers does (An O(ND) Difference Algorithm and Its
// Variations, 1986, section 4b): in linear memory, halving the problem where the furthest ways
// from both ends meet. What is beyond the budget is replaced as a whole.
func (s *search) shortest(c change) {
	if c = s.trim(c); c.x0 == c.x1 || c.y0 == c.y1 {
		s.replace(c)
		return
	}
	x, y, ok := s.middle(c)
	if !ok {
		s.coarse = true
		s.replace(c)
		return
	}
	s.shortest(change{c.x0, x, c.y0, y})
	s.shortest(change{x, c.x1, y, c.y1})
}

const nowhere = -1 << 30

// middle returns a point on a shortest way from the start of two stretches to their end, about
// half way. It reports false when the budget ends before.
//
// A way is at place i of x and j of y; its diagonal is i-j. vx holds how far the ways from the
// start come on each diagonal, vy the same for ways from the end, counted from there.
func (s *search) middle(c change) (x, y int, ok bool) {
	n, m := c.x1-c.x0, c.y1-c.y0
	size := 2*(n+m) + 3
	if len(s.vx) < size {
		s.vx, s.vy = make([]int32, size), make([]int32, size)
	}
	zero, delta := n+m+1, n-m
	for d := 0; ; d++ {
		s.vx[zero-d], s.vx[zero+d] = nowhere, nowhere
		s.vy[zero-d], s.vy[zero+d] = nowhere, nowhere
		if d == 0 {
			s.vx[zero-1], s.vx[zero+1], s.vy[zero-1], s.vy[zero+1] = nowhere, 0, nowhere, 0
		} else {
			s.vx[zero-d-1], s.vx[zero+d+1], s.vy[zero-d-1], s.vy[zero+d+1] = nowhere, nowhere, nowhere, nowhere
		}
		if *s.budget -= 2 * (d + 1); *s.budget < 0 {
			return 0, 0, false
		}
		from, to := -d+2*max(0, d-m), d-2*max(0, d-n)
		for k := from; k <= to; k += 2 {
			i := s.further(s.vx, zero+k, k, n, m, func(i, j int) bool { return s.x[c.x0+i] == s.y[c.y0+j] })
			if back := delta - k; i >= 0 && delta&1 != 0 && back >= 1-d && back <= d-1 && i+int(s.vy[zero+back]) >= n {
				return c.x0 + i, c.y0 + i - k, true
			}
		}
		for k := from; k <= to; k += 2 {
			i := s.further(s.vy, zero+k, k, n, m, func(i, j int) bool { return s.x[c.x1-1-i] == s.y[c.y1-1-j] })
			if forth := delta - k; i >= 0 && delta&1 == 0 && forth >= -d && forth <= d && i+int(s.vx[zero+forth]) >= n {
				return c.x1 - i, c.y1 - i + k, true
			}
		}
	}
}

// further takes the ways on the diagonals beside k one step on, and along what is equal.
func (s *search) further(v []int32, at, k, n, m int, equal func(i, j int) bool) int {
	i := int(v[at-1]) + 1
	if i > n {
		i = nowhere
	}
	if down := int(v[at+1]); down > i && down-k <= m {
		i = down
	}
	if i < 0 || i-k > m {
		v[at] = nowhere
		return -1
	}
	start := i
	for i < n && i-k < m && equal(i, i-k) {
		i++
	}
	*s.budget -= i - start
	v[at] = int32(i)
	return i
}
