// Package journaltest is the conformance suite of journal.Journal. It compares an implementation's answers with those that
// the sample folder `reconciliation` gives.
package journaltest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// Open returns the journal of the sample `reconciliation`, read at 2026-11-20T19:00:00Z, ready for the questions of one
// page ("/1/jobs?state=ok"). Implementations that can answer everything may ignore the page. The sample's agent is "1" in
// the path.
type Open func(t *testing.T, page string) journal.Journal

// Traits are the ways in which an implementation differs from a folder. The suite tests these differences, too.
type Traits struct {
	Agent string // key of the sample's agent; "" is "1"
	// Server means that the records were pushed: the agent has Hosted set, but there are no ledgers, so positions have no
	// line numbers, Lines is empty, a line without a time counts at its arrival, and only the text agent.json exists.
	Server bool
}

// Run tests an implementation that answers like a folder.
func Run(t *testing.T, open Open) { RunLike(t, open, Traits{}) }

// RunLike tests an implementation that differs from a folder by its traits.
func RunLike(t *testing.T, open Open, traits Traits) {
	if traits.Agent == "" {
		traits.Agent = "1"
	}
	s := suite{open, traits}
	t.Run("agents", s.agents)
	t.Run("overview", s.overview)
	t.Run("activity", s.activity)
	t.Run("jobs", s.jobs)
	t.Run("job", s.job)
	t.Run("asks", s.asks)
	t.Run("ask", s.oneAsk)
	t.Run("messages", s.messages)
	t.Run("files", s.files)
	t.Run("findings", s.findings)
	t.Run("lines", s.lines)
	t.Run("text", s.text)
	t.Run("search", s.search)
	t.Run("not found", s.notFound)
}

type suite struct {
	open Open
	Traits
}

// The keys of the sample's records, in the order of first lines.
func (s suite) job1() string       { return "acme-2026-10" }
func (s suite) ask(n int) string   { return []string{"acme-bridge", "acme-send"}[n-1] }
func (s suite) reply(n int) string { return []string{"msg-mwp6750hjzb"}[n-1] }

// line returns the expected number of the folder's line n.
func (s suite) line(n int) int {
	if s.Server {
		return 0
	}
	return n
}

var ctx = context.Background()

// must returns the answer, or fails the test if there is an error.
func must[T any](answer T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func (s suite) agents(t *testing.T) {
	all := must(s.open(t, "/").Agents(ctx))(t)
	if len(all) != 1 {
		t.Fatalf("%d agents, want 1", len(all))
	}
	a := must(s.open(t, "/1/agent").Agent(ctx, s.Agent))(t)
	same(t, "Agent and Agents", *a, all[0])
	same(t, "name", a.DisplayName(), "Reconciliation")
	same(t, "linked, and registered", []bool{a.Config.Linked(), a.Hosted != nil}, []bool{s.Server, s.Server})
	counts := journal.Counts{Jobs: 2, InFlight: 1, Asks: 2, NeedsYou: 1, Closed: 1, Messages: 2, Files: 9, Lines: 10, Bytes: a.Counts.Bytes, Given: a.Counts.Given}
	if s.Server {
		counts.Lines, counts.Bytes = 0, 0
	} else if a.Counts.Bytes == 0 {
		t.Error("the ledgers have no bytes")
	}
	same(t, "counts", a.Counts, counts)
	same(t, "since", a.Since, journal.Position{File: figs.Runs, Line: s.line(1), TS: "2026-11-20T16:05:09Z"})
	same(t, "oldest", a.Oldest, "2026-11-20T16:05:10Z")
}

func (s suite) overview(t *testing.T) {
	o := must(s.open(t, "/1").Overview(ctx, s.Agent))(t)
	same(t, "needs", askIDs(o.Needs), []string{"acme-send"})
	same(t, "waiting", askIDs(o.Waiting), []string(nil))
	same(t, "in flight", jobIDs(o.InFlight), []string{"globex-2026-10"})
	if o.Last == nil || o.Last.Run.ID != "acme-2026-10" {
		t.Errorf("last = %+v, want acme-2026-10", o.Last)
	}
	if o.First != nil || o.Hidden != 0 || len(o.Lanes) != 4 {
		t.Errorf("first finding %v, %d hidden, %d lanes; want none, 0, 4", o.First, o.Hidden, len(o.Lanes))
	}
	for _, lane := range o.Lanes {
		if lane.ID != "acme-send" {
			continue
		}
		var kinds []string
		for _, mark := range lane.Marks {
			kinds = append(kinds, mark.Kind)
		}
		same(t, "marks of acme-send", kinds, []string{"raise", "reply", "raise"})
		if n := len(lane.Waits); n != 2 || lane.Waits[1].To != figs.NoTime {
			t.Errorf("waits of acme-send = %v, want two, the second open", lane.Waits)
		}
	}
}

func (s suite) activity(t *testing.T) {
	a := must(s.open(t, "/1/agent").Activity(ctx, s.Agent))(t)
	same(t, "first day", time.UnixMicro(a.First).UTC(), time.Date(2025, 11, 17, 0, 0, 0, 0, time.UTC)) // a Monday
	if len(a.Days) != 369 {
		t.Fatalf("%d days, want 369, to the Friday of the reading", len(a.Days))
	}
	// The time of a close without ts is that of its resolution, so its line counts as having none.
	last, timeless := journal.Day{Jobs: 4, Asks: 3, Replies: 2}, 1
	if s.Server {
		last.Asks, timeless = 4, 0
	}
	same(t, "the last day", a.Days[368], last)
	for i, d := range a.Days[:368] {
		same(t, "day "+time.UnixMicro(a.First).UTC().AddDate(0, 0, i).Format(time.DateOnly), d, journal.Day{})
	}
	same(t, "lines of no day", []int{a.Before, a.After, a.Timeless}, []int{0, 0, timeless})
}

func (s suite) jobs(t *testing.T) {
	all := must(s.open(t, "/1/jobs").Jobs(ctx, s.Agent, journal.Query{}))(t)
	same(t, "jobs, newest first", jobIDs(all.Items), []string{"globex-2026-10", "acme-2026-10"})
	same(t, "total", all.Total, 2)
	q := journal.Query{From: 1, N: 1}
	if first := must(s.open(t, "/1/jobs?n=1").Jobs(ctx, s.Agent, journal.Query{N: 1}))(t); first.Next != "" { // its pages have cursors
		q.From, q.After = 0, first.Next
	}
	second := must(s.open(t, "/1/jobs?"+q.String()).Jobs(ctx, s.Agent, q))(t)
	same(t, "second page", jobIDs(second.Items), []string{"acme-2026-10"})
	same(t, "its total", second.Total, 2)
	ok := must(s.open(t, "/1/jobs?state=ok").Jobs(ctx, s.Agent, journal.Query{State: "ok"}))(t)
	same(t, "settled OK", jobIDs(ok.Items), []string{"acme-2026-10"})
	words := must(s.open(t, "/1/jobs?q=Statement+REQUESTED").Jobs(ctx, s.Agent, journal.Query{Text: "Statement REQUESTED"}))(t)
	same(t, "with words", jobIDs(words.Items), []string{"globex-2026-10"})
}

func (s suite) job(t *testing.T) {
	j := must(s.open(t, "/1/jobs/1").Job(ctx, s.Agent, s.job1()))(t)
	same(t, "id", j.Run.ID, "acme-2026-10")
	same(t, "result", j.Run.Result, "98.6% matched · 31 flagged")
	same(t, "record", recordText(j.Raw, "result"), j.Run.Result)
	same(t, "asks", askIDs(j.Asks), []string{"acme-send", "acme-bridge"})
	var files []string
	for _, m := range j.Trail {
		for _, f := range m.Files {
			files = append(files, f.Name)
		}
	}
	same(t, "lines of the trail", len(j.Trail), 3)
	same(t, "files at their moments", files, []string{"acme-wip.csv", "notes.txt", "acme-2026-10.html", "trend.png"})
	same(t, "what the second line set", j.Trail[1].Changed, []string{"result", "status", "attachments"})
	var lanes []string
	for _, lane := range j.Lanes {
		lanes = append(lanes, fmt.Sprintf("%s: %d marks, %d waits, open %t", lane.ID, len(lane.Marks), len(lane.Waits), lane.Open))
	}
	same(t, "lanes", lanes, []string{"acme-2026-10: 3 marks, 0 waits, open false", "acme-send: 3 marks, 2 waits, open true", "acme-bridge: 3 marks, 1 waits, open false"})
	same(t, "its place", j.Trail[1].Position, journal.Position{File: figs.Runs, Line: s.line(2), TS: "2026-11-20T16:05:09Z"})
}

func (s suite) asks(t *testing.T) {
	all := must(s.open(t, "/1/asks").Asks(ctx, s.Agent, journal.Query{}))(t)
	same(t, "asks, needed first", askIDs(all.Items), []string{"acme-send", "acme-bridge"})
	closed := must(s.open(t, "/1/asks?state=closed").Asks(ctx, s.Agent, journal.Query{State: "closed"}))(t)
	same(t, "closed", askIDs(closed.Items), []string{"acme-bridge"})
	same(t, "total", closed.Total, 1)
}

func (s suite) oneAsk(t *testing.T) {
	a := must(s.open(t, "/1/asks/2").Ask(ctx, s.Agent, s.ask(2)))(t)
	same(t, "title", a.Ask.Title, "Send the October statement to Acme (delivery numbers added)")
	same(t, "record", recordText(a.Raw, "title"), a.Ask.Title)
	same(t, "phase", a.State.Phase, figs.NeedsYou)
	same(t, "round", a.State.Round, 2)
	same(t, "job", a.JobKey, s.job1())
	same(t, "attached", names(a.Files), []string{"acme-2026-10-v2.html", "brief.md"})
	same(t, "attached before", names(a.Earlier), []string{"acme-2026-10.html", "statement.pdf", "flow.svg"})
	if len(a.Thread) != 1 {
		t.Fatalf("%d replies, want 1", len(a.Thread))
	}
	m := a.Thread[0]
	same(t, "record of the reply", recordText(m.Raw, "text"), m.Message.Text)
	same(t, "reply", []any{m.Message.Verdict, m.Round, m.Earlier, m.Verified, m.AskKey}, []any{"changes-requested", 1, true, false, s.ask(2)})
	closed := must(s.open(t, "/1/asks/1").Ask(ctx, s.Agent, s.ask(1)))(t)
	same(t, "the closed one", []any{closed.State.Phase, closed.State.Reply, closed.State.Reported}, []any{figs.Resolved, 0, true})
	same(t, "chosen", closed.Ask.Resolution.Chosen, "Strip the alpha prefix")
}

// recordText returns a text field of a record's JSON.
func recordText(raw []byte, field string) string { return figs.Fold([][]byte{raw}).Get(field).Text() }

func (s suite) messages(t *testing.T) {
	all := must(s.open(t, "/1/messages").Messages(ctx, s.Agent, journal.Query{}))(t)
	var about []string
	for _, m := range all.Items {
		about = append(about, m.AskTitle)
	}
	same(t, "replies, newest first", about, []string{"Send the October statement to Acme (delivery numbers added)", "No bridge rule for prefixed invoice numbers"})
}

func (s suite) files(t *testing.T) {
	all := must(s.open(t, "/1/files").Files(ctx, s.Agent, journal.Query{}))(t)
	same(t, "files, as lines name them", names(all.Items), []string{"acme-wip.csv", "notes.txt", "acme-2026-10.html", "trend.png",
		"summary.json", "brief.md", "statement.pdf", "flow.svg", "acme-2026-10-v2.html"})
	f := must(s.open(t, "/1/files/"+all.Items[2].Key).File(ctx, s.Agent, all.Items[2].Key))(t)
	same(t, "one file", []any{f.Name, f.Class, f.Owner, len(f.Named), f.Present()}, []any{"acme-2026-10.html", figs.Rendered, "jobs/" + s.job1(), 2, true})
}

func (s suite) findings(t *testing.T) {
	f := must(s.open(t, "/1/findings").Findings(ctx, s.Agent, journal.Query{}))(t)
	same(t, "findings", []any{len(f.Items), f.Total, f.Report.Valid(), f.Report.Now}, []any{0, 0, true, "2026-11-20T19:00:00Z"})
}

func (s suite) lines(t *testing.T) {
	p := must(s.open(t, "/1/lines/asks.jsonl?from=1&n=2").Lines(ctx, s.Agent, figs.Asks, journal.Query{From: 1, N: 2}))(t)
	if s.Server {
		same(t, "lines without ledgers", *p, journal.Page[journal.Line]{From: 1})
		return
	}
	if p.Total != 4 || len(p.Items) != 2 {
		t.Fatalf("%d of %d lines, want 2 of 4", len(p.Items), p.Total)
	}
	l := p.Items[0]
	same(t, "second line", []any{l.Position.Line, l.Owner, l.Broken, strings.HasPrefix(string(l.Raw), `{"id":"acme-bridge","status":"resolved"`), l.Size}, []any{2, "asks/" + s.ask(1), false, true, len(l.Raw)})
}

func (s suite) text(t *testing.T) {
	if s.Server {
		if _, err := s.open(t, "/1/text/CONTRACT.md").Text(ctx, s.Agent, "CONTRACT.md"); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("CONTRACT.md, which is never pushed: %v, want ErrNotFound", err)
		}
		charter := must(s.open(t, "/1/text/agent.json").Text(ctx, s.Agent, "agent.json"))(t)
		if !strings.Contains(string(charter.Content), `"Reconciliation"`) || charter.Size != int64(len(charter.Content)) {
			t.Errorf("agent.json = %.60q, %d bytes", charter.Content, charter.Size)
		}
		return
	}
	text := must(s.open(t, "/1/text/CONTRACT.md").Text(ctx, s.Agent, "CONTRACT.md"))(t)
	if !strings.HasPrefix(string(text.Content), "# Contract") || text.Size != int64(len(text.Content)) {
		t.Errorf("CONTRACT.md = %.20q, %d bytes", text.Content, text.Size)
	}
}

func (s suite) search(t *testing.T) {
	p := must(s.open(t, "/1/search?q=bridge").Search(ctx, s.Agent, journal.Query{Text: "bridge"}))(t)
	var owners []string
	for _, hit := range p.Items {
		owners = append(owners, hit.Owner)
		if (len(hit.Excerpt.Marked) > 0 || s.Server) && !strings.EqualFold(string(hit.Excerpt.Marked), "bridge") {
			t.Errorf("%s marks %q", hit.Owner, hit.Excerpt.Marked)
		}
	}
	want := []string{"messages/" + s.reply(1), "asks/" + s.ask(1)}
	same(t, "found", owners, want)
}

// notFound tests that each method returns ErrNotFound for what doesn't exist.
func (s suite) notFound(t *testing.T) {
	for page, ask := range map[string]func(journal.Journal) error{
		"/2":                  func(j journal.Journal) error { _, err := j.Overview(ctx, "2"); return err },
		"/2/agent":            func(j journal.Journal) error { _, err := j.Agent(ctx, "2"); return err },
		"/3/agent":            func(j journal.Journal) error { _, err := j.Activity(ctx, "3"); return err },
		"/1/jobs/3":           func(j journal.Journal) error { _, err := j.Job(ctx, s.Agent, "3"); return err },
		"/1/jobs/01":          func(j journal.Journal) error { _, err := j.Job(ctx, s.Agent, "01"); return err },
		"/1/asks/0":           func(j journal.Journal) error { _, err := j.Ask(ctx, s.Agent, "0"); return err },
		"/1/asks/x":           func(j journal.Journal) error { _, err := j.Ask(ctx, s.Agent, "x"); return err },
		"/1/files/99":         func(j journal.Journal) error { _, err := j.File(ctx, s.Agent, "99"); return err },
		"/1/text/passwords":   func(j journal.Journal) error { _, err := j.Text(ctx, s.Agent, "passwords"); return err },
		"/1/text/runs.jsonl":  func(j journal.Journal) error { _, err := j.Text(ctx, s.Agent, "runs.jsonl"); return err },
		"/1/text/GUIDE.md":    func(j journal.Journal) error { _, err := j.Text(ctx, s.Agent, "GUIDE.md"); return err },
		"/7/lines/runs.jsonl": func(j journal.Journal) error { _, err := j.Lines(ctx, "7", figs.Runs, journal.Query{}); return err },
	} {
		if err := ask(s.open(t, page)); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("%s = %v, want ErrNotFound", page, err)
		}
	}
}

func askIDs(list []journal.Ask) (ids []string) {
	for i := range list {
		ids = append(ids, list[i].Ask.ID)
	}
	return ids
}

func jobIDs(list []journal.Job) (ids []string) {
	for i := range list {
		ids = append(ids, list[i].Run.ID)
	}
	return ids
}

func names(list []journal.File) (all []string) {
	for i := range list {
		all = append(all, list[i].Name)
	}
	return all
}
