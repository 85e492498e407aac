// Package pagetest helps to test pages: a journal in memory with one of everything, the questions that tests ask of HTML, and
// the golden file of what pages tell people.
package pagetest

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/journal"
)

const Now = "2026-11-20T18:30:00Z"

func At(ts string) int64 {
	micros, ok := figs.ParseTime(ts)
	if !ok {
		panic(ts)
	}
	return micros
}

func Site() ui.Site {
	return ui.Site{Links: ui.Fragment{}, Now: At(Now), Zone: 60, ZoneName: "Europe/Vienna", Offline: true}
}

func Place(f figs.File, line int, ts string) journal.Position {
	return journal.Position{File: f, Line: line, TS: ts}
}

// Journal answers from values; every method takes its agent by key.
type Journal struct {
	Overviews   []*journal.Overview
	AllJobs     []journal.Job
	AllAsks     []journal.Ask
	AllMessages []journal.Message
	AllFiles    []journal.File
	AllFindings *journal.Findings
	AllLines    []journal.Line
	Texts       map[string]string
	Hits        []journal.Hit
}

func (f *Journal) Overview(_ context.Context, agent string) (*journal.Overview, error) {
	for _, o := range f.Overviews {
		if o.Agent.Key == agent {
			return o, nil
		}
	}
	return nil, journal.ErrNotFound
}

func (f *Journal) Agents(context.Context) ([]journal.Agent, error) {
	var out []journal.Agent
	for _, o := range f.Overviews {
		out = append(out, o.Agent)
	}
	return out, nil
}

func (f *Journal) Agent(ctx context.Context, agent string) (*journal.Agent, error) {
	o, err := f.Overview(ctx, agent)
	if err != nil {
		return nil, err
	}
	return &o.Agent, nil
}

// Activity is a busy year for the first agent, a single day for the third and nothing for the second.
func (f *Journal) Activity(_ context.Context, agent string) (*journal.Activity, error) {
	a := &journal.Activity{First: At("2025-11-17T00:00:00Z"), Before: 3, After: 1, Timeless: 12}
	switch agent {
	case "1":
		for i := range 369 {
			d := journal.Day{}
			if i%7 < 5 && i*i%11 > 3 && i > 120 {
				d = journal.Day{Jobs: i*i%7 + i/40, Asks: i % 9 / 7, Replies: i % 9 / 8}
			}
			a.Days = append(a.Days, d)
		}
		a.Days[250].Jobs = 61
	case "3":
		*a = journal.Activity{First: a.First, Days: make([]journal.Day, 365)}
		a.Days[364].Asks = 1
	case "2":
		a = &journal.Activity{}
	default:
		return nil, journal.ErrNotFound
	}
	return a, nil
}

// part is a page of a list for the first agent; the others have none.
func part[T any](items []T, agent string, q journal.Query, keep func(*T) bool) (*journal.Page[T], error) {
	page := &journal.Page[T]{From: q.From}
	if agent != "1" {
		return page, nil
	}
	for i := range items {
		if keep == nil || keep(&items[i]) {
			page.Items = append(page.Items, items[i])
		}
	}
	page.Total = len(page.Items)
	page.Items = page.Items[min(q.From, page.Total):min(q.From+q.Size(), page.Total)]
	return page, nil
}

func one[T any](items []T, agent, key string, keyOf func(*T) string) (*T, error) {
	for i := range items {
		if agent == "1" && keyOf(&items[i]) == key {
			return &items[i], nil
		}
	}
	return nil, journal.ErrNotFound
}

func (f *Journal) Jobs(_ context.Context, agent string, q journal.Query) (*journal.Page[journal.Job], error) {
	return part(f.AllJobs, agent, q, func(j *journal.Job) bool {
		return (q.State == "" || q.State == "in-flight" && ui.InFlight(&j.Run) || q.State == ui.OutcomeOf(&j.Run) && !ui.InFlight(&j.Run)) && strings.Contains(j.Run.ID+j.Run.Title, q.Text)
	})
}

func (f *Journal) Job(_ context.Context, agent, key string) (*journal.Job, error) {
	return one(f.AllJobs, agent, key, func(j *journal.Job) string { return j.Key })
}

func (f *Journal) Asks(_ context.Context, agent string, q journal.Query) (*journal.Page[journal.Ask], error) {
	return part(f.AllAsks, agent, q, func(a *journal.Ask) bool {
		return q.State == "" || q.State == "closed" == a.State.Phase.Closed() && q.State == "needs" == (a.State.Phase == figs.NeedsYou)
	})
}

// Idle implements journal.WaitReporter.
func (f *Journal) WaitReport(_ context.Context, agent string, q journal.Query) (*journal.WaitReport, error) {
	if agent != "1" {
		return &journal.WaitReport{}, nil
	}
	sums := figs.NewWaitCounter(At(Now))
	asks := slices.Clone(f.AllAsks)
	for i := range asks {
		sums.Add(asks[i].Waits, asks[i].Flights)
	}
	idle := &journal.WaitReport{LongestWaits: journal.Page[journal.Ask]{Items: asks, Total: len(asks)}}
	idle.WaitSummary, idle.Months = sums.Sum(24)
	return idle, nil
}

// fixtureWaits are the waits of the lanes, and when the job of the first of them was in flight.
func fixtureWaits(asks []journal.Ask) {
	for _, lane := range fixtureLanes() {
		for i := range asks {
			if ask := &asks[i]; lane.Ask && lane.Key == ask.Key {
				for n, w := range lane.Waits {
					ask.Waits = append(ask.Waits, figs.Wait{Span: figs.Span{From: w.From, To: w.To}, Round: n + 1, Reply: n, Lasts: w.To == figs.NoTime})
				}
				if ask.Key == "2" {
					ask.Flights = []figs.Span{{From: At("2026-11-18T20:00:00Z"), To: figs.NoTime}}
				}
			}
		}
	}
}

func (f *Journal) Ask(_ context.Context, agent, key string) (*journal.Ask, error) {
	return one(f.AllAsks, agent, key, func(a *journal.Ask) string { return a.Key })
}

func (f *Journal) Messages(_ context.Context, agent string, q journal.Query) (*journal.Page[journal.Message], error) {
	return part(f.AllMessages, agent, q, nil)
}

func (f *Journal) Files(_ context.Context, agent string, q journal.Query) (*journal.Page[journal.File], error) {
	return part(f.AllFiles, agent, q, nil)
}

func (f *Journal) File(_ context.Context, agent, key string) (*journal.File, error) {
	return one(f.AllFiles, agent, key, func(f *journal.File) string { return f.Key })
}

func (f *Journal) Findings(_ context.Context, agent string, q journal.Query) (*journal.Findings, error) {
	if agent != "1" {
		return &journal.Findings{Report: figs.Report{Now: Now}}, nil
	}
	out := *f.AllFindings
	out.Page, out.Excerpts = journal.Page[figs.Finding]{}, nil
	if q.State == journal.StateResolved {
		out.Total = out.ResolvedTotal
		return &out, nil
	}
	for i, item := range f.AllFindings.Items {
		if (q.Severity == "" || q.Severity == item.Severity.String()) && (q.Code == "" || q.Code == item.Code.String()) &&
			(q.File == "" || q.File == item.File && (q.Line == 0 || q.Line == item.Line)) {
			out.Items, out.Excerpts = append(out.Items, item), append(out.Excerpts, f.AllFindings.Excerpts[i])
		}
	}
	out.Total = len(out.Items)
	return &out, nil
}

func (f *Journal) Lines(_ context.Context, agent string, file figs.File, q journal.Query) (*journal.Page[journal.Line], error) {
	return part(f.AllLines, agent, q, func(l *journal.Line) bool { return l.Position.File == file })
}

func (f *Journal) Text(_ context.Context, agent, file string) (*journal.Text, error) {
	content, ok := f.Texts[file]
	switch {
	case ok && agent == "1":
		return &journal.Text{Name: file, Content: []byte(content), Size: int64(len(content))}, nil
	case figs.ParseFile(file) > figs.Messages && figs.ParseFile(file) < figs.NoFile:
		return &journal.Text{Name: file}, nil
	}
	return nil, journal.ErrNotFound
}

func (f *Journal) Search(_ context.Context, agent string, q journal.Query) (*journal.Page[journal.Hit], error) {
	return part(f.Hits, agent, q, func(h *journal.Hit) bool { return strings.Contains(string(h.Excerpt.Marked), q.Text) })
}

func NewJournal() *Journal {
	f := &Journal{Texts: map[string]string{"CONTRACT.md": "# Contract\n\n## What a job is\nOne monthly reconciliation.\n\n<b>not bold</b>\n"}}
	f.AllFiles = fixtureFiles()
	f.AllMessages = fixtureMessages()
	f.AllAsks = fixtureAsks(f)
	fixtureWaits(f.AllAsks)
	f.AllJobs = fixtureJobs(f)
	lanes := fixtureLanes()
	f.AllJobs[0].Lanes = []journal.Lane{lanes[slices.IndexFunc(lanes, func(l journal.Lane) bool { return l.ID == "acme-2026-10" })], lanes[0]}
	f.AllFindings = fixtureFindings()
	f.AllLines = fixtureLines()
	for i := range f.AllLines {
		l := &f.AllLines[i]
		for _, x := range f.AllFindings.Items {
			if x.File == l.Position.File.String() && x.Line == l.Position.Line {
				l.Findings, l.Found = append(l.Findings, x), l.Found+1
			}
		}
		if l.Position.File == figs.Runs && l.Position.Line == 2 { // one line with several
			l.Findings = []figs.Finding{
				{Code: figs.RunStatusUnknown, Severity: figs.Error, File: "runs.jsonl", Line: 2, Message: "“warn!” is not a status."},
				{Code: figs.RunTSMissing, Severity: figs.Error, File: "runs.jsonl", Line: 2, Message: "The line has no time."},
				{Code: figs.AttachmentMissing, Severity: figs.Warning, File: "runs.jsonl", Line: 2, Message: "“a.md” is attached but missing from this copy."},
			}
			l.Found = 3
		}
	}
	f.Hits = []journal.Hit{{Owner: "jobs/1", Title: "October reconciliation, Acme", Position: Place(figs.Runs, 5, "2026-11-18T12:10:44Z"),
		Excerpt: journal.Excerpt{CutBefore: true, Before: []byte(`"result":"`), Marked: []byte("matched"), After: []byte(` 98.6%"`), CutAfter: true}}}
	f.Overviews = []*journal.Overview{f.overview(), builtOverview(), brokenOverview()}
	return f
}

func (f *Journal) overview() *journal.Overview {
	o := &journal.Overview{
		Agent: journal.Agent{
			Key: "1", Path: "reconciliation/.figs",
			Config: figs.Config{AgentID: "cb2d2df4-d0c2-4548-b011-a08f5b757c09"},
			Charter: figs.Charter{
				Name: "Reconciliation", Role: "Reconciliation Officer", Status: "active", AvatarSeed: "recon", Department: "Finance Ops", Runtime: "Claude Code", Cadence: "Monthly",
				Mandate:    "Reconciles open invoices every month and flags what does not match for review.",
				Steps:      []string{"Pull our open invoices and the customer's statement for the month.", "Match on PO and delivery-number keys within tolerance.", "Classify every key with a reason.", "Surface discrepancies. Never write back to the source."},
				Properties: []figs.Pair{{Label: "Data sources", Value: "Stripe · NetSuite"}, {Label: "Escalation", Value: "#finance-ops"}},
				Units: []figs.Unit{
					{ID: "acme", Name: "Acme Corp", Subtitle: "EMEA", Status: "88% matched · 31 keys flagged", Period: "2026-10", Stats: []figs.Pair{{Label: "Matched", Value: "2,161 keys"}, {Label: "Needs review", Value: "31 keys"}}},
					{ID: "globex", Name: "Globex GmbH", Status: "clean", Period: "2026-10", Stats: []figs.Pair{{Label: "Matched", Value: "904 keys"}}},
				},
			},
			Counts: journal.Counts{Jobs: 4, InFlight: 1, Failed: 1, Asks: 3, NeedsYou: 1, Waiting: 1, Closed: 1, Messages: 4, Orphans: 1, Files: 9, Lines: 16, Broken: 1, Bytes: 4812, Errors: 1, Warnings: 3, Infos: 1},
			Since:  Place(figs.Runs, 1, "2026-11-16T08:02:11Z"), Last: Place(figs.Runs, 6, "2026-11-20T14:21:09Z"), Oldest: "2026-11-20T12:05:10Z",
		},
		Newest: &journal.Position{File: figs.Runs, Line: 6, TS: "2026-11-20T14:21:09Z"},
	}
	o.Needs, o.Waiting = f.AllAsks[:1], f.AllAsks[1:2]
	o.InFlight, o.Last, o.Failed = f.AllJobs[1:2], &f.AllJobs[0], &f.AllJobs[2]
	o.Event = &journal.StepLine{Position: *o.Newest, At: At(o.Newest.TS), Kind: "checkpoint", Flight: true, Owner: "jobs/2", Title: "Portal changed its layout"}
	o.First = &f.AllFindings.Items[0]
	o.Lanes = fixtureLanes()
	return o
}

func builtOverview() *journal.Overview {
	return &journal.Overview{Agent: journal.Agent{Key: "2", Path: "onboarding/.figs", Charter: figs.Charter{Name: "Onboarding", Role: "People Coordinator", Status: "in_dev", Mandate: "Prepares accounts and a first-week plan for every new hire."}}}
}

func brokenOverview() *journal.Overview {
	return &journal.Overview{Agent: journal.Agent{Key: "3", Path: "old/.figs", Counts: journal.Counts{Lines: 3, Broken: 3, Bytes: 90, Errors: 4}}}
}

func fixtureLanes() []journal.Lane {
	mark := func(f figs.File, line int, ts, kind, label string) journal.Mark {
		return journal.Mark{Position: Place(f, line, ts), At: At(ts), Kind: kind, Label: label}
	}
	return []journal.Lane{
		{Ask: true, Key: "2", ID: "acme-send", Title: "Send the October statement to Acme (delivery numbers added)", Open: true,
			Marks: []journal.Mark{mark(figs.Asks, 3, "2026-11-18T15:02:10Z", "raise", "Send the October statement to Acme"), mark(figs.Messages, 2, "2026-11-19T09:31:40Z", "reply", "Add the delivery numbers to the table."), mark(figs.Asks, 4, "2026-11-20T12:05:10Z", "raise", "Send the October statement to Acme (delivery numbers added)")},
			Waits: []journal.Wait{{From: At("2026-11-18T15:02:10Z"), To: At("2026-11-19T09:31:40Z")}, {From: At("2026-11-20T12:05:10Z"), To: figs.NoTime}}},
		{Ask: true, Key: "3", ID: "globex-portal", Title: "May I use the new Globex portal?", Open: true,
			Marks: []journal.Mark{mark(figs.Asks, 5, "2026-11-19T16:00:00Z", "raise", ""), mark(figs.Messages, 3, "2026-11-20T08:10:00Z", "reply", "Yes, go on.")},
			Waits: []journal.Wait{{From: At("2026-11-19T16:00:00Z"), To: At("2026-11-20T08:10:00Z")}}},
		{Key: "2", ID: "globex-2026-10", Title: "globex-2026-10", Open: true,
			Marks: []journal.Mark{mark(figs.Runs, 4, "2026-11-18T09:00:12Z", "checkpoint", "Statement requested"), mark(figs.Runs, 6, "2026-11-20T14:21:09Z", "warn", "Portal changed its layout")}},
		{Key: "1", ID: "acme-2026-10", Title: "October reconciliation, Acme",
			Marks: []journal.Mark{mark(figs.Runs, 1, "2026-11-16T08:02:11Z", "checkpoint", "Statements pulled"), mark(figs.Runs, 2, "2026-11-16T08:40:00Z", "warn", "Prefixed invoice numbers block 180 rows"), mark(figs.Runs, 5, "2026-11-18T12:10:44Z", "ok", "98.6% matched")}},
		{Ask: true, Key: "1", ID: "acme-bridge", Title: "No bridge rule for prefixed invoice numbers",
			Marks: []journal.Mark{mark(figs.Asks, 1, "2026-11-16T09:00:00Z", "raise", ""), mark(figs.Messages, 1, "2026-11-17T10:12:00Z", "reply", "Strip the alpha prefix"), mark(figs.Asks, 2, "2026-11-17T11:00:00Z", "close", "")},
			Waits: []journal.Wait{{From: At("2026-11-16T09:00:00Z"), To: At("2026-11-17T10:12:00Z")}}},
		{Key: "3", ID: "initech-2026-10", Title: "initech-2026-10", Marks: []journal.Mark{mark(figs.Runs, 3, "2026-11-17T07:00:00Z", "fail", "Statement is password protected")}},
		{Key: "4", ID: "probe", Title: "probe", Marks: sixMarks()},
	}
}

// sixMarks fall on one spot of the picture.
func sixMarks() []journal.Mark {
	var out []journal.Mark
	for i := range 6 {
		ts := "2026-11-17T12:0" + strconv.Itoa(i) + ":00Z"
		out = append(out, journal.Mark{Position: Place(figs.Runs, 7+i, ts), At: At(ts), Kind: "ok"})
	}
	return out
}

func fixtureFiles() []journal.File {
	named := func(key, name string, size int64, owner, title string, places ...journal.Position) journal.File {
		return journal.File{Key: key, Name: name, Size: size, Class: figs.ClassOf(name), Named: places, Owner: owner, OwnerTitle: title}
	}
	return []journal.File{
		named("1", "acme-wip.csv", 80, "jobs/1", "October reconciliation, Acme", Place(figs.Runs, 1, "2026-11-16T08:02:11Z")),
		named("2", "notes.txt", 40, "jobs/1", "October reconciliation, Acme", Place(figs.Runs, 2, "2026-11-16T08:40:00Z")),
		named("3", "summary.json", 182, "asks/1", "No bridge rule for prefixed invoice numbers", Place(figs.Asks, 1, "2026-11-16T09:00:00Z")),
		named("4", "acme-2026-10.html", 1037, "jobs/1", "October reconciliation, Acme", Place(figs.Runs, 5, "2026-11-18T12:10:44Z"), Place(figs.Asks, 3, "2026-11-18T15:02:10Z")),
		named("5", "trend.png", -1, "jobs/1", "October reconciliation, Acme", Place(figs.Runs, 5, "2026-11-18T12:10:44Z")),
		named("6", "brief.md", 385, "asks/2", "Send the October statement to Acme", Place(figs.Asks, 3, "2026-11-18T15:02:10Z"), Place(figs.Asks, 4, "2026-11-20T12:05:10Z")),
		named("7", "acme-2026-10-v2.html", 1061, "asks/2", "Send the October statement to Acme", Place(figs.Asks, 4, "2026-11-20T12:05:10Z")),
		named("8", "model.bin", 2_400_000, "", ""),
		named("9", "flow.svg", 334, "", ""),
	}
}

func fixtureMessages() []journal.Message {
	return []journal.Message{
		{Key: "3", Position: Place(figs.Messages, 3, "2026-11-20T08:10:00Z"), At: At("2026-11-20T08:10:00Z"), Round: 1, AskKey: "3", AskTitle: "May I use the new Globex portal?",
			Message: figs.Message{ID: "msg-3", Kind: "answer", Ask: "globex-portal", By: "Sarah (accounting)", TS: "2026-11-20T08:10:00Z", Source: "chat", Text: "Yes, go on. Keep the old export until December."}},
		{Key: "2", Position: Place(figs.Messages, 2, "2026-11-19T09:31:40Z"), At: At("2026-11-19T09:31:40Z"), Round: 1, Earlier: true, AskKey: "2", AskTitle: "Send the October statement to Acme",
			Message: figs.Message{ID: "msg-2", Kind: "verdict", Ask: "acme-send", By: "Sarah (accounting)", TS: "2026-11-19T09:31:40Z", Source: "chat", Verdict: "changes-requested", Text: "Add the delivery numbers to the table."}},
		{Key: "1", Position: Place(figs.Messages, 1, "2026-11-17T10:12:00Z"), At: At("2026-11-17T10:12:00Z"), Round: 1, Verified: true, AskKey: "1", AskTitle: "No bridge rule for prefixed invoice numbers",
			Message: figs.Message{ID: "msg-1", Kind: "answer", Ask: "acme-bridge", By: "Sarah (accounting)", TS: "2026-11-17T10:12:00Z", Source: "app", Chosen: "Strip the alpha prefix"}},
		{Key: "4", Position: Place(figs.Messages, 4, "yesterday"), At: figs.NoTime,
			Message: figs.Message{ID: "msg-4", Kind: "verdict", Ask: "long-gone", By: "Tom", TS: "yesterday", Verdict: "approved"}},
	}
}

func fixtureAsks(f *Journal) []journal.Ask {
	send := figs.Ask{ID: "acme-send", TS: "2026-11-20T12:05:10Z", Type: "sign-off", Status: "open", Title: "Send the October statement to Acme (delivery numbers added)", Need: "Approve sending the statement as attached.", Found: "31 keys need the customer to respond.", Unit: "acme", To: "manager", Run: "acme-2026-10",
		OnApprove: []string{"Email the statement to ap@acme.example (irreversible)", "Mark the 31 keys disputed"}, Details: []figs.Pair{{Label: "Amount at risk", Value: "$50,442.63"}}, Attachments: []string{"acme-2026-10-v2.html", "brief.md"},
		Extra: figs.Object{{Key: "priority", Value: jsonl.Value{Kind: jsonl.String, Raw: []byte(`"high"`)}}}}
	first := send
	first.TS, first.Title, first.Attachments = "2026-11-18T15:02:10Z", "Send the October statement to Acme", []string{"acme-2026-10.html", "brief.md"}
	bridge := figs.Ask{ID: "acme-bridge", TS: "2026-11-16T09:00:00Z", Type: "question", Title: "No bridge rule for prefixed invoice numbers", Need: "Confirm the bridge rule for prefixed invoice numbers.", Found: "~180 rows cannot be matched safely; guessing risks false matches.", To: "manager", Run: "acme-2026-10", Options: []string{"Strip the alpha prefix", "Use a mapping you provide", "Treat as out-of-scope"}}
	closed := figs.Ask{ID: "acme-bridge", Status: "resolved", Resolution: &figs.Resolution{Via: "figs", Answer: "msg-1", By: "Sarah (accounting)", Chosen: "Strip the alpha prefix", Note: "Applied to October; rule saved.", Run: "acme-2026-10", TS: "2026-11-17T11:00:00Z"}}
	folded := bridge
	folded.Status, folded.Resolution = "resolved", closed.Resolution
	portal := figs.Ask{ID: "globex-portal", TS: "2026-11-19T16:00:00Z", Type: "question", Title: "May I use the new Globex portal?", Need: "A yes or a no.\nThe old export ends in December."}
	return []journal.Ask{
		{Key: "2", Ask: send, State: figs.AskState{Phase: figs.NeedsYou, Round: 2, Reply: -1, Since: At("2026-11-20T12:05:10Z")}, First: Place(figs.Asks, 3, "2026-11-18T15:02:10Z"), Last: Place(figs.Asks, 4, "2026-11-20T12:05:10Z"), Lines: 2, JobKey: "1",
			Files: f.AllFiles[5:7], Earlier: f.AllFiles[3:4], Thread: f.AllMessages[1:2],
			Trail: []journal.TrailEntry{
				{Position: Place(figs.Asks, 3, "2026-11-18T15:02:10Z"), At: At("2026-11-18T15:02:10Z"), Raises: true, Ask: &first, Round: 1, Changed: []string{"id", "ts", "type", "title"}, Raw: []byte(`{"id":"acme-send","ts":"2026-11-18T15:02:10Z","type":"sign-off","title":"Send the October statement to Acme"}`)},
				{Position: Place(figs.Asks, 4, "2026-11-20T12:05:10Z"), At: At("2026-11-20T12:05:10Z"), Raises: true, Ask: &send, Round: 2, Changed: []string{"ts", "title", "attachments"}, Raw: []byte(`{"id":"acme-send","ts":"2026-11-20T12:05:10Z","type":"sign-off","title":"Send the October statement to Acme (delivery numbers added)"}`)},
			}},
		{Key: "3", Ask: portal, State: figs.AskState{Phase: figs.Replied, Round: 1, Reported: true, Reply: 0, Since: At("2026-11-19T16:00:00Z")}, First: Place(figs.Asks, 5, "2026-11-19T16:00:00Z"), Last: Place(figs.Asks, 5, "2026-11-19T16:00:00Z"), Lines: 1, Thread: f.AllMessages[:1],
			Trail: []journal.TrailEntry{{Position: Place(figs.Asks, 5, "2026-11-19T16:00:00Z"), At: At("2026-11-19T16:00:00Z"), Raises: true, Ask: &portal, Round: 1, Raw: []byte(`{"id":"globex-portal"}`)}}},
		{Key: "1", Ask: folded, State: figs.AskState{Phase: figs.Resolved, Round: 1, Reply: 0, Since: At("2026-11-16T09:00:00Z")}, First: Place(figs.Asks, 1, "2026-11-16T09:00:00Z"), Last: Place(figs.Asks, 2, "2026-11-17T11:00:00Z"), Lines: 2, JobKey: "1", Thread: f.AllMessages[2:3], Files: f.AllFiles[2:3],
			Trail: []journal.TrailEntry{
				{Position: Place(figs.Asks, 1, "2026-11-16T09:00:00Z"), At: At("2026-11-16T09:00:00Z"), Raises: true, Ask: &bridge, Round: 1, Raw: []byte(`{"id":"acme-bridge","type":"question"}`)},
				{Position: Place(figs.Asks, 2, ""), At: figs.NoTime, Closes: true, Ask: &closed, Round: 1, Changed: []string{"status", "resolution"}, Raw: []byte(`{"id":"acme-bridge","status":"resolved"}`)},
			}},
	}
}

func fixtureJobs(f *Journal) []journal.Job {
	session := &figs.Session{Trigger: "monthly close cron", Model: "large-2", Runtime: "Claude Code", Commit: "9f1c42a+dirty", StartedAt: "2026-11-16T08:00:00Z", Tokens: figs.Tokens{Input: 48211, Output: 5120, CacheRead: -1, CacheWrite: -1}}
	unknown := &figs.Session{Trigger: "monthly close cron", Tokens: figs.Tokens{Input: -1, Output: -1, CacheRead: -1, CacheWrite: -1}}
	line := func(n int, ts string, run figs.Run, files []journal.File, changed ...string) journal.TrailEntry {
		return journal.TrailEntry{Position: Place(figs.Runs, n, ts), At: At(ts), Run: &run, Files: files, Changed: changed, Raw: []byte(`{"id":"` + run.ID + `","ts":"` + ts + `","result":"` + run.Result + `"}`)}
	}
	acme := journal.Job{Key: "1", Lines: 3, First: Place(figs.Runs, 1, "2026-11-16T08:02:11Z"), Last: Place(figs.Runs, 5, "2026-11-18T12:10:44Z"), Asks: f.AllAsks[:1],
		Run: figs.Run{ID: "acme-2026-10", TS: "2026-11-18T12:10:44Z", Title: "October reconciliation, Acme", Result: "98.6% matched · 31 flagged", State: "settled", Status: "ok", Unit: "acme", Period: "2026-10"},
		Trail: []journal.TrailEntry{
			line(1, "2026-11-16T08:02:11Z", figs.Run{ID: "acme-2026-10", Result: "Statements pulled — matching now", State: "in-flight", Session: session}, f.AllFiles[:1], "id", "ts", "result", "state", "unit", "period"),
			line(2, "2026-11-16T08:40:00Z", figs.Run{ID: "acme-2026-10", Result: "Prefixed invoice numbers block 180 rows", State: "in-flight", Status: "warn"}, f.AllFiles[1:2], "ts", "result", "status"),
			line(5, "2026-11-18T12:10:44Z", figs.Run{ID: "acme-2026-10", Result: "98.6% matched · 31 flagged", State: "settled", Status: "ok"}, f.AllFiles[3:5], "ts", "result", "state", "status"),
		}}
	globex := journal.Job{Key: "2", Lines: 2, First: Place(figs.Runs, 4, "2026-11-18T09:00:12Z"), Last: Place(figs.Runs, 6, "2026-11-20T14:21:09Z"), Findings: fixtureFindings().Items[3:4],
		Run:   figs.Run{ID: "globex-2026-10", TS: "2026-11-20T14:21:09Z", Result: "Portal changed its layout", State: "in-flight", Status: "warn", Unit: "globex", Period: "2026-10"},
		Trail: []journal.TrailEntry{line(4, "2026-11-18T09:00:12Z", figs.Run{ID: "globex-2026-10", Result: "Statement requested", State: "in-flight", Session: unknown}, nil, "id"), line(6, "2026-11-20T14:21:09Z", figs.Run{ID: "globex-2026-10", Result: "Portal changed its layout", State: "in-flight", Status: "warn"}, nil, "result")}}
	initech := journal.Job{Key: "3", Lines: 1, First: Place(figs.Runs, 3, "2026-11-17T07:00:00Z"), Last: Place(figs.Runs, 3, "2026-11-17T07:00:00Z"), Run: figs.Run{ID: "initech-2026-10", TS: "2026-11-17T07:00:00Z", Result: "Statement is password protected", Status: "fail", Period: "2026-10"}}
	probe := journal.Job{Key: "4", Lines: 6, First: Place(figs.Runs, 7, "2026-11-17T12:00:00Z"), Last: Place(figs.Runs, 12, "2026-11-17T12:05:00Z"), Run: figs.Run{ID: "probe", Result: "Sandbox\u202e probe"}}
	return []journal.Job{acme, globex, initech, probe}
}

func fixtureFindings() *journal.Findings {
	items := []figs.Finding{
		{Code: figs.AskTypeUnknown, Severity: figs.Error, File: "asks.jsonl", Line: 7, Column: 25, EndColumn: 34, Pointer: "/type", Record: "acme-send", Message: "“signoff” is not an ask type.", Hint: "Append a line with the same id and the corrected type; the fold heals the record.", Suggestion: "sign-off"},
		{Code: figs.LineTorn, Severity: figs.Warning, File: "runs.jsonl", Line: 13, Column: 1, Message: "The last line is cut off at byte 46.", Hint: "Record that entry again. Until then the job shows its state of line 6."},
		{Code: figs.AttachmentMissing, Severity: figs.Warning, File: "runs.jsonl", Line: 5, Record: "acme-2026-10", Message: "“trend.png” is attached but missing from this copy.", Hint: "View it in the hosted reader, or ask the agent for the file.", Related: []figs.Position{{File: "asks.jsonl", Line: 3}}},
		{Code: figs.JobSilent, Severity: figs.Warning, File: "runs.jsonl", Line: 6, Record: "globex-2026-10", Message: "The job is in flight and has been silent for 3 days.", Hint: "Report where it stands, or settle it."},
		{Code: figs.LineUnterminated, Severity: figs.Info, File: "messages.jsonl", Line: 4, Message: "The last line has no line end.", Hint: "Nothing is lost."},
	}
	excerpts := []journal.Excerpt{
		{Before: []byte(`{"id":"acme-send","type":`), Marked: []byte(`"signoff"`), After: []byte(`,"title":"Send the October statement`), CutAfter: true},
		{Before: []byte(`{"id":"globex-2026-10","ts":"2026-11-20T16:05`), Torn: true},
		{CutBefore: true, Before: []byte(`"attachments":["acme-2026-10.html",`), Marked: []byte(`"trend.png"`), After: []byte(`]}`)},
		{Before: []byte(`{"id":"globex-2026-10",`), Marked: []byte(`"ts":"2026-11-20T14:21:09Z"`), After: []byte(`}`)},
		{Before: []byte(`{"id":"msg-4"}`), Torn: true},
	}
	return &journal.Findings{
		Page: journal.Page[figs.Finding]{Items: items, Total: len(items)}, Excerpts: excerpts,
		Report:        figs.Report{Now: Now, Errors: 1, Warnings: 3, Infos: 1, More: []figs.Overflow{{Code: figs.TSOutOfOrder, Count: 1204}}},
		ResolvedTotal: 2,
		Resolved: []figs.ResolvedFinding{
			{Finding: figs.Finding{Code: figs.AskTitleMissing, Severity: figs.Error, File: "asks.jsonl", Line: 1, Record: "acme-bridge", Message: "The ask has no title."}, By: figs.Position{File: "asks.jsonl", Line: 2}},
			{Finding: figs.Finding{Code: figs.AskRunUnknown, Severity: figs.Warning, File: "asks.jsonl", Line: 3, Record: "acme-send", Message: "No job has this id."}, By: figs.Position{File: "runs.jsonl", Line: 5}},
		},
		ByCode: []journal.CodeCount{{Code: figs.AskTypeUnknown, Count: 1}, {Code: figs.LineTorn, Count: 1}, {Code: figs.AttachmentMissing, Count: 1}, {Code: figs.JobSilent, Count: 1}, {Code: figs.LineUnterminated, Count: 1}},
	}
}

func fixtureLines() []journal.Line {
	return []journal.Line{
		{Position: Place(figs.Runs, 1, "2026-11-16T08:02:11Z"), Raw: []byte(`{"id":"acme-2026-10","ts":"2026-11-16T08:02:11Z","result":"Statements pulled — matching now","state":"in-flight"}`), Owner: "jobs/1"},
		{Position: Place(figs.Runs, 2, "2026-11-16T08:40:00Z"), Offset: 110, Raw: []byte(`{"id":"acme-2026-10","result":"Prefixed invoice numbers block 180 rows","status":"warn"}`), Owner: "jobs/1"},
		{Position: Place(figs.Runs, 3, ""), Offset: 220, Raw: []byte("{\"id\":\"initech\x00-2026-10\","), Broken: true, Code: figs.LineBroken},
		{Position: Place(figs.Runs, 4, "2026-11-18T09:00:12Z"), Offset: 330, Raw: []byte(`{"id":"globex-2026-10","ts":"2026-11-18T09:00:12Z","result":"Statement requested","state":"in-flight"}`), Owner: "jobs/2"},
		{Position: Place(figs.Runs, 5, "2026-11-18T12:10:44Z"), Offset: 440, Raw: []byte(`{"id":"acme-2026-10","ts":"2026-11-18T12:10:44Z","attachments":["acme-2026-10.html","trend.png"]}`), Owner: "jobs/1"},
		{Position: Place(figs.Asks, 1, "2026-11-16T09:00:00Z"), Raw: []byte(`{"id":"acme-bridge"}`), Owner: "asks/1"},
	}
}
