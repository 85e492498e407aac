package foldercache

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/local"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

var (
	ctx = context.Background()
	now = time.Date(2026, 11, 20, 19, 0, 0, 0, time.UTC)
)

const samples = "../../static/samples/"

func must[T any](answer T, err error) T {
	if err != nil {
		panic(err)
	}
	return answer
}

// yard is a store into which a sample was pushed.
type yard struct {
	*testing.T
	s       *sqlstore.Store
	w       store.Workspace
	agent   string
	charter string
	pushed  int64
}

func newYard(t *testing.T) *yard {
	s, err := sqlstore.OpenSQLite(ctx, filepath.Join(t.TempDir(), "figs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	y := &yard{T: t, s: s, w: store.Workspace{ID: store.NewID(), Slug: "w", Name: "W"}, pushed: now.Add(-time.Hour).UnixMicro()}
	if err := s.AddWorkspace(ctx, store.Act{At: 1}, y.w, ""); err != nil {
		t.Fatal(err)
	}
	return y
}

// push sends lines, by ledger, as one body.
func (y *yard) push(lines [figs.Ledgers][]string) {
	y.Helper()
	list := func(file figs.File) string { return "[" + strings.Join(lines[file], ",") + "]" }
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":%s,"runs":%s,"asks":%s,"messages":%s}`, y.w.ID, y.charter, list(figs.Runs), list(figs.Asks), list(figs.Messages)))
	if err != nil {
		y.Fatal(err)
	}
	y.agent = body.Agent
	y.pushed++
	if _, err := y.s.Push(ctx, store.Push{Workspace: y.w.ID, Act: store.Act{At: y.pushed}, Body: body, Report: func() *figs.Report { return &figs.Report{} }}); err != nil {
		y.Fatal(err)
	}
}

// sample reads a sample, and pushes it: at once, or line by line in the order of writing.
func (y *yard) sample(name string, atOnce bool) *local.Folders {
	y.Helper()
	dir := samples + name
	read := func(file string) []byte {
		b, err := os.ReadFile(dir + "/.figs/" + file)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			y.Fatal(err)
		}
		return b
	}
	f := figs.New(figs.Options{Keep: true, Now: now.Format(time.RFC3339)})
	for file := range figs.NoFile {
		f.Feed(file, read(file.String()))
	}
	f.Finish()
	config, _ := figs.ReadConfig(read("config.json"))
	y.charter = strings.Replace(string(bytes.TrimSpace(read("agent.json"))), "{", `{"id":"`+config.AgentID+`",`, 1)
	var all [figs.Ledgers][]string
	for n := range f.Steps() {
		file, ref := f.Step(n + 1)
		line := string(f.Bytes(file, ref))
		all[file] = append(all[file], line)
		if !atOnce {
			var one [figs.Ledgers][]string
			one[file] = []string{line}
			y.push(one)
		}
	}
	if atOnce {
		y.push(all)
	}
	files, _ := os.ReadDir(dir + "/.figs/artifacts")
	for _, file := range files {
		info := must(file.Info())
		if _, err := y.s.Attach(ctx, store.Act{At: now.UnixMicro()}, store.Attachment{Agent: y.agent, Name: file.Name(), SHA256: store.Hash(file.Name()), Size: info.Size()}, ""); err != nil {
			y.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		y.Fatal(err)
	}
	y.Cleanup(func() { root.Close() })
	return must(local.Open(ctx, root.FS(), []local.Agent{{Path: ".figs", Contents: folder.List(root.FS(), ".figs")}}, local.Options{Now: func() time.Time { return now }, Keep: 1 << 20}))
}

func (y *yard) journal(f *Folders) *storejournal.Journal {
	return storejournal.New(y.s, y.w.ID, now.UnixMicro()).WithFolderCache(f)
}

func (y *yard) folders() *Folders { return New(y.s, func() time.Time { return now }, DefaultLimits) }

// story is what an agent was at a point, in words: the same whether a server tells it or a folder.
type story struct {
	out     strings.Builder
	journal func(page string) journal.Journal // of a path below the agent
	agent   string
	deltas  bool // of a client that folds before it sends, a server keeps what changed alone
}

func (x *story) say(format string, args ...any) { fmt.Fprintf(&x.out, format+"\n", args...) }

func ats(point string) string {
	if point == "" {
		return ""
	}
	return "?at=" + point
}

// tell says all of it; end leaves out what a server tells otherwise of now.
func (x *story) tell(point string) string {
	at := ats(point)
	a := must(x.journal("/agent"+at).Agent(ctx, x.agent))
	n := a.Counts
	x.say("%s: %d jobs %d %d %d %d, %d asks %d %d %d, %d replies %d, %d files; %d %d %d; oldest %s since %s last %s", a.DisplayName(), n.Jobs, n.InFlight, n.Failed, n.Warned, n.Unknown,
		n.Asks, n.NeedsYou, n.Waiting, n.Closed, n.Messages, n.Orphans, n.Files, n.Errors, n.Warnings, n.Infos, a.Oldest, a.Since.TS, a.Last.TS)
	if a.At != nil {
		x.say("at %+v", *a.At)
	}
	for _, job := range must(x.journal("/jobs"+at).Jobs(ctx, x.agent, journal.Query{})).Items {
		whole := must(x.journal("/jobs/"+job.Key+at).Job(ctx, x.agent, job.Key))
		x.say("job %s %q %s %s, %d lines, %d asks, %d findings", job.Run.ID, job.Run.Headline(), job.Run.State, job.Run.Status, job.Lines, len(whole.Asks), len(whole.Findings))
		x.trail(whole.Trail)
		x.lanes(whole.Lanes)
	}
	for _, ask := range must(x.journal("/asks"+at).Asks(ctx, x.agent, journal.Query{})).Items {
		whole := must(x.journal("/asks/"+ask.Key+at).Ask(ctx, x.agent, ask.Key))
		x.say("ask %s %q %+v, job %v, waits %v flights %v", ask.Ask.ID, ask.Ask.Title, whole.State, whole.JobKey != "", whole.Waits, whole.Flights)
		x.trail(whole.Trail)
		for _, m := range whole.Thread {
			x.say("  said %s %s round %d earlier %v at %d", m.Message.ID, m.Message.Verdict, m.Round, m.Earlier, m.At)
		}
	}
	for _, m := range must(x.journal("/messages"+at).Messages(ctx, x.agent, journal.Query{})).Items {
		x.say("reply %s %q round %d of %q", m.Message.ID, m.Message.Text, m.Round, m.AskTitle)
	}
	for _, f := range must(x.journal("/files"+at).Files(ctx, x.agent, journal.Query{})).Items {
		one := must(x.journal("/files/"+f.Key+at).File(ctx, x.agent, f.Key))
		x.say("file %s %d of %q, named %d", f.Name, f.Size, f.OwnerTitle, len(one.Named))
	}
	found := must(x.journal("/findings"+at).Findings(ctx, x.agent, journal.Query{}))
	for _, f := range found.Items {
		x.say("finding %s %s %s: %s", f.Code, f.File, f.Record, f.Message)
	}
	x.say("by rule %v, %d mended", found.ByCode, found.ResolvedTotal)
	activity := must(x.journal("/agent"+at).Activity(ctx, x.agent))
	x.say("activity %d in %d days", activity.First, len(activity.Days))
	o := must(x.journal(at).Overview(ctx, x.agent))
	x.say("overview %d %d %d %v %v %d", len(o.Needs), len(o.Waiting), len(o.InFlight), o.Last != nil, o.First != nil, o.Hidden)
	x.lanes(o.Lanes)
	idle := must(x.journal("/waits"+at).(journal.WaitReporter).WaitReport(ctx, x.agent, journal.Query{}))
	x.say("waits %+v %v", idle.WaitSummary, idle.Months)
	for _, ask := range idle.LongestWaits.Items {
		x.say("  %s %v", ask.Ask.ID, ask.Waits)
	}
	life := must(x.journal("/time"+at).(journal.Replay).Timeline(ctx, x.agent, journal.Query{}))
	x.say("life %+v %d %d %v %v", life.Now, life.From, life.To, life.ByTime, life.ByLine)
	for _, l := range life.Lines {
		x.line(&l)
	}
	if s, err := x.journal("/step"+at).(journal.Replay).Step(ctx, x.agent, journal.Query{}); err == nil {
		x.line(&s.StepLine)
		if x.deltas {
			s.Raw = nil
		}
		x.say("  before %d behind %d of %d, %d opened %d closed, %s", s.PreviousStep, s.NextStep, s.Steps, len(s.Opened), len(s.Closed), s.Raw)
		for _, f := range s.Fields {
			x.say("  %s: %s → %s", f.Key, f.Before, f.After)
		}
	}
	return x.out.String()
}

func (x *story) trail(trail []journal.TrailEntry) {
	for _, m := range trail {
		if x.deltas {
			m.Raw = nil
		}
		var files []string
		for _, f := range m.Files {
			files = append(files, fmt.Sprint(f.Name, f.Size))
		}
		x.say("  %s %d %v %v %s", m.Position.TS, m.Round, m.Changed, files, m.Raw)
	}
}

func (x *story) lanes(lanes []journal.Lane) {
	for _, l := range lanes {
		x.say("  lane %s %q %v %v", l.ID, l.Title, l.Open, l.Waits)
		for _, m := range l.Marks {
			x.say("    %s %s %d %q", m.Kind, m.Position.TS, m.At, m.Label)
		}
	}
}

func (x *story) line(l *journal.StepLine) {
	if x.deltas {
		l.Label = ""
	}
	x.say("  line %d %s %d %s %v %q %q %v", l.N, l.Position.TS, l.At, l.Kind, l.First, l.Title, l.Label, l.Flight)
}

// At each point of its life an agent that was pushed is what figs-web open says of the folder that it was pushed from.
func TestLikeFolder(t *testing.T) {
	for _, sample := range []string{"reconciliation", "payables", "onboarding"} {
		for _, atOnce := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s at once %v", sample, atOnce), func(t *testing.T) {
				y := newYard(t)
				l := y.sample(sample, atOnce)
				folders := y.folders()
				life := must(must(l.Journal(ctx, "/1/time")).(journal.Replay).Timeline(ctx, "1", journal.Query{}))
				for step := range life.Now.Steps {
					point := fmt.Sprint(step)
					want := (&story{agent: "1", deltas: !atOnce, journal: func(page string) journal.Journal { return must(l.Journal(ctx, "/1"+page)) }}).tell(point)
					got := (&story{agent: y.agent, deltas: !atOnce, journal: func(page string) journal.Journal {
						return must(y.journal(folders).Page(ctx, "/"+y.agent+page))
					}}).tell(point)
					if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
						t.Fatalf("after %d lines (-folder +server):\n%s", step, diff)
					}
				}
				if folders.reads.Load() != 1 {
					t.Errorf("the agent was read %d times", folders.reads.Load())
				}
			})
		}
	}
}

// What names no point, or none that can be read, or the end, is the journal of now.
func TestNow(t *testing.T) {
	y := newYard(t)
	y.sample("reconciliation", true)
	j := y.journal(y.folders())
	for _, path := range []string{"", "/jobs", "/jobs?at=", "/jobs?at=tomorrow", "/asks?at=1.2", "/asks?at=99999", "/asks?at=2100-01-01", "?at=99.99.99", "/search?at=3", "/lens?at=3", "/nothing?at=3"} {
		if got := must(j.Page(ctx, "/"+y.agent+path)); got != journal.Journal(j) {
			t.Errorf("%s is not asked of now", path)
		}
	}
	elsewhere := storejournal.New(y.s, store.NewID(), now.UnixMicro()).WithFolderCache(y.folders())
	if got, err := must(elsewhere.Page(ctx, "/"+y.agent+"/jobs?at=3")).Jobs(ctx, y.agent, journal.Query{}); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("another workspace sees %v, %v", got, err)
	}
	for _, path := range []string{"/jobs/nothing?at=3", "/asks/..?at=3", "/files/~?at=3"} {
		page := must(j.Page(ctx, "/"+y.agent+path))
		if _, err := page.Job(ctx, y.agent, "nothing"); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// What is kept is what there is: a push, a reply, and an erasure are seen by the very next look, and no more is kept than may be.
func TestKept(t *testing.T) {
	y := newYard(t)
	y.sample("reconciliation", false)
	f := y.folders()
	titles := func(at string) string {
		var all []string
		for _, job := range must(must(y.journal(f).Page(ctx, "/"+y.agent+"/jobs?at="+at)).Jobs(ctx, y.agent, journal.Query{})).Items {
			all = append(all, job.Run.ID+" "+job.Run.Title)
		}
		return strings.Join(all, ", ")
	}
	before := titles("4")
	if again := titles("4"); again != before || f.reads.Load() != 1 {
		t.Errorf("%q, then %q, read %d times", before, again, f.reads.Load())
	}
	var more [figs.Ledgers][]string
	more[figs.Runs] = []string{`{"id":"late","title":"A secret","ts":"2026-11-20T18:30:00Z","state":"in-flight"}`}
	y.push(more)
	steps := must(must(y.journal(f).Page(ctx, "/"+y.agent+"/time")).(journal.Replay).Timeline(ctx, y.agent, journal.Query{})).Now.Steps
	more[figs.Runs] = []string{`{"id":"later","ts":"2026-11-20T18:40:00Z","state":"in-flight"}`}
	y.push(more)
	if got := titles(fmt.Sprint(steps)); !strings.Contains(got, "A secret") {
		t.Errorf("what was pushed is not there: %s", got)
	}
	must(y.s.Erase(ctx, store.Act{At: now.UnixMicro()}, store.Erasure{Workspace: y.w.ID, Agent: y.agent, Kind: store.EraseRun, ID: "late", Why: "a secret"}))
	if got := titles(fmt.Sprint(steps)); strings.Contains(got, "A secret") || !strings.Contains(got, "late") {
		t.Errorf("what was erased is still there: %s", got)
	}
	job := must(must(y.journal(f).Page(ctx, "/"+y.agent+"/jobs/late?at="+fmt.Sprint(steps))).Job(ctx, y.agent, "late"))
	if job.Erased == nil || job.Erased.Why != "a secret" {
		t.Errorf("its tombstone is %+v", job.Erased)
	}
	if n := len(f.kept.All()); n != 1 {
		t.Errorf("%d states of one agent are kept", n)
	}
	if f.Forget(y.agent); len(f.kept.All()) != 0 {
		t.Error("a forgotten agent is kept")
	}
}

// A large agent is not read, and says so; of many agents some are let go.
func TestLimits(t *testing.T) {
	y := newYard(t)
	y.sample("reconciliation", true)
	small := New(y.s, func() time.Time { return now }, Limits{Agent: 100, Total: 1000})
	var missing *journal.Missing
	if _, err := y.journal(small).Page(ctx, "/"+y.agent+"/jobs?at=3"); !errors.As(err, &missing) {
		t.Errorf("the error is %v", err)
	}
	if _, err := y.journal(small).WaitReport(ctx, y.agent, journal.Query{}); !errors.As(err, &missing) {
		t.Errorf("the error of waits is %v", err)
	}
	if found, err := y.journal(small).Findings(ctx, y.agent, journal.Query{}); err != nil || found.ResolvedTotal != -1 {
		t.Errorf("findings: %v", err)
	}
	tight := New(y.s, func() time.Time { return now }, Limits{Agent: 1 << 20, Total: 3 * smallest})
	for i := range 10 {
		must(tight.kept.Get(ctx, key{agent: fmt.Sprint(i)}, version{}, func() (*kept, error) { return &kept{size: int64(i)}, nil }))
	}
	if all := tight.kept.All(); len(all) != 3 || all[0].size != 9 {
		t.Errorf("%d agents are kept", len(all))
	}
}

// Many who look at once share one reading, each with their own point; one who leaves spoils it for nobody.
func TestTogether(t *testing.T) {
	y := newYard(t)
	y.sample("reconciliation", true)
	f := y.folders()
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := y.journal(f).Page(gone, "/"+y.agent+"/jobs?at=3"); err == nil {
		t.Error("one who has left is answered")
	}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			point := fmt.Sprint(i % 5)
			a, err := must(y.journal(f).Page(ctx, "/"+y.agent+"/jobs?at="+point)).Agent(ctx, y.agent)
			if err != nil || a.At == nil || fmt.Sprint(a.At.Step) != point {
				t.Errorf("at %s: %+v, %v", point, a, err)
			}
		})
	}
	all.Wait()
	if f.reads.Load() != 1 {
		t.Errorf("the agent was read %d times", f.reads.Load())
	}
}
