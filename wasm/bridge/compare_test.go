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
	if c.Mode != CompareFolder || c.Problem != CompareOK || len(c.Lines) != 1 || len(c.Ledgers) != figs.Ledgers || c.Path != "old/.figs" {
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
	if c := compared(t, e, `"text":""`); c.Mode != CompareNothing || c.Problem != CompareOK {
		t.Errorf("%+v", c)
	}
}

func TestComparePoints(t *testing.T) {
	e := read(t, true, 1<<20, of("new", ran+settled, asked, replied))
	c := compared(t, e, `"with":"point-1.1.0"`)
	if c.Mode != ComparePoints || c.Problem != CompareOK || c.Counts[figs.JobSettled][figs.Runs] != 1 || c.Counts[figs.AskAnswered][figs.Asks] != 1 || c.Counts[figs.RecordNew][figs.Messages] != 1 {
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
	kept := bytes.Clone(before.Call([]byte(`{"op":"fingerprint","agent":0}`)))
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
			e.Call([]byte(`{"op":"loadFingerprint"}`))
			for _, piece := range [][]byte{kept[:20], kept[20:]} {
				copy(e.Buffer(len(piece)), piece)
				e.Feed(0, int(figs.NoFile), len(piece))
			}
			told := map[string]any{}
			if err := json.Unmarshal(e.Call([]byte(`{"op":"since","agent":0}`)), &told); err != nil {
				t.Fatal(err)
			}
			if test.name == "same" {
				if told["which"] != -1. || told["known"] != 0. {
					t.Errorf("%v", told)
				}
				return
			}
			for _, name := range []string{"which", "old", "added", "gone", "edited", "removed", "moved", "inserted"} {
				if told[name] != float64(test.want[name]) {
					t.Errorf("%s is %v, want %d in %v", name, told[name], test.want[name], told)
				}
			}
			c := compared(t, e, `"with":"kept-1"`)
			if c.Mode != ComparePrint || c.Problem != CompareOK || len(c.Lines) != test.want["edited"]+test.want["removed"] {
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
	e.Call([]byte(`{"op":"openOlder","agents":["old/.figs"],"now":"2026-05-05T00:00:00Z"}`))
	for file, text := range []string{ran, strings.Replace(asked, "?", ".", 1)} {
		copy(e.Buffer(len(text)), text)
		e.Feed(1, file, len(text))
	}
	e.Call([]byte(`{"op":"attach","agent":1,"files":[["a.txt",3],["b.txt",4]]}`))
	if b := e.Call([]byte(`{"op":"finishOlder"}`)); !bytes.Contains(b, []byte(`"runs":1`)) {
		t.Errorf("%s", b)
	}
	c := compared(t, e, `"with":"beside"`)
	if c.Mode != CompareFolder || c.Problem != CompareOK || len(c.Lines) != 1 || len(c.Files) != 2 {
		t.Errorf("%+v", c)
	}
	if now := e.Call([]byte(`{"op":"select","page":"jobs","agent":0,"n":50}`)); !bytes.Equal(was, now) {
		t.Error("a folder beside it changed what a page shows")
	}
	if s, ok := Decode(e.Call([]byte(`{"op":"select","page":"jobs","agent":1,"n":50}`))); !ok || s.Found || s.Agent >= len(s.Agents) {
		t.Error("a page is about the folder that was only given to be compared with")
	}
}

// keepAgain feeds prints as the page does, the newest first.
func keepAgain(e *Engine, prints ...[]byte) {
	for i, print := range prints {
		if i == 0 {
			e.Call([]byte(`{"op":"loadFingerprint"}`))
		} else {
			e.Call([]byte(`{"op":"loadFingerprint","more":true}`))
		}
		copy(e.Buffer(len(print)), print)
		e.Feed(0, int(figs.NoFile), len(print))
	}
}

// TestSinceCopies opens folders one after the other in one browser: what is said of each, by what stands in all that were opened before.
func TestSinceCopies(t *testing.T) {
	const key = `{"op":"key","key":"000102030405060708090a0b0c0d0e0f"}`
	line := func(from, to int, who string) (s string) {
		for i := from; i < to; i++ {
			s += fmt.Sprintf(`{"id":"%s%d","ts":"2026-05-04T09:00:%02dZ"}`+"\n", who, i, i)
		}
		return s
	}
	base := line(0, 4, "r")
	ours, theirs := base+line(0, 2, "x"), base+line(0, 3, "y")
	rewritten := strings.Replace(ours, "r2", "R2", 1)
	for _, test := range []struct {
		name   string
		opened []string // in their order; what is said is of the last one
		want   string   // past and which opening, counted from the newest
	}{
		{"the same", []string{ours, ours}, ""},
		{"grown", []string{base, ours}, "stands 0"},
		{"another copy", []string{ours, theirs}, "apart 0"},
		{"two copies, and each goes on", []string{ours, theirs, ours + line(2, 4, "x")}, "stands 1"},
		{"two copies, and the other goes on", []string{theirs, base, ours, theirs + line(3, 4, "y")}, "stands 2"},
		{"two copies by turns", []string{ours, theirs, ours}, ""},
		{"an older copy", []string{ours, base}, "older 0"},
		{"an older copy, and back", []string{ours, base, ours}, ""},
		{"an older copy, and the folder went on", []string{ours, base, ours + line(2, 3, "x")}, "stands 1"},
		{"rewritten behind an older copy", []string{ours, base[:len(base)/4], rewritten + line(2, 3, "x")}, "rewritten 1"},
		{"rewritten, and it goes on so", []string{ours, rewritten, rewritten + line(2, 3, "x")}, "stands 0"},
		{"an older copy is rewritten", []string{base, ours, strings.Replace(base, "r1", "R1", 1)}, "rewritten 1"},
		{"rewritten", []string{base, ours, rewritten}, "rewritten 0"},
		{"a checkout with other line ends", []string{ours, strings.ReplaceAll(ours, "\n", "\r\n")}, "stands 0"},
		{"another folder", []string{line(0, 3, "z"), ours}, "strange 0"},
		{"another folder, then this one again", []string{ours, line(0, 3, "z"), ours + line(2, 3, "x")}, "stands 1"},
		{"two copies that were merged", []string{ours, theirs, theirs + line(0, 2, "x")}, "stands 0"},
		{"a merge of a copy that nobody saw", []string{ours, theirs + line(0, 2, "x")}, "merged 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var kept [][]byte
			got := ""
			for i, text := range test.opened {
				e := read(t, true, 1<<20, of("f", text))
				e.Call([]byte(key))
				keepAgain(e, kept...)
				told := struct {
					Which int
					Past  string
				}{}
				if err := json.Unmarshal(e.Call([]byte(`{"op":"since","agent":0}`)), &told); err != nil {
					t.Fatal(err)
				}
				if i == len(test.opened)-1 && told.Which >= 0 {
					got = fmt.Sprint(told.Past, " ", told.Which)
				}
				kept = append([][]byte{bytes.Clone(e.Call([]byte(`{"op":"fingerprint","agent":0}`)))}, kept...)
			}
			if got != test.want {
				t.Errorf("%q is said, want %q", got, test.want)
			}
		})
	}
}

// TestSinceNothing says nothing where a print is of another key, damaged, or the folder was not read whole.
func TestSinceNothing(t *testing.T) {
	const nothing = `{"op":"since","which":-1,"known":-1}`
	before := read(t, true, 1<<20, of("f", ran, asked))
	before.Call([]byte(`{"op":"key","key":"000102030405060708090a0b0c0d0e0f"}`))
	print := bytes.Clone(before.Call([]byte(`{"op":"fingerprint","agent":0}`)))
	e := read(t, true, 1<<20, of("f", ran, strings.Replace(asked, "?", "!", 1)))
	e.Call([]byte(`{"op":"key","key":"ff0102030405060708090a0b0c0d0e0f"}`))
	keepAgain(e, print, print[:len(print)-3], nil)
	if got := e.Call([]byte(`{"op":"since","agent":0}`)); string(got) != nothing {
		t.Errorf("another key: %s", got)
	}
	half := New()
	half.Call([]byte(`{"op":"open","keep":true,"agents":["f/.figs"]}`))
	half.Call([]byte(`{"op":"key","key":"000102030405060708090a0b0c0d0e0f"}`))
	copy(half.Buffer(9), settled)
	half.Feed(0, int(figs.Runs), 9)
	half.Call([]byte(`{"op":"problem","agent":0,"file":"runs.jsonl","code":"file_changed","detail":"it became shorter"}`))
	half.Call([]byte(`{"op":"finish"}`))
	keepAgain(half, print)
	if got := half.Call([]byte(`{"op":"since","agent":0}`)); string(got) != nothing {
		t.Errorf("a ledger that changed while it was read: %s", got)
	}
	if got := half.Call([]byte(`{"op":"fingerprint","agent":0}`)); len(got) > 0 {
		t.Errorf("a print of half a reading is kept: %q", got)
	}
	if c := compared(t, half, `"with":"kept-1"`); !c.Partial {
		t.Errorf("%+v", c)
	}
}

// TestCompareOthers compares two agents that have not a line in common: nothing is listed, all is counted.
func TestCompareOthers(t *testing.T) {
	const id = `{"agentId":"0b9c7a5e-0000-4000-8000-00000000000%d"}`
	one, other := of("one", ran, asked), of("other", strings.Replace(ran, "r", "s", 1), strings.Replace(asked, "a", "b", 1))
	one.files[figs.ConfigJSON], other.files[figs.ConfigJSON] = fmt.Appendf(nil, id, 1), fmt.Appendf(nil, id, 2)
	c := compared(t, read(t, true, 1<<20, one, other), `"with":"agent-2"`)
	if !c.Others || c.Past != figs.HistoryUnrelated || len(c.Lines)+len(c.Records) > 0 || c.Counts[figs.RecordNew][figs.Runs] != 1 || c.Ledgers[figs.Asks].Old != 1 {
		t.Errorf("%+v", c)
	}
}

// TestCompareFiles tells attachments apart by what the caller read of them, for each two agents by themselves.
func TestCompareFiles(t *testing.T) {
	one, other, third := of("one", ran), of("other", ran), of("third", ran)
	one.names = [][]any{{"a.txt", 3}, {"b.txt", 3}, {"c.txt", 3}, {"empty.txt", 0}}
	other.names, third.names = one.names, one.names
	e := read(t, true, 1<<20, one, other, third)
	files := func(with string) (told string) {
		for _, f := range compared(t, e, `"with":"`+with+`"`).Files {
			told += fmt.Sprint(f.Name, f.Kind, " ")
		}
		return told
	}
	const unknown = "a.txt3 b.txt3 c.txt3 "
	if got := files("agent-2"); got != unknown {
		t.Errorf("nobody read them: %s", got)
	}
	if got := e.Call([]byte(`{"op":"sameSizeFiles","agent":0,"with":1}`)); string(got) != `["a.txt","b.txt","c.txt"]` {
		t.Errorf("%s", got)
	}
	e.Call([]byte(`{"op":"differingFiles","agent":0,"with":1,"files":["b.txt"],"unread":["c.txt"]}`))
	if got := files("agent-2"); got != "b.txt2 c.txt3 " {
		t.Errorf("one differs, one was not read: %s", got)
	}
	if got := files("agent-3"); got != unknown {
		t.Errorf("what is known of two says something of another: %s", got)
	}
	e.Call([]byte(`{"op":"differingFiles","agent":0,"with":1,"files":[]}`))
	if got := files("agent-2"); got != "" {
		t.Errorf("all are the same: %s", got)
	}
}

// FuzzDecodeComparison reads anything as a comparison.
func FuzzDecodeComparison(f *testing.F) {
	e := read(f, true, 1<<20, of("new", ran+settled, asked, replied), of("old", asked))
	s, _ := Decode(e.Call([]byte(`{"op":"select","page":"compare","agent":0,"n":50,"with":"agent-2"}`)))
	f.Add(s.Text)
	f.Fuzz(func(t *testing.T, b []byte) { DecodeComparison(b) })
}
