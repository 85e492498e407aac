package api

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/recordjson"
)

// part is a part of a list whose length nobody counts.
type part[T any] struct {
	Items []T     `json:"items"`
	From  int     `json:"from"` // always 0
	More  bool    `json:"more"`
	Next  *string `json:"next"`
}

type inboxItem struct {
	Agent    name           `json:"agent"`
	Ask      recordjson.Ask `json:"ask"`
	Since    *string        `json:"since"`
	Blocks   bool           `json:"blocks"`
	JobTitle *string        `json:"job_title"`
	Mine     bool           `json:"mine"`
	Pending  bool           `json:"pending"`
}

func (r *request) inboxItemOf(x *journal.InboxItem) inboxItem {
	return inboxItem{Agent: nameOf(&x.Agent), Ask: r.converter(x.Agent.Key).Ask(&x.Ask), Since: recordjson.Time(x.Since), Blocks: x.Blocks,
		JobTitle: recordjson.Text(x.JobTitle), Mine: x.Mine, Pending: x.Pending != nil}
}

type inbox struct {
	part[inboxItem]
	Needs       int      `json:"needs"`
	Reported    int      `json:"reported"`
	Snoozed     int      `json:"snoozed"`
	Oldest      *string  `json:"oldest"`
	Departments []string `json:"departments"`
	Agents      []name   `json:"agents"`
}

func listInbox(r *request) (any, error) {
	q := journal.ParseInboxQuery(r.query)
	q.Viewer = r.visitor.User.ID
	if !q.Everybody {
		q.Mine = q.Viewer
	}
	x, err := r.journal.Inbox(r.c.Request().Context(), q)
	if err != nil {
		return nil, err
	}
	out := inbox{Needs: x.Needs, Reported: x.Reported, Snoozed: x.Snoozed, Oldest: recordjson.Time(x.Oldest), Departments: append([]string{}, x.Departments...), Agents: someAgents(x.Agents)}
	out.part = part[inboxItem]{recordjson.Each(x.Items, r.inboxItemOf), 0, x.Next != "", r.next(x.Next)}
	return out, nil
}

// mostAgents is how many agents an answer names to filter by. The list of agents has all.
const mostAgents = 50

func someAgents(all []journal.Agent) []name {
	return recordjson.Each(all[:min(len(all), mostAgents)], nameOf)
}

// hit is something that search found.
type hit struct {
	Agent  name    `json:"agent"`
	Kind   string  `json:"kind"`
	Key    string  `json:"key"`
	Page   *string `json:"page"`
	Title  string  `json:"title"`
	TS     *string `json:"ts"`
	Before string  `json:"before"`
	Marked string  `json:"marked"`
	After  string  `json:"after"`
}

func (r *request) hitOf(x *journal.WorkspaceHit) hit {
	h := hit{Agent: nameOf(&x.Agent), Title: x.Hit.Title, TS: recordjson.Text(x.Hit.Position.TS), Before: string(x.Hit.Excerpt.Before), Marked: string(x.Hit.Excerpt.Marked), After: string(x.Hit.Excerpt.After)}
	if h.Kind, h.Key = recordjson.Owner(x.Hit.Owner); h.Kind != "message" {
		page := r.page(x.Agent.Key, x.Hit.Owner)
		h.Page = &page
	}
	return h
}

func search(r *request) (any, error) {
	x, err := r.journal.SearchAll(r.c.Request().Context(), journal.ParseQuery(r.query))
	if err != nil {
		return nil, err
	}
	return part[hit]{recordjson.Each(x.Items, r.hitOf), 0, x.Report.Next != "", r.next(x.Report.Next)}, nil
}

// activity is what happened in a period.
type activity struct {
	First   string      `json:"first"`
	Days    []day       `json:"days"`
	Answers answers     `json:"answers"`
	Hours   [7][24]int  `json:"hours"`
	Waits   []inboxItem `json:"waits"`
	Jobs    int         `json:"jobs"`
	Tokens  tokens      `json:"tokens"`
	Year    *year       `json:"year"`
	Agents  []name      `json:"agents"`
}

type day struct {
	OK      int `json:"ok"`
	Warned  int `json:"warn"`
	Failed  int `json:"fail"`
	Unknown int `json:"unknown"`
	Raised  int `json:"raised"`
	Replied int `json:"replied"`
}

// answers is how long first replies took, in seconds, ascending.
type answers struct {
	Count   int       `json:"count"`
	Seconds []float64 `json:"seconds"`
}

// tokens are those of the jobs that say; nobody knows the others'.
type tokens struct {
	Known *int64 `json:"known"`
	Jobs  int    `json:"jobs"`
}

type year struct {
	First    string    `json:"first"`
	Days     []yearDay `json:"days"`
	Timeless int       `json:"timeless"`
}

type yearDay struct {
	Jobs    int `json:"jobs"`
	Asks    int `json:"asks"`
	Replies int `json:"replies"`
}

func showActivity(r *request) (any, error) {
	q := journal.ParseTrendsQuery(r.query)
	q.Viewer = r.visitor.User.ID
	x, err := r.journal.Trends(r.c.Request().Context(), q)
	if err != nil {
		return nil, err
	}
	out := activity{First: dateOf(x.First), Hours: x.Hours, Waits: recordjson.Each(x.Waits, r.inboxItemOf), Jobs: x.Jobs, Agents: someAgents(x.Agents)}
	out.Days = recordjson.Each(x.Days, func(d *journal.TrendDay) day {
		return day{OK: d.OK, Warned: d.Warned, Failed: d.Failed, Unknown: d.Unknown, Raised: d.Raised, Replied: d.Replied}
	})
	out.Answers = answers{len(x.Answers), recordjson.Each(x.Answers, func(micros *int64) float64 { return float64(*micros) / 1e6 })}
	if out.Tokens.Jobs = x.TokenJobs; x.TokenJobs > 0 {
		out.Tokens.Known = &x.Tokens
	}
	if h := x.Heat; h != nil && len(h.Days) > 0 {
		out.Year = &year{dateOf(h.First), recordjson.Each(h.Days, func(d *journal.Day) yearDay { return yearDay{d.Jobs, d.Asks, d.Replies} }), h.Timeless}
	}
	return out, nil
}

// dateOf is the day that begins with a midnight, as 2006-01-02.
func dateOf(midnight int64) string {
	if text := recordjson.Time(midnight); text != nil && midnight != figs.NoTime {
		return (*text)[:len("2006-01-02")]
	}
	return "1970-01-01"
}
