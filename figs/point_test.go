package figs_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// lived is a folder whose ledgers overlap in time: a job, its ask, a reply; lines without a time, with a broken clock, and
// one that is no line.
func lived(t *testing.T, o figs.Options) *figs.Folder {
	t.Helper()
	o.Now = "2026-05-10T00:00:00Z"
	f := figs.New(o)
	for file, text := range map[figs.File]string{
		figs.Runs: `{"id":"r1","ts":"2026-05-01T10:00:00Z","status":"done"}
{"id":"r1","title":"without a time","status":"ok"}
nothing
{"id":"r2","ts":"2099-01-01T00:00:00Z"}

{"id":"r3","ts":"2026-05-04T23:59:59Z"}
`,
		figs.Asks: `{"id":"a1","ts":"2026-05-01T10:00:00Z","type":"question","run":"r9"}
{"id":"a1","ts":"2026-05-02T09:00:00+02:00","title":"Which?","run":"r1"}
{"id":"a1","ts":"2026-05-05T00:00:00Z","status":"resolved","resolution":{"via":"paper"}}
{"id":"a1","status":"resolved","resolution":{"via":"figs","answer":"m1","ts":"2026-05-06T00:00:00Z"}}
`,
		figs.Messages: `{"id":"m1","kind":"answer","ask":"a1","by":"h","ts":"2026-05-03T10:00:00Z","text":"this"}
`,
	} {
		f.Feed(file, []byte(text))
	}
	f.Finish()
	return f
}

// TestSteps holds the order in which lines were written, and that points and steps are each other's inverse.
func TestSteps(t *testing.T) {
	f := lived(t, figs.Options{Keep: true})
	var got []string
	for n := 1; n <= f.Steps(); n++ {
		file, ref := f.Step(n)
		got = append(got, fmt.Sprintf("%v:%d", file, ref.Number))
		if p := f.PointOf(n); f.StepOf(p) != n || p[file] != ref.Index+1 {
			t.Errorf("step %d is at %s, which is step %d", n, p, f.StepOf(p))
		}
	}
	want := []string{"runs.jsonl:1", "runs.jsonl:2", "runs.jsonl:3", "runs.jsonl:4", "asks.jsonl:1", "asks.jsonl:2", "messages.jsonl:1", "runs.jsonl:6", "asks.jsonl:3", "asks.jsonl:4"}
	if !slices.Equal(got, want) {
		t.Errorf("the order is %q; want %q", got, want)
	}
	for _, n := range []int{0, -1, f.Steps() + 1} {
		if file, ref := f.Step(n); file != figs.NoFile || !ref.Aside() {
			t.Errorf("there is a step %d: %v %+v", n, file, ref)
		}
	}
	if f.PointOf(-3) != (figs.Point{}) || f.PointOf(99) != f.End() || f.StepOf(figs.Point{99, -1, 99}) != 6 {
		t.Error("steps beyond the ends do not end there")
	}
}

// TestParsePoint holds every spelling of a point, and that nothing else is one.
func TestParsePoint(t *testing.T) {
	f := lived(t, figs.Options{Keep: true})
	for s, want := range map[string]string{
		"0": "0.0.0", "0.0.0": "0.0.0", "4": "4.0.0", "7": "4.2.1", "999": "5.4.1", "99999999999999999999": "", "3.2.1": "3.2.1", "9.9.9": "5.4.1",
		"2026-04-30": "0.0.0", "2026-05-01": "4.1.0", "2026-05-02": "4.2.0", "2026-05-03": "4.2.1", "2026-05-04": "5.2.1", "2026-05-06": "5.4.1",
		"2026-05-01T09:59:59Z": "0.0.0", "2026-05-01T10:00:00Z": "4.1.0", "2026-05-01T12:00:00+02:00": "4.1.0", "2026-05-01T12:00:00 02:00": "4.1.0",
		"2026-05-03T10:00": "4.2.1", "2026-05-03T09:59": "4.2.0",
		"": "", ".": "", "1.2": "", "1.2.": "", "1.2.3.4": "", "-1": "", "1..2": "", "tomorrow": "", "2026-13-01": "", "2026-05": "", "1 ": "",
	} {
		p, ok := f.ParsePoint(s)
		if got := p.String(); ok != (want != "") || ok && got != want {
			t.Errorf("%q is read as %s (%v); want %q", s, got, ok, want)
		}
	}
	if f.MomentOf(figs.Point{}) != figs.NoTime || f.MomentOf(f.End()) != 1778025600000000 {
		t.Errorf("the newest moment is %d", f.MomentOf(f.End()))
	}
}

// TestMended holds which findings count as mended, by which line, and from when on.
func TestMended(t *testing.T) {
	f := lived(t, figs.Options{History: true})
	for point, want := range map[string][]string{
		"1.1.0": nil,
		"2.1.0": {"run_status_unknown runs.jsonl:1 by runs.jsonl:2"},
		"1.2.1": {"ask_title_missing asks.jsonl:1 by asks.jsonl:2", "ask_run_unknown asks.jsonl:1 by asks.jsonl:2"},
		"5.4.1": {"run_status_unknown runs.jsonl:1 by runs.jsonl:2", "ask_title_missing asks.jsonl:1 by asks.jsonl:2",
			"ask_run_unknown asks.jsonl:1 by asks.jsonl:2", "resolution_via_unknown asks.jsonl:3 by asks.jsonl:4"},
	} {
		p, _ := f.ParsePoint(point)
		var got []string
		for _, m := range f.At(p).Finish().Resolved {
			got = append(got, fmt.Sprintf("%v %s:%d by %s:%d", m.Code, m.File, m.Line, m.By.File, m.By.Line))
			if m.Message == "" {
				t.Errorf("%v says nothing", m.Code)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("at %s: %q; want %q", point, got, want)
		}
	}
	if len(lived(t, figs.Options{Keep: true}).Finish().Resolved) > 0 {
		t.Error("without a history something is mended")
	}
}

// TestNoBytes holds what is left of time without the bytes: points, but no folder at them.
func TestNoBytes(t *testing.T) {
	f := lived(t, figs.Options{})
	if f.At(figs.Point{1, 1, 1}) != nil || f.History() != nil || f.At(f.End()) != f {
		t.Error("a folder without bytes is known at another point than its end")
	}
}

// TestMendedAgain holds that a line which breaks the rule again mends nothing.
func TestMendedAgain(t *testing.T) {
	f := figs.New(figs.Options{History: true})
	f.Feed(figs.Runs, []byte(`{"id":"r","ts":"2026-05-01T10:00:00Z","status":"done"}
{"id":"r","ts":"2026-05-01T11:00:00Z","status":"finished"}
{"id":"r","ts":"2026-05-01T12:00:00Z","status":"ok"}
`))
	mended := f.Finish().Resolved
	if len(mended) != 1 || mended[0].Line != 2 || mended[0].By != (figs.Position{File: "runs.jsonl", Line: 3}) {
		t.Errorf("mended: %+v", mended)
	}
}

// TestStepsOfOneSecond holds that a reply stands between the line that asked and the one that cites it, though all have one time.
func TestStepsOfOneSecond(t *testing.T) {
	const at = `"ts":"2026-05-01T10:00:00Z"`
	f := figs.New(figs.Options{Keep: true})
	f.Feed(figs.Asks, []byte(`{"id":"a1","type":"sign-off",`+at+`}
{"id":"a1","status":"open",`+at+`}
{"id":"a1","status":"resolved",`+at+`,"resolution":{"via":"figs","answer":"m2","ts":"2026-05-01T10:00:00Z"}}
{"id":"a2","type":"question",`+at+`}
`))
	f.Feed(figs.Messages, []byte(`{"id":"m1","kind":"verdict","verdict":"changes-requested","ask":"a1","by":"h",`+at+`}
{"id":"m2","kind":"verdict","verdict":"approved","ask":"a1","by":"h",`+at+`}
{"id":"m3","kind":"answer","ask":"a2","by":"h",`+at+`}
`))
	f.Finish()
	var got []string
	for n := 1; n <= f.Steps(); n++ {
		file, ref := f.Step(n)
		got = append(got, fmt.Sprintf("%v:%d", file, ref.Number))
	}
	want := []string{"asks.jsonl:1", "messages.jsonl:1", "asks.jsonl:2", "messages.jsonl:2", "asks.jsonl:3", "asks.jsonl:4", "messages.jsonl:3"}
	if !slices.Equal(got, want) {
		t.Errorf("the order is %q; want %q", got, want)
	}
}
