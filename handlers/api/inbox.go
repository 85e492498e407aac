package api

import (
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// part is a part of a list whose length nobody counts.
type part[T any] struct {
	Items []T     `json:"items"`
	From  int     `json:"from"`
	More  bool    `json:"more"`
	Next  *string `json:"next"`
}

type inboxItem struct {
	Agent    name    `json:"agent"`
	Ask      ask     `json:"ask"`
	Since    *string `json:"since"`
	Blocks   bool    `json:"blocks"`
	JobTitle *string `json:"job_title"`
	Mine     bool    `json:"mine"`
	Pending  bool    `json:"pending"`
}

func inboxItemOf(r *request, x *journal.InboxItem) inboxItem {
	return inboxItem{nameOf(r, &x.Agent), askBy(r, x.Agent.Key, &x.Ask), when(x.Since), x.Blocks, words(x.JobTitle), x.Mine, x.Pending != nil}
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
	out := inbox{Needs: x.Needs, Reported: x.Reported, Snoozed: x.Snoozed, Oldest: when(x.Oldest), Departments: append([]string{}, x.Departments...), Agents: each(r, x.Agents, nameOf)}
	out.part = part[inboxItem]{each(r, x.Items, inboxItemOf), x.From, x.More, r.next(x.From, len(x.Items), x.More)}
	return out, nil
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

func hitOf(r *request, x *journal.FoundItem) hit {
	h := hit{Agent: nameOf(r, &x.Agent), Title: x.Hit.Title, TS: words(x.Hit.Place.TS), Before: string(x.Hit.Excerpt.Before), Marked: string(x.Hit.Excerpt.Marked), After: string(x.Hit.Excerpt.After)}
	if h.Kind, h.Key = owner(x.Hit.Owner); h.Kind != "message" {
		page := r.page(x.Agent.Key, x.Hit.Owner)
		h.Page = &page
	}
	return h
}

// owner reads an address below an agent: "jobs/KEY" is a job.
func owner(address string) (kind, key string) {
	place, key, _ := strings.Cut(address, "/")
	return strings.TrimSuffix(place, "s"), key
}

func search(r *request) (any, error) {
	x, err := r.journal.Everywhere(r.c.Request().Context(), journal.ParseQuery(r.query))
	if err != nil {
		return nil, err
	}
	return part[hit]{each(r, x.Items, hitOf), x.From, x.More, r.next(x.From, len(x.Items), x.More)}, nil
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
	out := activity{First: dateOf(x.First), Hours: x.Hours, Waits: each(r, x.Waits, inboxItemOf), Jobs: x.Jobs, Agents: each(r, x.Agents, nameOf)}
	out.Days = each(r, x.Days, func(_ *request, d *journal.TrendDay) day {
		return day{d.OK, d.Warned, d.Failed, d.Unknown, d.Raised, d.Replied}
	})
	out.Answers = answers{len(x.Answers), each(r, x.Answers, func(_ *request, micros *int64) float64 { return float64(*micros) / 1e6 })}
	if out.Tokens.Jobs = x.TokenJobs; x.TokenJobs > 0 {
		out.Tokens.Known = &x.Tokens
	}
	if h := x.Heat; h != nil && len(h.Days) > 0 {
		out.Year = &year{dateOf(h.First), each(r, h.Days, func(_ *request, d *journal.Day) yearDay { return yearDay{d.Jobs, d.Asks, d.Replies} }), h.Timeless}
	}
	return out, nil
}

// dateOf is the day that begins with a midnight, as 2006-01-02.
func dateOf(midnight int64) string {
	if text := when(midnight); text != nil && midnight != figs.NoTime {
		return (*text)[:len("2006-01-02")]
	}
	return "1970-01-01"
}
