package provenance_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/journal/selected"
	"github.com/figs-web/figs-web/internal/provenance"
	"github.com/figs-web/figs-web/wasm/bridge"
)

// opened is a folder of these ledgers, asked as pages ask it.
type opened struct {
	t *testing.T
	f *figs.Folder
	e *bridge.Engine
}

func open(t *testing.T, runs, asks, messages string) *opened {
	f := figs.New(figs.Options{Keep: true})
	f.Feed(figs.Runs, []byte(runs))
	f.Feed(figs.Asks, []byte(asks))
	f.Feed(figs.Messages, []byte(messages))
	return &opened{t, f, bridge.NewWithFolders(true, bridge.ReadFolder{Path: ".figs", Folder: f, Report: f.Finish()})}
}

func (o *opened) journal(page string) journal.Journal {
	s, ok := bridge.Decode(bytes.Clone(o.e.Call(selected.Request(page))))
	if !ok {
		o.t.Fatal("the selection cannot be read")
	}
	return selected.New(s, "")
}

func (o *opened) ask(n int) *journal.Ask {
	key := fmt.Sprint(n + 1)
	a, err := o.journal("/1/asks/"+key).Ask(context.Background(), "1", key)
	if err != nil {
		o.t.Fatal(err)
	}
	return a
}

func (o *opened) job(n int) *journal.Job {
	key := fmt.Sprint(n + 1)
	j, err := o.journal("/1/jobs/"+key).Job(context.Background(), "1", key)
	if err != nil {
		o.t.Fatal(err)
	}
	return j
}

// value finds what is explained under that name.
func value(t *testing.T, e *provenance.Explanation, name string) *provenance.Value {
	t.Helper()
	for i := range e.Values {
		if e.Values[i].Slug == name {
			return &e.Values[i]
		}
	}
	t.Fatalf("%s is not explained", name)
	return nil
}

// checkFields holds every field to the fold of each prefix: what the steps say stands after a line is
// what the core folds of the lines until there.
func checkFields(t *testing.T, e *provenance.Explanation, trail []journal.TrailEntry) {
	t.Helper()
	var lines [][]byte
	next, now := make([]int, len(e.Fields)), make([][]byte, len(e.Fields))
	for i := range trail {
		lines = append(lines, trail[i].Raw)
		fold := figs.Fold(lines)
		for n := range e.Fields {
			v := &e.Fields[n]
			if next[n] < len(v.Steps) && v.Steps[next[n]].Line == &trail[i] {
				now[n] = v.Steps[next[n]].JSON
				next[n]++
			}
			if want := fold.Get(v.Key).Raw; !bytes.Equal(now[n], want) {
				t.Errorf("after line %d, %s is explained as %s, want %s", i+1, v.Key, now[n], want)
			}
		}
	}
	for n, v := range e.Fields {
		if next[n] != len(v.Steps) {
			t.Errorf("%s has a step of no line, or in another order", v.Key)
		}
	}
	if whole := figs.Fold(lines); len(whole) != len(e.Fields) {
		t.Errorf("%d fields are explained, want %d", len(e.Fields), len(whole))
	}
}

// checkStates holds every step of an ask to a folder that has only the lines and replies until there.
func checkStates(t *testing.T, a *journal.Ask, e *provenance.Explanation) {
	t.Helper()
	v := value(t, e, provenance.State)
	var asks, messages string
	for i, s := range v.Steps {
		switch {
		case s.Line != nil:
			asks += string(s.Line.Raw) + "\n"
		case s.Reply != nil:
			messages += wire(s.Reply) + "\n"
		}
		if asks == "" || s.Events > 1 {
			continue
		}
		until := open(t, "", asks, messages).ask(0)
		if got, want := *s.Standing, until.State; got.Phase != want.Phase || got.Round != want.Round || got.Reported != want.Reported || got.Since != want.Since {
			t.Errorf("step %d, %q: explained as %+v, read as %+v\n%s%s", i+1, s.Rule.Sentence(), got, want, asks, messages)
		}
	}
	last := v.Last()
	if got, want := *last.Standing, a.State; got.Phase != want.Phase || got.Round != want.Round || got.Reported != want.Reported || got.Since != want.Since {
		t.Errorf("explained as %+v, shown as %+v", got, want)
	}
	if last.Rule == provenance.Together {
		t.Error("the parts do not give the whole")
	}
	if n := len(a.Trail) + len(a.Thread); n <= 400 && len(v.Steps) != n {
		t.Errorf("%d steps of %d lines and replies", len(v.Steps), n)
	}
	if r := value(t, e, provenance.Round).Last().Standing; r.Round != a.State.Round || r.Since != a.State.Since {
		t.Errorf("the round is explained as %d since %d, want %d since %d", r.Round, r.Since, a.State.Round, a.State.Since)
	}
	if a.State.Reply >= 0 {
		if g := value(t, e, provenance.Grade).Last(); g.Decides == nil || g.Decides.Message.ID != a.Thread[a.State.Reply].Message.ID || (g.Reads == "transcribed") != a.State.Reported {
			t.Errorf("the grade is explained as %q of %+v", g.Reads, g.Decides)
		}
	}
	if len(a.Files) > 0 {
		var got, want []string
		for _, f := range value(t, e, provenance.Files).Last().Files {
			got = append(got, f.Name)
		}
		for _, f := range a.Files {
			want = append(want, f.Name)
		}
		if strings.Join(got, "/") != strings.Join(want, "/") {
			t.Errorf("files are explained as %q, shown as %q", got, want)
		}
	}
	if got := value(t, e, provenance.To).Last().Reads; got != a.Ask.To {
		t.Errorf("to is explained as %q, shown as %q", got, a.Ask.To)
	}
}

func checkJob(t *testing.T, j *journal.Job, e *provenance.Explanation) {
	t.Helper()
	if got := value(t, e, provenance.Title).Last().Reads; got != j.Run.Headline() {
		t.Errorf("the title is explained as %q, shown as %q", got, j.Run.Headline())
	}
	orElse := func(word, other string) string {
		if word == "" {
			return other
		}
		return word
	}
	if got := value(t, e, provenance.Outcome).Last().Reads; got != orElse(j.Run.Status, "ok") {
		t.Errorf("the outcome is explained as %q, shown as %q", got, j.Run.Status)
	}
	if got := value(t, e, provenance.State).Last().Reads; got != orElse(j.Run.State, "settled") {
		t.Errorf("the state is explained as %q, shown as %q", got, j.Run.State)
	}
}

// wire is a reply as its ledger has it, as far as the state of its ask goes.
func wire(m *journal.Message) string {
	x := m.Message
	o := figs.Object{}
	for _, f := range [][2]string{{"id", x.ID}, {"kind", x.Kind}, {"ask", x.Ask}, {"by", x.By}, {"ts", x.TS}, {"verdict", x.Verdict}, {"chosen", x.Chosen}, {"text", x.Text}} {
		if f[1] != "" {
			field := figs.Field{Key: f[0]}
			field.Value.Kind, field.Value.Raw = jsonl.String, figs.AppendString(nil, f[1])
			o = append(o, field)
		}
	}
	return string(figs.AppendObject(nil, o))
}

// checkFolder explains every record of a folder.
func checkFolder(t *testing.T, o *opened) {
	t.Helper()
	for n := range o.f.Records(figs.Asks) {
		a := o.ask(n)
		e := provenance.Ask(a)
		checkFields(t, e, a.Trail)
		checkStates(t, a, e)
	}
	for n := range o.f.Records(figs.Runs) {
		j := o.job(n)
		e := provenance.Job(j)
		checkFields(t, e, j.Trail)
		checkJob(t, j, e)
	}
}

// TestSamples explains every record of the samples: what the last step says is what the pages show.
func TestSamples(t *testing.T) {
	dirs, _ := filepath.Glob("../../static/samples/*/.figs")
	if len(dirs) < 3 {
		t.Fatalf("only the samples %q are there", dirs)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(filepath.Dir(dir)), func(t *testing.T) {
			checkFolder(t, open(t, read(t, dir, figs.Runs), read(t, dir, figs.Asks), read(t, dir, figs.Messages)))
		})
	}
}

func read(t *testing.T, dir string, file figs.File) string {
	b, err := os.ReadFile(filepath.Join(dir, file.String()))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(b)
}

// TestRandom explains folders in which anything may follow on anything, with clocks that stand still, run
// back and are missing.
func TestRandom(t *testing.T) {
	for seed := range uint64(150) {
		runs, asks, messages := invent(rand.New(rand.NewPCG(seed, 7)))
		t.Run(fmt.Sprint(seed), func(t *testing.T) { checkFolder(t, open(t, runs, asks, messages)) })
	}
}

// invent writes ledgers of a few records.
func invent(r *rand.Rand) (runs, asks, messages string) {
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	clock := 0
	ts := func() string {
		clock += r.IntN(3)
		return pick("", fmt.Sprintf(`,"ts":"2026-05-04T10:00:%02dZ"`, clock), fmt.Sprintf(`,"ts":"2026-05-04T10:00:%02dZ"`, max(0, clock-1)), `,"ts":"soon"`)
	}
	for range 2 + r.IntN(7) {
		runs += `{"id":"` + pick("j1", "j2") + `"` + ts() + pick("", `,"state":"in-flight"`, `,"state":"settled"`, `,"state":null`, `,"state":"odd"`) +
			pick("", `,"status":"ok"`, `,"status":"warn"`, `,"status":"fail"`, `,"status":"green"`, `,"status":null`) +
			pick("", `,"title":"One"`, `,"title":""`, `,"title":"Two"`) + pick("", `,"x":{"a":1}`, `,"x":{"b":2}`, `,"x":1,"x":2`) + "}\n"
	}
	for range 2 + r.IntN(9) {
		asks += `{"id":"` + pick("a1", "a2") + `"` + ts() +
			pick(`,"type":"question","title":"Q"`, `,"type":"sign-off","title":"S"`, `,"title":"T"`, "") +
			pick("", "", `,"status":"open"`, `,"status":"resolved"`, `,"status":"withdrawn"`, `,"status":"rejected"`) +
			pick("", "", `,"resolution":"done"`, `,"resolution":{"answer":"m1","via":"figs"}`, `,"resolution":{"answer":"m2","ts":"2026-05-04T10:00:03Z"}`, `,"resolution":null`) +
			pick("", `,"to":"manager"`, `,"to":"boss"`) + pick("", "", `,"attachments":["a.md"]`, `,"attachments":["b.md","a.md"]`) + "}\n"
	}
	for n := range r.IntN(8) {
		messages += fmt.Sprintf(`{"id":"m%d","ask":"%s","by":"Kim"%s`, n+r.IntN(2), pick("a1", "a2", "a3"), ts()) +
			pick(`,"kind":"answer","text":"yes"`, `,"kind":"verdict","verdict":"approved"`, `,"kind":"verdict","verdict":"changes-requested"`,
				`,"kind":"verdict","verdict":"rejected"`, `,"kind":"note","text":"hm"`, `,"kind":"verdict","verdict":"perhaps"`) + "}\n"
	}
	return runs, asks, messages
}

// TestRules says of each turn of an ask's life which rule decided.
func TestRules(t *testing.T) {
	raise := `{"id":"a","type":"sign-off","title":"Send","ts":"2026-05-04T10:00:00Z"}`
	again := `{"id":"a","type":"sign-off","title":"Send it","ts":"2026-05-04T12:00:00Z"}`
	said := func(id, verdict, at string) string {
		return fmt.Sprintf(`{"id":%q,"kind":"verdict","ask":"a","by":"Kim","ts":"2026-05-04T%sZ","verdict":%q}`, id, at, verdict)
	}
	for _, test := range []struct {
		lesson, asks, messages string
		want                   []provenance.Rule
	}{
		{"raised", raise, "", []provenance.Rule{provenance.AskRaised}},
		{"raised_twice", raise + "\n" + again, "", []provenance.Rule{provenance.AskRaised, provenance.RaisedSame}},
		{"approved", raise, said("m", "approved", "11:00:00"), []provenance.Rule{provenance.AskRaised, provenance.Approved}},
		{"new_round", raise + "\n" + again, said("m", "changes-requested", "11:00:00"), []provenance.Rule{provenance.AskRaised, provenance.Changes, provenance.RaisedAgain}},
		{"declined_takes_nothing", raise, said("m", "rejected", "11:00:00") + "\n" + said("n", "approved", "11:30:00"), []provenance.Rule{provenance.AskRaised, provenance.Declined, provenance.AfterDecline}},
		{"closed_then_late", raise + "\n" + `{"id":"a","status":"resolved","ts":"2026-05-04T11:00:00Z"}`, said("m", "approved", "11:30:00"), []provenance.Rule{provenance.AskRaised, provenance.ClosedResolved, provenance.AfterClose}},
		{"cited_late", raise + "\n" + `{"id":"a","status":"resolved","ts":"2026-05-04T11:00:00Z","resolution":{"answer":"m"}}`, said("m", "approved", "11:30:00"), []provenance.Rule{provenance.AskRaised, provenance.ClosedResolved, provenance.CitedLate}},
		{"final", raise + "\n" + `{"id":"a","status":"rejected"}` + "\n" + again, "", []provenance.Rule{provenance.AskRaised, provenance.ClosedRejected, provenance.Final}},
		{"reopened", raise + "\n" + `{"id":"a","status":"withdrawn"}` + "\n" + `{"id":"a","status":"open"}`, "", []provenance.Rule{provenance.AskRaised, provenance.ClosedWithdrawn, provenance.Reopened}},
		{"only_a_note", raise + "\n" + `{"id":"a","found":"more"}`, "", []provenance.Rule{provenance.AskRaised, provenance.LineOnly}},
		{"unknown_reply", raise, `{"id":"m","kind":"note","ask":"a","by":"Kim","ts":"2026-05-04T11:00:00Z","text":"hm"}`, []provenance.Rule{provenance.AskRaised, provenance.ReplyUnknown}},
	} {
		a := open(t, "", test.asks, test.messages).ask(0)
		var got []provenance.Rule
		for _, s := range value(t, provenance.Ask(a), provenance.State).Steps {
			got = append(got, s.Rule)
		}
		if fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: rules %d, want %d", test.lesson, got, test.want)
		}
	}
}

// TestLongTrail explains what is too long to be looked at line by line, and says that it did not.
func TestLongTrail(t *testing.T) {
	asks, messages := `{"id":"a","type":"question","title":"Q"}`+"\n", ""
	for n := range 5000 {
		messages += fmt.Sprintf(`{"id":"m%d","kind":"answer","ask":"a","by":"Kim","ts":"2026-05-04T10:00:00Z","text":"x"}`+"\n", n)
	}
	a := open(t, "", asks, messages).ask(0)
	v := value(t, provenance.Ask(a), provenance.State)
	sum := 0
	for _, s := range v.Steps {
		sum += s.Events
	}
	if sum != 5001 || len(v.Steps) > 60 || v.Last().Standing.Phase != figs.Replied || v.Last().Decides != &a.Thread[4999] {
		t.Errorf("%d events in %d steps, at the end %+v", sum, len(v.Steps), v.Last().Standing)
	}
}

// TestHeavyTrail explains lines that are too large to be read again for each event, and says that it did not.
func TestHeavyTrail(t *testing.T) {
	var asks strings.Builder
	asks.WriteString(`{"id":"a","type":"question","title":"Q"}` + "\n")
	for n := range 80 {
		fmt.Fprintf(&asks, `{"id":"a","found":"%d%s"}`+"\n", n, strings.Repeat("x", 1<<17))
	}
	v := value(t, provenance.Ask(open(t, "", asks.String(), "").ask(0)), provenance.State)
	sum := 0
	for _, s := range v.Steps {
		sum += s.Events
	}
	if sum != 81 || len(v.Steps) > 20 || v.Last().Standing.Phase != figs.NeedsYou {
		t.Errorf("%d events in %d steps, at the end %+v", sum, len(v.Steps), v.Last().Standing)
	}
}

// TestManyFields explains a record with more fields than anybody would write.
func TestManyFields(t *testing.T) {
	var line strings.Builder
	line.WriteString(`{"id":"a","type":"question","title":"Q"`)
	for n := range 50_000 {
		fmt.Fprintf(&line, `,"f%d":%d`, n, n)
	}
	asks := line.String() + "}\n" + strings.Repeat(`{"id":"a","f49999":1,"title":"R"}`+"\n", 100)
	a := open(t, "", asks, "").ask(0)
	e := provenance.Ask(a)
	if n := len(e.Fields); n != 50_003 {
		t.Fatalf("%d fields are explained", n)
	}
	if f := e.Fields[50_002]; f.Key != "f49999" || len(f.Steps) != 2 || f.Steps[1].Again != 99 || string(f.Steps[1].JSON) != "1" {
		t.Errorf("the last field: %s, %d steps", f.Key, len(f.Steps))
	}
	if got := value(t, e, provenance.Title).Last().Reads; got != "R" {
		t.Errorf("the title is explained as %q", got)
	}
}

// TestSentences: every rule has a sentence and a section.
func TestSentences(t *testing.T) {
	for r := range provenance.Rule(provenance.Rules) {
		if !strings.HasSuffix(r.Sentence(), ".") || r.Section() == "" {
			t.Errorf("rule %d says %q, §%s", r, r.Sentence(), r.Section())
		}
	}
}
