package figs

import (
	"slices"
	"strings"
	"testing"
)

// Clients fold before they send: what a store has of an ask are versions and replies in the
// order of arrival.
func TestAskStates(t *testing.T) {
	const raise = `{"id":"a","type":"sign-off","title":"T","ts":"2026-11-20T10:00:00Z"}`
	at := func(clock string) int64 { return timeOfText("2026-11-20T" + clock + ":00Z") }
	version := func(clock, line string) any { return Version{Line: []byte(line), Snapshot: true, At: at(clock)} }
	type reply struct {
		clock, line string
		verified    bool
	}
	verdict := func(id, clock, verdict string) string {
		return `{"id":"` + id + `","kind":"verdict","ask":"a","by":"ana","ts":"2026-11-20T` + clock + `:00Z","verdict":"` + verdict + `"}`
	}
	for name, c := range map[string]struct {
		come []any
		want string // phase, round, "reported"
	}{
		"raised":                   {[]any{version("10:01", raise)}, "needs you 1"},
		"approved here":            {[]any{version("10:01", raise), reply{"11:00", verdict("m", "11:00", "approved"), true}}, "replied 1"},
		"approved, says the agent": {[]any{version("10:01", raise), reply{"11:30", verdict("m", "11:00", "approved"), false}}, "replied 1 reported"},
		"changed after the approval": {[]any{version("10:01", raise), reply{"11:00", verdict("m", "11:00", "approved"), true},
			version("12:00", `{"id":"a","title":"U","ts":"2026-11-20T11:30:00Z"}`)}, "needs you 2"},
		"changed after the approval, in a field without its time": {[]any{version("10:01", raise), reply{"11:00", verdict("m", "11:00", "approved"), true},
			version("12:00", `{"id":"a","onApprove":["send"]}`)}, "needs you 2"},
		"changed by a clock that is slow": {[]any{version("10:01", raise), reply{"11:00", verdict("m", "11:00", "changes-requested"), true},
			version("12:00", `{"id":"a","title":"U","ts":"2026-11-20T10:30:00Z"}`)}, "needs you 2"},
		"changed before any reply": {[]any{version("10:01", raise), version("10:30", `{"id":"a","title":"U"}`), reply{"11:00", verdict("m", "11:00", "approved"), true}}, "replied 1"},
		"reopened with its old resolution": {[]any{version("10:01", raise), reply{"11:00", verdict("m", "11:00", "approved"), true},
			version("11:30", `{"id":"a","status":"resolved","resolution":{"ts":"2026-11-20T11:20:00Z","answer":"m"}}`),
			version("12:00", `{"id":"a","status":"open","ts":"2026-11-20T11:50:00Z"}`)}, "needs you 2"},
		"closed": {[]any{version("10:01", raise), reply{"11:00", verdict("m", "11:00", "approved"), true},
			version("11:30", `{"id":"a","status":"resolved","resolution":{"ts":"2026-11-20T11:20:00Z","answer":"m"}}`)}, "resolved 1"},
		"raised and reported in one push": {[]any{version("12:00", `{"id":"a","type":"sign-off","title":"T","ts":"2026-11-20T10:00:00Z"}`), reply{"12:00", verdict("m", "11:00", "approved"), false}}, "replied 1 reported"},
		"a later raise and its reported reply in one push": {[]any{version("10:01", raise), reply{"12:00", verdict("m", "11:40", "approved"), false},
			version("12:00", `{"id":"a","title":"U","ts":"2026-11-20T11:30:00Z"}`)}, "replied 1 reported"},
		"raised again in 2099, then approved": {[]any{version("10:01", raise), reply{"11:00", verdict("m", "11:00", "changes-requested"), true},
			version("12:00", `{"id":"a","title":"U","ts":"2099-01-01T00:00:00Z"}`), reply{"12:30", verdict("n", "12:30", "approved"), true}}, "replied 2"},
		"raised in the second of the verdict, then approved in it": {[]any{version("10:01", raise), reply{"11:00", verdict("m", "11:00", "changes-requested"), true},
			version("11:01", `{"id":"a","title":"U","ts":"2026-11-20T11:05:00Z"}`), reply{"11:05", verdict("n", "11:05", "approved"), true}}, "replied 2"},
		"an approval reported of the first round by the same fast clock": {[]any{version("10:01", raise), reply{"11:00", verdict("m", "12:55", "approved"), false},
			version("12:00", `{"id":"a","title":"U","ts":"2026-11-20T13:00:00Z"}`)}, "needs you 2"},
		"and approved three times": {[]any{version("10:01", raise), reply{"11:00", verdict("m", "11:00", "changes-requested"), true},
			version("12:00", `{"id":"a","title":"U","ts":"2099-01-01T00:00:00Z"}`), reply{"12:30", verdict("n", "12:30", "changes-requested"), true},
			version("13:00", `{"id":"a","title":"V","ts":"2098-01-01T00:00:00Z"}`), reply{"13:30", verdict("o", "13:30", "approved"), true}}, "replied 3"},
		"rejected once": {[]any{version("10:01", raise), version("11:00", `{"id":"a","status":"rejected"}`), version("12:00", `{"id":"a","status":"open"}`)}, "rejected 1"},
	} {
		t.Run(name, func(t *testing.T) {
			d := NewAskStates()
			for _, x := range c.come {
				switch x := x.(type) {
				case Version:
					d.Version(x)
				case reply:
					d.Reply([]byte(x.line), at(x.clock), x.verified)
				}
			}
			d.Finish()
			s, ok := d.State("a")
			got := s.Phase.String() + " " + itoa(s.Round)
			if s.Reported {
				got += " reported"
			}
			if got != c.want || !ok {
				t.Errorf("State = %q, want %q", got, c.want)
			}
			if rounds := d.Rounds("a"); rounds[len(rounds)-1] != s.Round && !strings.HasPrefix(c.want, "rejected") {
				t.Errorf("Rounds = %v, but the ask is in round %d", rounds, s.Round)
			}
		})
	}
}

func timeOfText(s string) int64 {
	at, _ := ParseTime(s)
	return at
}

func TestAskedOf(t *testing.T) {
	both := Addressees{"mia", "bo"}
	for _, c := range []struct {
		to   string
		who  Addressees
		want []string
	}{
		{"manager", both, []string{"mia"}}, {"builder", both, []string{"bo"}}, {"", both, []string{"mia", "bo"}}, {"someone", both, []string{"mia", "bo"}},
		{"", Addressees{"mia", "mia"}, []string{"mia"}}, {"builder", Addressees{"mia", "mia"}, []string{"mia"}}, {"manager", Addressees{"", "bo"}, nil}, {"", Addressees{}, nil},
	} {
		if got := AskedOf(c.to, c.who); !slices.Equal(got, c.want) {
			t.Errorf("AskedOf(%q, %v) = %v, want %v", c.to, c.who, got, c.want)
		}
	}
}

// A store lists a run as a folder does.
func TestRunOutcome(t *testing.T) {
	for _, fields := range []string{``, `,"status":"ok"`, `,"status":"warn"`, `,"status":"fail"`, `,"status":"done"`, `,"status":null`, `,"status":7`, `,"status":""`,
		`,"state":"in-flight","status":"fail"`, `,"state":"settled","status":"fail"`, `,"state":"flying"`, `,"state":"in\u002dflight"`} {
		line := `{"id":"r","ts":"2026-11-20T10:00:00Z"` + fields + `}`
		f := New(Options{})
		f.Feed(Runs, []byte(line+"\n"))
		f.Finish()
		if got, want := RunOutcome(Fold(lines(line))), f.Outcome(0); got != want {
			t.Errorf("RunOutcome(%s) = %d, Folder.Outcome = %d", line, got, want)
		}
	}
}

// A version that brings a close has its time in the resolution, whenever it arrived; its own time is that of a raise before,
// which may be folded away.
func TestDeskClose(t *testing.T) {
	at := func(clock string) int64 { return timeOfText("2026-11-20T" + clock + ":00Z") }
	const raise = `{"id":"a","type":"sign-off","title":"T","ts":"2026-11-20T10:00:00Z"}`
	const closed = `"status":"resolved","resolution":{"ts":"2026-11-20T12:00:00Z","answer":"m"}`
	for name, c := range map[string]struct {
		versions []string
		round    int
		earlier  bool
		end      string // of the last wait
	}{
		"closed":                            {[]string{raise, `{"id":"a",` + closed + `}`}, 1, false, "11:00"},
		"raised again and closed":           {[]string{raise, `{"id":"a","title":"U","ts":"2026-11-20T11:30:00Z",` + closed + `}`}, 2, true, "12:00"},
		"raised, raised again and closed":   {[]string{`{"id":"a","type":"sign-off","title":"U","ts":"2026-11-20T11:30:00Z",` + closed + `}`}, 2, true, "12:00"},
		"raised and closed":                 {[]string{`{"id":"a","type":"sign-off","title":"T","ts":"2026-11-20T10:00:00Z",` + closed + `}`}, 1, false, "11:00"},
		"closed with a time of the line":    {[]string{raise, `{"id":"a","ts":"2026-11-20T12:00:00Z",` + closed + `}`}, 1, false, "11:00"},
		"closed, raised again and closed":   {[]string{raise, `{"id":"a","status":"resolved","resolution":{"ts":"2026-11-20T11:10:00Z"}}`, `{"id":"a","title":"U","ts":"2026-11-20T11:30:00Z",` + closed + `}`}, 2, true, "12:00"},
		"rejected, which nothing reopens":   {[]string{raise, `{"id":"a","status":"rejected","resolution":{"ts":"2026-11-20T11:10:00Z"}}`, `{"id":"a","ts":"2026-11-20T11:30:00Z",` + closed + `}`}, 1, false, "11:00"},
		"closed by words, and raised there": {[]string{raise, `{"id":"a","ts":"2026-11-20T11:30:00Z","status":"resolved","resolution":"done"}`}, 1, false, "11:00"},
	} {
		d := NewAskStates()
		for _, line := range c.versions {
			d.Version(Version{Line: []byte(line), Snapshot: true, At: at("18:00")})
		}
		d.Reply([]byte(`{"id":"m","kind":"verdict","ask":"a","by":"ana","ts":"2026-11-20T11:00:00Z","verdict":"approved"}`), at("18:00"), false)
		d.Finish()
		s, _ := d.State("a")
		waits, thread := d.Waits("a"), d.Thread("a")
		if last := waits[len(waits)-1]; !s.Phase.Closed() || s.Round != c.round || thread[0].Earlier != c.earlier || last.To != at(c.end) {
			t.Errorf("%s: %s in round %d, reply %+v, waits %+v", name, s.Phase, s.Round, thread[0], waits)
		}
	}
}

// A raise without a time takes replies: those that came after it, as far as its arrival tells, whether or not the client
// folded it. In a folder nothing tells which replies it follows, so that none counts for it (§6).
func TestDeskRaiseWithoutTime(t *testing.T) {
	at := func(clock string) int64 { return timeOfText("2026-11-20T" + clock + ":00Z") }
	const raise, again = `{"id":"a","type":"sign-off","title":"T","ts":"2026-11-20T10:00:00Z"}`, `{"id":"a","type":"sign-off","title":"U","attachments":["b.md"]}`
	reply := func(clock string) []byte {
		return []byte(`{"id":"m` + clock + `","kind":"verdict","ask":"a","by":"ana","ts":"2026-11-20T` + clock + `:00Z","verdict":"approved"}`)
	}
	for _, snapshot := range []bool{false, true} {
		for _, verified := range []bool{false, true} {
			for clock, want := range map[string]Phase{"11:00": NeedsYou, "13:00": Replied} {
				d := NewAskStates()
				d.Version(Version{Line: []byte(raise), Snapshot: snapshot, At: at("10:01")})
				arrived := map[string]int64{"11:00": at("11:00"), "13:00": at("13:00")}[clock]
				if clock == "11:00" {
					d.Reply(reply(clock), arrived, verified)
				}
				d.Version(Version{Line: []byte(again), Snapshot: snapshot, At: at("12:00")})
				if clock == "13:00" {
					d.Reply(reply(clock), arrived, verified)
				}
				d.Finish()
				if s, _ := d.State("a"); s.Phase != want {
					t.Errorf("snapshot %v, verified %v, a reply at %s: %s, want %s", snapshot, verified, clock, s.Phase, want)
				}
			}
		}
	}
	f := New(Options{})
	f.Feed(Asks, []byte(raise+"\n"+again+"\n"))
	f.Feed(Messages, append(reply("13:00"), '\n'))
	f.Finish()
	if s := f.State(0); s.Phase != NeedsYou {
		t.Errorf("in a folder: %s", s.Phase)
	}
}

// A job has one outcome, whoever reads it: from the ledger, from its fold, or from the run that was read of that.
func TestOutcomeWords(t *testing.T) {
	words := OutcomeWords()
	for _, line := range []string{`{"id":"a","state":"in-flight","status":"fail"}`, `{"id":"a"}`, `{"id":"a","status":"ok"}`, `{"id":"a","status":"warn"}`, `{"id":"a","status":"fail"}`,
		`{"id":"a","status":"late"}`, `{"id":"a","status":"in-flight"}`, `{"id":"a","status":"unknown"}`, `{"id":"a","status":5}`, `{"id":"a","status":null}`, `{"id":"a","status":""}`} {
		fold := Fold([][]byte{[]byte(line)})
		run := ReadRun(fold)
		o := RunOutcome(fold)
		if run.Outcome() != o {
			t.Errorf("%s: %s of the run, %s of its fold", line, run.Outcome(), o)
		}
		if parsed, ok := ParseOutcome(o.String()); !ok || parsed != o || !slices.Contains(words, o.String()) {
			t.Errorf("%s: %q is not read as %s", line, o.String(), o)
		}
	}
}
