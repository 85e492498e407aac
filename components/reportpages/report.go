// Package reportpages has the page of a workspace's reports, and the lists behind its figures.
package reportpages

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/report"
)

// Periods are the lengths that the page offers, in days.
var Periods = []int{28, 91, 364}

// MaxRows is how many rows of a list the page of reports shows.
const MaxRows = 8

// Report is what the page of reports shows.
type Report struct {
	Days                   int
	From, To               int64 // To is the end of the last day
	Figures                *report.Figures
	Weeks, Agents, People  []GroupRow
	Failures               []FailureRow
	Reviewers              []ReviewerRow
	Changes                []DecisionRow // newest requests for changes
	Late                   []OpenRow     // asks that have waited longest, of those that have waited longer than the median
	LateCount, Open        int
	SeesPeople, PeopleSelf bool // people's figures are shown: everyone's, or only one's own
	PeopleOff              bool // the workspace has switched them off
}

// Page is the page of reports.
func Page(ctx context.Context, site ui.Site, r *Report) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Reports"), Body: reportPage(site, r)}
}

// list is the URL of a list behind a figure, with a filter and an order.
func (r *Report) list(site ui.Site, table, filter, sort string) templ.SafeURL {
	page := "reports/" + strconv.Itoa(r.Days) + "/" + table
	query := url.Values{}
	if filter != "" {
		query.Set("q", filter)
	}
	if sort != "" {
		query.Set("sort", sort)
	}
	if len(query) > 0 {
		page += "?" + query.Encode()
	}
	return site.Shell.To(page)
}

// group is the URL of the decisions of a group.
func (r *Report) group(site ui.Site, field string, g *GroupRow) templ.SafeURL {
	if field == "when" {
		return r.list(site, "decisions", weekFilter(g.At), "")
	}
	return r.list(site, "decisions", field+":"+g.Key, "")
}

// weekFilter selects what happened in the week that begins with a day.
func weekFilter(from int64) string {
	day := time.UnixMicro(from).UTC()
	return "when:>" + day.AddDate(0, 0, -1).Format(time.DateOnly) + " when:<" + day.AddDate(0, 0, 7).Format(time.DateOnly)
}

func periodWord(ctx context.Context, days int) string {
	if days == 364 {
		return i18n.Say(ctx, "52 weeks")
	}
	return i18n.Say(ctx, "%d days", days)
}

// news is the headline.
func (r *Report) news(ctx context.Context) string {
	if r.Figures.Waits.N == 0 {
		return i18n.Say(ctx, "No ask was decided in this period")
	}
	return i18n.Say(ctx, "Half of the decisions came within %s", length(ctx, r.Figures.Waits.Median))
}

// length is a waiting time in words; "–" for none.
func length(ctx context.Context, t int64) string {
	if t >= 60*ui.Day {
		return i18n.Say(ctx, "%d days", t/ui.Day)
	}
	return ui.Span(ctx, t)
}

// times are the two percentiles of a group in words.
func times(ctx context.Context, t report.Times) (median, percentile string) {
	if t.N == 0 {
		return "–", "–"
	}
	return length(ctx, t.Median), length(ctx, t.Percentile)
}

// share is a share in per cent; "–" of nothing.
func share(n, of int) string {
	if of == 0 {
		return "–"
	}
	return strconv.Itoa((200*n+of)/(2*of)) + " %"
}

// roundWord names a round; the last one that is counted includes later ones.
func (r *Report) roundWord(ctx context.Context, i int) string {
	if i == len(r.Figures.Rounds)-1 {
		return i18n.Say(ctx, "round %d or later", i+1)
	}
	return i18n.Say(ctx, "round %d", i+1)
}

// roundFilter selects the sign-offs that ended in a round.
func (r *Report) roundFilter(i int) string {
	if i == len(r.Figures.Rounds)-1 {
		return "ended:yes round:>" + strconv.Itoa(i)
	}
	return "ended:yes round:" + strconv.Itoa(i+1)
}

// ended is how many sign-offs were approved or declined.
func (r *Report) ended() (n int) {
	for _, rounds := range r.Figures.Rounds {
		n += rounds
	}
	return n
}

// lateFilter selects the open asks that have waited longer than the median.
func (r *Report) lateFilter() string {
	return "minutes:>" + strconv.FormatInt(LateAfter(r.Figures)/ui.Minute-1, 10)
}

// LateAfter is the waiting time from which on an ask counts as waiting longer than usual: the median, in whole minutes.
func LateAfter(f *report.Figures) int64 {
	return max(1, (f.Waits.Median+ui.Minute-1)/ui.Minute) * ui.Minute
}

// firstRows are the rows of a list that the page of reports shows.
func firstRows[T any](rows []T) []T { return rows[:min(len(rows), MaxRows)] }

// newestFirst is weeks in the order of their table.
func newestFirst(weeks []GroupRow) []GroupRow {
	weeks = slices.Clone(weeks)
	slices.Reverse(weeks)
	return weeks
}

func peopleTitle(ctx context.Context, r *Report) string {
	if r.SeesPeople {
		return i18n.Say(ctx, "Waiting time by person")
	}
	return i18n.Say(ctx, "Your waiting times")
}

// firstColumn is the heading of what groups are called.
func firstColumn(ctx context.Context, field string) string {
	if field == "personid" {
		return i18n.Say(ctx, "Who")
	}
	return i18n.Say(ctx, "Agent")
}
