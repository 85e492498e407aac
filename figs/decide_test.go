package figs

import (
	"strings"
	"testing"
)

const (
	signOff  = `{"id":"a","type":"sign-off","title":"T","ts":"2026-11-20T10:00:00Z"}`
	question = `{"id":"q","type":"question","title":"T","ts":"2026-11-20T10:00:00Z","options":["x","y\u00e9","\ud800"]}`
)

func objectOf(line string) Object { return Fold([][]byte{[]byte(line)}) }

// What is minted is exact, or there is a reason that a person understands.
func TestAnswerAndVerdict(t *testing.T) {
	say := func(change func(*Saying)) Saying {
		s := Saying{ID: "m", By: "Ana", TS: "2026-11-20T11:00:00Z"}
		change(&s)
		return s
	}
	verdict := func(word, text string) Saying {
		return say(func(s *Saying) { s.Verdict, s.Text = word, text })
	}
	for _, c := range []struct {
		name, ask string
		kind      func(Object, Saying) ([]byte, Misfit)
		say       Saying
		wrong     Misfit
		line      string
	}{
		{"an option", question, Answer, say(func(s *Saying) { s.Chosen = "yé" }), Fits,
			`{"id":"m","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","chosen":"y\u00e9"}`},
		{"both", question, Answer, say(func(s *Saying) { s.Chosen, s.Text = "x", "a\r\nb\rc" }), Fits,
			`{"id":"m","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","chosen":"x","text":"a\nb\nc"}`},
		{"approved, with more", signOff, Verdict, say(func(s *Saying) {
			s.Verdict, s.Extra = "approved", objectOf(`{"reviewed":[{"name":"n"}],"kind":"answer","chosen":"x","text":"z"}`)
		}), Fits, `{"id":"m","kind":"verdict","ask":"a","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","verdict":"approved","reviewed":[{"name":"n"}]}`},
		{"declined", signOff, Verdict, verdict("rejected", "no"), Fits,
			`{"id":"m","kind":"verdict","ask":"a","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","verdict":"rejected","text":"no"}`},
		{"no option", question, Answer, say(func(s *Saying) { s.Chosen = "X" }), MisfitChosen, ""},
		{"an option of nothing", signOff, Verdict, say(func(s *Saying) { s.Verdict, s.Chosen = "approved", "x" }), MisfitChosen, ""},
		{"nothing", question, Answer, say(func(s *Saying) { s.Text = " \u200b\n" }), MisfitEmpty, ""},
		{"a verdict on a question", question, Verdict, verdict("approved", ""), MisfitVerdict, ""},
		{"an answer to a sign-off", signOff, Answer, say(func(s *Saying) { s.Text = "yes" }), MisfitAnswer, ""},
		{"changes without a note", signOff, Verdict, verdict("changes-requested", " \u00a0"), MisfitNote, ""},
		{"declined without a note", signOff, Verdict, verdict("rejected", ""), MisfitNote, ""},
		{"another word", signOff, Verdict, verdict("changes_requested", "n"), MisfitWord, ""},
		{"no word", signOff, Verdict, verdict("", "n"), MisfitWord, ""},
		{"long", signOff, Verdict, verdict("approved", strings.Repeat("x", MaxNote+1)), MisfitLong, ""},
		{"a megabyte", signOff, Verdict, verdict("approved", strings.Repeat("x", MaxRecord+1)), MisfitLong, ""},
		{"as long as may be", signOff, Verdict, verdict("approved", strings.Repeat("x", MaxNote)), Fits, "…"},
		{"bidi", signOff, Verdict, verdict("approved", "a\u202eb"), MisfitHidden, ""},
		{"NUL", signOff, Verdict, verdict("approved", "a\x00b"), MisfitHidden, ""},
		{"control", signOff, Verdict, verdict("approved", "a\x07b"), MisfitHidden, ""},
		{"a bidi name", signOff, Verdict, say(func(s *Saying) { s.Verdict, s.By = "approved", "A\u202e" }), MisfitHidden, ""},
		{"no name", signOff, Verdict, say(func(s *Saying) { s.Verdict, s.By = "approved", " " }), MisfitEvent, ""},
		{"no id", signOff, Verdict, say(func(s *Saying) { s.Verdict, s.ID = "approved", "" }), MisfitEvent, ""},
		{"no time", signOff, Verdict, say(func(s *Saying) { s.Verdict, s.TS = "approved", "today" }), MisfitEvent, ""},
	} {
		line, wrong := c.kind(objectOf(c.ask), c.say)
		if wrong != c.wrong || wrong == Fits && !Syncable(objectOf(string(line))) || c.line != "…" && string(line) != c.line {
			t.Errorf("%s: %q %s, want %q %s", c.name, wrong, line, c.wrong, c.line)
		}
		if wrong != Fits && (wrong.String() == "" || !strings.Contains(wrong.Sentence(), ". ")) {
			t.Errorf("%s: %q says %q, want a sentence and its way out", c.name, wrong, wrong.Sentence())
		}
	}
}

// Whatever else writes an event, it is held to the same.
func TestSuits(t *testing.T) {
	good := `{"id":"m","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","chosen":"\ud800"}`
	if wrong := Suits(objectOf(question), objectOf(good)); wrong != Fits {
		t.Fatalf("a good one: %s", wrong)
	}
	for old, change := range map[string]struct {
		with  string
		wrong Misfit
	}{
		`"source":"app"`:       {`"source":"chat"`, MisfitEvent},
		`"kind":"answer"`:      {`"kind":"note"`, MisfitEvent},
		`"ask":"q"`:            {`"ask":"r"`, MisfitAsk},
		`"chosen":"\ud800"`:    {`"chosen":"\ud801"`, MisfitChosen},
		`"by":"Ana"`:           {`"by":{}`, MisfitEvent},
		`,"chosen":"\ud800"`:   {`,"chosen":"x","text":7`, MisfitEvent},
		`"chosen":"\ud800"}`:   {`"chosen":["x"]}`, MisfitEvent},
		`"app","chosen"`:       {`"app","verdict":"approved","chosen"`, MisfitEvent},
		`{"id":"m"`:            {`{"id":"` + strings.Repeat("m", maxID+1) + `"`, MisfitEvent},
		`"app",`:               {`"app","deep":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `,`, MisfitEvent},
		`20T11:00:00Z"`:        {`20T11"`, MisfitEvent},
		`"ask":"q","by":"Ana"`: {`"ask":"q","by":"\u202eAna"`, MisfitHidden},
	} {
		line := strings.Replace(good, old, change.with, 1)
		if wrong := Suits(objectOf(question), objectOf(line)); line == good || wrong != change.wrong {
			t.Errorf("%s: %q, want %q", line, wrong, change.wrong)
		}
	}
	odd := strings.Replace(question, `["x",`, `{"x":"x"},"more":[`, 1)
	if wrong := Suits(objectOf(odd), objectOf(strings.Replace(good, `\ud800`, "x", 1))); wrong != MisfitChosen {
		t.Errorf("options that are no list: %q", wrong)
	}
}

func TestDecidable(t *testing.T) {
	// By phase: what is not reported, and what is; each when nobody spoke, somebody else, oneself.
	const free, closed, declined, decided = NotBarred, BarClosed, BarDeclined, BarDecided
	for phase, want := range map[Phase][2][3]Bar{
		NeedsYou:     {{free, free, free}, {free, free, free}},
		Replied:      {{free, decided, free}, {free, free, free}},
		BeingRevised: {{free, decided, free}, {free, free, free}},
		Declined:     {{declined, declined, declined}, {free, free, free}},
		Resolved:     {{closed, closed, closed}, {free, decided, free}},
		Withdrawn:    {{closed, closed, closed}, {free, decided, free}},
		Rejected:     {{closed, closed, closed}, {free, decided, free}},
	} {
		for reported := range 2 {
			for who, spoken := range [][2]bool{{false, false}, {true, false}, {true, true}} {
				if got := Decidable(&Ask{Type: "sign-off"}, AskState{Phase: phase, Reported: reported == 1}, spoken[0], spoken[1]); got != want[reported][who] {
					t.Errorf("%s, reported %v, spoken and own %v: %q, want %q", phase, reported == 1, spoken, got, want[reported][who])
				}
			}
		}
	}
	if seen := int(Rejected) + 1; seen != len(phaseNames) {
		t.Errorf("%d phases, %d of them looked at", len(phaseNames), seen)
	}
}

// TestMeantType holds an ask of an unknown type that has steps, or nearly spells a known one, to taking no reply.
func TestMeantType(t *testing.T) {
	steps := []string{"Send 12 emails (irreversible)"}
	for _, c := range []struct {
		kind  string
		steps []string
		meant string
	}{
		{"question", nil, ""}, {"question", steps, ""}, {"sign-off", nil, ""}, {"sign-off", steps, ""},
		{"signoff", nil, "sign-off"}, {"signoff", steps, "sign-off"}, {"Sign-Off", steps, "sign-off"}, {"approval", nil, "sign-off"},
		{"qestion", nil, "question"}, {"qestion", steps, "sign-off"}, {"announce", nil, ""}, {"announce", steps, "sign-off"},
		{"", nil, ""}, {"", steps, "sign-off"}, {"blocked", nil, ""}, {"needs-decision", steps, "sign-off"},
	} {
		ask := Ask{Type: c.kind, OnApprove: c.steps}
		if got := ask.MeantType(); got != c.meant {
			t.Errorf("%q with %d steps means %q, want %q", c.kind, len(c.steps), got, c.meant)
		}
		want := NotBarred
		if c.meant != "" {
			want = BarType
		}
		for _, reported := range []bool{false, true} {
			if got := Decidable(&ask, AskState{Phase: NeedsYou, Reported: reported}, false, false); got != want {
				t.Errorf("%q with %d steps: bar %q, want %q", c.kind, len(c.steps), got, want)
			}
		}
		if got := Decidable(&ask, AskState{Phase: Resolved}, false, false); got != BarClosed {
			t.Errorf("%q, closed: bar %q", c.kind, got)
		}
	}
	if BarType.String() == "" || !strings.Contains(BarType.Sentence(), "raises it again") {
		t.Errorf("%q says %q", BarType, BarType.Sentence())
	}
}

// A verified reply confirms or contradicts what was only reported before it.
func TestDeskConfirms(t *testing.T) {
	reply := func(id, clock, rest string) string {
		return `{"id":"` + id + `","kind":"verdict","ask":"a","by":"ana","ts":"` + clock + `","verdict":"` + rest + `"}`
	}
	answer := func(id, text string) string {
		return `{"id":"` + id + `","kind":"answer","ask":"a","by":"ana","ts":"2026-11-20T11:00:00Z","text":"` + text + `"}`
	}
	option := func(id, chosen string) string {
		return strings.Replace(answer(id, "t"), `"text":"t"`, `"chosen":"`+chosen+`","text":"as `+id+` says"`, 1)
	}
	const now, later = "2026-11-20T11:00:00Z", "2099-01-01T00:00:00Z"
	type said struct {
		line     string
		verified bool
	}
	for name, c := range map[string]struct {
		replies []said
		close   string
		want    string
	}{
		"confirmed, against a clock of 2099": {[]said{{reply("t", later, "approved"), false}, {reply("v", now, "approved"), true}}, "", "replied"},
		"contradicted":                       {[]said{{reply("t", later, "approved"), false}, {reply("v", now, "changes-requested"), true}}, "", "being revised"},
		"a reported decline, contradicted":   {[]said{{reply("t", now, "rejected"), false}, {reply("v", now, "approved"), true}}, "", "replied"},
		"a reported decline, confirmed":      {[]said{{reply("t", now, "rejected"), false}, {reply("v", now, "rejected"), true}}, "", "declined"},
		"reported after the word":            {[]said{{reply("v", now, "changes-requested"), true}, {reply("t", later, "approved"), false}}, "", "replied reported"},
		"and confirmed":                      {[]said{{reply("v", now, "changes-requested"), true}, {reply("t", later, "approved"), false}, {reply("w", "2026-11-20T12:00:00Z", "approved"), true}}, "", "replied"},
		"a verified decline stays":           {[]said{{reply("v", now, "rejected"), true}, {reply("t", later, "approved"), false}, {reply("w", "2026-11-20T12:00:00Z", "approved"), true}}, "", "declined"},
		"closed on a reported one":           {[]said{{reply("t", now, "approved"), false}}, "t", "resolved reported"},
		"confirmed after the close":          {[]said{{reply("t", now, "approved"), false}, {reply("v", "2026-11-20T13:00:00Z", "approved"), true}}, "t", "resolved"},
		"contradicted after the close":       {[]said{{reply("t", now, "approved"), false}, {reply("v", "2026-11-20T13:00:00Z", "rejected"), true}}, "t", "resolved reported"},
		"and corrected":                      {[]said{{reply("t", now, "approved"), false}, {reply("v", "2026-11-20T13:00:00Z", "rejected"), true}, {reply("w", "2026-11-20T14:00:00Z", "approved"), true}}, "t", "resolved"},
		"confirmed, then contradicted":       {[]said{{reply("t", now, "approved"), false}, {reply("v", "2026-11-20T13:00:00Z", "approved"), true}, {reply("w", "2026-11-20T14:00:00Z", "rejected"), true}}, "t", "resolved reported"},
		"closed on a reported decline":       {[]said{{reply("t", now, "rejected"), false}, {reply("v", "2026-11-20T13:00:00Z", "approved"), true}}, "t", "resolved reported"},
		"closed against the human's word":    {[]said{{reply("t", now, "approved"), false}, {reply("v", now, "rejected"), true}}, "t", "resolved reported"},
		"closed on what came after the word": {[]said{{reply("v", now, "approved"), true}, {reply("t", now, "approved"), false}}, "t", "resolved reported"},
		"closed on the human's word":         {[]said{{reply("t", now, "rejected"), false}, {reply("v", now, "approved"), true}}, "v", "resolved"},
		"closed on nothing":                  {[]said{{reply("t", now, "approved"), false}}, "", "replied reported"},
		"words, confirmed":                   {[]said{{answer("t", "two  weeks\\n"), false}, {answer("v", " two weeks"), true}}, "t", "resolved"},
		"words, others":                      {[]said{{answer("t", "two weeks"), false}, {answer("v", "Two weeks"), true}}, "t", "resolved reported"},
		"words and an option":                {[]said{{answer("t", "two weeks"), false}, {option("v", "two weeks"), true}}, "t", "resolved reported"},
		"an option, confirmed":               {[]said{{option("t", "two weeks"), false}, {option("v", "two weeks"), true}}, "t", "resolved"},
		"an option, another":                 {[]said{{option("t", "two weeks"), false}, {option("v", "three"), true}}, "t", "resolved reported"},
	} {
		d := NewDesk()
		d.Version(Version{Line: []byte(signOff), Snapshot: true, At: timeOfText("2026-11-20T10:01:00Z")})
		for i, r := range c.replies {
			d.Reply([]byte(r.line), timeOfText("2026-11-20T11:00:00Z")+int64(i), r.verified)
		}
		if c.close != "" {
			d.Version(Version{Line: []byte(`{"id":"a","status":"resolved","resolution":{"ts":"2026-11-20T12:00:00Z","answer":"` + c.close + `"}}`), Snapshot: true,
				At: timeOfText("2026-11-20T12:00:00Z")})
		}
		d.Finish()
		s, _ := d.State("a")
		got := []string{s.Phase.String()}
		if s.Reported {
			got = append(got, "reported")
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}
