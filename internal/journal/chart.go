package journal

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/listquery"
)

// AgentSummary is what the org chart knows of every agent, without charters and jobs. Its texts may be cut.
type AgentSummary struct {
	Key, Name                string
	Role, Department, Status string       // of the charter
	Manager, Builder         string       // names
	Jobs, InFlight, Needs    int          // jobs, jobs in flight, and asks that need a human
	Outcome                  figs.Outcome // of the job that settled last; figs.OutcomeInFlight if none has
	Oldest                   int64        // since when the oldest of these asks has waited; figs.NoTime if there are none
	Last                     int64        // time of the newest line; figs.NoTime if no line has one
	Pushed, Registered       int64
	Archived                 int64 // when it was archived; 0 if it isn't
}

// AgentState is the most pressing thing about an agent.
type AgentState int

// The states, the most pressing first.
const (
	AgentNeeds AgentState = iota // a human must act
	AgentFailed
	AgentRunning
	AgentWarned
	AgentUnknown // the last job ended with a status that isn't known
	AgentSettled
	AgentIdle // no job
	agentStates
)

// stateWords are the values of is: in filters.
var stateWords = [agentStates]string{"needs", "failed", "running", "warned", "unknown", "settled", "idle"}

// Word is the value of is: in filters that finds agents of which this is true, and the value of state: that finds those
// about which nothing is more pressing.
func (s AgentState) Word() string { return stateWords[s] }

// Is reports whether a state is true of an agent. Several can be.
func (a *AgentSummary) Is(s AgentState) bool {
	switch s {
	case AgentNeeds:
		return a.Needs > 0
	case AgentFailed:
		return a.Outcome == figs.OutcomeFail
	case AgentRunning:
		return a.InFlight > 0
	case AgentWarned:
		return a.Outcome == figs.OutcomeWarn
	case AgentUnknown:
		return a.Outcome == figs.OutcomeUnknown
	case AgentSettled:
		return a.Outcome == figs.OutcomeOK
	}
	return a.Jobs == 0
}

// State returns the most pressing state.
func (a *AgentSummary) State() AgentState {
	for s := range AgentIdle {
		if a.Is(s) {
			return s
		}
	}
	return AgentIdle
}

// Flags are the values of is: that find the agent.
func (a *AgentSummary) Flags() string {
	var all []string
	for s := range agentStates {
		if a.Is(s) {
			all = append(all, s.Word())
		}
	}
	return strings.Join(all, " ")
}

// Card is an agent on the org chart.
type Card struct {
	Summary  AgentSummary
	Agent    Agent
	InFlight *Job     // newest job in flight, with Key, Run and Last; nil if none
	Last     *Job     // job that settled last, with the same fields; nil if none
	Weeks    [12]Week // oldest first, ending with the current week
}

// ChartQuery selects agents of the org chart. Its URL parameters are those of listquery.Query, and department.
type ChartQuery struct {
	listquery.Query
	Department string // Department.Key: only the agents of this department; "" for all
	Archived   bool   // archived agents instead of the others; not a URL parameter
	Whole      bool   // all agents instead of a page, with only their summaries; not a URL parameter
	// Only says which agents of the page are wanted, by key; of the others there are only summaries. Nil for all. Not a URL parameter.
	Only func(key string) bool
}

// ParseChartQuery reads the parameters of a query.
func ParseChartQuery(values url.Values) ChartQuery {
	return ChartQuery{Query: listquery.Parse(values), Department: values.Get("department")}
}

// Values is the inverse of ParseChartQuery.
func (q ChartQuery) Values() url.Values {
	v := q.Query.Values()
	if q.Department != "" {
		v.Set("department", q.Department)
	}
	return v
}

// Chart is the org chart, or a page of it.
type Chart struct {
	listquery.Page[Card]
	ByDepartment bool             // the cards are ordered by department
	Departments  []Department     // of the agents that Query.Filter leaves, by name, the one without a name last
	States       [agentStates]int // how many of the agents that the query selects are in each state

	// Of the whole workspace; all but Archived without archived agents.
	Agents, Archived, Named int // agents, archived ones, and departments that have a name
	Needs, InFlight         int // asks that need a human, whoever is asked, and jobs in flight
	Seq                     int64
}

// Department counts agents.
type Department struct {
	Name   string // "" for agents that name none
	Agents int
	Needs  int // how many of them have asks that need a human
}

// Key identifies the department in URLs, which contain no names.
func (d *Department) Key() string { return departmentKey(d.Name) }

func departmentKey(name string) string {
	sum := sha256.Sum256([]byte(name))
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}

// agentList is the list of agents that filters and orders of the org chart refer to.
func agentList() *listquery.List[AgentSummary] {
	return &listquery.List[AgentSummary]{
		ID:      func(a *AgentSummary) string { return a.Key },
		Columns: AgentColumns(func(a *AgentSummary) *AgentSummary { return a }),
		Default: DefaultAgentSort,
	}
}

// DefaultAgentSort is the chart's own order: agents that need a human come first, then by name.
const DefaultAgentSort = "attention"

// AgentColumns are the columns of a list of agents, whose summaries of gives.
func AgentColumns[T any](of func(*T) *AgentSummary) []listquery.Column[T] {
	type key = listquery.Key
	text := func(name string, kind listquery.Kind, get func(*AgentSummary) string) listquery.Column[T] {
		return listquery.Column[T]{Name: name, Kind: kind, Text: func(row *T) string { return get(of(row)) }}
	}
	number := func(name string, kind listquery.Kind, get func(*AgentSummary) int64) listquery.Column[T] {
		return listquery.Column[T]{Name: name, Kind: kind, Number: func(row *T) int64 { return get(of(row)) }}
	}
	ordered := func(c listquery.Column[T], order func(*AgentSummary) key) listquery.Column[T] {
		c.Order = func(row *T) key { return order(of(row)) }
		return c
	}
	return []listquery.Column[T]{
		text("name", listquery.Text, func(a *AgentSummary) string { return a.Name }),
		text("role", listquery.Text, func(a *AgentSummary) string { return a.Role }),
		ordered(text("department", listquery.Text, func(a *AgentSummary) string { return a.Department }), departmentOrder),
		text("status", listquery.Word, func(a *AgentSummary) string { return a.Status }),
		text("manager", listquery.Text, func(a *AgentSummary) string { return a.Manager }),
		text("builder", listquery.Text, func(a *AgentSummary) string { return a.Builder }),
		number("needs", listquery.Number, func(a *AgentSummary) int64 { return int64(a.Needs) }),
		text("is", listquery.Flags, (*AgentSummary).Flags),
		ordered(text("state", listquery.Flags, func(a *AgentSummary) string { return a.State().Word() }), func(a *AgentSummary) key { return key{Number: int64(a.State()), Text: sortText(a.Name)} }),
		number("last", listquery.Time, func(a *AgentSummary) int64 { return max(0, a.Last) }),
		number("pushed", listquery.Time, func(a *AgentSummary) int64 { return a.Pushed }),
		number("registered", listquery.Time, func(a *AgentSummary) int64 { return a.Registered }),
		number("archived", listquery.Time, func(a *AgentSummary) int64 { return a.Archived }),
		ordered(listquery.Column[T]{Name: DefaultAgentSort}, func(a *AgentSummary) key { return key{Number: attention(a), Text: sortText(a.Name)} }),
	}
}

func attention(a *AgentSummary) int64 {
	if a.Needs > 0 {
		return 0
	}
	return 1
}

// sortText is a text as lists are ordered by it.
func sortText(s string) string {
	s = strings.ToLower(s[:min(len(s), 200)])
	return s[:min(len(s), 200)]
}

// departmentOrder keeps the agents of a department together, as attention orders them. Agents without a department come
// last. It fits into a cursor.
func departmentOrder(a *AgentSummary) listquery.Key {
	const most = 100
	if a.Department == "" {
		return listquery.Key{Number: 2 + attention(a), Text: sortText(a.Name)}
	}
	d := strings.ToLower(a.Department) + "\x00" + a.Department // departments that differ only in case aren't mixed
	if len(d) > most {
		d = d[:most-13] + "\x00" + departmentKey(a.Department)
	}
	d += "\x00" + string(rune('0'+attention(a))) + sortText(a.Name)
	return listquery.Key{Text: d[:min(len(d), 200)]}
}

// SelectAgents answers a query from the summaries of all agents of a workspace. The cards have only those.
func SelectAgents(all []AgentSummary, q ChartQuery) *Chart {
	chart := &Chart{}
	named := map[string]bool{"": true}
	var rows []AgentSummary
	for i := range all {
		a := &all[i]
		if a.Archived != 0 {
			chart.Archived++
		} else {
			chart.Agents, chart.Needs, chart.InFlight = chart.Agents+1, chart.Needs+a.Needs, chart.InFlight+a.InFlight
			named[a.Department] = true
		}
		if (a.Archived != 0) == q.Archived {
			rows = append(rows, *a)
		}
	}
	chart.Named = len(named) - 1
	if q.Sort == "" && q.Filter == "" && q.Department == "" && !q.Archived && len(rows) <= listquery.PageSize {
		q.Sort = "department"
	}
	chart.ByDepartment = q.Sort == "department"
	n := len(rows)
	list := agentList()
	kept, unknown := list.Filtered(rows, q.Query)
	chart.Departments = departmentsOf(kept)
	if q.Department != "" {
		kept = slices.DeleteFunc(kept, func(a AgentSummary) bool { return departmentKey(a.Department) != q.Department })
	}
	for i := range kept {
		chart.States[kept[i].State()]++
	}
	page := listquery.Page[AgentSummary]{Items: kept, Total: len(kept)}
	if !q.Whole {
		page = list.PageOf(kept, q.Query)
	}
	chart.Page = listquery.Page[Card]{From: page.From, Total: page.Total, All: n, Prev: page.Prev, Next: page.Next, Unknown: unknown, Items: make([]Card, len(page.Items))}
	for i := range page.Items {
		chart.Items[i].Summary = page.Items[i]
	}
	return chart
}

// departmentsOf counts agents by department.
func departmentsOf(list []AgentSummary) (all []Department) {
	at := map[string]int{}
	for i := range list {
		a := &list[i]
		k, known := at[a.Department]
		if !known {
			k = len(all)
			at[a.Department], all = k, append(all, Department{Name: a.Department})
		}
		if all[k].Agents++; a.Needs > 0 {
			all[k].Needs++
		}
	}
	slices.SortFunc(all, func(a, b Department) int {
		if (a.Name == "") != (b.Name == "") {
			return cmp.Compare(b.Name, a.Name) // the one without a name comes last
		}
		return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	return all
}
