package workspacepages

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/listview"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/listquery"
)

// Views of the org chart, as the parameter as of its URL names them; "" for cards.
const (
	asTable    = "table"
	asMap      = "map"
	asArchived = "archived"
)

// chartPage is the org chart as its page shows it.
type chartPage struct {
	*journal.Chart
	query journal.ChartQuery
	as    string
}

// Chart is the org chart: as cards, as a table, as a map, or its archived agents.
func Chart(ctx context.Context, site ui.Site, w journal.Workspace, query string) (ui.View, error) {
	q, as := ParseChart(query)
	if site.Rows != nil {
		q.Only = func(key string) bool { return site.Rows.Has(ui.AgentRow(key)) }
	}
	asked := q
	if as == asTable && asked.Sort == "" {
		asked.Sort = journal.DefaultAgentSort // few cards are by department
	}
	chart, err := w.Chart(ctx, asked)
	if err == nil && as == asArchived && chart.Archived == 0 {
		q.Archived, as = false, ""
		chart, err = w.Chart(ctx, q)
	}
	if err != nil {
		return ui.View{}, err
	}
	return ui.View{Status: ui.StatusOK, Title: i18n.Say(ctx, "Org chart"), Body: ChartPage(site, &chartPage{chart, q, as})}, nil
}

// ParseChart reads the query of the chart's URL.
func ParseChart(query string) (q journal.ChartQuery, as string) {
	values, _ := url.ParseQuery(query) // without what can't be read
	q = journal.ParseChartQuery(values)
	switch as = values.Get("as"); as {
	case asMap:
		q.Whole = true
	case asArchived:
		q.Archived = true
	case asTable:
	default:
		as = ""
	}
	return q, as
}

// to is the URL of the chart with another query, in another view.
func (p *chartPage) to(site ui.Site, as string, q journal.ChartQuery) templ.SafeURL {
	q.Query = q.First()
	v := q.Values()
	if as != "" {
		v.Set("as", as)
	}
	if len(v) == 0 {
		return site.Shell.To("")
	}
	return site.Shell.To("?" + v.Encode())
}

// view is the URL of the same agents in another view.
func (p *chartPage) view(site ui.Site, as string) templ.SafeURL { return p.to(site, as, p.query) }

// sorted is the URL of the same agents in another order.
func (p *chartPage) sorted(site ui.Site, sort string) templ.SafeURL {
	q := p.query
	q.Sort = sort
	return p.to(site, p.as, q)
}

// inDepartment is the URL of the agents of a department, or of all with nil.
func (p *chartPage) inDepartment(site ui.Site, d *journal.Department) templ.SafeURL {
	q := p.query
	if q.Department = ""; d != nil {
		q.Department = d.Key()
	}
	return p.to(site, p.as, q)
}

// inState is the URL of the agents in a state.
func (p *chartPage) inState(site ui.Site, s journal.AgentState) templ.SafeURL {
	q, term := p.query, "state:"+s.Word()
	if !strings.Contains(q.Filter, term) {
		q.Filter = strings.TrimSpace(q.Filter + " " + term)
	}
	return p.to(site, p.as, q)
}

// few is how many agents are shown without a filter.
const few = 8

// isPlain reports whether there are too few agents for a filter to be of use.
func (p *chartPage) isPlain() bool {
	return p.All <= few && p.query.Filter == "" && p.query.Department == "" && p.as != asTable
}

// isLong reports whether there are more agents than fit on a page.
func (p *chartPage) isLong() bool { return p.All > listquery.PageSize || p.query.Department != "" }

// list is the list of agents for a view; request is what its filter and its links keep.
func (p *chartPage) list(ctx context.Context, site ui.Site) (*listview.List[journal.Card], listview.Request) {
	r := listview.Request{Here: site.Shell.To(""), Query: p.query.Query, Keep: url.Values{}}
	if p.as != "" {
		r.Keep.Set("as", p.as)
	}
	if p.query.Department != "" {
		r.Keep.Set("department", p.query.Department)
	}
	if site.Saved != nil {
		r.SavedViews = *site.Saved
	}
	l := AgentTable(ctx, site)
	l.Above = chartTools(site, p)
	switch p.as {
	case asTable:
	case asMap:
		l.Rows = chartMap(site, p)
	default:
		l.Rows = chartCards(site, p)
	}
	return l, r
}

// AgentTable is the list of agents as a table.
func AgentTable(ctx context.Context, site ui.Site) *listview.List[journal.Card] {
	columns := map[string]listquery.Column[journal.Card]{}
	for _, c := range journal.AgentColumns(func(c *journal.Card) *journal.AgentSummary { return &c.Summary }) {
		columns[c.Name] = c
	}
	type cell = func(*journal.Card) templ.Component
	column := func(name, title string, cell cell) listview.Column[journal.Card] {
		return listview.Column[journal.Card]{Column: columns[name], Title: title, Cell: cell}
	}
	extra := func(name, title string) listview.Column[journal.Card] {
		return listview.Column[journal.Card]{Column: columns[name], Title: title, Extra: true}
	}
	weeks := listview.Column[journal.Card]{Title: i18n.Say(ctx, "12 weeks"), Cell: sparkCell}
	weeks.Name = "weeks"
	return &listview.List[journal.Card]{
		Name: "chart", Title: i18n.Say(ctx, "All agents"), Default: journal.DefaultAgentSort,
		ID:   func(c *journal.Card) string { return c.Summary.Key },
		Live: liveAgent,
		Columns: []listview.Column[journal.Card]{
			column("name", i18n.Say(ctx, "Agent"), func(c *journal.Card) templ.Component { return agentCell(site, &c.Agent) }),
			column("department", i18n.Say(ctx, "Department"), func(c *journal.Card) templ.Component { return departmentName(c.Summary.Department) }),
			column("needs", i18n.Say(ctx, "Needs a human"), func(c *journal.Card) templ.Component { return needsCell(site, &c.Agent) }),
			column("state", i18n.Say(ctx, "Work"), cardChip),
			weeks,
			column("last", i18n.Say(ctx, "Last active"), func(c *journal.Card) templ.Component { return lastCell(site, &c.Agent) }),
			extra("role", i18n.Say(ctx, "Role")),
			extra("status", i18n.Say(ctx, "Status")),
			extra("manager", i18n.Say(ctx, "Manager")),
			extra("builder", i18n.Say(ctx, "Builder")),
			extra("pushed", i18n.Say(ctx, "Last push")),
			extra("registered", i18n.Say(ctx, "First push")),
		},
	}
}

// suggestions are filters to choose from.
func (p *chartPage) suggestions() (all []string) {
	for s, n := range p.States {
		if n > 0 {
			all = append(all, "is:"+journal.AgentState(s).Word())
		}
	}
	for _, d := range p.Departments[:min(len(p.Departments), 20)] {
		if d.Name != "" && !strings.Contains(d.Name, `"`) {
			all = append(all, `department:"`+agenttext.CutBytes(d.Name, 60)+`"`)
		}
	}
	return all
}

// column is a department of the chart, with its cards on the page.
type column struct {
	journal.Department
	cards []journal.Card
}

// columns are the departments on the page, of which each is together.
func (p *chartPage) columns() (out []column) {
	counts := make(map[string]journal.Department, len(p.Departments))
	for _, d := range p.Departments {
		counts[d.Name] = d
	}
	for i := range p.Items {
		d := counts[p.Items[i].Summary.Department]
		if n := len(out); n == 0 || out[n-1].Name != d.Name {
			out = append(out, column{Department: d})
		}
		c := &out[len(out)-1]
		c.cards = append(c.cards, p.Items[i])
	}
	return out
}

// maxDepartmentBytes bounds the list of departments, whose names agents choose.
const maxDepartmentBytes = 20_000

// listed are the departments that the page links to, those first that need someone, and how many it leaves out.
func (p *chartPage) listed() (list []journal.Department, more int) {
	list = slices.Clone(p.Departments)
	slices.SortStableFunc(list, func(a, b journal.Department) int { return min(b.Needs, 1) - min(a.Needs, 1) })
	size, most := 0, maxDepartmentBytes
	if p.as == asMap && len(list) > maxGroups {
		most /= 5 // the map has the largest, too
	}
	for i, d := range list {
		if size += 250 + len(d.Name); size > most {
			return list[:i], len(list) - i
		}
	}
	return list, 0
}

// chartNews is the headline of the chart: what needs the person who looks, then what needs others.
func chartNews(ctx context.Context, site ui.Site, chart *journal.Chart) (news, lede string) {
	mine := 0
	if site.Shell != nil {
		mine = site.Shell.Needs
	}
	switch {
	case mine > 0:
		news = recordviews.WaitsNews(ctx, mine, "decision", nil)
	case chart.Needs > 0:
		news = i18n.CountWords(ctx, chart.Needs, "Nothing needs you, one decision waits for others", "Nothing needs you, %s decisions wait for others")
	default:
		news = i18n.Say(ctx, "Nothing needs attention")
	}
	parts := []string{i18n.Count(ctx, chart.Agents, "%d agent", "%d agents")}
	if chart.Named > 1 {
		parts[0] = i18n.Say(ctx, "%s in %s departments", parts[0], i18n.Number(ctx, chart.Named))
	}
	if chart.Needs > mine && mine > 0 {
		parts = append(parts, i18n.Count(ctx, chart.Needs, "%d decision is waiting in total", "%d decisions are waiting in total"))
	}
	if chart.InFlight > 0 {
		parts = append(parts, i18n.Count(ctx, chart.InFlight, "%d running job", "%d running jobs"))
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

// The measures of a spark line, in pixels.
const sparkBar, sparkStep, sparkHeight = 5, 7, 22

// sparkPaths draws a bar for each week, as two paths: everything that settled, and what of it failed. The highest fills the
// line, and a week with any job can be seen.
func sparkPaths(weeks []journal.Week) (all, failed string) {
	most := 1
	for _, w := range weeks {
		most = max(most, SettledJobs(w))
	}
	bar := func(i, height int) string {
		return "M" + strconv.Itoa(i*sparkStep) + " " + strconv.Itoa(sparkHeight) + "v-" + strconv.Itoa(height) + "h" + strconv.Itoa(sparkBar) + "v" + strconv.Itoa(height) + "z"
	}
	for i, w := range weeks {
		n := SettledJobs(w)
		h := scaled(n, most)
		all += bar(i, h)
		if w.Failed > 0 {
			failed += bar(i, max(2, h*w.Failed/n))
		}
	}
	return all, failed
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

// liveAgent names what a page shows of an agent, so that scripts find it again on the page of a moment later.
func liveAgent(c *journal.Card) string { return ui.AgentRow(c.Summary.Key) }
