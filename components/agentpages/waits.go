package agentpages

import (
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/askpages"
	"github.com/figs-web/figs-web/components/charts"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// Waits is the page on what waiting for humans has cost an agent.
func Waits(r *recordviews.Request) (ui.View, error) {
	idler, ok := r.J.(journal.WaitReporter)
	if !ok {
		return ui.View{}, journal.ErrNotFound
	}
	if r.Query.N == 0 {
		r.Query.N = journal.LongestWaitsSize
	}
	idle, err := idler.WaitReport(r.Ctx, r.Agent.Key, r.Query)
	return r.Page(i18n.Say(r.Ctx, "Waiting time"), err, func() templ.Component { return WaitsPage(r.Site, r.Agent, r.Query, idle) })
}

// idleNews is the headline of the page, and what else is to be said of all asks together.
func idleNews(ctx context.Context, idle *journal.WaitReport) (news, lede string) {
	if idle.Union < ui.Minute {
		return i18n.Say(ctx, "No waiting time"), i18n.Say(ctx, "According to the ledger, no ask has waited a minute or more for a human.")
	}
	news = i18n.Say(ctx, "Work waited for %s", askpages.LongSpan(ctx, idle.Union))
	lede = i18n.Count(ctx, idle.Asks, "One ask waited for a human.", "In that time at least one of %d asks waited for a human.")
	if idle.Sum > idle.Union {
		lede += " " + i18n.Say(ctx, "Total of all asks: %s.", askpages.LongSpan(ctx, idle.Sum))
	}
	if idle.Held >= ui.Minute {
		lede += " " + i18n.Say(ctx, "For %s of that time, a running job was waiting for an answer.", askpages.LongSpan(ctx, idle.Held))
	}
	if idle.Lasts > 0 {
		lede += " " + i18n.Count(ctx, idle.Lasts, "One is waiting now.", "%d are waiting now.")
	}
	return news, lede
}

// idleMonth is a month's row: its bar is as long as the part of the month in which something waited.
type idleMonth struct {
	Word             string
	Asks             int
	Union, Sum, Held string
	Long, Dark       string // widths of the bar, and of the part in which a job in flight hung on an answer
}

// idleMonths are the months, newest first.
func idleMonths(ctx context.Context, months []figs.WaitMonth) []idleMonth {
	rows := make([]idleMonth, 0, len(months))
	for i := len(months) - 1; i >= 0; i-- {
		m := &months[i]
		at := ui.Site{}.Local(m.From)
		share := 100 / float64(at.AddDate(0, 1, 0).UnixMicro()-m.From)
		row := idleMonth{Word: i18n.Date(ctx, at, "Jan 2006"), Asks: m.Asks, Union: askpages.LongSpan(ctx, m.Union), Sum: askpages.LongSpan(ctx, m.Sum),
			Long: charts.Percent(share * float64(m.Union)), Dark: charts.Percent(share * float64(m.Held))}
		if m.Held > 0 {
			row.Held = askpages.LongSpan(ctx, m.Held)
		}
		rows = append(rows, row)
	}
	return rows
}

// idleYears are the months of the newest year, and those before it.
func idleYears(rows []idleMonth) (newest, older []idleMonth) {
	n := min(len(rows), 12)
	return rows[:n], rows[n:]
}
