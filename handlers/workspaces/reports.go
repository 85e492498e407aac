package workspaces

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/reportpages"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/report"
	"github.com/figs-web/figs-web/internal/store"
)

const reportDay = 86400_000000

// reportReader reads what a request for reports may see.
type reportReader struct {
	h        Handlers
	c        echo.Context
	ctx      context.Context
	at       store.Workspace
	me       string // user id
	everyone bool   // figures about everyone are shown
	self     bool   // or about the person who looks
	roster   *store.Roster
	now      int64
	days     int
	from, to int64
}

// reports prepares a request. Figures about people are for those who may read them, and one's own for everyone who can
// decide, unless the workspace has switched them off.
func (h Handlers) reports(c echo.Context, days string) (*reportReader, error) {
	at := auth.At(c)
	r := &reportReader{h: h, c: c, ctx: c.Request().Context(), at: at.Workspace, me: web.SignedIn(c).User.ID, now: h.Now().UnixMicro()}
	if !at.Workspace.HidePeople {
		r.everyone = accounts.Can(at.Role, accounts.AgentRelation{}, accounts.ReadFigures)
		r.self = at.Role.AtLeast(store.Member)
	}
	r.days = reportpages.Periods[0]
	if n, err := strconv.Atoi(days); err == nil && slices.Contains(reportpages.Periods, n) {
		r.days = n
	}
	r.to = (r.now/reportDay + 1) * reportDay
	r.from = r.to - int64(r.days)*reportDay
	var err error
	r.roster, err = h.Store.Roster(r.ctx, at.Workspace.ID)
	return r, err
}

// sees reports whether figures about a person are shown.
func (r *reportReader) sees(person string) bool { return r.everyone || r.self && person == r.me }

func (r *reportReader) agentName(id string) string {
	if a := r.roster.Agent(id); a != nil {
		return a.Name
	}
	return id
}

// names are the names of people, by id.
func (r *reportReader) names(ids map[string]bool) (map[string]string, error) {
	all := make([]string, 0, len(ids))
	for id := range ids {
		all = append(all, id)
	}
	return r.h.Store.UserNames(r.ctx, all)
}

// decisions reads the decisions of the period.
func (r *reportReader) decisions() ([]report.Decision, error) {
	facts, err := r.h.Store.DecisionFacts(r.ctx, r.at.ID, r.from, r.to)
	all := make([]report.Decision, len(facts))
	for i, f := range facts {
		all[i] = report.Decision{No: f.No, At: f.At, Agent: f.Agent, Person: f.Person, Outcome: report.Outcome(f.Outcome), Round: f.Round, Waited: f.Waited, Unviewed: f.Unviewed, JobFailed: f.JobFailed}
	}
	return all, err
}

// decisionRows are rows of a list, without the titles of asks.
func (r *reportReader) decisionRows(all []report.Decision) ([]reportpages.DecisionRow, error) {
	people := map[string]bool{}
	for i := range all {
		if r.sees(all[i].Person) {
			people[all[i].Person] = true
		}
	}
	names, err := r.names(people)
	rows := make([]reportpages.DecisionRow, len(all))
	for i := range all {
		rows[i] = reportpages.DecisionRow{Decision: all[i], AgentName: r.agentName(all[i].Agent)}
		if r.sees(all[i].Person) {
			rows[i].Who = names[all[i].Person]
		}
	}
	return rows, err
}

// titleDecisions reads the titles of asks and the notes of decisions.
func (r *reportReader) titleDecisions(rows []reportpages.DecisionRow) error {
	for part := range slices.Chunk(rows, 500) {
		numbers := make([]int64, len(part))
		for i := range part {
			numbers[i] = part[i].No
		}
		titles, err := r.h.Store.DecisionTitles(r.ctx, r.at.ID, numbers)
		if err != nil {
			return err
		}
		for i := range part {
			t := titles[part[i].No]
			part[i].Title, part[i].Note, part[i].Link = t.Title, t.Note, hosted.AskAddress(r.at.Slug, part[i].Agent, t.Ask)
		}
	}
	return nil
}

// openRows are the asks that wait for a human, longest wait first, without their titles.
func (r *reportReader) openRows() ([]reportpages.OpenRow, []store.OpenAskFacts, error) {
	open, err := r.h.Store.OpenAskFacts(r.ctx, r.at.ID, r.now)
	if err != nil {
		return nil, nil, err
	}
	people := map[string]bool{}
	for i := range open {
		for _, id := range open[i].People {
			if r.sees(id) {
				people[id] = true
			}
		}
	}
	names, err := r.names(people)
	rows := make([]reportpages.OpenRow, len(open))
	for i := range open {
		rows[i] = reportpages.OpenRow{No: open[i].No, Waiting: max(0, r.now-open[i].Since), Agent: open[i].Agent, AgentName: r.agentName(open[i].Agent)}
		var who, ids []string
		for _, id := range open[i].People {
			if r.sees(id) {
				who, ids = append(who, names[id]), append(ids, id)
			}
		}
		rows[i].People, rows[i].PeopleID = strings.Join(who, ", "), strings.Join(ids, " ")
	}
	return rows, open, err
}

func (r *reportReader) titleOpen(rows []reportpages.OpenRow) error {
	for part := range slices.Chunk(rows, 500) {
		numbers := make([]int64, len(part))
		for i := range part {
			numbers[i] = part[i].No
		}
		titles, err := r.h.Store.AskTitles(r.ctx, r.at.ID, numbers)
		if err != nil {
			return err
		}
		for i := range part {
			t := titles[part[i].No]
			part[i].Title, part[i].Link = t.Title, hosted.AskAddress(r.at.Slug, part[i].Agent, t.Ask)
		}
	}
	return nil
}

// reviewers are the people who are asked, most open asks first, of whom figures are shown.
func (r *reportReader) reviewers(open []store.OpenAskFacts) ([]reportpages.ReviewerRow, error) {
	places := map[string]int{}
	var rows []reportpages.ReviewerRow
	people := map[string]bool{}
	for i := range open {
		for _, id := range open[i].People {
			if !r.sees(id) {
				continue
			}
			n, known := places[id]
			if !known {
				n = len(rows)
				places[id], people[id] = n, true
				rows = append(rows, reportpages.ReviewerRow{Key: id})
			}
			rows[n].Open++
			rows[n].Longest = max(rows[n].Longest, r.now-open[i].Since)
		}
	}
	names, err := r.names(people)
	for i := range rows {
		rows[i].Name = names[rows[i].Key]
	}
	slices.SortStableFunc(rows, func(a, b reportpages.ReviewerRow) int { return b.Open - a.Open })
	return rows, err
}

// groups name groups; of people, those of whom figures are shown.
func (r *reportReader) groups(table string, f *report.Figures) ([]reportpages.GroupRow, error) {
	var rows []reportpages.GroupRow
	switch table {
	case "agents":
		for _, g := range f.ByAgent {
			rows = append(rows, reportpages.GroupRow{Group: g, Name: r.agentName(g.Key)})
		}
	case "weeks":
		for _, g := range f.ByWeek {
			rows = append(rows, reportpages.WeekRow(r.ctx, g))
		}
	default:
		people := map[string]bool{}
		for _, g := range f.ByPerson {
			people[g.Key] = r.sees(g.Key)
		}
		names, err := r.names(people)
		if err != nil {
			return nil, err
		}
		for _, g := range f.ByPerson {
			if r.sees(g.Key) {
				rows = append(rows, reportpages.GroupRow{Group: g, Name: names[g.Key]})
			}
		}
	}
	return rows, nil
}

// failures are the agents of which jobs failed, most first. If most isn't 0, only so many of them say how many jobs settled.
func (r *reportReader) failures(most int) ([]reportpages.FailureRow, error) {
	failed, err := r.h.Store.FailedJobs(r.ctx, r.at.ID, r.from, r.to)
	if err != nil {
		return nil, err
	}
	rows, places := make([]reportpages.FailureRow, len(failed)), make(map[string]int, len(failed))
	var agents []string // nil: all
	for i, n := range failed {
		rows[i] = reportpages.FailureRow{Key: n.Agent, Name: r.agentName(n.Agent), Failed: n.Failed}
		places[n.Agent] = i
		if i < most {
			agents = append(agents, n.Agent)
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	counts, err := r.h.Store.JobCounts(r.ctx, r.at.ID, agents, r.from, r.to)
	for _, n := range counts {
		if i, ok := places[n.Agent]; ok {
			rows[i].Settled = n.Settled
		}
	}
	return rows, err
}

// ShowReports shows the reports of a period.
func (h Handlers) ShowReports(c echo.Context) error {
	r, err := h.reports(c, c.QueryParam("days"))
	if err != nil {
		return err
	}
	decisions, err := r.decisions()
	if err != nil {
		return err
	}
	f := report.Of(decisions, r.from, r.to)
	m := &reportpages.Report{Days: r.days, From: r.from, To: r.to, Figures: f, SeesPeople: r.everyone, PeopleSelf: r.self, PeopleOff: r.at.HidePeople}
	for _, x := range []struct {
		table string
		rows  *[]reportpages.GroupRow
	}{{"weeks", &m.Weeks}, {"agents", &m.Agents}, {"people", &m.People}} {
		if *x.rows, err = r.groups(x.table, f); err != nil {
			return err
		}
	}
	if m.Failures, err = r.failures(reportpages.MaxRows); err != nil {
		return err
	}
	rows, open, err := r.openRows()
	if err != nil {
		return err
	}
	if m.Reviewers, err = r.reviewers(open); err != nil {
		return err
	}
	m.Open = len(rows)
	for m.LateCount < len(rows) && f.Waits.N > 0 && rows[m.LateCount].Waiting >= reportpages.LateAfter(f) {
		m.LateCount++
	}
	m.Late = rows[:min(m.LateCount, 5)]
	if err := r.titleOpen(m.Late); err != nil {
		return err
	}
	for _, no := range f.ChangeNumbers {
		i := slices.IndexFunc(decisions, func(d report.Decision) bool { return d.No == no })
		m.Changes = append(m.Changes, reportpages.DecisionRow{Decision: decisions[i], AgentName: r.agentName(decisions[i].Agent)})
	}
	if err := r.titleDecisions(m.Changes); err != nil {
		return err
	}
	site, err := h.Site(c, "reports", nil)
	if err != nil {
		return err
	}
	return h.SendPerson(c, site, http.StatusOK, reportpages.Page(r.ctx, site, m))
}

// ShowReportList shows the rows behind a figure, or sends them as a file.
func (h Handlers) ShowReportList(c echo.Context) error {
	days, table := c.Param("days"), c.Param("table")
	if n, err := strconv.Atoi(days); err != nil || !slices.Contains(reportpages.Periods, n) || strconv.Itoa(n) != days {
		return echo.ErrNotFound
	}
	r, err := h.reports(c, days)
	if err != nil {
		return err
	}
	switch table {
	case "decisions":
		all, err := r.decisions()
		if err != nil {
			return err
		}
		rows, err := r.decisionRows(all)
		if err != nil {
			return err
		}
		return sendReportList(r, reportpages.Decisions(r.ctx, r.self), rows, r.titleDecisions)
	case "open":
		rows, _, err := r.openRows()
		if err != nil {
			return err
		}
		return sendReportList(r, reportpages.Open(r.ctx, r.self), rows, r.titleOpen)
	case "agents", "weeks", "people":
		if table == "people" && !r.self {
			return echo.ErrNotFound
		}
		all, err := r.decisions()
		if err != nil {
			return err
		}
		rows, err := r.groups(table, report.Of(all, r.from, r.to))
		if err != nil {
			return err
		}
		return sendReportList(r, reportpages.Groups(r.ctx, table), rows, nil)
	case "failures":
		rows, err := r.failures(0)
		if err != nil {
			return err
		}
		return sendReportList(r, reportpages.Failures(r.ctx), rows, nil)
	case "reviewers":
		if !r.self {
			return echo.ErrNotFound
		}
		_, open, err := r.openRows()
		if err != nil {
			return err
		}
		rows, err := r.reviewers(open)
		if err != nil {
			return err
		}
		return sendReportList(r, reportpages.Reviewers(r.ctx), rows, nil)
	}
	return echo.ErrNotFound
}

// sendReportList shows a page of a list, or sends what its filter leaves as a file. complete reads what only the rows that
// are shown need; nil for nothing.
func sendReportList[T any](r *reportReader, l *reportpages.List[T], rows []T, complete func([]T) error) error {
	list, err := r.h.ListRequest(r.c, l.Name)
	if err != nil {
		return err
	}
	if complete == nil {
		complete = func([]T) error { return nil }
	}
	selecting := reportpages.Selecting(l)
	if hosted.AsksForFile(r.c) {
		kept, _ := selecting.Filtered(rows, list.Query)
		if err := complete(kept); err != nil {
			return err
		}
		return hosted.SendRows(r.c, l, kept)
	}
	page := selecting.Select(rows, list.Query)
	if err := complete(page.Items); err != nil {
		return err
	}
	site, err := r.h.Site(r.c, "reports", nil)
	if err != nil {
		return err
	}
	var shown templ.Component = l.ShowPage(r.ctx, site, list, page, nil)
	return r.h.SendPerson(r.c, site, http.StatusOK, reportpages.ListPage(r.ctx, site, r.days, l.Title, shown))
}
