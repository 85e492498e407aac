package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
)

var ctx = context.Background()

const (
	question = `{"id":"q","type":"question","title":"Which rule?","ts":"2026-11-20T10:00:00Z","options":["Strip","Keep"]}`
	signOff  = `{"id":"s","type":"sign-off","title":"Send it","ts":"2026-11-20T10:00:00Z","attachments":["plan.md"],"onApprove":["Email it"]}`
	raised   = `{"id":"s","type":"sign-off","title":"Send it, again","ts":"2026-11-20T10:00:00Z","attachments":["plan.md"],"onApprove":["Email it"]}`
)

// desk is a folder that a person replies to.
type desk struct {
	*Folders
	t   *testing.T
	dir string // the .figs folder
	now time.Time
}

// made is a folder with a question, number 1, and a sign-off, number 2.
func made(t *testing.T) *desk {
	t.Helper()
	root := t.TempDir()
	d := &desk{t: t, dir: filepath.Join(root, ".figs"), now: time.Date(2026, 11, 20, 12, 0, 0, 500, time.UTC)}
	for name, text := range map[string]string{
		"config.json": `{"agentId":"0d4f2a3c-1111-4222-8333-000000000001"}`, "asks.jsonl": question + "\n" + signOff + "\n", "messages.jsonl": "", "artifacts/plan.md": "# Plan",
	} {
		d.put(name, text)
	}
	d.Folders = opened(t, root, func() time.Time { return d.now })
	return d
}

func opened(t *testing.T, dir string, now func() time.Time) *Folders {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	l, err := openFound(root, now)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func openFound(root *os.Root, now func() time.Time) (*Folders, error) {
	return Open(ctx, root.FS(), []Agent{{Path: ".figs", Contents: folder.List(root.FS(), ".figs")}}, Options{Now: now, Root: root})
}

func (d *desk) put(name, text string) {
	d.t.Helper()
	file := filepath.Join(d.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) get(name string) string {
	d.t.Helper()
	b, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(b)
}

// add appends as an agent does.
func (d *desk) add(name, text string) {
	d.t.Helper()
	f, err := os.OpenFile(filepath.Join(d.dir, name), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		d.t.Fatal(err)
	}
}

// shown is what a page shows of an ask a moment later.
func (d *desk) shown(key string) *journal.Ask {
	d.t.Helper()
	d.now = d.now.Add(2 * time.Second)
	j, err := d.Journal(ctx, "/1/asks/"+key)
	if err != nil {
		d.t.Fatal(err)
	}
	ask, err := j.Ask(ctx, "1", key)
	if err != nil {
		d.t.Fatal(err)
	}
	return ask
}

// form is a reply to what is shown now.
func (d *desk) form(key string, say figs.ReplyInput) reply.Entry {
	d.t.Helper()
	ask := d.shown(key)
	r := reply.Entry{Agent: "1", Ask: key, Revision: d.Revision(ask), ID: uuid.NewString(), Say: saying(say)}
	for _, f := range ask.Files {
		sum, err := d.Digest(ctx, "1", f.Name)
		if err != nil {
			sum = ""
		}
		r.Files = append(r.Files, reply.File{Name: f.Name, SHA256: sum})
	}
	return r
}

func saying(say figs.ReplyInput) func(figs.Object, figs.ReplyInput) ([]byte, figs.ReplyProblem) {
	return func(ask figs.Object, s figs.ReplyInput) ([]byte, figs.ReplyProblem) {
		s.By, s.Verdict, s.Chosen, s.Text = "Ada", say.Verdict, say.Chosen, say.Text
		if s.Verdict != "" {
			return figs.Verdict(ask, s)
		}
		return figs.Answer(ask, s)
	}
}

// give replies and must succeed.
func (d *desk) give(key string, say figs.ReplyInput) *reply.WrittenReply {
	d.t.Helper()
	given, err := d.Reply(ctx, d.form(key, say))
	if err != nil {
		d.t.Fatalf("Reply: %v (%v)", err, errors.Unwrap(err))
	}
	return given
}

func withText(s figs.ReplyInput, text string) figs.ReplyInput {
	s.Text = text
	return s
}

var (
	strip   = figs.ReplyInput{Chosen: "Strip", Text: "as\nbefore"}
	approve = figs.ReplyInput{Verdict: "approved"}
	revise  = figs.ReplyInput{Verdict: "changes-requested", Text: "Shorter."}
	decline = figs.ReplyInput{Verdict: "rejected", Text: "No."}
)

func TestReply(t *testing.T) {
	d := made(t)
	given := d.give("1", strip)
	want := `
{"id":"` + given.ID + `","kind":"answer","ask":"q","by":"Ada","ts":"2026-11-20T12:00:02Z","source":"chat","chosen":"Strip","text":"as\nbefore"}
`
	if got := d.get("messages.jsonl"); got != want || !given.Stands || given.Again || given.Broken != 0 {
		t.Errorf("messages.jsonl = %q, %+v; want %q", got, given, want)
	}
	ask := d.shown("1")
	if ask.State.Phase != figs.Replied || !ask.State.Reported || ask.Thread[0].Verified {
		t.Errorf("the ask stands %+v, want replied and only reported", ask.State)
	}
}

// A reply sent again under its id is the same one, also by a program that was started anew.
func TestReplyAgain(t *testing.T) {
	d := made(t)
	r := d.form("2", revise)
	first, err := d.Reply(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	before := d.get("messages.jsonl")
	anew := opened(t, filepath.Dir(d.dir), func() time.Time { return d.now })
	for name, l := range map[string]*Folders{"at once": d.Folders, "by another": anew} {
		again, err := l.Reply(ctx, r)
		if err != nil || again.ID != first.ID || !again.Again || !again.Stands {
			t.Errorf("%s: %+v, %v", name, again, err)
		}
	}
	if after := d.get("messages.jsonl"); after != before {
		t.Errorf("it was appended again: %q", after)
	}
	r.Say = saying(withText(revise, "Other words."))
	var stale *reply.StaleError
	if _, err := d.Reply(ctx, r); !errors.As(err, &stale) || d.get("messages.jsonl") != before {
		t.Errorf("other words in a form that was sent: %v, want Stale", err)
	}
	r = d.form("2", approve)
	r.ID = "made up"
	if given, err := d.Reply(ctx, r); err != nil || given.ID == "made up" || !isID(given.ID) {
		t.Errorf("an id that is none: %+v, %v; want a new one", given, err)
	}
	r = d.form("1", strip)
	r.ID = first.ID
	if given, err := d.Reply(ctx, r); err != nil || given.ID == first.ID || given.Again {
		t.Errorf("the id of a reply to another ask: %+v, %v; want a new one", given, err)
	}
}

// Whatever is newer than what was seen, the reply is refused and nothing is written.
func TestReplyStale(t *testing.T) {
	for name, c := range map[string]struct {
		change func(d *desk)
		want   reply.StaleError // hashes of files are left out
	}{
		"raised again": {func(d *desk) { d.add("asks.jsonl", raised+"\n") }, reply.StaleError{Lines: 1}},
		"a note":       {func(d *desk) { d.add("asks.jsonl", `{"id":"s","found":"more"}`+"\n") }, reply.StaleError{Lines: 1}},
		"closed":       {func(d *desk) { d.add("asks.jsonl", `{"id":"s","status":"withdrawn","resolution":{}}`+"\n") }, reply.StaleError{Lines: 1}},
		"replied to":   {func(d *desk) { d.add("messages.jsonl", message("m1", "s", "")+"\n") }, reply.StaleError{Lines: 1}},
		"rewritten": {func(d *desk) {
			d.put("asks.jsonl", question+"\n"+strings.Replace(signOff, "Email it", "Pay it", 1)+"\n")
		}, reply.StaleError{Lines: 1}},
		"another order":  {func(d *desk) { d.put("asks.jsonl", signOff+"\n"+question+"\n") }, reply.StaleError{Lines: 1}},
		"another file":   {func(d *desk) { d.put("artifacts/plan.md", "# Plot") }, reply.StaleError{Lines: 1, Files: []reply.Change{{Name: "plan.md"}}}},
		"a file is gone": {func(d *desk) { os.Remove(filepath.Join(d.dir, "artifacts/plan.md")) }, reply.StaleError{Lines: 1, Files: []reply.Change{{Name: "plan.md"}}}},
		"a file came":    {func(d *desk) { d.put("artifacts/late.md", "late") }, reply.StaleError{Lines: 1, Files: []reply.Change{{Name: "late.md"}}}},
	} {
		d := made(t)
		r := d.form("2", approve)
		if name == "a file came" {
			r.Files = append(r.Files, reply.File{Name: "late.md"})
		}
		c.change(d)
		d.shown("2") // another page has looked meanwhile
		before := d.get("messages.jsonl")
		_, err := d.Reply(ctx, r)
		var stale *reply.StaleError
		if !errors.As(err, &stale) {
			t.Errorf("%s: %v, want Stale", name, err)
			continue
		}
		for i := range stale.Files {
			if f := &stale.Files[i]; f.Before == f.After {
				t.Errorf("%s: %+v is no change", name, f)
			}
			stale.Files[i].Before, stale.Files[i].After = "", ""
		}
		if !cmp.Equal(*stale, c.want) || d.get("messages.jsonl") != before {
			t.Errorf("%s: %+v, want %+v and nothing written", name, *stale, c.want)
		}
	}
}

func message(id, ask, more string) string {
	return fmt.Sprintf(`{"id":%q,"kind":"verdict","ask":%q,"by":"Ben","ts":"2026-11-20T10:00:00Z","source":"chat","verdict":"approved"%s}`, id, ask, more)
}

// A file that kept its size and its time of change holds other bytes all the same.
func TestReplyReadsFiles(t *testing.T) {
	d := made(t)
	name := filepath.Join(d.dir, "artifacts/plan.md")
	before, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	r := d.form("2", approve)
	d.put("artifacts/plan.md", "# Plot")
	os.Chtimes(name, before.ModTime(), before.ModTime())
	var stale *reply.StaleError
	if _, err := d.Reply(ctx, r); !errors.As(err, &stale) || len(stale.Files) != 1 {
		t.Errorf("Reply = %v, want Stale", err)
	}
}

func TestReplyBarred(t *testing.T) {
	for name, c := range map[string]struct {
		line string // of asks.jsonl or messages.jsonl
		want figs.ReplyBlock
	}{
		"withdrawn":  {`{"id":"s","status":"withdrawn","resolution":{}}`, figs.BlockedClosed},
		"resolved":   {`{"id":"s","status":"resolved","resolution":{"via":"self"}}`, figs.BlockedClosed},
		"rejected":   {`{"id":"s","status":"rejected","resolution":{}}`, figs.BlockedClosed},
		"misspelled": {`{"id":"s","type":"signoff"}`, figs.BlockedType},
		"unknown":    {`{"id":"s","type":"release"}`, figs.BlockedType},
		"declined":   {strings.Replace(message("m1", "s", ""), "approved", "rejected", 1), figs.BlockedDeclined},
	} {
		d := made(t)
		file := "asks.jsonl"
		if name == "declined" {
			file = "messages.jsonl"
		}
		d.add(file, c.line+"\n")
		before := d.get("messages.jsonl")
		var barred *reply.BlockedError
		if _, err := d.Reply(ctx, d.form("2", approve)); !errors.As(err, &barred) || barred.Bar != c.want || d.get("messages.jsonl") != before {
			t.Errorf("%s: %v, want %v and nothing written", name, err, c.want)
		}
	}
}

func TestReplyMisfits(t *testing.T) {
	for name, c := range map[string]struct {
		key  string
		say  figs.ReplyInput
		want figs.ReplyProblem
	}{
		"a verdict on a question": {"1", approve, figs.ProblemVerdict}, "an answer to a sign-off": {"2", strip, figs.ProblemChosen},
		"words to a sign-off": {"2", figs.ReplyInput{Text: "ok"}, figs.ProblemAnswer}, "no option": {"1", figs.ReplyInput{Chosen: "strip"}, figs.ProblemChosen},
		"no note": {"2", figs.ReplyInput{Verdict: "rejected"}, figs.ProblemNoteMissing}, "nothing": {"1", figs.ReplyInput{}, figs.ProblemEmpty},
		"a megabyte": {"1", figs.ReplyInput{Text: strings.Repeat("a", 1<<20)}, figs.ProblemTooLong}, "turned": {"1", figs.ReplyInput{Text: "a\u202eb"}, figs.ProblemHidden},
		"a control": {"1", figs.ReplyInput{Text: "a\x1b[2J"}, figs.ProblemHidden}, "no word": {"2", figs.ReplyInput{Verdict: "yes", Text: "x"}, figs.ProblemUnknownVerdict},
	} {
		d := made(t)
		var misfit *reply.InvalidReplyError
		if _, err := d.Reply(ctx, d.form(c.key, c.say)); !errors.As(err, &misfit) || misfit.Misfit != c.want || d.get("messages.jsonl") != "" {
			t.Errorf("%s: %v, want %v and nothing written", name, err, c.want)
		}
	}
	d := made(t)
	for _, r := range []reply.Entry{{Agent: "2", Ask: "1"}, {Agent: "1", Ask: "3"}, {Agent: "1", Ask: "0"}, {Agent: "1", Ask: "01"}, {Agent: "x", Ask: "1"}} {
		if _, err := d.Reply(ctx, r); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("agent %s, ask %s: %v, want ErrNotFound", r.Agent, r.Ask, err)
		}
	}
}

// The reply belongs to the round that was seen, whatever the clocks say, and tells where the ask stands.
func TestReplyInItsRound(t *testing.T) {
	at := func(line, ts string) string { return strings.ReplaceAll(line, "2026-11-20T10:00:00Z", ts) }
	for name, c := range map[string]struct {
		asks, messages []string
		wantTS         string
	}{
		"now":                         {[]string{signOff}, nil, "2026-11-20T12:00:02Z"},
		"raised in the future":        {[]string{at(signOff, "2026-11-20T13:00:00Z")}, nil, "2026-11-20T12:00:02Z"},
		"raised twice, no reply":      {[]string{signOff, at(raised, "2026-11-20T13:00:00Z")}, nil, "2026-11-20T13:00:01Z"},
		"raised again in the future":  {[]string{signOff, at(raised, "2026-11-20T13:00:00Z")}, []string{message("m", "s", "")}, "2026-11-20T13:00:01Z"},
		"raised again now":            {[]string{signOff, at(raised, "2026-11-20T12:00:02Z")}, []string{message("m", "s", "")}, "2026-11-20T12:00:03Z"},
		"raised again between ticks":  {[]string{signOff, at(raised, "2026-11-20T12:00:02.25Z")}, []string{message("m", "s", "")}, "2026-11-20T12:00:03Z"},
		"raised again with an offset": {[]string{signOff, at(raised, "2026-11-20T15:00:00+01:00")}, []string{message("m", "s", "")}, "2026-11-20T14:00:01Z"},
		"a reply in the future":       {[]string{signOff}, []string{at(message("m", "s", ""), "2026-11-20T14:00:00Z")}, "2026-11-20T14:00:00Z"},
		"answered by the re-raise that ties": {[]string{signOff, at(raised, "2026-11-20T12:00:02Z")},
			[]string{strings.Replace(at(message("m", "s", ""), "2026-11-20T12:00:02Z"), "approved", "changes-requested", 1)}, "2026-11-20T12:00:02Z"},
	} {
		for _, say := range []figs.ReplyInput{approve, revise, decline} {
			if name == "a reply in the future" && say.Verdict == "rejected" {
				continue // the first one that declines decides, wherever it stands
			}
			d := made(t)
			d.put("asks.jsonl", question+"\n"+strings.Join(c.asks, "\n")+"\n")
			d.put("messages.jsonl", strings.Join(c.messages, "\n")+"\n")
			given := d.give("2", say)
			ask := d.shown("2")
			newest := ask.Thread[ask.State.Reply].Message
			if !given.Stands || newest.ID != given.ID || newest.TS != c.wantTS || ask.Thread[ask.State.Reply].Earlier {
				t.Errorf("%s, %s: %+v at %s, want it to stand at %s", name, say.Verdict, given, newest.TS, c.wantTS)
			}
		}
	}
}

// Where no time belongs to the round, the person is told, and nothing is written.
func TestReplyWithoutTime(t *testing.T) {
	d := made(t)
	d.put("asks.jsonl", question+"\n"+signOff+"\n"+strings.Replace(raised, "2026-11-20T10:00:00Z", "9999-12-31T23:59:59Z", 1)+"\n")
	d.put("messages.jsonl", message("m", "s", "")+"\n")
	var refused *reply.RefusedError
	if _, err := d.Reply(ctx, d.form("2", approve)); !errors.As(err, &refused) || !strings.Contains(refused.Hint, "raise it again") {
		t.Errorf("Reply = %v, want a sentence", err)
	}
}

// An unfinished line is ended, no line is lost, and whoever reads is told.
func TestReplySealsTornTail(t *testing.T) {
	for name, tail := range map[string]string{"torn": message("m1", "q", "") + "\n" + `{"id":"m2","kind":"ans`, "no last break": message("m1", "q", "")} {
		d := made(t)
		d.put("messages.jsonl", tail)
		given := d.give("1", strip)
		got, ok := strings.CutPrefix(d.get("messages.jsonl"), tail+"\n{")
		ask := d.shown("1")
		if want := map[string]int{"torn": 2}[name]; !ok || !strings.HasSuffix(got, "}\n") || given.Broken != want || len(ask.Thread) != 2 || !given.Stands {
			t.Errorf("%s: %+v with %d replies and %q, want line %d to be named", name, given, len(ask.Thread), got, want)
		}
	}
}

// Large threads and trails are known by the same revision on a page and in the ledger.
func TestReplyToLongAsk(t *testing.T) {
	d := made(t)
	var asks, messages strings.Builder
	asks.WriteString(question + "\n" + signOff + "\n")
	for i := range 3000 {
		fmt.Fprintf(&asks, `{"id":"s","found":"%d","x":{"é":[%d,null]}}`+"\n", i, i)
		messages.WriteString(message(fmt.Sprint("m", i), "s", "") + "\n\n")
	}
	d.put("asks.jsonl", asks.String())
	d.put("messages.jsonl", messages.String())
	r := d.form("2", revise)
	if given, err := d.Reply(ctx, r); err != nil || !given.Stands {
		t.Errorf("%+v, %v", given, err)
	}
}
