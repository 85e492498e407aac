package reportpages

import (
	"context"

	"github.com/figs-web/figs-web/components/i18n"
)

// The bars are drawn in per cent across and pixels down, so that their words keep their size.
const (
	chartTop, chartHeight, chartFoot = 10, 160, 24
	barShare                         = .6 // of a bar's place that the bar fills
	mostDates                        = 7
)

// chart is a drawing of bars with a mark above each.
type chart struct {
	Levels []level
	Bars   []bar
}

type level struct {
	Y    int
	Word string
}

type bar struct {
	X, Width, Middle float64 // per cent
	Y, Height        int
	Mark             int    // place of the mark; 0 for none
	Words            string // what it stands for
	Foot             string // under the bar; mostly ""
}

// weekChart draws the median of each week as a bar, and the 90th percentile as a mark.
func weekChart(ctx context.Context, weeks []GroupRow) *chart {
	most := int64(0)
	for i := range weeks {
		most = max(most, weeks[i].Percentile)
	}
	c := &chart{}
	if most == 0 {
		return c
	}
	for n := range int64(4) {
		c.Levels = append(c.Levels, level{chartTop + chartHeight - int(chartHeight*n/3), length(ctx, most*n/3)})
	}
	c.Levels[0].Word = "0"
	every := (len(weeks) + mostDates - 1) / mostDates
	room := 100 / float64(len(weeks))
	for i := range weeks {
		w := &weeks[i]
		b := bar{X: room * (float64(i) + (1-barShare)/2), Width: room * barShare, Middle: room * (float64(i) + .5)}
		if w.N > 0 {
			b.Height = max(2, int(chartHeight*w.Median/most))
			b.Y, b.Mark = chartTop+chartHeight-b.Height, chartTop+chartHeight-int(chartHeight*w.Percentile/most)
			median, percentile := times(ctx, w.Times)
			b.Words = i18n.Say(ctx, "Week from %s: median %s, 90th percentile %s", w.Name, median, percentile)
		}
		if i%every == 0 {
			b.Foot = w.Short
		}
		c.Bars = append(c.Bars, b)
	}
	return c
}

// roundChart draws how many sign-offs ended in each round.
func roundChart(ctx context.Context, r *Report) *chart {
	most := 1
	for _, n := range r.Figures.Rounds {
		most = max(most, n)
	}
	c := &chart{Levels: []level{{chartTop + chartHeight, "0"}, {chartTop, i18n.Number(ctx, most)}}}
	room := 100 / float64(len(r.Figures.Rounds))
	for i, n := range r.Figures.Rounds {
		b := bar{X: room * (float64(i) + (1-barShare)/2), Width: room * barShare, Middle: room * (float64(i) + .5), Foot: i18n.Number(ctx, i+1)}
		if n > 0 {
			b.Height = max(2, chartHeight*n/most)
			b.Y, b.Words = chartTop+chartHeight-b.Height, r.roundWord(ctx, i)+": "+i18n.Number(ctx, n)
		}
		c.Bars = append(c.Bars, b)
	}
	return c
}
