package workspacepages

import (
	"context"
	"time"

	"github.com/figs-web/figs-web/components/charts"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
)

// answersView is how long first replies took: how many fell into each length of time.
type answersView struct {
	Summary string
	Rows    []answerRow
}

type answerRow struct {
	Word  string
	Count int
	Share float64 // of the fullest row, per cent
}

// lengths are the times within which a reply may have come; the last row is what took longer.
var lengths = []struct {
	most int64
	word string
}{
	{15 * ui.Minute, "within 15 minutes"}, {ui.Hour, "within an hour"}, {4 * ui.Hour, "within 4 hours"}, {ui.Day, "within a day"},
	{3 * ui.Day, "within 3 days"}, {7 * ui.Day, "within a week"}, {1<<63 - 1, "longer"},
}

// answersOf works out how long answers took; they are given in ascending order.
func answersOf(ctx context.Context, answers []int64) *answersView {
	v := &answersView{Summary: answersSummary(ctx, answers)}
	if len(answers) == 0 {
		return v
	}
	i, most := 0, 0
	for _, l := range lengths {
		row := answerRow{Word: i18n.Say(ctx, l.word)}
		for ; i < len(answers) && answers[i] <= l.most; i++ {
			row.Count++
		}
		most = max(most, row.Count)
		v.Rows = append(v.Rows, row)
	}
	for i := range v.Rows {
		v.Rows[i].Share = 100 * float64(v.Rows[i].Count) / float64(most)
	}
	return v
}

func answersSummary(ctx context.Context, answers []int64) string {
	switch n := len(answers); n {
	case 0:
		return i18n.Say(ctx, "No ask got its first reply in this period.")
	case 1:
		return i18n.Say(ctx, "One ask got its first reply, within %s.", inAtMost(ctx, answers[0]))
	default:
		half, most := inAtMost(ctx, atRank(answers, 50)), inAtMost(ctx, atRank(answers, 90))
		if half == most {
			return i18n.Say(ctx, "Of %s asks, nine out of ten got their first reply within %s.", i18n.Number(ctx, n), most)
		}
		return i18n.Say(ctx, "Of %s asks, half got their first reply within %s and nine out of ten within %s.", i18n.Number(ctx, n), half, most)
	}
}

// atRank is the smallest of the values, which ascend, that so many per cent of them do not pass.
func atRank(values []int64, percent int) int64 {
	return values[(len(values)*percent+99)/100-1]
}

// inAtMost is a length of time rounded up, so that the sentence stays true.
func inAtMost(ctx context.Context, length int64) string {
	unit := ui.Minute
	switch {
	case length > 2*ui.Day:
		unit = ui.Day
	case length > ui.Hour:
		unit = ui.Hour
	}
	return ui.Span(ctx, max(unit, (length+unit-1)/unit*unit))
}

// hoursView is when the work is done: lines by weekday and hour, UTC.
type hoursView struct {
	Summary string
	Cells   []hourCell
	Rows    []hourRow // of the table: hours that have lines
}

type hourCell struct {
	X     float64 // per cent
	Y     int
	Level int
	Words string
}

type hourRow struct {
	Word  string
	Lines [7]int
}

// The hours' geometry: a row in pixels, with room for the hours above.
const (
	hourHeight = 22
	hourTop    = 18
	hourWidth  = 100.0 / 24
)

// hoursOf works out the weekdays and hours; nil when no line has a time in the period.
func hoursOf(ctx context.Context, hours *[7][24]int) *hoursView {
	most, day, hour, sum := 0, 0, 0, 0
	for d := range hours {
		for h, n := range hours[d] {
			if sum += n; n > most {
				most, day, hour = n, d, h
			}
		}
	}
	if most == 0 {
		return nil
	}
	v := &hoursView{Summary: i18n.Say(ctx, "%s. The busiest hour is %s, %s UTC, with %s.", i18n.Count(ctx, sum, "%d line", "%d lines"), i18n.Say(ctx, i18n.Weekdays[day]), hourWord(hour), i18n.Number(ctx, most))}
	for h := range 24 {
		row := hourRow{Word: hourWord(h)}
		for d := range hours {
			n := hours[d][h]
			cell := hourCell{X: hourWidth * float64(h), Y: hourTop + d*hourHeight, Level: charts.HeatLevel(n, most)}
			if row.Lines[d] = n; n > 0 {
				cell.Words = i18n.Say(ctx, i18n.Weekdays[d]) + ", " + row.Word + ": " + i18n.Count(ctx, n, "%d line", "%d lines")
			}
			v.Cells = append(v.Cells, cell)
		}
		if row.Lines != [7]int{} {
			v.Rows = append(v.Rows, row)
		}
	}
	return v
}

// hourWord is an hour of the day with its end: "09:00–10:00".
func hourWord(h int) string {
	at := time.Date(2000, 1, 1, h, 0, 0, 0, time.UTC)
	return at.Format("15:04") + "–" + at.Add(time.Hour).Format("15:04")
}

// shortDay is a weekday's first letters.
func shortDay(ctx context.Context, d int) string {
	return i18n.Say(ctx, i18n.ShortDays[d])
}
