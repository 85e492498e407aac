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
	say := func(change func(*ReplyInput)) ReplyInput {
		s := ReplyInput{ID: "m", By: "Ana", TS: "2026-11-20T11:00:00Z"}
		change(&s)
		return s
	}
	verdict := func(word, text string) ReplyInput {
		return say(func(s *ReplyInput) { s.Verdict, s.Text = word, text })
	}
	for _, c := range []struct {
		name, ask string
		kind      func(Object, ReplyInput) ([]byte, ReplyProblem)
		say       ReplyInput
		wrong     ReplyProblem
		line      string
	}{
		{"an option", question, Answer, say(func(s *ReplyInput) { s.Chosen = "yé" }), ReplyOK,
			`{"id":"m","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","chosen":"y\u00e9"}`},
		{"both", question, Answer, say(func(s *ReplyInput) { s.Chosen, s.Text = "x", "a\r\nb\rc" }), ReplyOK,
			`{"id":"m","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","chosen":"x","text":"a\nb\nc"}`},
		{"approved, with more", signOff, Verdict, say(func(s *ReplyInput) {
			s.Verdict, s.Extra = "approved", objectOf(`{"reviewed":[{"name":"n"}],"kind":"answer","chosen":"x","text":"z"}`)
		}), ReplyOK, `{"id":"m","kind":"verdict","ask":"a","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","verdict":"approved","reviewed":[{"name":"n"}]}`},
		{"declined", signOff, Verdict, verdict("rejected", "no"), ReplyOK,
			`{"id":"m","kind":"verdict","ask":"a","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","verdict":"rejected","text":"no"}`},
		{"no option", question, Answer, say(func(s *ReplyInput) { s.Chosen = "X" }), ProblemChosen, ""},
		{"an option of nothing", signOff, Verdict, say(func(s *ReplyInput) { s.Verdict, s.Chosen = "approved", "x" }), ProblemChosen, ""},
		{"nothing", question, Answer, say(func(s *ReplyInput) { s.Text = " \u200b\n" }), ProblemEmpty, ""},
		{"a verdict on a question", question, Verdict, verdict("approved", ""), ProblemVerdict, ""},
		{"an answer to a sign-off", signOff, Answer, say(func(s *ReplyInput) { s.Text = "yes" }), ProblemAnswer, ""},
		{"changes without a note", signOff, Verdict, verdict("changes-requested", " \u00a0"), ProblemNoteMissing, ""},
		{"declined without a note", signOff, Verdict, verdict("rejected", ""), ProblemNoteMissing, ""},
		{"another word", signOff, Verdict, verdict("changes_requested", "n"), ProblemUnknownVerdict, ""},
		{"no word", signOff, Verdict, verdict("", "n"), ProblemUnknownVerdict, ""},
		{"long", signOff, Verdict, verdict("approved", strings.Repeat("x", MaxNote+1)), ProblemTooLong, ""},
		{"a megabyte", signOff, Verdict, verdict("approved", strings.Repeat("x", MaxRecord+1)), ProblemTooLong, ""},
		{"as long as may be", signOff, Verdict, verdict("approved", strings.Repeat("x", MaxNote)), ReplyOK, "…"},
		{"bidi", signOff, Verdict, verdict("approved", "a\u202eb"), ProblemHidden, ""},
		{"NUL", signOff, Verdict, verdict("approved", "a\x00b"), ProblemHidden, ""},
		{"control", signOff, Verdict, verdict("approved", "a\x07b"), ProblemHidden, ""},
		{"a bidi name", signOff, Verdict, say(func(s *ReplyInput) { s.Verdict, s.By = "approved", "A\u202e" }), ProblemHidden, ""},
		{"no name", signOff, Verdict, say(func(s *ReplyInput) { s.Verdict, s.By = "approved", " " }), ProblemEvent, ""},
		{"no id", signOff, Verdict, say(func(s *ReplyInput) { s.Verdict, s.ID = "approved", "" }), ProblemEvent, ""},
		{"no time", signOff, Verdict, say(func(s *ReplyInput) { s.Verdict, s.TS = "approved", "today" }), ProblemEvent, ""},
	} {
		line, wrong := c.kind(objectOf(c.ask), c.say)
		if wrong != c.wrong || wrong == ReplyOK && !IsSyncable(objectOf(string(line))) || c.line != "…" && string(line) != c.line {
			t.Errorf("%s: %q %s, want %q %s", c.name, wrong, line, c.wrong, c.line)
		}
		if wrong != ReplyOK && (wrong.String() == "" || !strings.Contains(wrong.Sentence(), ". ")) {
			t.Errorf("%s: %q says %q, want a sentence and its way out", c.name, wrong, wrong.Sentence())
		}
	}
}

// Whatever else writes an event, it is held to the same.
func TestSuits(t *testing.T) {
	good := `{"id":"m","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","chosen":"\ud800"}`
	if wrong := CheckReply(objectOf(question), objectOf(good)); wrong != ReplyOK {
		t.Fatalf("a good one: %s", wrong)
	}
	for old, change := range map[string]struct {
		with  string
		wrong ReplyProblem
	}{
		`"source":"app"`:       {`"source":"chat"`, ProblemEvent},
		`"kind":"answer"`:      {`"kind":"note"`, ProblemEvent},
		`"ask":"q"`:            {`"ask":"r"`, ProblemAsk},
		`"chosen":"\ud800"`:    {`"chosen":"\ud801"`, ProblemChosen},
		`"by":"Ana"`:           {`"by":{}`, ProblemEvent},
		`,"chosen":"\ud800"`:   {`,"chosen":"x","text":7`, ProblemEvent},
		`"chosen":"\ud800"}`:   {`"chosen":["x"]}`, ProblemEvent},
		`"app","chosen"`:       {`"app","verdict":"approved","chosen"`, ProblemEvent},
		`{"id":"m"`:            {`{"id":"` + strings.Repeat("m", maxID+1) + `"`, ProblemEvent},
		`"app",`:               {`"app","deep":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `,`, ProblemEvent},
		`20T11:00:00Z"`:        {`20T11"`, ProblemEvent},
		`"ask":"q","by":"Ana"`: {`"ask":"q","by":"\u202eAna"`, ProblemHidden},
	} {
		line := strings.Replace(good, old, change.with, 1)
		if wrong := CheckReply(objectOf(question), objectOf(line)); line == good || wrong != change.wrong {
			t.Errorf("%s: %q, want %q", line, wrong, change.wrong)
		}
	}
	odd := strings.Replace(question, `["x",`, `{"x":"x"},"more":[`, 1)
	if wrong := CheckReply(objectOf(odd), objectOf(strings.Replace(good, `\ud800`, "x", 1))); wrong != ProblemChosen {
		t.Errorf("options that are no list: %q", wrong)
	}
}

func TestDecidable(t *testing.T) {
	// By phase: what is not reported, and what is; each when nobody spoke, somebody else, oneself.
	const free, closed, declined, decided = NotBlocked, BlockedClosed, BlockedDeclined, BlockedDecided
	for phase, want := range map[Phase][2][3]ReplyBlock{
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
				if got := CheckDecidable(&Ask{Type: "sign-off"}, AskState{Phase: phase, Reported: reported == 1}, spoken[0], spoken[1]); got != want[reported][who] {
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
		want := NotBlocked
		if c.meant != "" {
			want = BlockedType
		}
		for _, reported := range []bool{false, true} {
			if got := CheckDecidable(&ask, AskState{Phase: NeedsYou, Reported: reported}, false, false); got != want {
				t.Errorf("%q with %d steps: bar %q, want %q", c.kind, len(c.steps), got, want)
			}
		}
		if got := CheckDecidable(&ask, AskState{Phase: Resolved}, false, false); got != BlockedClosed {
			t.Errorf("%q, closed: bar %q", c.kind, got)
		}
	}
	if BlockedType.String() == "" || !strings.Contains(BlockedType.Sentence(), "raises it again") {
		t.Errorf("%q says %q", BlockedType, BlockedType.Sentence())
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
		d := NewAskStates()
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
