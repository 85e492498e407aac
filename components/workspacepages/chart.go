package workspacepages

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// Chart is the org chart, in columns or as a table.
func Chart(ctx context.Context, site ui.Site, w journal.Workspace, query string) (ui.View, error) {
	chart, err := w.Chart(ctx)
	if err != nil {
		return ui.View{}, err
	}
	as := strings.Split(query, "&")
	archived := slices.Contains(as, "as=archived") && len(chart.Archived) > 0
	return ui.View{Status: ui.StatusOK, Title: i18n.Say(ctx, "Org chart"), Body: ChartPage(site, chart, slices.Contains(as, "as=table"), archived)}, nil
}

// column is a department of the chart.
type column struct {
	name  string // as the agents write it; "" for those that name none
	cards []journal.Card
}

// columnsOf cuts the cards, which come by department, and puts those without one last.
func columnsOf(cards []journal.Card) []column {
	var out []column
	rest := column{}
	for _, card := range cards {
		name := card.Agent.Charter.Department
		switch n := len(out); {
		case name == "":
			rest.cards = append(rest.cards, card)
		case n > 0 && out[n-1].name == name:
			out[n-1].cards = append(out[n-1].cards, card)
		default:
			out = append(out, column{name, []journal.Card{card}})
		}
	}
	if len(rest.cards) > 0 {
		out = append(out, rest)
	}
	return out
}

// chartNews is the headline of the chart: what needs the person who looks, then what needs others.
func chartNews(ctx context.Context, site ui.Site, chart *journal.Chart) (news, lede string) {
	mine, flight, departments := 0, 0, 0
	if site.Shell != nil {
		mine = site.Shell.Needs
	}
	for i := range chart.Cards {
		flight += chart.Cards[i].Agent.Counts.InFlight
	}
	for _, c := range columnsOf(chart.Cards) {
		if c.name != "" {
			departments++
		}
	}
	switch {
	case mine > 0:
		news = recordviews.WaitsNews(ctx, mine, "decision", nil)
	case chart.Needs > 0:
		news = i18n.CountWords(ctx, chart.Needs, "Nothing needs you, one decision waits for others", "Nothing needs you, %s decisions wait for others")
	default:
		news = i18n.Say(ctx, "Nothing needs attention")
	}
	parts := []string{i18n.Count(ctx, len(chart.Cards), "%d agent", "%d agents")}
	if departments > 1 {
		parts[0] = i18n.Say(ctx, "%s in %s departments", parts[0], i18n.Number(ctx, departments))
	}
	if chart.Needs > mine && mine > 0 {
		parts = append(parts, i18n.Count(ctx, chart.Needs, "%d decision is waiting in total", "%d decisions are waiting in total"))
	}
	if flight > 0 {
		parts = append(parts, i18n.Count(ctx, flight, "%d running job", "%d running jobs"))
	}
	return news, agenttext.JoinFacts(parts...)
}

// cardSign says in a chip how an agent stands, the worst first.
func cardSign(ctx context.Context, c *journal.Card) ui.Sign {
	n := c.Agent.Counts
	switch {
	case c.Last != nil && ui.OutcomeOf(&c.Last.Run) == "fail":
		return ui.Sign{Kind: "fail", Word: i18n.Say(ctx, "last job failed")}
	case n.InFlight > 0:
		return ui.Sign{Kind: "run", Word: i18n.Say(ctx, "%s running", i18n.Number(ctx, n.InFlight))}
	case c.Last != nil && ui.OutcomeOf(&c.Last.Run) == "warn":
		return ui.Sign{Kind: "warn", Word: i18n.Say(ctx, "last job ended with a warning")}
	case c.Last != nil && ui.OutcomeOf(&c.Last.Run) == "":
		return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "last job of unknown status")}
	case n.Jobs > 0:
		return ui.Sign{Kind: "ok", Word: i18n.Say(ctx, "all settled")}
	case recordviews.InDevelopment(&c.Agent):
		return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "still being built")}
	}
	return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "no work yet")}
}

// cardJob is the job that a card speaks of: the newest in flight, else the one that settled last.
func cardJob(c *journal.Card) *journal.Job {
	if c.InFlight != nil && (c.Last == nil || ui.OutcomeOf(&c.Last.Run) != "fail" || after(c.InFlight.Last.TS, c.Last.Last.TS)) {
		return c.InFlight
	}
	return c.Last
}

// after reports whether a time is known to be later than another.
func after(a, b string) bool {
	x, y := ui.Instant(a), ui.Instant(b)
	return x != figs.NoTime && y != figs.NoTime && x > y
}

// bar is a week of a spark line, in pixels: everything that settled, and what of it failed.
type bar struct{ x, y, h, failY, failH string }

// The measures of a spark line.
const sparkBar, sparkStep, sparkHeight = 5, 7, 22

// sparkOf draws the weeks; the highest fills the line, and a week with any job can be seen.
func sparkOf(weeks []journal.Week) []bar {
	most := 1
	for _, w := range weeks {
		most = max(most, SettledJobs(w))
	}
	bars := make([]bar, 0, len(weeks))
	for i, w := range weeks {
		n := SettledJobs(w)
		h, fail := scaled(n, most), 0
		if w.Failed > 0 {
			fail = max(2, h*w.Failed/n)
		}
		bars = append(bars, bar{strconv.Itoa(i * sparkStep), strconv.Itoa(sparkHeight - h), strconv.Itoa(h), strconv.Itoa(sparkHeight - fail), strconv.Itoa(fail)})
	}
	return bars
}

func scaled(n, most int) int {
	if n == 0 {
		return 1
	}
	return max(3, n*sparkHeight/most)
}

// settled counts the jobs of all weeks.
func settled(weeks []journal.Week) int {
	n := 0
	for _, w := range weeks {
		n += SettledJobs(w)
	}
	return n
}

func SettledJobs(w journal.Week) int { return w.OK + w.Warned + w.Failed + w.Unknown }

// sparkWords is what a spark line shows, for those who do not see it.
func sparkWords(ctx context.Context, weeks []journal.Week) string {
	all, failed := settled(weeks), 0
	for _, w := range weeks {
		failed += w.Failed
	}
	switch {
	case all == 0:
		return i18n.Say(ctx, "No job settled in %d weeks", len(weeks))
	case failed == 0:
		return i18n.Say(ctx, "%s settled in %d weeks", i18n.Count(ctx, all, "%d job", "%d jobs"), len(weeks))
	}
	return i18n.Say(ctx, "%s settled in %d weeks, %s failed", i18n.Count(ctx, all, "%d job", "%d jobs"), len(weeks), i18n.Number(ctx, failed))
}

// liveAgent and LiveAsk name what a page shows of an agent or an ask, so that scripts find it
// again on the page of a moment later.
func liveAgent(a *journal.Agent) string { return "a:" + a.Key }
