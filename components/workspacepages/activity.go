package workspacepages

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/askpages"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
)

// Activity is the page on what happened in a period, of all agents or of one.
func Activity(ctx context.Context, site ui.Site, w journal.Workspace, query string) (ui.View, error) {
	q := journal.ParseTrendsQuery(query)
	trends, err := w.Trends(ctx, q)
	if err != nil {
		return ui.View{}, err
	}
	return ui.View{Status: ui.StatusOK, Title: i18n.Say(ctx, "Activity"), Body: ActivityPage(site, q, trendsOf(ctx, q, trends))}, nil
}

// periods are the lengths that the page offers, in days.
var periods = []int{28, 91, 364}

// trendsView is what happened in a period, worked out for the page.
type trendsView struct {
	*journal.Trends
	News    string
	Days    int
	Last    string         // the period's last day, in words
	Agent   *journal.Agent // the chosen one; nil: all
	Bars    *barsView
	Answers *answersView
	Hours   *hoursView // nil: no line in the period
	Raised  int
	Replied int
}

func trendsOf(ctx context.Context, q journal.TrendsQuery, t *journal.Trends) *trendsView {
	v := &trendsView{Trends: t, Days: len(t.Days), Bars: barsOf(ctx, t), Answers: answersOf(ctx, t.Answers), Hours: hoursOf(ctx, &t.Hours)}
	v.Last = i18n.Date(ctx, dayAt(t, len(t.Days)-1), "2 January 2006")
	for i := range t.Agents {
		if t.Agents[i].Key == q.Agent {
			v.Agent = &t.Agents[i]
		}
	}
	for i := range t.Days {
		v.Raised += t.Days[i].Raised
		v.Replied += t.Days[i].Replied
	}
	v.News = v.news(ctx)
	return v
}

// dayAt is a day of the period, by its number from 0.
func dayAt(t *journal.Trends, i int) time.Time {
	return time.UnixMicro(t.First).UTC().AddDate(0, 0, i)
}

// news is the headline: how many jobs settled, and whether any failed.
func (v *trendsView) news(ctx context.Context) string {
	failed := 0
	for i := range v.Trends.Days {
		failed += v.Trends.Days[i].Failed
	}
	switch {
	case v.quiet():
		return i18n.Say(ctx, "Nothing has happened yet")
	case v.Jobs == 0:
		return i18n.Say(ctx, "No job has settled")
	case v.Jobs == 1 && failed == 1:
		return i18n.Say(ctx, "One job settled, and it failed")
	case v.Jobs == 1:
		return i18n.Say(ctx, "One job settled without failing")
	case failed == 0:
		return i18n.Say(ctx, "%s jobs settled, none failed", i18n.NumberWord(ctx, v.Jobs))
	case failed == v.Jobs:
		return i18n.Say(ctx, "%s jobs settled, and all failed", i18n.NumberWord(ctx, v.Jobs))
	}
	return i18n.Say(ctx, "%s jobs settled, %s failed", i18n.NumberWord(ctx, v.Jobs), ui.LowerFirst(i18n.NumberWord(ctx, failed)))
}

// quiet reports whether there is nothing at all to show, now or before.
func (v *trendsView) quiet() bool {
	return v.Jobs == 0 && v.Raised == 0 && v.Replied == 0 && v.Hours == nil && len(v.Waits) == 0 && (v.Heat == nil || len(v.Heat.Days) == 0)
}

// trendsAt is this page with another query.
func trendsAt(site ui.Site, q journal.TrendsQuery) templ.SafeURL {
	page := "activity"
	if query := q.String(); query != "" {
		page += "?" + query
	}
	return site.Shell.To(page)
}

func periodWord(ctx context.Context, days int) string {
	if days == 364 {
		return i18n.Say(ctx, "52 weeks")
	}
	return i18n.Say(ctx, "%d days", days)
}

// tokensWords says who told how much; what is not told is unknown, never 0.
func (v *trendsView) tokensWords(ctx context.Context) string {
	silent := v.Jobs - v.TokenJobs
	switch {
	case v.Jobs == 0:
		return i18n.Say(ctx, "No jobs settled in this period.")
	case v.TokenJobs == 0:
		return i18n.Count(ctx, v.Jobs, "Not reported by the one settled job.", "Not reported by any of %d jobs.")
	case silent == 0:
		return i18n.Count(ctx, v.Jobs, "Reported by the one settled job.", "Reported by all %d jobs.")
	}
	return i18n.Say(ctx, "Reported by %s of %s jobs; unknown for the others.", i18n.Number(ctx, v.TokenJobs), i18n.Number(ctx, v.Jobs))
}

// mostStanding is of how many agents the page says how long their asks have waited.
const mostStanding = 12

// standingWords says how long work stands still now, over all agents that are shown; "" when that is not worth a word.
func (v *trendsView) standingWords(ctx context.Context) string {
	asks, sum := 0, int64(0)
	for i := range v.WaitingByAgent {
		asks += v.WaitingByAgent[i].Asks
		sum += v.WaitingByAgent[i].Sum
	}
	if sum < ui.Minute {
		return ""
	}
	length := askpages.LongSpan(ctx, sum)
	switch agents := len(v.WaitingByAgent); {
	case asks == 1:
		return i18n.Say(ctx, "One ask has waited for %s, across all its rounds.", length)
	case agents == 1:
		return i18n.Say(ctx, "%s asks have waited for %s in total.", i18n.NumberWord(ctx, asks), length)
	default:
		return i18n.Say(ctx, "%s asks of %s agents have waited for %s in total.", i18n.NumberWord(ctx, asks), ui.LowerFirst(i18n.NumberWord(ctx, agents)), length)
	}
}

// liveWait names one of the waits for scripts.
func (v *trendsView) liveWait(i int) string {
	return askpages.LiveAsk(&v.Waits[i].Agent, &v.Waits[i].Ask)
}
