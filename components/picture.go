package components

import (
	"context"
	"strconv"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// The picture is drawn in per cent across and pixels down, so that its words keep their
// size on any screen. Its geometry:
const (
	laneHeight = 44
	axisHeight = 30
	slot       = 4.0  // what a mark needs across, and the furthest that one is moved
	dataRight  = 84.0 // where the data ends when the present is far to the right
	edgeLeft   = 2.0
	edgeRight  = 98.0
)

// pictureView is the picture worked out: lanes with marks at places.
type pictureView struct {
	Height int
	Ticks  []tick
	Lanes  []laneView
	Break  bool // the axis leaps from the last line to the present
	Kinds  []string
	Hidden int
	Covers string // the days that the lines span, with the zone
}

type tick struct {
	X    float64
	Word string
	Even bool // also shown where there is little room
}

type laneView struct {
	Lane  *journal.Lane
	Last  int64 // of its newest mark; figs.NoTime when none has a time
	Y     int
	Start float64
	End   float64
	Waits [][2]float64
	Marks []markView
}

// markView is one line, or several that fall on one spot.
type markView struct {
	X     float64
	Mark  journal.Mark // the first of them
	Kind  string       // the gravest of them
	Count int
}

// scale maps instants to per cent.
type scale struct {
	from, to int64
	now      int64 // figs.NoTime: the present plays no part
	right    float64
	leap     bool
}

func (s scale) x(at int64) float64 {
	if s.leap && at > s.to {
		return edgeRight
	}
	if s.to == s.from {
		return (edgeLeft + s.right) / 2
	}
	x := edgeLeft + (s.right-edgeLeft)*float64(at-s.from)/float64(s.to-s.from)
	return min(max(x, edgeLeft), edgeRight)
}

// pictureOf works out the picture of an overview; nil when no line has a time.
func pictureOf(ctx context.Context, site Site, o *journal.Overview) *pictureView {
	s, ok := scaleOf(site, o.Lanes)
	if !ok {
		return nil
	}
	v := &pictureView{Hidden: o.Hidden, Break: s.leap, Ticks: ticks(ctx, site, s), Covers: site.period(ctx, s.from, s.to) + " " + site.offset()}
	seen := map[string]bool{}
	for i := range o.Lanes {
		lane := laneOf(&o.Lanes[i], s, axisHeight+i*laneHeight)
		v.Lanes = append(v.Lanes, lane)
		for _, m := range lane.Marks {
			seen[m.Kind] = true
		}
		if len(lane.Waits) > 0 {
			seen["wait"] = true
		}
	}
	for _, kind := range []string{"checkpoint", "ok", "warn", "fail", "raise", "reply", "close", "note", "wait"} {
		if seen[kind] {
			v.Kinds = append(v.Kinds, kind)
		}
	}
	v.Height = axisHeight + len(o.Lanes)*laneHeight + 6
	return v
}

// scaleOf spans all lines; what claims to lie in the future stands at the edge. When something is open, it goes on to the present: in one
// measure while that is near, else with a leap, so that the lines keep their room.
func scaleOf(site Site, lanes []journal.Lane) (scale, bool) {
	s := scale{now: figs.NoTime, right: edgeRight}
	found, open := false, false
	for i := range lanes {
		open = open || lanes[i].Open
		for _, m := range lanes[i].Marks {
			at := m.At
			if at == figs.NoTime {
				continue
			}
			if site.clocked() {
				at = min(at, site.Now)
			}
			if !found || at < s.from {
				s.from = at
			}
			if !found || at > s.to {
				s.to = at
			}
			found = true
		}
	}
	if open && site.clocked() && site.Now > s.to {
		s.now = site.Now
		if site.Now-s.to <= (s.to-s.from)/3 {
			s.to = site.Now
		} else {
			s.leap, s.right = true, dataRight
		}
	}
	return s, found
}

func laneOf(lane *journal.Lane, s scale, y int) laneView {
	v := laneView{Lane: lane, Last: figs.NoTime, Y: y, Start: -1, Marks: placeMarks(lane.Marks, s)}
	for i := range lane.Marks {
		v.Last = max(v.Last, lane.Marks[i].At)
	}
	for _, m := range v.Marks {
		if v.Start < 0 || m.X < v.Start {
			v.Start = m.X
		}
		v.End = max(v.End, m.X)
	}
	end := s.x(s.to)
	if s.now != figs.NoTime {
		end = edgeRight
	}
	if lane.Open {
		v.End = end
	}
	for _, w := range lane.Waits {
		from, to := v.spot(s, w.From, "raise"), end
		if w.To != figs.NoTime {
			to = v.spot(s, w.To, "reply")
		}
		if w.From != figs.NoTime && to > from {
			v.Waits = append(v.Waits, [2]float64{from, to})
		}
	}
	return v
}

// spot is where an instant stands on a lane: at the last mark of its kind, which may have
// been moved a little to stand beside others, else by the scale.
func (v *laneView) spot(s scale, at int64, kind string) float64 {
	for i := len(v.Marks) - 1; i >= 0; i-- {
		if m := &v.Marks[i]; m.Count == 1 && m.Kind == kind && m.Mark.At == at {
			return m.X
		}
	}
	return s.x(at)
}

// placeMarks gives each line its spot. Up to three lines that fall close together stand
// side by side where there is room; more become one mark with their number.
func placeMarks(marks []journal.Mark, s scale) []markView {
	var groups [][]journal.Mark
	var at []float64
	for _, m := range figs.Sorted(marks, func(a, b *journal.Mark) bool { return a.At < b.At }) {
		if m.At == figs.NoTime {
			continue
		}
		x := s.x(m.At)
		if n := len(at); n > 0 && x-at[n-1] < slot {
			groups[n-1] = append(groups[n-1], m)
			continue
		}
		at, groups = append(at, x), append(groups, []journal.Mark{m})
	}
	var out []markView
	for i, group := range groups {
		left, right := edgeLeft-slot, edgeRight+slot
		if i > 0 {
			left = out[len(out)-1].X
		}
		if i+1 < len(at) {
			right = at[i+1]
		}
		out = append(out, spread(group, at[i], left, right)...)
	}
	return out
}

// spread stands the lines of one spot side by side between their neighbours, or gathers them.
func spread(group []journal.Mark, x, left, right float64) []markView {
	n := len(group)
	width := slot * float64(n-1)
	switch {
	case n == 1:
		return []markView{{X: x, Mark: group[0], Kind: group[0].Kind, Count: 1}}
	case n > 3 || right-left < width+2*slot:
		return []markView{{X: x, Mark: group[0], Kind: gravest(group), Count: n}}
	}
	first := min(max(x-width/2, left+slot), right-slot-width)
	out := make([]markView, n)
	for i, m := range group {
		out[i] = markView{X: first + slot*float64(i), Mark: m, Kind: m.Kind, Count: 1}
	}
	return out
}

// gravest is the kind that must not be overlooked among several.
func gravest(group []journal.Mark) string {
	for _, kind := range []string{"fail", "warn", "raise", "reply", "close", "ok", "checkpoint"} {
		for _, m := range group {
			if m.Kind == kind {
				return kind
			}
		}
	}
	return "note"
}

func percent(x float64) string {
	return strconv.FormatFloat(x, 'f', 2, 64) + "%"
}
