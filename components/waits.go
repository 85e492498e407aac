package components

import (
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// waits is the page on what waiting for humans has cost an agent.
func (r *request) waits() (view, error) {
	idler, ok := r.j.(journal.Idler)
	if !ok {
		return view{}, journal.ErrNotFound
	}
	if r.query.N == 0 {
		r.query.N = journal.CostlySize
	}
	idle, err := idler.Idle(r.ctx, r.agent.Key, r.query)
	return r.page(say(r.ctx, "Cost of waiting"), err, func() templ.Component { return WaitsPage(r.site, r.agent, r.query, idle) })
}

// fine is a length of time in its two largest units, "3 d 4 h"; from sixty days on in days.
func fine(ctx context.Context, length int64) string {
	switch {
	case length < hour:
		return span(ctx, length)
	case length >= 60*day:
		return say(ctx, "%d days", length/day)
	case length < day:
		return say(ctx, "%d h %d min", length/hour, length%hour/minute)
	}
	return say(ctx, "%d d %d h", length/day, length%day/hour)
}

// costOf is how long one ask has waited in all; ok is false when nothing can be said of it.
func costOf(site Site, ask *journal.Ask) (figs.Idle, bool) {
	now := int64(figs.NoTime)
	if site.clocked() {
		now = site.Now
	}
	cost := figs.NewIdling(now).Add(ask.Waits, ask.Flights)
	return cost, cost.Sum >= minute
}

// stoodStill says how long an ask has waited in all, and how much of it a job hung on it; "" when that is not worth a word.
func stoodStill(ctx context.Context, site Site, ask *journal.Ask) string {
	cost, ok := costOf(site, ask)
	if !ok {
		return ""
	}
	length, rounds := fine(ctx, cost.Sum), 0
	for _, w := range ask.Waits {
		if w.From != figs.NoTime && (w.Lasts || w.To > w.From) {
			rounds++
		}
	}
	switch {
	case rounds == 1 && cost.Lasts > 0:
		return say(ctx, "has waited for %s", length)
	case rounds == 1:
		return say(ctx, "waited for %s", length)
	case cost.Lasts > 0:
		return say(ctx, "has waited for %s in %s rounds", length, lowered(spelled(ctx, rounds)))
	}
	return say(ctx, "waited for %s in %s rounds", length, lowered(spelled(ctx, rounds)))
}

// hardly says of an ask that has stood still for less than a minute whether it has at all.
func hardly(ctx context.Context, ask *journal.Ask) string {
	for _, w := range ask.Waits {
		if w.From != figs.NoTime && (w.Lasts || w.To > w.From) {
			return say(ctx, "waited less than a minute")
		}
	}
	return say(ctx, "did not wait")
}

// heldUp says how long a job in flight hung on an ask; "" when none did.
func heldUp(ctx context.Context, site Site, ask *journal.Ask) string {
	cost, ok := costOf(site, ask)
	if !ok || cost.Held < minute {
		return ""
	}
	return say(ctx, "for %s of it a job in flight hung on it", fine(ctx, cost.Held))
}

// idleNews is the headline of the page, and what else is to be said of all asks together.
func idleNews(ctx context.Context, idle *journal.Idle) (news, lede string) {
	if idle.Union < minute {
		return say(ctx, "Nothing has waited"), say(ctx, "No ask has waited for a human as long as a minute, as far as its lines say.")
	}
	news = say(ctx, "Work waited for %s", fine(ctx, idle.Union))
	lede = count(ctx, idle.Asks, "One ask waited for a human.", "In that time at least one of %d asks waited for a human.")
	if idle.Sum > idle.Union {
		lede += " " + say(ctx, "Each counted for itself: %s.", fine(ctx, idle.Sum))
	}
	if idle.Held >= minute {
		lede += " " + say(ctx, "For %s of it a job in flight hung on an answer.", fine(ctx, idle.Held))
	}
	if idle.Lasts > 0 {
		lede += " " + count(ctx, idle.Lasts, "One waits now.", "%d wait now.")
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
func idleMonths(ctx context.Context, months []figs.IdleMonth) []idleMonth {
	rows := make([]idleMonth, 0, len(months))
	for i := len(months) - 1; i >= 0; i-- {
		m := &months[i]
		at := Site{}.local(m.From)
		share := 100 / float64(at.AddDate(0, 1, 0).UnixMicro()-m.From)
		row := idleMonth{Word: dated(ctx, at, "Jan 2006"), Asks: m.Asks, Union: fine(ctx, m.Union), Sum: fine(ctx, m.Sum),
			Long: percent(share * float64(m.Union)), Dark: percent(share * float64(m.Held))}
		if m.Held > 0 {
			row.Held = fine(ctx, m.Held)
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

// byCost are the two orders of a list of asks, as links; one of the list alone would stand in the same order.
func byCost(ctx context.Context, q journal.Query) []filter {
	usual, cost := q, q
	usual.Sort, cost.Sort = "", journal.SortCost
	usual.From, cost.From = 0, 0
	return []filter{
		{"", say(ctx, "Usual order"), -1, usual, q.Sort == ""},
		{"", say(ctx, "Most costly first"), -1, cost, q.Sort != ""},
	}
}
