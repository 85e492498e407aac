package workspacepages

import (
	"context"
	"time"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/internal/journal"
)

// The bars are drawn in per cent across and pixels down, so that their words keep their size.
const (
	barsTop    = 10  // room above the highest line
	barsHeight = 180 // from the highest line to the ground
	barsFoot   = 24  // room for dates
	barShare   = .72 // of a bar's place that the bar fills
	barLeast   = 3   // pixels of a part that is more than nothing
)

// outcomes are how a job may have settled, from the ground up, with their words.
var outcomes = []struct {
	kind, one string
	of        func(journal.Week) int
}{
	{"ok", "OK", func(w journal.Week) int { return w.OK }},
	{"warn", "warning", func(w journal.Week) int { return w.Warned }},
	{"fail", "failed", func(w journal.Week) int { return w.Failed }},
	{"note", "unknown status", func(w journal.Week) int { return w.Unknown }},
}

// barsView is the drawing of jobs by outcome: a bar for each day, or each week of a long period.
type barsView struct {
	Weekly  bool
	Summary string
	Lines   []barLine // levels, from the ground up
	Bars    []dayBar
	Kinds   []string // outcomes that occur
	Unknown bool     // so does a status that is none
	Rows    []barRow // of the table, newest first; those without anything are left out
}

type barLine struct {
	Y    int
	Word string
}

type dayBar struct {
	X, Width, Place, Room float64 // the bar, and its place with the gaps around it
	Words                 string
	Parts                 []barPart
	Date                  string // under the bar; mostly ""
	Even                  bool   // also where there is little room
}

type barPart struct {
	Kind      string
	Y, Height int
}

type barRow struct {
	Word, Date string // the date as machines read it
	journal.TrendDay
}

// barsOf works the bars out.
func barsOf(ctx context.Context, t *journal.Trends) *barsView {
	v := &barsView{Weekly: len(t.Days) > 100}
	size := 1
	if v.Weekly {
		size = 7
	}
	var groups []journal.TrendDay
	for i := range t.Days {
		if i%size == 0 {
			groups = append(groups, journal.TrendDay{})
		}
		addDay(&groups[len(groups)-1], &t.Days[i])
	}
	most := 0
	for i := range groups {
		most = max(most, SettledJobs(groups[i].Week))
	}
	step := levelStep(most)
	top := max(1, (most+step-1)/step) * step
	for n := 0; n <= top; n += step {
		v.Lines = append(v.Lines, barLine{barsTop + barsHeight - barsHeight*n/top, levelWord(ctx, n, top)})
	}
	dates := 0
	for i := range groups {
		b := barOf(ctx, v.word(ctx, t, i), &groups[i], top)
		b.Room = 100 / float64(len(groups))
		b.Place = b.Room * float64(i)
		b.X, b.Width = b.Place+b.Room*(1-barShare)/2, b.Room*barShare
		if b.Date = barDate(ctx, t, i*size, size); b.Date != "" {
			b.Even, dates = dates%2 == 0, dates+1
		}
		v.Bars = append(v.Bars, b)
		if groups[i] != (journal.TrendDay{}) {
			v.Rows = append([]barRow{{v.word(ctx, t, i), dayAt(t, i*size).Format(time.DateOnly), groups[i]}}, v.Rows...)
		}
	}
	v.kinds(groups)
	v.Summary = v.summary(ctx, t, groups)
	return v
}

func addDay(sum, d *journal.TrendDay) {
	sum.OK, sum.Warned, sum.Failed, sum.Unknown = sum.OK+d.OK, sum.Warned+d.Warned, sum.Failed+d.Failed, sum.Unknown+d.Unknown
	sum.Raised, sum.Replied = sum.Raised+d.Raised, sum.Replied+d.Replied
}

// levelStep is the distance of the lines: 1, 2 or 5 times a power of ten, so that there are at most five.
func levelStep(most int) int {
	for step := 1; ; step *= 10 {
		for _, factor := range []int{1, 2, 5} {
			if most <= 4*step*factor {
				return step * factor
			}
		}
	}
}

// levelWord is a level's number, in thousands or millions where the scale is of such.
func levelWord(ctx context.Context, n, top int) string {
	switch {
	case n == 0:
		return "0"
	case top >= 10_000_000:
		return i18n.Number(ctx, n/1_000_000) + " M"
	case top >= 10_000:
		return i18n.Number(ctx, n/1_000) + " k"
	}
	return i18n.Number(ctx, n)
}

// barOf is one bar: its parts from the ground up.
func barOf(ctx context.Context, word string, d *journal.TrendDay, top int) dayBar {
	b := dayBar{}
	n, y := SettledJobs(d.Week), barsTop+barsHeight
	if n == 0 {
		return b
	}
	b.Words = word + ": " + i18n.Count(ctx, n, "%d job", "%d jobs")
	for _, o := range outcomes {
		if part := o.of(d.Week); part > 0 {
			height := max(barLeast, barsHeight*part/top)
			y -= height
			b.Parts = append(b.Parts, barPart{o.kind, max(y, 0), height - 1})
			b.Words += ", " + i18n.Number(ctx, part) + " " + i18n.Say(ctx, o.one)
		}
	}
	return b
}

// word names a bar: its day, or the week that begins with a day.
func (v *barsView) word(ctx context.Context, t *journal.Trends, i int) string {
	if v.Weekly {
		from := dayAt(t, i*7)
		return i18n.Date(ctx, from, "2 Jan") + " – " + i18n.Date(ctx, from.AddDate(0, 0, 6), "2 Jan 2006")
	}
	return i18n.Date(ctx, dayAt(t, i), "Mon 2 Jan")
}

// barDate is what stands under the bar that begins with a day: Mondays in a short period, months in a long one.
func barDate(ctx context.Context, t *journal.Trends, day, size int) string {
	at := dayAt(t, day)
	switch days := len(t.Days); {
	case size > 1:
		if last := at.AddDate(0, 0, size-1); last.Day() <= size {
			return i18n.Date(ctx, last, "Jan")
		}
	case days > 40:
		if at.Weekday() == time.Monday && at.YearDay()/7%2 == 0 {
			return i18n.Date(ctx, at, "2 Jan")
		}
	case at.Weekday() == time.Monday:
		return i18n.Date(ctx, at, "2 Jan")
	}
	return ""
}

func (v *barsView) kinds(groups []journal.TrendDay) {
	for _, o := range outcomes {
		for i := range groups {
			if o.of(groups[i].Week) > 0 {
				v.Kinds = append(v.Kinds, o.kind)
				v.Unknown = v.Unknown || o.kind == "note"
				break
			}
		}
	}
}

// summary says in a sentence what the drawing shows.
func (v *barsView) summary(ctx context.Context, t *journal.Trends, groups []journal.TrendDay) string {
	if t.Jobs == 0 {
		return i18n.Say(ctx, "No jobs settled in this period.")
	}
	var sum journal.TrendDay
	busiest, active := 0, 0
	for i := range groups {
		addDay(&sum, &groups[i])
		if n := SettledJobs(groups[i].Week); n > 0 {
			active++
			if n > SettledJobs(groups[busiest].Week) {
				busiest = i
			}
		}
	}
	text := ""
	for _, o := range outcomes {
		if n := o.of(sum.Week); n > 0 {
			if text != "" {
				text += ", "
			}
			text += i18n.Number(ctx, n) + " " + i18n.Say(ctx, o.one)
		}
	}
	text += ". "
	most := i18n.Count(ctx, SettledJobs(groups[busiest].Week), "%d job", "%d jobs")
	if v.Weekly {
		return text + i18n.Say(ctx, "The busiest week was %s with %s.", v.word(ctx, t, busiest), most)
	}
	return text + i18n.Say(ctx, "The busiest day was %s with %s.", v.word(ctx, t, busiest), most)
}
