package figstest_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/internal/yearfixture"
)

// feedOrder is the one in which every folder of these tests is fed; the order of mentions depends on it.
var feedOrder = [...]string{"config.json", "agent.json", "CONTRACT.md", "GUIDE.md", "runs.jsonl", "messages.jsonl", "asks.jsonl"}

// readWith reads a vector with given options.
func readWith(t testing.TB, v figstest.Vector, o figs.Options) *figs.Folder {
	t.Helper()
	o.Now = v.Now
	f := figs.New(o)
	for _, p := range v.Problems {
		code, ok := figs.ParseCode(p.Code)
		if !ok {
			t.Fatalf("no rule is called %q", p.Code)
		}
		f.Problem(p.File, code, "")
	}
	for _, name := range feedOrder {
		if b, ok := v.Files[name]; ok {
			f.Feed(figs.ParseFile(name), slices.Clone(b))
		}
	}
	for _, a := range v.Artifacts {
		f.Attach(a.Name, a.Size)
	}
	f.Finish()
	return f
}

// prefix is the vector as it was at a point: the plain idea of it, from the offsets of lines alone.
func prefix(v figstest.Vector, f *figs.Folder, p figs.Point) figstest.Vector {
	named, later := map[int]bool{}, map[int]bool{} // files by whether a line names them by then
	for _, m := range f.Mentions() {
		if m.Line.Index < p[m.File] {
			named[m.Attachment] = true
		} else {
			later[m.Attachment] = true
		}
	}
	all := f.Attachments()
	v.Artifacts = slices.DeleteFunc(slices.Clone(v.Artifacts), func(a figstest.Artifact) bool { // what is first named later is not there yet
		i := slices.IndexFunc(all, func(b figs.Attachment) bool { return a.Name == b.Name })
		return i >= 0 && later[i] && !named[i]
	})
	if at := f.MomentOf(p); p != f.End() && at != figs.NoTime {
		if now, ok := figs.ParseTime(v.Now); ok {
			v.Now = time.UnixMicro(min(at, now)).UTC().Format(time.RFC3339Nano)
		}
	}
	v.Files = map[string][]byte{}
	for name, b := range filesOf(f) {
		file := figs.ParseFile(name)
		if file < figs.Ledgers && p[file] < f.Lines(file) {
			end := 0
			if n := p[file]; n > 0 {
				last := f.Line(file, n-1)
				end = int(last.Offset) + last.Len
				if b[end-1] != '\n' {
					end += bytes.IndexByte(b[end:], '\n') + 1
				}
			}
			b = b[:end]
		}
		v.Files[name] = b
	}
	return v
}

// filesOf are the bytes that a folder was fed.
func filesOf(f *figs.Folder) map[string][]byte {
	files := map[string][]byte{}
	for _, name := range feedOrder {
		file := figs.ParseFile(name)
		if !f.Fed(file) {
			continue
		}
		if file < figs.Ledgers {
			files[name] = f.Span(file, 0, int(f.Size(file)))
		} else {
			files[name] = f.Small(file)
		}
	}
	return files
}

// everything writes down what can be asked of a folder.
func everything(f *figs.Folder) string {
	var b strings.Builder
	r := *f.Finish()
	r.Now = "" // the clock of who looks, which is another than that of the point
	b.Write(figs.AppendFindings(nil, &r))
	fmt.Fprintln(&b, f.End(), f.Steps())
	for file := range figs.NoFile {
		fmt.Fprintf(&b, "%v fed %v size %d small %q\n", file, f.Fed(file), f.Size(file), f.Small(file))
	}
	for file := range figs.File(figs.Ledgers) {
		b.Write(f.AppendFold(nil, file))
		aside, oldest, newest := f.Dated(file)
		fmt.Fprintln(&b, file, aside, oldest, newest, f.FoldOrder(file), string(f.Span(file, 0, int(f.Size(file)))))
		for i := range f.Lines(file) {
			fmt.Fprintf(&b, "%+v %q\n", f.Line(file, i), f.Bytes(file, f.Line(file, i)))
		}
		for i := range f.Records(file) {
			first, last, n := f.Ends(file, i)
			fmt.Fprintln(&b, f.ID(file, i), f.Find(file, f.ID(file, i)), first.Index, last.Index, n)
			for _, ref := range f.Trail(file, i) {
				fmt.Fprint(&b, ref.Index, " ")
			}
		}
	}
	for i := range f.Records(figs.Runs) {
		fmt.Fprint(&b, f.Outcome(i), " ")
	}
	for i := range f.Records(figs.Asks) {
		raises, closes := f.Raises(i)
		fmt.Fprintln(&b, f.State(i), f.JobOf(i), f.Thread(i), f.Rounds(i), raises, closes)
	}
	for i := range f.Records(figs.Messages) {
		fmt.Fprint(&b, f.AskOf(i), " ")
	}
	fmt.Fprintln(&b, f.Replies())
	all := f.Attachments()
	fmt.Fprintln(&b, attachmentsOf(f))
	for _, m := range f.Mentions() {
		fmt.Fprintf(&b, "%q %v %d\n", all[m.Attachment].Name, m.File, m.Line.Index)
	}
	for n := range f.Steps() + 2 {
		file, ref := f.Step(n)
		fmt.Fprint(&b, f.PointOf(n), file, ref.Index, f.StepOf(f.PointOf(n)), f.MomentOf(f.PointOf(n)), " ")
	}
	return b.String()
}

// attachmentsOf lists what there is of attachments, whatever number each has.
func attachmentsOf(f *figs.Folder) (files []string) {
	for _, a := range f.Attachments() {
		if a.Named || a.Size >= 0 {
			files = append(files, fmt.Sprintf("%q %d %v", a.Name, a.Size, a.Named))
		}
	}
	slices.Sort(files)
	return files
}

// checkPoints holds the folder at points of its life to a folder that is read from just those lines.
func checkPoints(t *testing.T, v figstest.Vector, most int) {
	t.Helper()
	plain := readWith(t, v, figs.Options{Keep: true})
	with := readWith(t, v, figs.Options{History: true})
	want := everything(plain)
	if got := everything(with); got != want {
		t.Fatalf("read with a history, the folder is another (-want +got):\n%s", cmp.Diff(want, got))
	}
	if with.At(with.End()) != with || plain.At(plain.End()) != plain || everything(plain.History()) != want {
		t.Fatal("the end is not the folder")
	}
	end := with.End()
	points := []figs.Point{{}, {end[0]}, {0, end[1]}, {0, 0, end[2]}, {0, end[1], end[2]}, {end[0], end[1]}, {end[0], 0, end[2]}}
	step := max(1, with.Steps()/most)
	for n := 0; n < with.Steps(); n += step {
		points = append(points, with.PointOf(n))
	}
	rng := rand.New(rand.NewPCG(uint64(with.Steps()), 1))
	for range min(most, 20) {
		points = append(points, figs.Point{rng.IntN(end[0] + 1), rng.IntN(end[1] + 1), rng.IntN(end[2] + 1)})
	}
	again := plain.History()
	var mended []string
	for _, p := range points {
		want := everything(readWith(t, prefix(v, plain, p), figs.Options{Keep: true}))
		got := with.At(p)
		if d := everything(got); d != want {
			t.Fatalf("at %s (-want +got):\n%s", p, cmp.Diff(want, d))
		}
		if again := everything(plain.At(p)); again != want {
			t.Fatalf("at %s, read again (-want +got):\n%s", p, cmp.Diff(want, again))
		}
		if third := everything(again.At(p)); third != want {
			t.Fatalf("at %s, of a folder whose history was made later (-want +got):\n%s", p, cmp.Diff(want, third))
		}
		// What later lines mended is the same, whether the folder is looked at as it was or was read so.
		mended = mended[:0]
		for _, f := range []*figs.Folder{got, readWith(t, prefix(v, plain, p), figs.Options{History: true})} {
			mended = append(mended, fmt.Sprintf("%+v", f.Finish().Resolved))
		}
		if mended[0] != mended[1] {
			t.Fatalf("mended at %s (-want +got):\n%s", p, cmp.Diff(mended[1], mended[0]))
		}
		if parsed, ok := with.ParsePoint(p.String()); !ok || parsed != p {
			t.Fatalf("%s is read as %s", p, parsed)
		}
	}
	if got := everything(with); got != want {
		t.Fatalf("looking at its past changed the folder (-want +got):\n%s", cmp.Diff(want, got))
	}
}

// TestAt holds, for every vector, that the folder at any point is the folder of just those lines.
func TestAt(t *testing.T) {
	for v := range figstest.Vectors() {
		size := 0
		for _, b := range v.Files {
			size += len(b)
		}
		if size > largestSeed {
			continue // TestAtLarge
		}
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			checkPoints(t, v, 40)
		})
	}
}

// TestAtLoose holds the same of folders that were given in part, where a finding that only says so is left out.
func TestAtLoose(t *testing.T) {
	t.Parallel()
	check := func(v figstest.Vector) {
		plain, with := readWith(t, v, figs.Options{Keep: true, Loose: true}), readWith(t, v, figs.Options{History: true, Loose: true})
		for n := 0; n < with.Steps(); n += max(1, with.Steps()/7) {
			p := with.PointOf(n)
			want := everything(readWith(t, prefix(v, plain, p), figs.Options{Keep: true, Loose: true}))
			if got := everything(with.At(p)); got != want {
				t.Fatalf("%s at %s (-want +got):\n%s", v.Name, p, cmp.Diff(want, got))
			}
			if again := everything(plain.At(p)); again != want {
				t.Fatalf("%s at %s, read again (-want +got):\n%s", v.Name, p, cmp.Diff(want, again))
			}
		}
	}
	for v := range figstest.Vectors() {
		if size := len(v.Files["runs.jsonl"]) + len(v.Files["asks.jsonl"]) + len(v.Files["messages.jsonl"]); size <= largestSeed {
			check(v)
		}
	}
	check(figstest.Vector{Name: "the only file is named later", Artifacts: []figstest.Artifact{{Name: "a.html", Size: 7}}, Files: map[string][]byte{
		"runs.jsonl": []byte(`{"id":"a","ts":"2026-11-20T10:00:00Z","attachments":["b.html"]}` + "\n" + `{"id":"b","ts":"2026-11-20T10:00:00Z","attachments":["a.html"]}` + "\n")}})
}

// FuzzAt holds any folder at any point to the folder of just those lines.
func FuzzAt(f *testing.F) {
	seedVectors(f, func(v figstest.Vector) {
		f.Add(v.Files["runs.jsonl"], v.Files["asks.jsonl"], v.Files["messages.jsonl"], v.Files["agent.json"], uint16(2), uint16(1), uint16(1))
	})
	f.Fuzz(func(t *testing.T, runs, asks, messages, agent []byte, a, b, c uint16) {
		v := figstest.Vector{Now: "2026-11-20T12:00:00Z", Artifacts: []figstest.Artifact{{Name: "a.html", Size: 7}},
			Files: map[string][]byte{"runs.jsonl": runs, "asks.jsonl": asks, "messages.jsonl": messages, "agent.json": agent}}
		plain, with := readWith(t, v, figs.Options{Keep: true}), readWith(t, v, figs.Options{History: true})
		if want, got := everything(plain), everything(with); got != want {
			t.Fatalf("read with a history, the folder is another (-want +got):\n%s", cmp.Diff(want, got))
		}
		end := with.End()
		p := figs.Point{int(a) % (end[0] + 1), int(b) % (end[1] + 1), int(c) % (end[2] + 1)}
		for _, p := range []figs.Point{p, with.PointOf(int(a))} {
			if want, got := everything(readWith(t, prefix(v, plain, p), figs.Options{Keep: true})), everything(with.At(p)); got != want {
				t.Fatalf("at %s (-want +got):\n%s", p, cmp.Diff(want, got))
			}
		}
	})
}

// essentials are what a folder of many lines is compared by.
func essentials(f *figs.Folder) string {
	r := *f.Finish()
	r.Now = ""
	b := figs.AppendFindings(nil, &r)
	for file := range figs.File(figs.Ledgers) {
		b = f.AppendFold(b, file)
		b = fmt.Appendln(b, f.Lines(file), f.Size(file))
	}
	b = fmt.Appendln(b, figstest.States(f), f.Replies(), attachmentsOf(f))
	return string(b)
}

// TestAtLarge goes past what is listed, kept and remembered.
func TestAtLarge(t *testing.T) {
	lines := func(n int, format string) []byte {
		var b []byte
		for i := range n {
			b = append(fmt.Appendf(b, format, i), '\n')
		}
		return b
	}
	for name, v := range map[string]figstest.Vector{
		"more findings than are kept": {Files: map[string][]byte{"runs.jsonl": lines(25_000, `{"id":"r%d","ts":"2026-11-20T10:00:00Z","status":"done"}`)}},
		"more broken lines than stand alone": {Files: map[string][]byte{"runs.jsonl": lines(10_500, `{"id":"r%d","ts":`),
			"asks.jsonl": lines(10, `{"id":"a%d","type":"question","title":"A"}`)}},
		"replies whose asks come later": {Files: map[string][]byte{"asks.jsonl": lines(24_000, `{"id":"a%d","type":"question","title":"A","ts":"2026-11-20T10:00:00Z"}`),
			"messages.jsonl": lines(24_000, `{"id":"m%[1]d","kind":"answer","ask":"a%[1]d","by":"h","ts":"2026-11-20T10:00:01Z","text":"yes"}`)}},
		"one record of many lines": {Files: map[string][]byte{"asks.jsonl": lines(30_000, `{"id":"a","type":"question","title":"%d","run":"none","attachments":["a.html"]}`)}},
		"one record mended again and again": {Files: map[string][]byte{"runs.jsonl": bytes.Repeat([]byte(`{"id":"r","ts":"2026-11-20T10:00:00Z","status":"done"}`+"\n"+
			`{"id":"r","ts":"2026-11-20T10:00:00Z","status":"ok"}`+"\n"), 12_000)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plain, with := readWith(t, v, figs.Options{Keep: true}), readWith(t, v, figs.Options{History: true})
			if want, got := essentials(plain), essentials(with); got != want {
				t.Fatalf("read with a history, the folder is another (-want +got):\n%s", cmp.Diff(want, got))
			}
			end := with.End()
			for _, p := range []figs.Point{{1, 1, 1}, {end[0] / 2, end[1] / 3, end[2] / 2}, {end[0] - 1, end[1] - 1, end[2] - 1}, {0, end[1], 0}, {0, 0, end[2]}} {
				p[0], p[1], p[2] = max(0, p[0]), max(0, p[1]), max(0, p[2])
				want := essentials(readWith(t, prefix(v, plain, p), figs.Options{Keep: true}))
				if got := essentials(with.At(p)); got != want {
					t.Fatalf("at %s (-want +got):\n%.4000s", p, cmp.Diff(want, got))
				}
			}
		})
	}
}

// TestAtYear walks through a year of five agents, whose mistakes are mended: at a point, and on a day.
func TestAtYear(t *testing.T) {
	mended := 0
	day := time.Date(2026, 5, 12, 0, 0, 0, 0, time.UTC)
	then := agentsOf(t, day)
	for dir, v := range agentsOf(t, yearfixture.Last) {
		f := readWith(t, v, figs.Options{History: true})
		plain := readWith(t, v, figs.Options{Keep: true})
		mended += len(f.Finish().Resolved)
		for n := 0; n < f.Steps(); n += max(1, f.Steps()/12) {
			p := f.PointOf(n)
			early := readWith(t, prefix(v, plain, p), figs.Options{Keep: true})
			if want, got := essentials(early), essentials(f.At(p)); got != want {
				t.Fatalf("%s at %s (-want +got):\n%.4000s", dir, p, cmp.Diff(want, got))
			}
			file, ref := f.Step(n + 1)
			if at := f.At(f.PointOf(n + 1)); at.Lines(file) != ref.Index+1 {
				t.Errorf("%s: step %d is line %d of %v, of which %d are there then", dir, n+1, ref.Index+1, file, at.Lines(file))
			}
		}
		p, ok := f.ParsePoint(day.Format(time.DateOnly))
		early := readWith(t, then[dir], figs.Options{Keep: true})
		if !ok || p != early.End() || !slices.Equal(figstest.States(f.At(p)), figstest.States(early)) {
			t.Errorf("%s: on %s it is at %s, and not at %s (states -want +got):\n%s", dir, day.Format(time.DateOnly), p, early.End(),
				cmp.Diff(figstest.States(early), figstest.States(f.At(p))))
		}
	}
	if mended == 0 {
		t.Error("nothing of a whole year was mended")
	}
}

// agentsOf are the agents of the generated year as they were at the end of a day.
func agentsOf(t *testing.T, day time.Time) map[string]figstest.Vector {
	t.Helper()
	agents := map[string]figstest.Vector{}
	files := yearfixture.Folders(day)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		dir, name, ok := strings.Cut(path, "/.figs/")
		if !ok {
			continue
		}
		v, met := agents[dir]
		if !met {
			v = figstest.Vector{Now: "2026-12-31T00:00:00Z", Files: map[string][]byte{}}
		}
		if name, ok := strings.CutPrefix(name, "artifacts/"); ok {
			v.Artifacts = append(v.Artifacts, figstest.Artifact{Name: name, Size: int64(len(files[path].Data))})
		} else {
			v.Files[name] = files[path].Data
		}
		agents[dir] = v
	}
	if len(agents) != 5 {
		t.Fatalf("the year has %d agents", len(agents))
	}
	return agents
}

// TestAtSilent asks of a job in flight how long it was silent at the point, not how long it would be by now.
func TestAtSilent(t *testing.T) {
	v := figstest.Vector{Now: "2026-11-20T12:00:00Z", Files: map[string][]byte{"runs.jsonl": []byte(`{"id":"a","ts":"2026-05-01T10:00:00Z","state":"in-flight"}
{"id":"b","ts":"2026-05-01T10:10:00Z","status":"ok"}
{"id":"b","ts":"2026-05-09T10:10:00Z","status":"warn"}
{"id":"a","ts":"2026-05-09T11:00:00Z","state":"settled"}
`)}}
	for _, history := range []bool{false, true} {
		f := readWith(t, v, figs.Options{Keep: true, History: history})
		for n, want := range []int{0, 0, 0, 1, 0} {
			if got := f.At(f.PointOf(n)).Finish().Warnings; got != want {
				t.Errorf("with history %v, after %d lines %d jobs are silent, want %d", history, n, got, want)
			}
		}
	}
}
