package bridge

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/figs-web/figs-web/figs"
)

// TestPast holds that a page at a point is the page of a folder with just those lines, but for what tells the point,
// and for attachments, which keep the numbers that they have now.
func TestPast(t *testing.T) {
	same := []cmp.Option{cmp.AllowUnexported(Excerpt{}), cmpopts.IgnoreFields(FileInfo{}, "Key"),
		cmpopts.IgnoreFields(AgentInfo{}, "Now", "Past", "Step", "Steps", "Moment", "Point", "Prev", "Next")}
	parts := 7
	if testing.Short() {
		parts = 2
	}
	for _, s := range readSamples(t) {
		e := read(t, true, 1<<20, s)
		whole := e.agents[0].f
		for n := 0; n <= whole.Steps(); n += max(1, whole.Steps()/parts) {
			p := whole.PointOf(n)
			early := s
			early.files = map[figs.File][]byte{}
			past := whole.At(p)
			for file, b := range s.files {
				if file < figs.Ledgers && len(b) > 0 {
					b = b[:past.Size(file)]
					if len(b) == 0 {
						b = []byte("\n") // an empty chunk is not fed by these tests
					}
				}
				early.files[file] = b
			}
			early.names = slices.DeleteFunc(slices.Clone(s.names), func(name []any) bool { return namedLater(whole, p, name[0].(string)) })
			if at := whole.MomentOf(p); p != whole.End() && at != figs.NoTime {
				early.now = time.UnixMicro(at).UTC().Format(time.RFC3339Nano)
			}
			other := read(t, true, 1<<20, early)
			for _, request := range requests(0) {
				if request["page"] == "file" || request["page"] == "agent" && early.now != "" {
					continue // its number is another; the calendar ends with the day of who looks
				}
				want, ok := Decode(call(t, other, request))
				request["at"] = p.String()
				got, ok2 := Decode(call(t, e, request))
				if !ok || !ok2 {
					t.Fatalf("%s %v: no selection", s.name, request)
				}
				for file, size := range got.Agents[0].Sizes {
					if size == 0 && want.Agents[0].Sizes[file] == 1 {
						want.Agents[0].Sizes[file] = 0
						want.Agents[0].Bytes--
					}
				}
				if d := cmp.Diff(want, got, same...); d != "" {
					t.Fatalf("%s %v (-want +got):\n%s", s.name, request, d)
				}
				if info := got.Agents[0]; info.Point != p || info.Past != (p != whole.End()) || info.Step != n || info.Steps != whole.Steps() {
					t.Errorf("%s: at %s the page says %+v", s.name, p, info)
				} else if info.Past && n > 0 && (info.Prev != whole.PointOf(n-1) || info.Next != whole.PointOf(n+1)) {
					t.Errorf("%s: beside %s stand %s and %s", s.name, p, info.Prev, info.Next)
				}
			}
			want := string(call(t, other, map[string]any{"op": "fold", "agent": 0, "file": 1}))
			if got := string(call(t, e, map[string]any{"op": "fold", "agent": 0, "file": 1, "at": p.String()})); got != want {
				t.Errorf("%s: at %s the asks fold to %s; want %s", s.name, p, got, want)
			}
		}
	}
}

// namedLater reports whether lines name an attachment, and all of them after a point: it is not there yet.
func namedLater(whole *figs.Folder, p figs.Point, name string) (later bool) {
	for _, m := range whole.Mentions() {
		if whole.Attachments()[m.Attachment].Name != name {
			continue
		}
		if m.Line.Index < p[m.File] {
			return false
		}
		later = true
	}
	return later
}

// TestPointsKept holds that few points are kept at a time, and that what is no point is the end.
func TestPointsKept(t *testing.T) {
	s := readSamples(t)[0]
	e := read(t, true, 1<<20, s)
	for n := range 9 {
		call(t, e, map[string]any{"op": "select", "page": "overview", "agent": 0, "n": 1, "at": fmt.Sprint(n)})
		if at := e.agents[0].past[0].f.StepOf(e.agents[0].past[0].f.End()); at != n {
			t.Errorf("the newest point kept is step %d; want %d", at, n)
		}
	}
	call(t, e, map[string]any{"op": "select", "page": "overview", "agent": 0, "n": 1, "at": "6"})
	var steps []int
	for _, p := range e.agents[0].past {
		steps = append(steps, p.f.Steps())
	}
	if d := cmp.Diff([]int{6, 8}, steps); d != "" {
		t.Errorf("points kept (-want +got):\n%s", d)
	}
	for _, at := range []string{"tomorrow", "9999", "2099-01-01"} {
		sel, ok := Decode(call(t, e, map[string]any{"op": "select", "page": "overview", "agent": 0, "n": 1, "at": at}))
		if !ok || sel.Agents[0].Past || !sel.Found {
			t.Errorf("%q is a point of the past", at)
		}
	}
	indexed := read(t, false, 1<<20, s)
	if sel, ok := Decode(withSlices(t, indexed, map[string]any{"op": "select", "page": "overview", "agent": 0, "n": 1, "at": "3"}, []sample{s})); !ok || sel.Agents[0].Past {
		t.Error("without bytes an earlier point is shown")
	}
}

// TestMendedPage holds that the findings' page tells what was mended when it is asked to.
func TestMendedPage(t *testing.T) {
	runs := `{"id":"r","ts":"2026-05-01T10:00:00Z","status":"done"}
{"id":"r","ts":"2026-05-01T11:00:00Z","status":"ok"}
`
	e := read(t, true, 1<<20, sample{name: "mended", files: map[figs.File][]byte{figs.Runs: []byte(runs)}, names: [][]any{}})
	request := map[string]any{"op": "select", "page": "findings", "agent": 0, "n": 50, "mended": 5, "state": "mended"}
	sel, ok := Decode(call(t, e, request))
	if !ok || sel.MendedTotal != 1 || len(sel.Mended) != 1 || sel.Mended[0].By != (figs.Position{File: "runs.jsonl", Line: 2}) || sel.Mended[0].Code != figs.RunStatusUnknown {
		t.Errorf("mended: %d, %+v", sel.MendedTotal, sel.Mended)
	}
	request["at"] = "1"
	if sel, ok := Decode(call(t, e, request)); !ok || sel.MendedTotal != 0 {
		t.Errorf("mended before its time: %+v", sel.Mended)
	}
}
