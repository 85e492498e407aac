package compare

// change is a stretch of x that another stretch of y stands for. What lies between two changes
// is equal.
type change struct{ x0, x1, y0, y1 int }

// script returns how x becomes y. Equal numbers are equal things; all are below ids. It takes
// its work from the budget; coarse says that some change could be smaller.
func script(x, y []int32, ids int, budget *int) (changes []change, coarse bool) {
	s := search{x: x, y: y, goneX: make([]bool, len(x)), newY: make([]bool, len(y)), budget: budget, count: make([]seen, ids)}
	s.split(change{0, len(x), 0, len(y)}, mostRounds)
	for i, j := 0, 0; i < len(x) || j < len(y); {
		c := change{i, i, j, j}
		for c.x1 < len(x) && s.goneX[c.x1] {
			c.x1++
		}
		for c.y1 < len(y) && s.newY[c.y1] {
			c.y1++
		}
		if c.x0 < c.x1 || c.y0 < c.y1 {
			changes = append(changes, c)
		}
		i, j = c.x1+1, c.y1+1
	}
	return changes, s.coarse
}

// search finds what is gone from x and new in y.
type search struct {
	x, y        []int32
	goneX, newY []bool
	budget      *int
	coarse      bool
	count       []seen  // per thing
	vx, vy      []int32 // see middle
}

// seen counts a thing in a stretch of x and in one of y, and where it stands in y.
type seen struct {
	x, y   int32
	placeY int32
}

// mostRounds is how often a gap is split around what is unique in it.
const mostRounds = 8

// trim leaves out what is equal at both ends.
func (s *search) trim(c change) change {
	for c.x0 < c.x1 && c.y0 < c.y1 && s.x[c.x0] == s.y[c.y0] {
		c.x0++
		c.y0++
	}
	for c.x0 < c.x1 && c.y0 < c.y1 && s.x[c.x1-1] == s.y[c.y1-1] {
		c.x1--
		c.y1--
	}
	return c
}

// replace marks a whole stretch as changed.
func (s *search) replace(c change) {
	for i := c.x0; i < c.x1; i++ {
		s.goneX[i] = true
	}
	for j := c.y0; j < c.y1; j++ {
		s.newY[j] = true
	}
}

// split compares two stretches between the things that stand exactly once in each: those are
// what a reader takes for the same. Where there are none, it looks for the shortest script.
func (s *search) split(c change, rounds int) {
	if c = s.trim(c); c.x0 == c.x1 || c.y0 == c.y1 {
		s.replace(c)
		return
	}
	anchors := []anchor(nil)
	if rounds > 0 {
		anchors = s.anchors(c)
	}
	if len(anchors) == 0 {
		s.shortest(c)
		return
	}
	x0, y0 := c.x0, c.y0
	for _, a := range anchors {
		s.split(change{x0, int(a.x), y0, int(a.y)}, rounds-1)
		x0, y0 = int(a.x)+1, int(a.y)+1
	}
	s.split(change{x0, c.x1, y0, c.y1}, rounds-1)
}
