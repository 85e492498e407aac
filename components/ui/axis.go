package ui

import (
	"context"
	"time"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/figs"
)

// year is as long as most years are; where it matters, the calendar counts.
const year = 365 * Day

// steps are the distances that an axis may have, with how its dates are written.
var steps = []struct {
	length int64
	layout string
}{
	{Second, "15:04:05"}, {2 * Second, "15:04:05"}, {5 * Second, "15:04:05"}, {15 * Second, "15:04:05"}, {30 * Second, "15:04:05"},
	{Minute, "15:04"}, {2 * Minute, "15:04"}, {5 * Minute, "15:04"}, {15 * Minute, "15:04"}, {30 * Minute, "15:04"},
	{Hour, "15:04"}, {2 * Hour, "15:04"}, {6 * Hour, "2 Jan 15:04"}, {12 * Hour, "2 Jan 15:04"},
	{Day, "2 Jan"}, {2 * Day, "2 Jan"}, {7 * Day, "2 Jan"}, {14 * Day, "2 Jan"},
	{30 * Day, "Jan 2006"}, {91 * Day, "Jan 2006"}, {182 * Day, "Jan 2006"}, {year, "2006"}, {2 * year, "2006"}, {5 * year, "2006"}, {20 * year, "2006"}, {100 * year, "2006"}, {500 * year, "2006"}, {2000 * year, "2006"},
}

// MostTicks is how many dates an axis bears; half of them stay on a narrow screen.
const MostTicks = 6

// Ticks are the dates of the axis, on round times of the zone of the person who looks.
func Ticks(ctx context.Context, site Site, s Scale) []StepTick {
	var out []StepTick
	length := s.To - s.From
	if length == 0 {
		out = append(out, StepTick{X: s.X(s.From), Word: i18n.Date(ctx, site.Local(s.From), "2 Jan 2006 15:04:05"), Even: true})
	}
	i := 0
	for i < len(steps)-1 && length/steps[i].length >= MostTicks {
		i++
	}
	step, layout := steps[i].length, steps[i].layout
	for at := roundUp(site, s.From, step); length > 0 && at <= s.To; at = next(site, at, step) {
		if x := s.X(at); s.Now == figs.NoTime || x < EdgeRight-9 {
			out = append(out, StepTick{X: x, Word: i18n.Date(ctx, site.Local(at), layout), Even: len(out)%2 == 0})
		}
	}
	if s.Now != figs.NoTime {
		out = append(out, StepTick{X: EdgeRight, Word: i18n.Say(ctx, "now"), Even: true})
	}
	return out
}

// roundUp is the first round time at or after an instant, by the local clock and calendar.
func roundUp(site Site, at, step int64) int64 {
	t := site.Local(at)
	var start time.Time
	switch {
	case step >= year:
		start = time.Date(t.Year()-t.Year()%int(step/year), 1, 1, 0, 0, 0, 0, t.Location())
	case step >= 30*Day:
		start = time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, t.Location())
	default:
		start = time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
	}
	round := start.UnixMicro()
	if step < Day {
		round += (at - round) / step * step
	}
	for round < at {
		round = next(site, round, step)
	}
	return round
}

// next is the round time after a round time; months and years have no fixed length.
func next(site Site, at, step int64) int64 {
	t := site.Local(at)
	switch {
	case step >= year:
		return t.AddDate(int(step/year), 0, 0).UnixMicro()
	case step >= 30*Day:
		return t.AddDate(0, int(step/(30*Day)), 0).UnixMicro()
	}
	return at + step
}

// The picture is drawn in per cent across and pixels down, so that its words keep their
// size on any screen. Its geometry:
const (
	LaneHeight = 44
	AxisHeight = 30
	Slot       = 4.0  // what a mark needs across, and the furthest that one is moved
	DataRight  = 84.0 // where the data ends when the present is far to the right
	EdgeLeft   = 2.0
	EdgeRight  = 98.0
)

type StepTick struct {
	X    float64
	Word string
	Even bool // also shown where there is little room
}

// Scale maps instants to per cent.
type Scale struct {
	From, To int64
	Now      int64 // figs.NoTime: the present plays no part
	Right    float64
	Leap     bool
}

func (s Scale) X(at int64) float64 {
	if s.Leap && at > s.To {
		return EdgeRight
	}
	if s.To == s.From {
		return (EdgeLeft + s.Right) / 2
	}
	x := EdgeLeft + (s.Right-EdgeLeft)*float64(at-s.From)/float64(s.To-s.From)
	return min(max(x, EdgeLeft), EdgeRight)
}
