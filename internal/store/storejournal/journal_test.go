package storejournal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/journal/journaltest"
	"github.com/figs-web/figs-web/internal/local"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

var (
	ctx = context.Background()
	now = time.Date(2026, 11, 20, 19, 0, 0, 0, time.UTC)
)

const samples = "../../../static/samples/"

// pushSample pushes a sample line by line, with its files, into a new store.
func pushSample(t *testing.T, sample string) (s *sqlstore.Store, j *storejournal.Journal, agent string) {
	t.Helper()
	s, err := sqlstore.OpenSQLite(ctx, filepath.Join(t.TempDir(), "figs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	w := store.Workspace{ID: store.NewID(), Slug: "w", Name: "W"}
	if err := s.AddWorkspace(ctx, store.Act{At: 1}, w, ""); err != nil {
		t.Fatal(err)
	}
	dir := samples + sample + "/.figs/"
	read := func(name string) []byte {
		b, err := os.ReadFile(dir + name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return bytes.TrimSpace(b)
	}
	ledger := func(name string) string { return "[" + strings.ReplaceAll(string(read(name)), "\n", ",") + "]" }
	config, _ := figs.ReadConfig(read("config.json"))
	charter := strings.Replace(string(read("agent.json")), "{", `{"id":"`+config.AgentID+`",`, 1)
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":%s,"runs":%s,"asks":%s,"messages":%s}`,
		w.ID, charter, ledger("runs.jsonl"), ledger("asks.jsonl"), ledger("messages.jsonl")))
	if err != nil {
		t.Fatal(err)
	}
	report := func() *figs.Report {
		f := figs.New(figs.Options{Now: now.Format(time.RFC3339)})
		for _, file := range []figs.File{figs.ConfigJSON, figs.AgentJSON, figs.Runs, figs.Asks, figs.Messages} {
			f.Feed(file, append(read(file.String()), '\n'))
		}
		artifacts, _ := os.ReadDir(dir + "artifacts")
		for _, a := range artifacts {
			f.Attach(a.Name(), 1)
		}
		return f.Finish()
	}
	if _, err := s.Push(ctx, store.Push{Workspace: w.ID, Act: store.Act{At: now.UnixMicro()}, Body: body, Report: report}); err != nil {
		t.Fatal(err)
	}
	files, _ := os.ReadDir(dir + "artifacts")
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		a := store.Attachment{Agent: body.Agent, Name: f.Name(), SHA256: store.Hash(f.Name()), Size: info.Size()}
		if _, err := s.Attach(ctx, store.Act{At: now.UnixMicro()}, a, ""); err != nil {
			t.Fatal(err)
		}
	}
	return s, storejournal.New(s, w.ID, now.UnixMicro()), body.Agent
}

// openSample opens the same sample as a local folder.
func openSample(t *testing.T, sample string) *local.Folders {
	t.Helper()
	root, err := os.OpenRoot(samples + sample)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	l, err := local.Open(ctx, root.FS(), []local.Agent{{Path: ".figs", Contents: folder.List(root.FS(), ".figs")}},
		local.Options{Now: func() time.Time { return now }, Keep: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// transcript writes a journal's answers as text, without line numbers and address keys, which differ between a folder and a
// store.
type transcript struct {
	*testing.T
	journal func(page string) journal.Journal
	agent   string
	out     strings.Builder
}

func (x *transcript) printf(format string, args ...any) { fmt.Fprintf(&x.out, format+"\n", args...) }

func mustBe[T any](x *transcript, answer T, err error) T {
	x.Helper()
	if err != nil {
		x.Fatal(err)
	}
	return answer
}

func fileNames(files []journal.File) (names []string) {
	for _, f := range files {
		names = append(names, fmt.Sprintf("%s(%d %d)", f.Name, f.Size, f.Class))
	}
	return names
}

func (x *transcript) trail(trail []journal.TrailEntry) {
	for _, m := range trail {
		if m.Position.TS == "" {
			m.At = 0 // a store says when it arrived, a folder cannot
		}
		x.printf("    %d %s round %d files %v changed %v %s", m.At, m.Position.TS, m.Round, fileNames(m.Files), m.Changed, m.Raw)
	}
}

func (x *transcript) lane(l journal.Lane) {
	x.printf("    lane %s %q ask %v open %v waits %v", l.ID, l.Title, l.Ask, l.Open, l.Waits)
	for _, m := range l.Marks {
		x.printf("      %s %d %q", m.Kind, m.At, m.Label)
	}
}

func (x *transcript) message(m journal.Message) {
	x.printf("    %s %s %d round %d earlier %v verified %v about %q", m.Message.ID, m.Message.Verdict+m.Message.Chosen, m.At, m.Round, m.Earlier, m.Verified, m.AskTitle)
}

func (x *transcript) everything() string {
	a := mustBe(x, must(x.journal("/1/agent").Agent(ctx, x.agent)), nil)
	n := a.Counts
	x.printf("agent %s: %d %d %d %d %d, %d %d %d %d, %d %d, %d %d %d; oldest %s last %s", a.DisplayName(), n.Jobs, n.InFlight, n.Failed, n.Warned, n.Unknown,
		n.Asks, n.NeedsYou, n.Waiting, n.Closed, n.Messages, n.Files, n.Errors, n.Warnings, n.Infos, a.Oldest, a.Last.TS)
	jobs := must(x.journal("/1/jobs").Jobs(ctx, x.agent, journal.Query{}))
	for _, job := range jobs.Items {
		x.printf("  job %s %q %s %s of %d, last %s", job.Run.ID, job.Run.Headline(), job.Run.State, job.Run.Status, jobs.Total, job.Run.TS)
		whole := must(x.journal("/1/jobs/"+job.Key).Job(ctx, x.agent, job.Key))
		x.trail(whole.Trail)
		for _, ask := range whole.Asks {
			x.printf("    asks %s", ask.Ask.ID)
		}
		for _, lane := range whole.Lanes {
			x.lane(lane)
		}
		x.printf("    findings %d", len(whole.Findings))
	}
	asks := must(x.journal("/1/asks").Asks(ctx, x.agent, journal.Query{}))
	for _, ask := range asks.Items {
		whole := must(x.journal("/1/asks/"+ask.Key).Ask(ctx, x.agent, ask.Key))
		x.printf("  ask %s %q %s round %d since %d reported %v reply %d of %d, job %v", ask.Ask.ID, ask.Ask.Title, ask.State.Phase, ask.State.Round, ask.State.Since, ask.State.Reported,
			whole.State.Reply, asks.Total, whole.JobKey != "")
		x.trail(whole.Trail)
		x.printf("    files %v earlier %v findings %d", fileNames(whole.Files), fileNames(whole.Earlier), len(whole.Findings))
		for _, m := range whole.Thread {
			x.message(m)
		}
	}
	for _, m := range must(x.journal("/1/messages").Messages(ctx, x.agent, journal.Query{})).Items {
		x.message(m)
	}
	for _, f := range must(x.journal("/1/files").Files(ctx, x.agent, journal.Query{})).Items {
		x.printf("  file %s %d in %q by %d", f.Name, f.Size, f.OwnerTitle, len(f.Named))
	}
	findings := must(x.journal("/1/findings").Findings(ctx, x.agent, journal.Query{}))
	for _, f := range findings.Items {
		x.printf("  finding %s", f.ForAgent())
	}
	x.printf("  by rule %v of %d", findings.ByCode, findings.Total)
	activity := must(x.journal("/1/agent").Activity(ctx, x.agent))
	lines := activity.Before + activity.After + activity.Timeless // a store has no lines
	for _, day := range activity.Days {
		lines += day.Lines()
	}
	x.printf("  activity from %d, %d days, %d lines", activity.First, len(activity.Days), lines)
	o := must(x.journal("/1").Overview(ctx, x.agent))
	x.printf("  overview: %d need, %d wait, %d fly, last %v, first %v, %d lanes, %d hidden", len(o.Needs), len(o.Waiting), len(o.InFlight), o.Last != nil, o.First != nil, len(o.Lanes), o.Hidden)
	return x.out.String()
}

// must is for answers that exist in both journals.
func must[T any](answer T, err error) T {
	if err != nil {
		panic(err)
	}
	return answer
}

// TestJournalLikeFolder tests that a store gives the same answers for a sample that was pushed line by line as a local
// folder.
func TestJournalLikeFolder(t *testing.T) {
	for _, sample := range []string{"reconciliation", "payables", "onboarding"} {
		t.Run(sample, func(t *testing.T) {
			l := openSample(t, sample)
			want := (&transcript{T: t, agent: "1", journal: func(page string) journal.Journal { return must(l.Journal(ctx, page)) }}).everything()
			_, j, agent := pushSample(t, sample)
			got := (&transcript{T: t, agent: agent, journal: func(string) journal.Journal { return j }}).everything()
			if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("(-folder +store):\n%s", diff)
			}
		})
	}
}

// TestJournal runs the conformance suite.
func TestJournal(t *testing.T) {
	_, j, agent := pushSample(t, "reconciliation")
	journaltest.RunLike(t, func(*testing.T, string) journal.Journal { return j }, journaltest.Traits{Agent: agent, Server: true})
}

func TestSearch(t *testing.T) {
	_, j, agent := pushSample(t, "reconciliation")
	page, err := j.Search(ctx, agent, journal.Query{Text: "BRIDGE"})
	if err != nil {
		t.Fatal(err)
	}
	var owners []string
	for _, hit := range page.Items {
		owners = append(owners, hit.Owner)
		if hit.Title == "" || !strings.EqualFold(string(hit.Excerpt.Marked), "bridge") {
			t.Errorf("%s: title %q marks %q", hit.Owner, hit.Title, hit.Excerpt.Marked)
		}
	}
	if diff := cmp.Diff([]string{"messages/msg-mwp6750hjzb", "asks/acme-bridge"}, owners); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	text, err := j.Text(ctx, agent, "agent.json")
	if err != nil || !strings.Contains(string(text.Content), "Reconciliation") {
		t.Errorf("agent.json = %v, %v", text, err)
	}
}

// TestNotFound tests that unknown records and records of other workspaces can't be told apart.
func TestNotFound(t *testing.T) {
	s, j, agent := pushSample(t, "reconciliation")
	elsewhere := storejournal.New(s, store.NewID(), now.UnixMicro())
	if all, err := elsewhere.Agents(ctx); err != nil || len(all) != 0 {
		t.Errorf("another workspace lists %d agents, %v", len(all), err)
	}
	for _, x := range []struct {
		j     *storejournal.Journal
		agent string
		key   string
	}{{elsewhere, agent, "acme-2026-10"}, {j, "nobody", "acme-2026-10"}, {j, agent, "nothing"}, {j, agent, "\x00"}} {
		questions := map[string]func() error{
			"job":  func() error { _, err := x.j.Job(ctx, x.agent, x.key); return err },
			"ask":  func() error { _, err := x.j.Ask(ctx, x.agent, x.key); return err },
			"file": func() error { _, err := x.j.File(ctx, x.agent, x.key); return err },
			"text": func() error { _, err := x.j.Text(ctx, x.agent, "CONTRACT.md"); return err },
		}
		if x.agent != agent || x.j == elsewhere {
			q := journal.Query{Text: "bridge"}
			for name, f := range map[string]func() error{
				"overview": func() error { _, err := x.j.Overview(ctx, x.agent); return err },
				"agent":    func() error { _, err := x.j.Agent(ctx, x.agent); return err },
				"activity": func() error { _, err := x.j.Activity(ctx, x.agent); return err },
				"jobs":     func() error { _, err := x.j.Jobs(ctx, x.agent, q); return err },
				"asks":     func() error { _, err := x.j.Asks(ctx, x.agent, q); return err },
				"messages": func() error { _, err := x.j.Messages(ctx, x.agent, q); return err },
				"files":    func() error { _, err := x.j.Files(ctx, x.agent, q); return err },
				"findings": func() error { _, err := x.j.Findings(ctx, x.agent, q); return err },
				"lines":    func() error { _, err := x.j.Lines(ctx, x.agent, figs.Runs, q); return err },
				"search":   func() error { _, err := x.j.Search(ctx, x.agent, q); return err },
			} {
				questions[name] = f
			}
		}
		for name, ask := range questions {
			if err := ask(); !errors.Is(err, journal.ErrNotFound) {
				t.Errorf("%s %q of %s = %v, want ErrNotFound", name, x.key, x.agent, err)
			}
		}
	}
}
