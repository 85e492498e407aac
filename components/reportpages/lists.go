package reportpages

import (
	"context"
	"io"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/listview"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/listquery"
	"github.com/figs-web/figs-web/internal/report"
)

// DecisionRow is a decision in a list. Title and Note are read for the rows that are shown.
type DecisionRow struct {
	report.Decision
	AgentName, Who string // Who is "" if the reader may not see who decided
	Title, Note    string // of the ask, and of the decision
	Link           string // to the ask
}

// GroupRow is the decisions of an agent, a person or a week.
type GroupRow struct {
	report.Group
	Name, Short string // Short is a week's name under a chart
}

// FailureRow is how many jobs of an agent failed.
type FailureRow struct {
	Key, Name       string
	Settled, Failed int
}

// OpenRow is an ask that waits for a human.
type OpenRow struct {
	No, Waiting      int64 // Waiting is in microseconds
	Agent, AgentName string
	People, PeopleID string // names and ids of those who are asked; "" if the reader may not see them
	Title, Link      string
}

// ReviewerRow is how many asks wait for a person.
type ReviewerRow struct {
	Key, Name string
	Open      int
	Longest   int64 // microseconds that the oldest has waited
}

// OutcomeWord is an outcome as filters and files have it.
func OutcomeWord(o report.Outcome) string {
	switch o {
	case report.Answered:
		return "answered"
	case report.Approved:
		return "approved"
	case report.Changes:
		return "changes"
	case report.Declined:
		return "declined"
	case report.Contradicted:
		return "contradicted"
	}
	return "unknown"
}

func sayOutcome(ctx context.Context, word string) string {
	switch word {
	case "answered":
		return i18n.Say(ctx, "answered")
	case "approved":
		return i18n.Say(ctx, "approved")
	case "changes":
		return i18n.Say(ctx, "changes requested")
	case "declined":
		return i18n.Say(ctx, "declined")
	case "contradicted":
		return i18n.Say(ctx, "report contradicted")
	}
	return i18n.Say(ctx, "unknown")
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

func sayYesNo(ctx context.Context, word string) string {
	if word == "yes" {
		return i18n.Say(ctx, "yes")
	}
	return i18n.Say(ctx, "no")
}

// span is a cell with a length of time.
func span(t int64) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		text := "–"
		if t >= 0 {
			text = length(ctx, t)
		}
		return templ.Raw(templ.EscapeString(text)).Render(ctx, w)
	})
}

// minutes is a column with a length of time, which filters and files have in whole minutes; -1 is none.
func minutes[T any](name, title string, t func(*T) int64) listview.Column[T] {
	c := listview.Number(name, title, func(row *T) int64 {
		if t(row) < 0 {
			return -1
		}
		return t(row) / ui.Minute
	})
	c.Cell = func(row *T) templ.Component { return span(t(row)) }
	return c
}

func linked(to, text string) templ.Component {
	if to == "" {
		return agenttext.Line(text)
	}
	return ui.LinkTo(templ.SafeURL(to), agenttext.Line(text))
}

// Decisions is the list of decisions. people says that it has who decided.
func Decisions(ctx context.Context, people bool) *listview.List[DecisionRow] {
	l := &listview.List[DecisionRow]{
		Name: "report-decisions", Title: i18n.Say(ctx, "Decisions"), Default: "-when", Empty: ui.Nothing(i18n.Say(ctx, "No ask was decided in this period"), ""),
		ID: func(r *DecisionRow) string { return strconv.FormatInt(r.No, 10) },
		Columns: []listview.Column[DecisionRow]{
			listview.Text("ask", i18n.Say(ctx, "Ask"), func(r *DecisionRow) string { return r.Title }),
			listview.Word("outcome", i18n.Say(ctx, "Decision"), func(r *DecisionRow) string { return OutcomeWord(r.Outcome) }, sayOutcome),
			listview.Text("agent", i18n.Say(ctx, "Agent"), func(r *DecisionRow) string { return r.AgentName }),
			listview.Number("round", i18n.Say(ctx, "Round"), func(r *DecisionRow) int64 { return int64(r.Round) }),
			minutes("minutes", i18n.Say(ctx, "Waiting time"), func(r *DecisionRow) int64 { return r.Waited }),
			listview.Number("unviewed", i18n.Say(ctx, "Not viewed"), func(r *DecisionRow) int64 { return int64(r.Unviewed) }).Hidden(),
			listview.Word("failed", i18n.Say(ctx, "Job failed later"), func(r *DecisionRow) string { return yesNo(r.JobFailed) }, sayYesNo).Hidden(),
			listview.Word("ended", i18n.Say(ctx, "Ended the sign-off"), func(r *DecisionRow) string {
				return yesNo(r.Outcome == report.Approved || r.Outcome == report.Declined)
			}, sayYesNo).Hidden(),
			listview.Text("agentid", i18n.Say(ctx, "Agent ID"), func(r *DecisionRow) string { return r.Agent }).Hidden(),
			listview.Time("when", i18n.Say(ctx, "When"), func(r *DecisionRow) int64 { return r.At }),
			listview.Text("note", i18n.Say(ctx, "Note"), func(r *DecisionRow) string { return r.Note }).Hidden(),
		},
	}
	l.Columns[0].Cell = func(r *DecisionRow) templ.Component { return linked(r.Link, r.Title) }
	l.Columns[0].Fixed, l.Columns[10].Fixed = true, true
	if people {
		l.Columns = append(l.Columns, listview.Text("person", i18n.Say(ctx, "Who"), func(r *DecisionRow) string { return r.Who }),
			listview.Text("personid", i18n.Say(ctx, "Person ID"), func(r *DecisionRow) string {
				if r.Who == "" {
					return ""
				}
				return r.Person
			}).Hidden())
	}
	return l
}

// Open is the list of asks that wait for a human. people says that it has who is asked.
func Open(ctx context.Context, people bool) *listview.List[OpenRow] {
	l := &listview.List[OpenRow]{
		Name: "report-open", Title: i18n.Say(ctx, "Open asks"), Default: "-minutes", Empty: ui.Nothing(i18n.Say(ctx, "Nothing is waiting for a human."), ""),
		ID: func(r *OpenRow) string { return strconv.FormatInt(r.No, 10) },
		Columns: []listview.Column[OpenRow]{
			listview.Text("ask", i18n.Say(ctx, "Ask"), func(r *OpenRow) string { return r.Title }),
			listview.Text("agent", i18n.Say(ctx, "Agent"), func(r *OpenRow) string { return r.AgentName }),
			minutes("minutes", i18n.Say(ctx, "Waiting time"), func(r *OpenRow) int64 { return r.Waiting }),
			listview.Text("agentid", i18n.Say(ctx, "Agent ID"), func(r *OpenRow) string { return r.Agent }).Hidden(),
		},
	}
	l.Columns[0].Cell = func(r *OpenRow) templ.Component { return linked(r.Link, r.Title) }
	l.Columns[0].Fixed = true
	if people {
		l.Columns = append(l.Columns, listview.Text("person", i18n.Say(ctx, "Asked"), func(r *OpenRow) string { return r.People }),
			listview.Text("personid", i18n.Say(ctx, "Person ID"), func(r *OpenRow) string { return r.PeopleID }).Hidden())
	}
	return l
}

// Groups is a list of groups of decisions: "agents", "people" or "weeks".
func Groups(ctx context.Context, name string) *listview.List[GroupRow] {
	l := &listview.List[GroupRow]{Name: "report-" + name, ID: func(r *GroupRow) string { return r.Key + strconv.FormatInt(r.At, 10) }}
	first := listview.Text("name", i18n.Say(ctx, "Agent"), func(r *GroupRow) string { return r.Name })
	switch name {
	case "weeks":
		first = listview.Time("week", i18n.Say(ctx, "Week from"), func(r *GroupRow) int64 { return r.At })
		first.Cell = func(r *GroupRow) templ.Component { return ui.InWords(r.Name) }
		l.Title, l.Default = i18n.Say(ctx, "By week"), "-week"
	case "people":
		first.Title, l.Title, l.Default = i18n.Say(ctx, "Who"), i18n.Say(ctx, "By person"), "-decisions"
	default:
		l.Title, l.Default = i18n.Say(ctx, "By agent"), "-decisions"
	}
	l.Columns = []listview.Column[GroupRow]{first,
		listview.Number("decisions", i18n.Say(ctx, "Decisions"), func(r *GroupRow) int64 { return int64(r.Decisions) }),
		minutes("median", i18n.Say(ctx, "Median"), func(r *GroupRow) int64 { return orNone(r.Times, r.Median) }),
		minutes("percentile", i18n.Say(ctx, "90th percentile"), func(r *GroupRow) int64 { return orNone(r.Times, r.Percentile) }),
	}
	return l
}

func orNone(t report.Times, v int64) int64 {
	if t.N == 0 {
		return -1
	}
	return v
}

// Failures is the list of agents by failed jobs.
func Failures(ctx context.Context) *listview.List[FailureRow] {
	return &listview.List[FailureRow]{
		Name: "report-failures", Title: i18n.Say(ctx, "Failed jobs"), Default: "-failed", ID: func(r *FailureRow) string { return r.Key },
		Columns: []listview.Column[FailureRow]{
			listview.Text("name", i18n.Say(ctx, "Agent"), func(r *FailureRow) string { return r.Name }),
			listview.Number("failed", i18n.Say(ctx, "Failed"), func(r *FailureRow) int64 { return int64(r.Failed) }),
			listview.Number("settled", i18n.Say(ctx, "Settled"), func(r *FailureRow) int64 { return int64(r.Settled) }),
		},
	}
}

// Reviewers is the list of people by open asks.
func Reviewers(ctx context.Context) *listview.List[ReviewerRow] {
	return &listview.List[ReviewerRow]{
		Name: "report-reviewers", Title: i18n.Say(ctx, "Open asks per person"), Default: "-open", ID: func(r *ReviewerRow) string { return r.Key },
		Columns: []listview.Column[ReviewerRow]{
			listview.Text("name", i18n.Say(ctx, "Who"), func(r *ReviewerRow) string { return r.Name }),
			listview.Number("open", i18n.Say(ctx, "Open asks"), func(r *ReviewerRow) int64 { return int64(r.Open) }),
			minutes("longest", i18n.Say(ctx, "Longest wait"), func(r *ReviewerRow) int64 { return r.Longest }),
		},
	}
}

// List is a list of rows.
type List[T any] = listview.List[T]

// WeekRow is a week with its name.
func WeekRow(ctx context.Context, g report.Group) GroupRow {
	day := time.UnixMicro(g.At).UTC()
	return GroupRow{Group: g, Name: i18n.Date(ctx, day, "2 Jan 2006"), Short: i18n.Date(ctx, day, "2 Jan")}
}

// Selecting is a list without the columns whose values are read later, for the rows that are shown.
func Selecting[T any](l *listview.List[T]) *listquery.List[T] {
	plain := l.InMemory()
	kept := plain.Columns[:0:0]
	for _, c := range plain.Columns {
		if c.Name != "ask" && c.Name != "note" {
			kept = append(kept, c)
		}
	}
	plain.Columns = kept
	return plain
}

// ListPage is a page with one list.
func ListPage(ctx context.Context, site ui.Site, days int, title string, list templ.Component) ui.Page {
	return ui.Page{Title: title + " · " + i18n.Say(ctx, "Reports"), Body: listPage(site, days, title, list)}
}
