package charts

import (
	"context"
	"math"
	"time"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/internal/journal"
)

// The heat map is two drawings of half a year each: side by side where there is room, one
// above the other where there is little. Their geometry, in units of the drawing:
const (
	heatCell = 14 // a day with the gap behind it
	heatSize = 11
	heatTop  = 18 // room for the names of the months
	heatHalf = 27 // weeks of the first half; the second has one less
)

// heatView is an agent's activity worked out.
type heatView struct {
	Halves  [2]heatPart
	Summary string
	Months  []heatMonth // that have lines, newest first
	Away    []string    // which lines are not in the drawing
}

// heatPart is one of the two drawings.
type heatPart struct {
	Width  int
	Months []heatName
	Cells  []heatDay
}

type heatName struct {
	X    int
	Word string
}

type heatDay struct {
	X, Y  int
	Level int    // 0: nothing happened, to 4
	Words string // "" when nothing happened
}

type heatMonth struct {
	Word                string
	Days                int // with lines
	Jobs, Asks, Replies int
}

// heatOf works out the heat map; nil when there is nothing to draw.
func heatOf(ctx context.Context, a *journal.Activity) *heatView {
	if len(a.Days) == 0 {
		return nil
	}
	v := &heatView{Summary: heatSummary(ctx, a), Away: heatAway(ctx, a)}
	first, most := time.UnixMicro(a.First).UTC(), 0
	for _, d := range a.Days {
		most = max(most, d.Lines())
	}
	last := (len(a.Days) - 1) / 7
	v.Halves[0].Width, v.Halves[1].Width = heatHalf*heatCell, max(0, last+1-heatHalf)*heatCell
	for i, d := range a.Days {
		at, week := first.AddDate(0, 0, i), i/7
		half := min(week/heatHalf, 1)
		p, x := &v.Halves[half], (week-half*heatHalf)*heatCell
		if i%7 == 0 && (at.Day() <= 7 || i == 0 && at.Day() < 15) {
			p.Months = append(p.Months, heatName{x, i18n.Date(ctx, at, "Jan")})
		}
		day := heatDay{X: x, Y: heatTop + i%7*heatCell, Level: HeatLevel(d.Lines(), most)}
		if day.Level > 0 {
			day.Words = i18n.Date(ctx, at, "Monday 2 January 2006") + ": " + dayWords(ctx, d)
			v.count(ctx, at, d)
		}
		p.Cells = append(p.Cells, day)
	}
	return v
}

// count adds a day to its month.
func (v *heatView) count(ctx context.Context, at time.Time, d journal.Day) {
	name := i18n.Date(ctx, at, "January 2006")
	if len(v.Months) == 0 || v.Months[0].Word != name {
		v.Months = append([]heatMonth{{Word: name}}, v.Months...)
	}
	m := &v.Months[0]
	m.Days, m.Jobs, m.Asks, m.Replies = m.Days+1, m.Jobs+d.Jobs, m.Asks+d.Asks, m.Replies+d.Replies
}

// HeatLevel grades a day against the busiest one, by the square root: one very busy day must
// not make all others look alike.
func HeatLevel(lines, most int) int {
	if lines == 0 {
		return 0
	}
	return int(math.Ceil(4 * math.Sqrt(float64(lines)/float64(most))))
}

func dayWords(ctx context.Context, d journal.Day) string {
	words := i18n.Count(ctx, d.Lines(), "%d line", "%d lines")
	for _, part := range []string{
		counted(ctx, d.Jobs, "%d for jobs"), counted(ctx, d.Asks, "%d for asks"), counted(ctx, d.Replies, "%d for replies"),
	} {
		if part != "" {
			words += ", " + part
		}
	}
	return words
}

func counted(ctx context.Context, n int, words string) string {
	if n == 0 {
		return ""
	}
	return i18n.Say(ctx, words, n)
}

// heatSummary says in a sentence what the drawing shows.
func heatSummary(ctx context.Context, a *journal.Activity) string {
	first, lines, days, busiest := time.UnixMicro(a.First).UTC(), 0, 0, 0
	for i, d := range a.Days {
		n := d.Lines()
		lines += n
		if n > 0 {
			days++
		}
		if n > a.Days[busiest].Lines() {
			busiest = i
		}
	}
	to := i18n.Date(ctx, first.AddDate(0, 0, len(a.Days)-1), "2 January 2006")
	if lines == 0 {
		return i18n.Say(ctx, "No lines in the year to %s.", to)
	}
	summary := i18n.Say(ctx, "%s on %s in the year to %s.", i18n.Count(ctx, lines, "%d line", "%d lines"), i18n.Count(ctx, days, "%d day", "%d days"), to)
	if days == 1 {
		return summary
	}
	return summary + " " + i18n.Say(ctx, "The busiest day was %s with %s.", i18n.Date(ctx, first.AddDate(0, 0, busiest), "2 January"), i18n.Count(ctx, a.Days[busiest].Lines(), "%d line", "%d lines"))
}

// heatAway says which lines have no place in the drawing.
func heatAway(ctx context.Context, a *journal.Activity) (away []string) {
	for _, c := range []struct {
		n         int
		one, many string
	}{
		{a.Before, "%d line is older.", "%d lines are older."},
		{a.After, "%d line is dated in the future.", "%d lines are dated in the future."},
		{a.Timeless, "%d line has no timestamp.", "%d lines have no timestamp."},
	} {
		if c.n > 0 {
			away = append(away, i18n.Count(ctx, c.n, c.one, c.many))
		}
	}
	return away
}
