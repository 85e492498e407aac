package askpages

import (
	"context"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// LongSpan is a length of time in its two largest units, "3 d 4 h"; from sixty days on in days.
func LongSpan(ctx context.Context, length int64) string {
	switch {
	case length < ui.Hour:
		return ui.Span(ctx, length)
	case length >= 60*ui.Day:
		return i18n.Say(ctx, "%d days", length/ui.Day)
	case length < ui.Day:
		return i18n.Say(ctx, "%d h %d min", length/ui.Hour, length%ui.Hour/ui.Minute)
	}
	return i18n.Say(ctx, "%d d %d h", length/ui.Day, length%ui.Day/ui.Hour)
}

// costOf is how long one ask has waited in all; ok is false when nothing can be said of it.
func costOf(site ui.Site, ask *journal.Ask) (figs.WaitSummary, bool) {
	now := int64(figs.NoTime)
	if site.HasClock() {
		now = site.Now
	}
	cost := figs.NewWaitCounter(now).Add(ask.Waits, ask.Flights)
	return cost, cost.Sum >= ui.Minute
}

// WaitedInAll says how long an ask has waited in all, and in how many rounds; "" when that is less than a minute.
func WaitedInAll(ctx context.Context, site ui.Site, ask *journal.Ask) string {
	cost, ok := costOf(site, ask)
	if !ok {
		return ""
	}
	length, rounds := LongSpan(ctx, cost.Sum), 0
	for _, w := range ask.Waits {
		if w.From != figs.NoTime && (w.Lasts || w.To > w.From) {
			rounds++
		}
	}
	switch {
	case rounds == 1 && cost.Lasts > 0:
		return i18n.Say(ctx, "has been waiting for %s", length)
	case rounds == 1:
		return i18n.Say(ctx, "waited for %s", length)
	case cost.Lasts > 0:
		return i18n.Say(ctx, "has been waiting for %s in %s rounds", length, ui.LowerFirst(i18n.NumberWord(ctx, rounds)))
	}
	return i18n.Say(ctx, "waited for %s in %s rounds", length, ui.LowerFirst(i18n.NumberWord(ctx, rounds)))
}

// hardly says of an ask that waited for less than a minute whether it waited at all.
func hardly(ctx context.Context, ask *journal.Ask) string {
	for _, w := range ask.Waits {
		if w.From != figs.NoTime && (w.Lasts || w.To > w.From) {
			return i18n.Say(ctx, "waited less than a minute")
		}
	}
	return i18n.Say(ctx, "did not wait")
}

// JobHeldUp says how long an ask blocked a running job; "" when it blocked none.
func JobHeldUp(ctx context.Context, site ui.Site, ask *journal.Ask) string {
	cost, ok := costOf(site, ask)
	if !ok || cost.Held < ui.Minute {
		return ""
	}
	return i18n.Say(ctx, "blocked a running job for %s of that", LongSpan(ctx, cost.Held))
}

// byCost are the two orders of a list of asks, as links; one of the list alone would stand in the same order.
func byCost(ctx context.Context, q journal.Query) []ui.Filter {
	usual, cost := q, q
	usual.Sort, cost.Sort = "", journal.SortCost
	usual.From, cost.From = 0, 0
	return []ui.Filter{
		{Kind: "", Word: i18n.Say(ctx, "Default order"), Count: -1, Query: usual, On: q.Sort == ""},
		{Kind: "", Word: i18n.Say(ctx, "Longest total wait"), Count: -1, Query: cost, On: q.Sort != ""},
	}
}
