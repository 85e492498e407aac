package components

import (
	"context"
	"time"

	"github.com/figs-web/figs-web/figs"
)

// year is as long as most years are; where it matters, the calendar counts.
const year = 365 * day

// steps are the distances that an axis may have, with how its dates are written.
var steps = []struct {
	length int64
	layout string
}{
	{second, "15:04:05"}, {2 * second, "15:04:05"}, {5 * second, "15:04:05"}, {15 * second, "15:04:05"}, {30 * second, "15:04:05"},
	{minute, "15:04"}, {2 * minute, "15:04"}, {5 * minute, "15:04"}, {15 * minute, "15:04"}, {30 * minute, "15:04"},
	{hour, "15:04"}, {2 * hour, "15:04"}, {6 * hour, "2 Jan 15:04"}, {12 * hour, "2 Jan 15:04"},
	{day, "2 Jan"}, {2 * day, "2 Jan"}, {7 * day, "2 Jan"}, {14 * day, "2 Jan"},
	{30 * day, "Jan 2006"}, {91 * day, "Jan 2006"}, {182 * day, "Jan 2006"}, {year, "2006"}, {2 * year, "2006"}, {5 * year, "2006"}, {20 * year, "2006"}, {100 * year, "2006"}, {500 * year, "2006"}, {2000 * year, "2006"},
}

// mostTicks is how many dates an axis bears; half of them stay on a narrow screen.
const mostTicks = 6

// ticks are the dates of the axis, on round times of the zone of the person who looks.
func ticks(ctx context.Context, site Site, s scale) []tick {
	var out []tick
	length := s.to - s.from
	if length == 0 {
		out = append(out, tick{X: s.x(s.from), Word: dated(ctx, site.local(s.from), "2 Jan 2006 15:04:05"), Even: true})
	}
	i := 0
	for i < len(steps)-1 && length/steps[i].length >= mostTicks {
		i++
	}
	step, layout := steps[i].length, steps[i].layout
	for at := roundUp(site, s.from, step); length > 0 && at <= s.to; at = next(site, at, step) {
		if x := s.x(at); s.now == figs.NoTime || x < edgeRight-9 {
			out = append(out, tick{X: x, Word: dated(ctx, site.local(at), layout), Even: len(out)%2 == 0})
		}
	}
	if s.now != figs.NoTime {
		out = append(out, tick{X: edgeRight, Word: say(ctx, "now"), Even: true})
	}
	return out
}

// roundUp is the first round time at or after an instant, by the local clock and calendar.
func roundUp(site Site, at, step int64) int64 {
	t := site.local(at)
	var start time.Time
	switch {
	case step >= year:
		start = time.Date(t.Year()-t.Year()%int(step/year), 1, 1, 0, 0, 0, 0, t.Location())
	case step >= 30*day:
		start = time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, t.Location())
	default:
		start = time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
	}
	round := start.UnixMicro()
	if step < day {
		round += (at - round) / step * step
	}
	for round < at {
		round = next(site, round, step)
	}
	return round
}

// next is the round time after a round time; months and years have no fixed length.
func next(site Site, at, step int64) int64 {
	t := site.local(at)
	switch {
	case step >= year:
		return t.AddDate(int(step/year), 0, 0).UnixMicro()
	case step >= 30*day:
		return t.AddDate(0, int(step/(30*day)), 0).UnixMicro()
	}
	return at + step
}
