package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
)

// of is a folder with its ledgers alone.
func of(name string, ledgers ...string) sample {
	s := sample{name: name, files: map[figs.File][]byte{}, names: [][]any{}}
	for file, text := range ledgers {
		s.files[figs.File(file)] = []byte(text)
	}
	return s
}

const (
	asked   = `{"id":"a","type":"question","title":"How many?","ts":"2026-05-04T10:00:00Z"}` + "\n"
	ran     = `{"id":"r","state":"in-flight","ts":"2026-05-04T09:00:00Z"}` + "\n"
	settled = `{"id":"r","state":"settled","status":"fail","ts":"2026-05-04T11:00:00Z"}` + "\n"
	replied = `{"id":"m","kind":"answer","ask":"a","by":"Ada","text":"Four.","ts":"2026-05-04T12:00:00Z"}` + "\n"
)

func compared(t *testing.T, e *Engine, more string) *Comparison {
	t.Helper()
	b := e.Call([]byte(`{"op":"select","page":"compare","agent":0,"n":50,` + more + `}`))
	s, ok := Decode(b)
	if !ok || !s.Found {
		t.Fatalf("%s: no selection: %q", more, b)
	}
	c, ok := DecodeComparison(s.Text)
	if !ok {
		t.Fatalf("%s: the comparison cannot be read: %q", more, s.Text)
	}
	return c
}

func TestCompareAgents(t *testing.T) {
	edited := strings.Replace(asked, "How many?", "How much?", 1)
	e := read(t, true, 9, of("new", ran+settled, edited, replied), of("old", ran, asked), of("other", "", ""))
	c := compared(t, e, `"with":"agent-2"`)
	if c.Mode != CompareFolder || c.Problem != CompareFine || len(c.Lines) != 1 || len(c.Ledgers) != figs.Ledgers || c.Path != "old/.figs" {
		t.Fatalf("%+v", c)
	}
	l := c.Lines[0]
	if l.Kind != figs.LineEdited || l.File != figs.Asks || l.Record != 0 || string(l.Was.Text) != strings.TrimSpace(asked) || string(l.Now.Text) != strings.TrimSpace(edited) {
		t.Errorf("%+v: %q became %q", l, l.Was.Text, l.Now.Text)
	}
	var kinds []string
	for _, r := range c.Records {
		kinds = append(kinds, fmt.Sprint(r.Kind, r.Ref.File, r.Was, r.Is))
	}
	want := []string{
		fmt.Sprint(figs.AskAnswered, figs.Asks, int(figs.NeedsYou), int(figs.Replied)),
		fmt.Sprint(figs.JobSettled, figs.Runs, int(figs.OutcomeInFlight), int(figs.OutcomeFail)),
		fmt.Sprint(figs.RecordNew, figs.Messages, -1, -1),
	}
	if strings.Join(kinds, " ") != strings.Join(want, " ") {
		t.Errorf("%q, want %q", kinds, want)
	}
	for with, problem := range map[string]int{"agent-1": CompareUnknown, "agent-4": CompareUnknown, "agent-x": CompareUnknown, "beside": CompareUnknown, "kept-1": CompareUnknown, "point-never": CompareUnknown, "what": CompareUnknown} {
		if c := compared(t, e, `"with":"`+with+`"`); c.Problem != problem {
			t.Errorf("%s: problem %d, want %d", with, c.Problem, problem)
		}
	}
	if c := compared(t, e, `"text":""`); c.Mode != CompareNothing || c.Problem != CompareFine {
		t.Errorf("%+v", c)
	}
}

func TestComparePoints(t *testing.T) {
	e := read(t, true, 1<<20, of("new", ran+settled, asked, replied))
	c := compared(t, e, `"with":"point-1.1.0"`)
	if c.Mode != ComparePoints || c.Problem != CompareFine || c.Counts[figs.JobSettled][figs.Runs] != 1 || c.Counts[figs.AskAnswered][figs.Asks] != 1 || c.Counts[figs.RecordNew][figs.Messages] != 1 {
		t.Errorf("%+v", c)
	}
	turned := compared(t, e, `"with":"point-2.1.1","at":"1.1.0"`)
	if turned.Counts != c.Counts || turned.From != c.From || turned.To != c.To {
		t.Errorf("the same two points in the other order: %+v, want %+v", turned, c)
	}
	if blind := compared(t, read(t, false, 1<<20, of("new", ran, asked)), `"with":"point-1"`); blind.Problem != CompareBlind {
		t.Errorf("without bytes: %+v", blind)
	}
}

// TestCompareKept goes the way of the page: a print is made, kept, and fed to an engine that has read the folder anew.
func TestCompareKept(t *testing.T) {
	const key = `{"op":"key","key":"000102030405060708090a0b0c0d0e0f"}`
	before := read(t, true, 1<<20, of("f", ran, asked))
	before.Call([]byte(key))
	kept := bytes.Clone(before.Call([]byte(`{"op":"print","agent":0}`)))
	if bytes.Contains(kept, []byte("How")) {
		t.Fatal("a print holds words")
	}
	for _, test := range []struct {
		name, runs, asks string
		want             map[string]int
	}{
		{"grown", ran + settled, asked, map[string]int{"old": 2, "added": 1}},
		{"same", ran, asked, map[string]int{"old": 2}},
		{"edited", ran + settled, strings.Replace(asked, "?", "!", 1), map[string]int{"old": 2, "added": 1, "edited": 1}},
		{"gone", ran, "", map[string]int{"old": 2, "gone": 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := read(t, true, 1<<20, of("f", test.runs, test.asks))
			e.Call([]byte(key))
			e.Call([]byte(`{"op":"kept"}`))
			for _, piece := range [][]byte{kept[:20], kept[20:]} {
				copy(e.Buffer(len(piece)), piece)
				e.Feed(0, int(figs.NoFile), len(piece))
			}
			told := map[string]any{}
			if err := json.Unmarshal(e.Call([]byte(`{"op":"since","agent":0}`)), &told); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"old", "added", "gone", "edited", "removed", "moved", "inserted"} {
				if told[name] != float64(test.want[name]) {
					t.Errorf("%s is %v, want %d in %v", name, told[name], test.want[name], told)
				}
			}
			c := compared(t, e, `"with":"kept-1"`)
			if c.Mode != ComparePrint || c.Problem != CompareFine || len(c.Lines) != test.want["edited"]+test.want["removed"] {
				t.Errorf("%+v", c)
			}
			if test.name == "grown" && c.Counts[figs.JobSettled][figs.Runs] != 1 {
				t.Errorf("an opening whose lines all stand is a point of the folder: %+v", c.Counts)
			}
		})
	}
}

// TestCompareBeside reads a folder next to one that is open, which stays as it is.
func TestCompareBeside(t *testing.T) {
	e := read(t, true, 1<<20, of("f", ran+settled, asked, replied))
	was := bytes.Clone(e.Call([]byte(`{"op":"select","page":"jobs","agent":0,"n":50}`)))
	e.Call([]byte(`{"op":"beside","agents":["old/.figs"],"now":"2026-05-05T00:00:00Z"}`))
	for file, text := range []string{ran, strings.Replace(asked, "?", ".", 1)} {
		copy(e.Buffer(len(text)), text)
		e.Feed(1, file, len(text))
	}
	e.Call([]byte(`{"op":"attach","agent":1,"files":[["a.txt",3],["b.txt",4]]}`))
	if b := e.Call([]byte(`{"op":"besides"}`)); !bytes.Contains(b, []byte(`"runs":1`)) {
		t.Errorf("%s", b)
	}
	c := compared(t, e, `"with":"beside"`)
	if c.Mode != CompareFolder || c.Problem != CompareFine || len(c.Lines) != 1 || len(c.Files) != 2 {
		t.Errorf("%+v", c)
	}
	if now := e.Call([]byte(`{"op":"select","page":"jobs","agent":0,"n":50}`)); !bytes.Equal(was, now) {
		t.Error("a folder beside it changed what a page shows")
	}
	if s, ok := Decode(e.Call([]byte(`{"op":"select","page":"jobs","agent":1,"n":50}`))); !ok || s.Found || s.Agent >= len(s.Agents) {
		t.Error("a page is about the folder that was only given to be compared with")
	}
}

// FuzzDecodeComparison reads anything as a comparison.
func FuzzDecodeComparison(f *testing.F) {
	e := read(f, true, 1<<20, of("new", ran+settled, asked, replied), of("old", asked))
	s, _ := Decode(e.Call([]byte(`{"op":"select","page":"compare","agent":0,"n":50,"with":"agent-2"}`)))
	f.Add(s.Text)
	f.Fuzz(func(t *testing.T, b []byte) { DecodeComparison(b) })
}
