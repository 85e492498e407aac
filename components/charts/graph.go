package charts

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// Graph is a picture of things and of what leads from one to another: revisions, works, steps. The page says the same
// in a list.
type Graph struct {
	Words string // what it shows
	Nodes []Node
	Edges []Edge
	Wrap  bool // its nodes are one line, which is broken where it is too long
	Turn  bool // where it is narrow it runs downwards
}

// Node is a thing in the picture. What it is called may be an agent's words; they are made plain when they are drawn.
type Node struct {
	along, across int // place in the grid: along the way of the picture, and beside it
	Href          templ.SafeURL
	Kind          string // of its sign
	Name, Note    string
	Gate          bool // a person is asked behind it
	On            bool // the page is about it
}

// Edge leads from one node to another; a loose one is an order and nothing else.
type Edge struct {
	From, To int
	Loose    bool
}

// The measures of the picture, in its own units.
const (
	nodeWide, nodeHigh = 176, 68
	gapAlong           = 36
	gapAcross          = 24
	gapLanes           = 48 // instead, where lines run between the rows
	laneFirst, laneGap = 14, 8
	mostLanes          = 3
	laneOff            = 22 // from the middle of a node to where such a line leaves it
	corner             = 7  // of a line
	graphEdge          = 12 // around everything
	graphRow           = 5  // nodes of a broken line beside each other
	MostNodes          = 60 // of one picture
	nameColumns        = 18 // of a node's name on one line
	noteColumns        = 23
)

// drawing is a graph with every place worked out, in one of its directions.
type drawing struct {
	class, view, words string
	wide, high         int
	edges              []drawnEdge
	nodes              []drawnNode

	down  bool
	gap   int
	lanes map[int]int // lines that run behind each row
}

type drawnEdge struct{ class, line, head string }

type drawnNode struct {
	*Node
	at, gateAt string
	lines      []string
}

// drawings are the picture for wide screens and, when it turns, the one for narrow ones.
func (g *Graph) drawings() []*drawing {
	out := []*drawing{g.drawn("", false)}
	if g.Turn {
		out[0].class = "is-wide"
		out = append(out, g.drawn("is-tall", true))
	}
	return out
}

func (g *Graph) drawn(class string, down bool) *drawing {
	d := &drawing{class: class, words: g.Words, down: down, gap: gapAcross, lanes: map[int]int{}}
	nodes := append([]Node(nil), g.Nodes...)
	if g.Wrap {
		d.gap = gapLanes
		for i := range nodes {
			nodes[i].along, nodes[i].across = i, 0
			if !down {
				nodes[i].along, nodes[i].across = i%graphRow, i/graphRow
			}
		}
	}
	for i := range nodes {
		n := &nodes[i]
		a, c := d.start(n)
		long, broad := d.size()
		x, y := d.turned(a, c)
		d.wide, d.high = max(d.wide, x+nodeWide+graphEdge), max(d.high, y+nodeHigh+graphEdge)
		gx, gy := d.turned(long, broad/2)
		d.nodes = append(d.nodes, drawnNode{n, "translate(" + point(x, y) + ")", "translate(" + point(gx, gy) + ")", broken(n.Name, nameColumns, 2)})
	}
	for _, e := range g.Edges {
		one := d.lead(&nodes[e.From], &nodes[e.To])
		one.class = "edge"
		if e.Loose {
			one.class = "edge is-loose"
		}
		d.edges = append(d.edges, one)
	}
	d.view = "0 0 " + strconv.Itoa(d.wide) + " " + strconv.Itoa(d.high)
	return d
}

// size is how long a node is along the way, and how broad beside it.
func (d *drawing) size() (long, broad int) {
	if d.down {
		return nodeHigh, nodeWide
	}
	return nodeWide, nodeHigh
}

// start is the corner of a node from which it is drawn.
func (d *drawing) start(n *Node) (along, across int) {
	long, broad := d.size()
	return graphEdge + n.along*(long+gapAlong), graphEdge + n.across*(broad+d.gap)
}

// turned makes coordinates of the drawing out of places along and beside the way.
func (d *drawing) turned(along, across int) (x, y int) {
	if d.down {
		return across, along
	}
	return along, across
}

// lead draws the line from one node to another. To the next one it goes straight on; any other is reached on a lane
// behind the row, so that no line crosses a node.
func (d *drawing) lead(from, to *Node) (e drawnEdge) {
	long, broad := d.size()
	fa, fc := d.start(from)
	ta, tc := d.start(to)
	if to.along == from.along+1 {
		bend := fa + long + gapAlong/2
		e.line = d.path([][2]int{{fa + long, fc + broad/2}, {bend, fc + broad/2}, {bend, tc + broad/2}, {ta - 6, tc + broad/2}})
		e.head = d.head(ta-1, tc+broad/2, 7, 0)
		return e
	}
	n := d.lanes[from.across]
	d.lanes[from.across]++
	lane := fc + broad + laneFirst + n%mostLanes*laneGap
	out := fa + long/2 + min(laneOff, long/4)
	if from.across == to.across {
		in := ta + long/2 - min(laneOff, long/4)
		e.line = d.path([][2]int{{out, fc + broad}, {out, lane}, {in, lane}, {in, fc + broad + 6}})
		e.head = d.head(in, fc+broad+1, 0, -7)
	} else {
		in := ta + long/2 + (n%mostLanes-1)*laneOff
		e.line = d.path([][2]int{{out, fc + broad}, {out, lane}, {in, lane}, {in, tc - 6}})
		e.head = d.head(in, tc-1, 0, 7)
	}
	x, y := d.turned(0, lane)
	d.wide, d.high = max(d.wide, x+graphEdge), max(d.high, y+graphEdge)
	return e
}

// path is a line through points, each right of, left of, above or below the one before; its corners are round.
func (d *drawing) path(points [][2]int) string {
	var b strings.Builder
	for i, p := range points {
		switch {
		case i == 0:
			b.WriteString("M" + d.point(p[0], p[1]))
		case i == len(points)-1:
			b.WriteString("L" + d.point(p[0], p[1]))
		default:
			before, after := toward(p, points[i-1]), toward(p, points[i+1])
			b.WriteString("L" + d.point(before[0], before[1]) + "Q" + d.point(p[0], p[1]) + " " + d.point(after[0], after[1]))
		}
	}
	return b.String()
}

// toward is the point where a corner's rounding begins, on the way from it to another point.
func toward(p, other [2]int) [2]int {
	for i := range p {
		away := other[i] - p[i]
		p[i] += max(-corner, min(corner, away/2))
	}
	return p
}

// head is the arrow whose tip is at a place, coming along or across.
func (d *drawing) head(along, across, byAlong, byAcross int) string {
	a, c := along-byAlong, across-byAcross
	return "M" + d.point(a+byAcross*4/7, c+byAlong*4/7) + "L" + d.point(along, across) + "L" + d.point(a-byAcross*4/7, c-byAlong*4/7) + "Z"
}

func (d *drawing) point(along, across int) string { return point(d.turned(along, across)) }

func point(x, y int) string { return strconv.Itoa(x) + " " + strconv.Itoa(y) }

// broken cuts a name into lines of so many columns, at spaces where it can. What does not fit ends in "…".
func broken(s string, columns, lines int) (out []string) {
	rest := strings.TrimSpace(s)
	for rest != "" && len(out) < lines {
		end, space, width := len(rest), 0, 0
		for i, r := range rest {
			if width++; r >= 0x1100 { // scripts whose letters take two columns
				width++
			}
			if width > columns {
				end = i
				break
			}
			if r == ' ' || r == '/' || r == '-' || r == '_' {
				space = i + 1
			}
		}
		line, after := rest[:end], strings.TrimSpace(rest[end:])
		switch {
		case after == "":
		case len(out) == lines-1:
			line = strings.TrimSpace(line) + "…"
		case space > 0:
			line, after = strings.TrimSpace(rest[:space]), strings.TrimSpace(rest[space:])
		}
		out, rest = append(out, line), after
	}
	return out
}

// Grow puts what hangs together into the picture: what follows stands further along, siblings beside each other. Whoever
// is reached twice is drawn once.
func (g *Graph) Grow(start []int, follow func(int) []int, draw func(int) Node) (drawn []int) {
	at, row := map[int]int{}, 0
	var put func(id, along int) bool
	put = func(id, along int) bool {
		if _, ok := at[id]; ok || len(g.Nodes) >= MostNodes {
			return false
		}
		n := draw(id)
		n.along, n.across = along, row
		at[id] = len(g.Nodes)
		g.Nodes, drawn = append(g.Nodes, n), append(drawn, id)
		grown := false
		for _, next := range follow(id) {
			if put(next, along+1) {
				grown = true
				g.Edges = append(g.Edges, Edge{From: at[id], To: at[next]})
			}
		}
		if !grown {
			row++
		}
		return true
	}
	for _, id := range start {
		put(id, 0)
	}
	return drawn
}
