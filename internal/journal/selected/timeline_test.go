package selected_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/journal/selected"
	"github.com/figs-web/figs-web/internal/yearfixture"
	"github.com/figs-web/figs-web/wasm/bridge"
)

const today = "2026-11-20T18:30:00Z"

// openFolder is a folder and an engine that has it open.
type openFolder struct {
	f *figs.Folder
	e *bridge.Engine
}

func openDir(t *testing.T, fsys fs.FS, dir string) *openFolder {
	t.Helper()
	f, report, err := folder.Read(context.Background(), fsys, dir, figs.Options{Keep: true, Now: today}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &openFolder{f, bridge.NewWithFolders(true, bridge.ReadFolder{Path: dir, Folder: f, Report: report})}
}

// page returns the journal of a page.
func (l *openFolder) page(t *testing.T, page string) *selected.Journal {
	t.Helper()
	s, ok := bridge.Decode(l.e.Call(selected.Request(page)))
	if !ok {
		t.Fatalf("the selection for %s cannot be read", page)
	}
	return selected.New(s, today)
}

// openFolders opens the samples, which have every kind of line and finding, and the first days of a year.
func openFolders(t *testing.T) map[string]*openFolder {
	t.Helper()
	out := map[string]*openFolder{}
	for _, name := range []string{"mistakes", "payables", "reconciliation"} {
		out[name] = openDir(t, os.DirFS("../../../static/samples/"+name), ".figs")
	}
	days := yearfixture.Folders(time.Date(2026, 1, 20, 0, 0, 0, 0, time.UTC))
	found, _ := folder.Find(days)
	for _, one := range found {
		out["year/"+one.Dir] = openDir(t, days, one.Dir)
	}
	return out
}

// TestTimeline tests that each line is in one slice, and that at the end of each slice as many asks need a human as in a
// folder read up to there.
func TestTimeline(t *testing.T) {
	for name, l := range openFolders(t) {
		steps := l.f.Steps()
		got, err := l.page(t, "/1/time").Timeline(context.Background(), "1", journal.Query{})
		if err != nil {
			t.Fatal(name, err)
		}
		if got.Now.Steps != steps || got.Now.Step != steps || got.Past || got.Now.Next != "" || got.TooLarge {
			t.Errorf("%s: the end is %+v", name, got.Now)
		}
		for along, slices := range map[string][]journal.Slice{"time": got.ByTime, "lines": got.ByLine} {
			sum, failed, last := 0, 0, 0
			for _, s := range slices {
				sum += s.Lines[figs.Runs] + s.Lines[figs.Asks] + s.Lines[figs.Messages]
				failed += s.Failed
				if s.Step < last || sum != s.Step {
					t.Fatalf("%s along %s: a slice ends with step %d behind %d, after %d lines", name, along, s.Step, last, sum)
				}
				last = s.Step
				then := l.f.At(l.f.PointOf(s.Step))
				tied := l.f.MomentOf(l.f.PointOf(s.Step+1)) == l.f.MomentOf(then.End()) && s.Step < steps
				if want := needs(then); want != s.Needs && isWellDated(then) && !tied {
					t.Errorf("%s along %s: after %d lines %d asks need a human, drawn are %d", name, along, s.Step, want, s.Needs)
				}
			}
			want := 0
			for job := range l.f.Records(figs.Runs) {
				if l.f.Outcome(job) == figs.OutcomeFail {
					want++
				}
			}
			if sum != steps || failed != want {
				t.Errorf("%s along %s: %d lines of %d, %d failures of %d", name, along, sum, steps, failed, want)
			}
		}
		for _, at := range []int{0, 1, steps / 2, steps - 1} {
			around, err := l.page(t, "/1/time?at="+strconv.Itoa(at)).Timeline(context.Background(), "1", journal.Query{})
			if err != nil {
				t.Fatal(name, at, err)
			}
			if around.Now.Step != at || !around.Past || len(around.Lines) == 0 {
				t.Errorf("%s: at %d it stands at %+v with %d lines", name, at, around.Now, len(around.Lines))
			}
			for i, line := range around.Lines {
				file, ref := l.f.Step(line.N)
				if line.Position.File != file || line.Position.Line != ref.Number || i > 0 && line.N != around.Lines[i-1].N+1 || (line.Kind == "aside") != ref.Aside() {
					t.Errorf("%s: line %d is %+v, want %s:%d", name, line.N, line, file, ref.Number)
				}
			}
		}
	}
}

func needs(f *figs.Folder) (n int) {
	for ask := range f.Records(figs.Asks) {
		if f.State(ask).Phase == figs.NeedsYou {
			n++
		}
	}
	return n
}

// isWellDated reports whether the times of the lines alone say when asks were raised and answered, as the timeline assumes:
// each line has one, in ascending order.
func isWellDated(f *figs.Folder) bool {
	for file := range figs.File(figs.Ledgers) {
		last := int64(figs.NoTime)
		for i := range f.Lines(file) {
			ref := f.Line(file, i)
			if ref.TS == figs.NoTime || ref.TS < last || ref.Aside() {
				return false
			}
			last = ref.TS
		}
	}
	return true
}

// TestSteps tests for every line that its page shows the difference between the folders before and after it.
func TestSteps(t *testing.T) {
	for name, l := range openFolders(t) {
		before := l.f.At(l.f.PointOf(0))
		for n := 1; n <= l.f.Steps(); n++ {
			then := l.f.At(l.f.PointOf(n))
			j := l.page(t, "/1/step?at="+strconv.Itoa(n))
			s, err := j.Step(context.Background(), "1", journal.Query{})
			if err != nil {
				t.Fatalf("%s, step %d: %v", name, n, err)
			}
			file, ref := l.f.Step(n)
			if s.N != n || s.Steps != l.f.Steps() || s.Position.File != file || s.Position.Line != ref.Number {
				t.Fatalf("%s: step %d is %+v, want %s:%d", name, n, s.StepLine, file, ref.Number)
			}
			if want := l.f.Bytes(file, ref); !ref.Aside() && !bytes.Equal(s.Raw, want) {
				t.Errorf("%s, step %d: the line is %s, want %s", name, n, s.Raw, want)
			}
			if diff := cmp.Diff(changesBetween(before, then), changesOf(s)); diff != "" {
				t.Errorf("%s, step %d (-want +got):\n%s", name, n, diff)
			}
			checkNeighbors(t, name, l, s)
			before = then
		}
		if _, err := l.page(t, "/1/step?at=0").Step(context.Background(), "1", journal.Query{}); err == nil {
			t.Errorf("%s: there is a line before the first", name)
		}
	}
}

// checkNeighbors tests PreviousStep and NextStep.
func checkNeighbors(t *testing.T, name string, l *openFolder, s *journal.Step) {
	t.Helper()
	about := func(n int) string {
		file, ref := l.f.Step(n)
		if file == figs.Messages && !ref.Aside() && l.f.AskOf(ref.Record) >= 0 {
			file, ref.Record = figs.Asks, l.f.AskOf(ref.Record)
		}
		return fmt.Sprint(file, ref.Record)
	}
	for n := s.PreviousStep + 1; s.PreviousStep > 0 && n < s.N; n++ {
		if about(n) == about(s.N) {
			t.Errorf("%s: %d stands between %d and %d of the same record", name, n, s.PreviousStep, s.N)
		}
	}
	for _, n := range []int{s.PreviousStep, s.NextStep} {
		if n > 0 && about(n) != about(s.N) {
			t.Errorf("%s: %d and %d are not of one record", name, s.N, n)
		}
	}
	if s.Kind == "aside" && (s.PreviousStep > 0 || s.NextStep > 0) {
		t.Errorf("%s: a line that is set aside at %d has neighbours", name, s.N)
	}
}

// changes is what a line changed: jobs and asks with a new state, and findings opened and closed.
type changes struct {
	Jobs, Asks     map[string]string
	Opened, Closed []string
}

// changesBetween compares two readings of the whole folder.
func changesBetween(before, then *figs.Folder) changes {
	n := changes{map[string]string{}, map[string]string{}, only(then.Finish(), before.Finish()), only(before.Finish(), then.Finish())}
	for job := range then.Records(figs.Runs) {
		is := fmt.Sprint(then.Outcome(job))
		if job >= before.Records(figs.Runs) || fmt.Sprint(before.Outcome(job)) != is {
			n.Jobs[journal.RecordSegment(then.ID(figs.Runs, job), job+1)] = is
		}
	}
	for ask := range then.Records(figs.Asks) {
		is := state(then.State(ask))
		if ask >= before.Records(figs.Asks) || state(before.State(ask)) != is {
			n.Asks[journal.RecordSegment(then.ID(figs.Asks, ask), ask+1)] = is
		}
	}
	return n
}

func state(s figs.AskState) string { return fmt.Sprint(s.Phase, " ", s.Round, " ", s.Reported) }

// changesOf returns the changes that the page shows.
func changesOf(s *journal.Step) changes {
	n := changes{map[string]string{}, map[string]string{}, names(s.Opened), names(s.Closed)}
	if s.Job != nil && (s.WasJob == nil || outcome(s.WasJob) != outcome(s.Job)) {
		n.Jobs[s.Job.Key] = outcome(s.Job)
	}
	if s.Ask != nil && (s.WasAsk == nil || state(s.WasAsk.State) != state(s.Ask.State)) {
		n.Asks[s.Ask.Key] = state(s.Ask.State)
	}
	return n
}

// outcome returns a job's outcome, from a folder with its record alone.
func outcome(job *journal.Job) string {
	f := figs.New(figs.Options{})
	line := `{"id":"x"`
	if job.Run.State != "" {
		line += `,"state":"` + job.Run.State + `"`
	}
	if job.Run.Status != "" {
		line += `,"status":"` + job.Run.Status + `"`
	}
	f.Feed(figs.Runs, []byte(line+"}\n"))
	f.Finish()
	return fmt.Sprint(f.Outcome(0))
}

func only(a, b *figs.Report) (out []string) {
	known := strings.Join(names(b.Findings), "\n") + "\n"
	for _, name := range names(a.Findings) {
		if !strings.Contains(known, name+"\n") {
			out = append(out, name)
		}
	}
	return out
}

func names(findings []figs.Finding) (out []string) {
	for _, f := range findings {
		out = append(out, fmt.Sprintf("|%s %s:%d %s %s", f.Code, f.File, f.Line, f.Pointer, f.Record))
	}
	return out
}

// titleAt returns the title of a line's ask after that line; "" if the line has no ask.
func titleAt(f *figs.Folder, n int) string {
	then := f.At(f.PointOf(n))
	file, ref := f.Step(n)
	ask := ref.Record
	if file == figs.Messages && !ref.Aside() {
		ask = then.AskOf(ref.Record)
	}
	if file == figs.Runs || ref.Aside() || ask < 0 {
		return ""
	}
	var lines [][]byte
	for _, line := range then.Trail(figs.Asks, ask) {
		lines = append(lines, then.Bytes(figs.Asks, line))
	}
	read := figs.ReadAsk(figs.Fold(lines))
	if read.Title == "" {
		return read.ID
	}
	return read.Title
}

// TestTitlesThen tests that every line of the timeline shows the title as of that line, including replies to asks that were
// retitled later.
func TestTitlesThen(t *testing.T) {
	seen := 0
	for name, l := range openFolders(t) {
		for _, at := range []string{"", "?at=1", "?at=5", "?at=8"} {
			life, err := l.page(t, "/1/time"+at).Timeline(context.Background(), "1", journal.Query{})
			if err != nil {
				t.Fatal(name, err)
			}
			for _, line := range life.Lines {
				if want := titleAt(l.f, line.N); want != "" {
					seen++
					if line.Title != want {
						t.Errorf("%s%s: line %d is titled %q, want %q", name, at, line.N, line.Title, want)
					}
				}
			}
		}
		for n := 1; n <= min(l.f.Steps(), 20); n++ {
			s, err := l.page(t, "/1/step?at="+strconv.Itoa(n)).Step(context.Background(), "1", journal.Query{})
			if want := titleAt(l.f, n); err != nil || want != "" && s.Title != want {
				t.Errorf("%s: step %d is titled %q, want %q (%v)", name, n, s.Title, want, err)
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d titles were looked at", seen)
	}
}
