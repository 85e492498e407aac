// Package charts draws: the lanes of jobs, the heat map of a year, the waits of an ask, and the graphs of workflows.
package charts

import (
	"context"
	"strconv"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// pictureView is the picture worked out: lanes with marks at places.
type pictureView struct {
	Height int
	Ticks  []ui.StepTick
	Lanes  []laneView
	Break  bool // the axis leaps from the last line to the present
	Kinds  []string
	Hidden int
	Covers string // the days that the lines span, with the zone
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

// pictureOf works out the picture of an overview; nil when no line has a time.
func pictureOf(ctx context.Context, site ui.Site, o *journal.Overview) *pictureView {
	s, ok := scaleOf(site, o.Lanes)
	if !ok {
		return nil
	}
	v := &pictureView{Hidden: o.Hidden, Break: s.Leap, Ticks: ui.Ticks(ctx, site, s), Covers: site.Period(ctx, s.From, s.To) + " " + site.Offset()}
	seen := map[string]bool{}
	for i := range o.Lanes {
		lane := laneOf(&o.Lanes[i], s, ui.AxisHeight+i*ui.LaneHeight)
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
	v.Height = ui.AxisHeight + len(o.Lanes)*ui.LaneHeight + 6
	return v
}

// scaleOf spans all lines; what claims to lie in the future stands at the edge. When something is open, it goes on to the present: in one
// measure while that is near, else with a leap, so that the lines keep their room.
func scaleOf(site ui.Site, lanes []journal.Lane) (ui.Scale, bool) {
	s := ui.Scale{Now: figs.NoTime, Right: ui.EdgeRight}
	found, open := false, false
	for i := range lanes {
		open = open || lanes[i].Open
		for _, m := range lanes[i].Marks {
			at := m.At
			if at == figs.NoTime {
				continue
			}
			if site.HasClock() {
				at = min(at, site.Now)
			}
			if !found || at < s.From {
				s.From = at
			}
			if !found || at > s.To {
				s.To = at
			}
			found = true
		}
	}
	if open && site.HasClock() && site.Now > s.To {
		s.Now = site.Now
		if site.Now-s.To <= (s.To-s.From)/3 {
			s.To = site.Now
		} else {
			s.Leap, s.Right = true, ui.DataRight
		}
	}
	return s, found
}

func laneOf(lane *journal.Lane, s ui.Scale, y int) laneView {
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
	end := s.X(s.To)
	if s.Now != figs.NoTime {
		end = ui.EdgeRight
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
func (v *laneView) spot(s ui.Scale, at int64, kind string) float64 {
	for i := len(v.Marks) - 1; i >= 0; i-- {
		if m := &v.Marks[i]; m.Count == 1 && m.Kind == kind && m.Mark.At == at {
			return m.X
		}
	}
	return s.X(at)
}

// placeMarks gives each line its spot. Up to three lines that fall close together stand
// side by side where there is room; more become one mark with their number.
func placeMarks(marks []journal.Mark, s ui.Scale) []markView {
	var groups [][]journal.Mark
	var at []float64
	for _, m := range figs.Sorted(marks, func(a, b *journal.Mark) bool { return a.At < b.At }) {
		if m.At == figs.NoTime {
			continue
		}
		x := s.X(m.At)
		if n := len(at); n > 0 && x-at[n-1] < ui.Slot {
			groups[n-1] = append(groups[n-1], m)
			continue
		}
		at, groups = append(at, x), append(groups, []journal.Mark{m})
	}
	var out []markView
	for i, group := range groups {
		left, right := ui.EdgeLeft-ui.Slot, ui.EdgeRight+ui.Slot
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
	width := ui.Slot * float64(n-1)
	switch {
	case n == 1:
		return []markView{{X: x, Mark: group[0], Kind: group[0].Kind, Count: 1}}
	case n > 3 || right-left < width+2*ui.Slot:
		return []markView{{X: x, Mark: group[0], Kind: gravest(group), Count: n}}
	}
	first := min(max(x-width/2, left+ui.Slot), right-ui.Slot-width)
	out := make([]markView, n)
	for i, m := range group {
		out[i] = markView{X: first + ui.Slot*float64(i), Mark: m, Kind: m.Kind, Count: 1}
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

func Percent(x float64) string {
	return strconv.FormatFloat(x, 'f', 2, 64) + "%"
}
