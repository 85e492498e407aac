package components

import (
	"context"
	"reflect"
	"strings"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// office is a workspace of the tests: the agent of the fixture, three more around it.
type office struct {
	*pagetest.Journal
	cards    []journal.Card
	inbox    journal.Inbox
	found    journal.WorkspaceHits
	refusals []journal.Refusal
}

func (o *office) Chart(_ context.Context, q journal.ChartQuery) (*journal.Chart, error) {
	all, cards := make([]journal.AgentSummary, len(o.cards)), map[string]*journal.Card{}
	for i := range o.cards {
		a := &o.cards[i].Agent
		all[i] = journal.AgentSummary{Key: a.Key, Name: a.DisplayName(), Role: a.Charter.Role, Department: a.Charter.Department, Status: a.Charter.Status,
			Jobs: a.Counts.Jobs, InFlight: a.Counts.InFlight, Needs: a.Counts.NeedsYou, Outcome: figs.OutcomeInFlight, Last: ui.Instant(a.Last.TS), Oldest: figs.NoTime}
		if a.Hosted != nil {
			all[i].Manager, all[i].Builder = a.Hosted.Manager.Name, a.Hosted.Builder.Name
			all[i].Pushed, all[i].Registered, all[i].Archived = a.Hosted.Pushed, a.Hosted.Registered, a.Hosted.Archived
		}
		if last := o.cards[i].Last; last != nil {
			all[i].Outcome = map[string]figs.Outcome{"ok": figs.OutcomeOK, "warn": figs.OutcomeWarn, "fail": figs.OutcomeFail, "": figs.OutcomeUnknown}[ui.OutcomeOf(&last.Run)]
		}
		cards[a.Key] = &o.cards[i]
	}
	chart := journal.SelectAgents(all, q)
	chart.Seq = 41
	for i := range chart.Items {
		summary := chart.Items[i].Summary
		if q.Whole {
			continue
		}
		chart.Items[i] = *cards[summary.Key]
		chart.Items[i].Summary = summary
	}
	return chart, nil
}

func (o *office) Inbox(_ context.Context, q journal.InboxQuery) (*journal.Inbox, error) {
	inbox := o.inbox
	inbox.Items = nil
	for _, item := range o.inbox.Items {
		phase := item.Ask.State.Phase
		tab := map[bool]journal.Tab{phase == figs.NeedsYou: journal.TabNeeds, phase.Waiting(): journal.TabWaiting, phase.Closed(): journal.TabClosed}[true]
		switch {
		case q.Tab == journal.TabReported && item.Ask.State.Reported, q.Tab == journal.TabSnoozed && item.Snoozed != 0:
			tab = q.Tab
		}
		if tab == q.Tab || q.Tab == "" && tab == journal.TabNeeds {
			if (q.Mine == "" || q.Everybody || item.Mine) && (q.Agent == "" || q.Agent == item.Agent.Key) {
				inbox.Items = append(inbox.Items, item)
			}
		}
	}
	if q.N == 1 {
		inbox.Next = "1..bmV4dA"
	}
	if q.After != "" {
		inbox.Prev = "0..cHJldg"
	}
	return &inbox, nil
}

func (o *office) Trends(context.Context, journal.TrendsQuery) (*journal.Trends, error) {
	return nil, journal.ErrNotFound
}

func (o *office) SearchAll(_ context.Context, q journal.Query) (*journal.WorkspaceHits, error) {
	found := o.found
	if !strings.Contains("matched", q.Text) {
		found.Items, found.Report = nil, journal.SearchReport{Scope: &journal.SearchScope{Agents: 3, Records: 12_400, Replies: 1, Files: 6, Archived: 2}}
	}
	return &found, nil
}

func (o *office) Refusals(_ context.Context, agent string) ([]journal.Refusal, error) {
	if agent != "1" {
		return nil, nil
	}
	return o.refusals, nil
}

func (o *office) Seq(context.Context) (int64, error) { return 41, nil }

// acme are the addresses of the workspace of the tests.
type acme struct{}

func (acme) To(path string) string {
	switch {
	case strings.HasPrefix(path, "/rules"):
		return path
	case path == "/":
		return "/w/acme"
	}
	return "/w/acme/agents" + path
}

var sarah, tom = journal.Person{ID: "u1", Name: "Sarah Lind"}, journal.Person{ID: "u2", Name: "Tom Okafor"}

// acmeSite is the site of an owner of the workspace.
func acmeSite(current string) ui.Site {
	return ui.Site{Links: acme{}, Now: pagetest.At(pagetest.Now), Zone: 60, ZoneName: "CET", Script: "hosted.js", Public: "https://figs.example",
		Shell: &ui.Shell{Workspace: ui.PageLocation{Slug: "acme", Name: "Acme"}, Workspaces: []ui.PageLocation{{Slug: "acme", Name: "Acme"}, {Slug: "globex", Name: "Globex Holding"}}, Person: sarah, Role: "owner",
			Members: []journal.Person{sarah, tom}, Current: current, Needs: 2, Seq: 41}}
}

// newOffice is a workspace in use.
func newOffice() *office {
	o := &office{Journal: pagetest.NewJournal()}
	recon := &o.Overviews[0].Agent
	recon.Path, recon.Config.WorkspaceID = "", "3f7b6f2e-58a3-4c6f-8f0a-2d5f1f0a9c11"
	recon.Counts.Lines, recon.Counts.Broken, recon.Counts.Bytes = 0, 0, 0
	recon.Hosted = &journal.Hosted{Manager: sarah, PushedBy: tom, Builder: tom, Pushed: pagetest.At("2026-11-20T18:26:00Z"), Registered: pagetest.At("2026-11-16T08:05:00Z"), Refused: 2}
	o.Overviews[0].Newest = &journal.Position{File: figs.Runs, TS: recon.Last.TS}
	built := &o.Overviews[1].Agent
	built.Path, built.Charter.Department = "", "People"
	built.Hosted = &journal.Hosted{PushedBy: sarah, Builder: sarah, Pushed: pagetest.At("2026-11-20T15:10:00Z"), Registered: pagetest.At("2026-11-20T18:02:00Z")}
	for i := range o.AllJobs {
		unnumbered(&o.AllJobs[i].First, &o.AllJobs[i].Last)
		receive(o.AllJobs[i].Trail)
	}
	for i := range o.AllAsks {
		unnumbered(&o.AllAsks[i].First, &o.AllAsks[i].Last)
		receive(o.AllAsks[i].Trail)
		switch o.AllAsks[i].AskedOf = []journal.Person{sarah, tom}; o.AllAsks[i].Ask.To {
		case "manager":
			o.AllAsks[i].AskedOf = []journal.Person{sarah}
		case "builder":
			o.AllAsks[i].AskedOf = []journal.Person{tom}
		}
		for k := range o.AllAsks[i].Thread {
			unnumbered(&o.AllAsks[i].Thread[k].Position)
		}
	}
	for i := range o.AllMessages {
		unnumbered(&o.AllMessages[i].Position)
		if !o.AllMessages[i].Verified {
			o.AllMessages[i].PushedBy = tom
		}
	}
	o.cards = officeCards(o)
	o.inbox = officeInbox(o)
	hosted := o.Hits[0]
	hosted.Run = &figs.Run{Status: "warn"}
	o.found = journal.WorkspaceHits{Report: journal.SearchReport{Page: journal.Page[journal.Hit]{Total: 1000}, More: true, Next: "4f", Counts: &journal.HitCounts{Jobs: 700, Replies: 290, Files: 10}, Facets: &journal.SearchFacets{
		States: []journal.SearchFacet{{Part: "is:needs", Count: 3}, {Part: "status:warn", Count: 697}}, Months: []journal.SearchFacet{{Part: "on:2026-11", Count: 990}},
		Agents: []journal.SearchFacet{{Part: `agent:"Reconciliation"`, Agent: recon, Count: 998}, {Part: `agent:"x"`, Agent: &o.cards[2].Agent, Count: 2}},
	}}, Items: []journal.WorkspaceHit{
		{Agent: *recon, Hit: hosted},
		{Agent: *recon, Hit: journal.Hit{Owner: "messages/3", Title: "May I use the new Globex portal?", Position: hostedPlace(figs.Messages, "2026-11-20T08:10:00Z"), Excerpt: journal.Excerpt{Before: []byte("all keys "), Marked: []byte("matched"), After: []byte(" again")}}},
		{Agent: o.cards[2].Agent, Hit: journal.Hit{Owner: "files/4", Title: "acme-2026-10.html", Position: hostedPlace(figs.Runs, "2026-11-18T12:10:44Z"), Excerpt: journal.Excerpt{CutBefore: true, Before: []byte("2,161 "), Marked: []byte("matched"), After: []byte(" (98.6%)"), CutAfter: true}}},
	}}
	o.refusals = []journal.Refusal{
		{RefusedRecord: figs.RefusedRecord{File: figs.Runs, ID: "initech-2026-10", Reason: figs.RefusedOlder}, At: pagetest.At("2026-11-20T18:26:00Z"), PushedBy: tom},
		{RefusedRecord: figs.RefusedRecord{File: figs.Asks, ID: "acme-bridge", Reason: figs.RefusedTerminal}, At: pagetest.At("2026-11-19T11:00:00Z"), PushedBy: tom},
	}
	return o
}

// poisonedOffice is the workspace with every string of an agent made hostile.
func poisonedOffice() *office {
	o := newOffice()
	o.Journal = poisoned()
	fresh := newOffice()
	for i := range o.Overviews {
		o.Overviews[i].Agent.Hosted = fresh.Overviews[i].Agent.Hosted
	}
	for _, part := range []any{&o.cards, &o.inbox, &o.found, &o.refusals} {
		poisonAll(reflect.ValueOf(part))
	}
	return o
}

// hostileOffice is that with long words that never break by themselves.
func hostileOffice() *office {
	o := poisonedOffice()
	o.Journal = hostile()
	long := strings.Repeat("W", 400)
	for i := range o.cards {
		c := &o.cards[i].Agent.Charter
		c.Name, c.Role, c.Department, c.Mandate = long, long, long, long
	}
	item := &o.inbox.Items[0]
	item.Agent.Charter.Name, item.Ask.Ask.Title, item.Ask.Ask.Found, item.Ask.Ask.Options[0] = long, long, long, long
	o.inbox.Departments[0] = long
	o.found.Items[0].Hit.Title, o.found.Items[0].Hit.Excerpt.Marked = long, []byte(long)
	o.refusals[0].ID = long
	return o
}

func hostedPlace(f figs.File, ts string) journal.Position { return journal.Position{File: f, TS: ts} }

// unnumbered takes the line numbers off places: a store keeps records, no ledgers.
func unnumbered(places ...*journal.Position) {
	for _, p := range places {
		p.Line = 0
	}
}

func receive(trail []journal.TrailEntry) {
	for i := range trail {
		unnumbered(&trail[i].Position)
		trail[i].Received, trail[i].PushedBy = trail[i].At+40*ui.Second, tom
		if trail[i].At == figs.NoTime {
			trail[i].Received = pagetest.At("2026-11-17T11:00:30Z")
		}
	}
}

// officeCards has an agent for every way in which one can stand.
func officeCards(o *office) []journal.Card {
	agent := func(key, name, role, department, status, last string, c journal.Counts) journal.Agent {
		return journal.Agent{Key: key, Config: figs.Config{AgentID: "id-" + key}, Counts: c, Last: hostedPlace(figs.Runs, last),
			Charter: figs.Charter{Name: name, Role: role, Department: department, Status: status, AvatarSeed: name},
			Hosted:  &journal.Hosted{PushedBy: tom, Builder: tom, Pushed: pagetest.At("2026-11-18T10:00:00Z"), Registered: pagetest.At("2026-10-01T10:00:00Z")}}
	}
	run := func(id, title, result, state, status, ts string) *journal.Job {
		return &journal.Job{Key: id, Run: figs.Run{ID: id, TS: ts, Title: title, Result: result, State: state, Status: status}, Last: hostedPlace(figs.Runs, ts)}
	}
	weeks := func(ok ...int) (w [12]journal.Week) {
		for i, n := range ok {
			w[i].OK = n
		}
		return w
	}
	failing := weeks(5, 9, 6, 4, 3, 2, 4, 3, 1, 4)
	failing[10], failing[11] = journal.Week{Failed: 4}, journal.Week{OK: 1, Failed: 3}
	payables := agent("pay", "Payables", "Invoice Clerk", "Finance Ops", "active", "2026-11-18T17:02:00Z", journal.Counts{Jobs: 41, Failed: 7, Asks: 7, NeedsYou: 2, Closed: 5})
	payables.Oldest = "2026-11-18T17:10:00Z"
	return []journal.Card{
		{Agent: agent("refunds", "Refunds", "Refund Desk", "Customer Care", "active", "2026-11-20T18:10:00Z", journal.Counts{Jobs: 212, Asks: 3, Closed: 3}), Last: run("r9", "", "212 refunds checked, 4 escalated", "settled", "ok", "2026-11-20T18:10:00Z"), Weeks: weeks(12, 6, 14, 4, 13, 13, 20, 11, 17, 17, 13, 17)},
		{Agent: agent("renewals", "Renewals", "Contract Watcher", "Customer Care", "active", "2026-11-20T17:30:00Z", journal.Counts{Jobs: 19, Warned: 3, Warnings: 2}), Last: run("v2", "", "Vendor portal changed its layout", "settled", "warn", "2026-11-20T17:30:00Z"), Weeks: weeks(2, 1, 1, 0, 0, 3, 0, 0, 2, 1, 1, 2)},
		{Agent: o.Overviews[0].Agent, InFlight: &o.AllJobs[1], Last: &o.AllJobs[0], Weeks: weeks(11, 13, 7, 16, 19, 8, 6, 6, 4, 16, 13, 5)},
		{Agent: payables, Last: run("p7", "", "Mailbox unreachable", "settled", "fail", "2026-11-18T17:02:00Z"), Weeks: failing},
		{Agent: o.Overviews[1].Agent},
		{Agent: agent("nameless", "Scratch", "", "", "", "", journal.Counts{}), Weeks: weeks()},
	}
}

func officeInbox(o *office) journal.Inbox {
	payables := o.cards[3].Agent
	mailbox := figs.Ask{ID: "mailbox", TS: "2026-11-18T17:10:00Z", Type: "question", Title: "Mailbox credentials expired", Found: "IMAP login refused since 06:00.", Need: "Renew the app password.", To: "builder", Run: "p7", Options: []string{"Renewed", "Use the shared mailbox"}}
	strange := figs.Ask{ID: "strange", TS: "2026-11-20T10:00:00Z", Type: "poll", Title: "What now?"}
	item := func(a journal.Agent, ask journal.Ask, blocks, mine bool, job string) journal.InboxItem {
		return journal.InboxItem{Agent: a, Ask: ask, Department: a.Charter.Department, Since: ask.State.Since, Blocks: blocks, Mine: mine, JobTitle: job}
	}
	open := item(o.Overviews[0].Agent, o.AllAsks[0], true, true, "October reconciliation, Acme")
	open.Pending = &journal.Pending{ID: "m9", By: tom, Effective: pagetest.At(pagetest.Now) + 7*ui.Second, Verdict: "approved"}
	first := item(payables, journal.Ask{Key: "mailbox", Ask: mailbox, State: figs.AskState{Phase: figs.NeedsYou, Round: 1, Reply: -1, Since: pagetest.At("2026-11-18T17:10:00Z")}, Last: hostedPlace(figs.Asks, mailbox.TS)}, true, true, "Invoices of November")
	first.Claim, first.Snoozed = &journal.Claim{By: tom, Until: pagetest.At(pagetest.Now) + ui.Hour}, pagetest.At("2026-11-23T08:00:00Z")
	reported := item(o.Overviews[0].Agent, o.AllAsks[1], false, true, "")
	reported.ReportedBy = "Sarah (accounting)"
	return journal.Inbox{Needs: 2, Reported: 1, Snoozed: 1, Oldest: pagetest.At("2026-11-18T17:10:00Z"), Departments: []string{"Customer Care", "Finance Ops", "People"}, Seq: 41,
		Agents: []journal.Agent{o.Overviews[0].Agent, payables},
		Items: []journal.InboxItem{
			first,
			open,
			item(payables, journal.Ask{Key: "strange", Ask: strange, State: figs.AskState{Phase: figs.NeedsYou, Round: 1, Reply: -1, Since: figs.NoTime}, Last: hostedPlace(figs.Asks, strange.TS)}, false, false, ""),
			reported,
			item(o.Overviews[0].Agent, o.AllAsks[2], false, true, "October reconciliation, Acme"),
		}}
}
