package figs

import (
	"strings"
	"testing"
)

func TestOneBreak(t *testing.T) {
	for text, want := range map[string]string{"": "", "a": "a", "a\r\nb": "a\nb", "a\rb": "a\nb", "a\r": "a\n", "\r\n": "\n", "\r\r\n\n": "\n\n\n", "a\nb": "a\nb", "\r": "\n"} {
		if got := oneBreak(text); got != want {
			t.Errorf("oneBreak(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestBlank(t *testing.T) {
	for text, want := range map[string]bool{"": true, " \n\t": true, "\u200b": true, "\u200c": true, "\u200d": true, " \u200c\u200d\u200b ": true, "a": false, " a": false, "\u200ca": false, "\u2800a": false} {
		if got := blank(text); got != want {
			t.Errorf("blank(%q) = %v, want %v", text, got, want)
		}
	}
}

// A verdict is held to the same as an answer, field by field.
func TestSuitsVerdict(t *testing.T) {
	const good = `{"id":"m","kind":"verdict","ask":"a","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","verdict":"changes-requested","text":"More."}`
	options := strings.Replace(signOff, `"title"`, `"options":["x"],"title"`, 1)
	for _, c := range []struct {
		lesson, ask, event string
		want               ReplyProblem
	}{
		{"whole", signOff, good, ReplyOK},
		{"an option", options, strings.Replace(good, `"text"`, `"chosen":"x","text"`, 1), ReplyOK},
		{"no such option", options, strings.Replace(good, `"text"`, `"chosen":"y","text"`, 1), ProblemChosen},
		{"an empty option", options, strings.Replace(good, `"text"`, `"chosen":"","text"`, 1), ProblemEvent},
		{"an empty text", signOff, strings.Replace(strings.Replace(good, "More.", "", 1), "changes-requested", "approved", 1), ProblemEvent},
		{"approved, without a text", signOff, strings.Replace(strings.Replace(good, `,"text":"More."`, "", 1), "changes-requested", "approved", 1), ReplyOK},
		{"no verdict", signOff, strings.Replace(good, `"changes-requested"`, `""`, 1), ProblemUnknownVerdict},
		{"a verdict of no text", signOff, strings.Replace(good, `"changes-requested"`, `7`, 1), ProblemEvent},
		{"the longest id", signOff, strings.Replace(good, `"m"`, `"`+strings.Repeat("m", maxID)+`"`, 1), ReplyOK},
		{"a longer id", signOff, strings.Replace(good, `"m"`, `"`+strings.Repeat("m", maxID+1)+`"`, 1), ProblemEvent},
		{"the longest text", signOff, strings.Replace(good, "More.", strings.Repeat("x", MaxNote), 1), ReplyOK},
		{"a longer text", signOff, strings.Replace(good, "More.", strings.Repeat("x", MaxNote+1), 1), ProblemTooLong},
		{"a hidden character first", signOff, strings.Replace(good, "More.", `\u202eMore.`, 1), ProblemHidden},
		{"a name that hides its beginning", signOff, strings.Replace(good, "Ana", `\u202eAna`, 1), ProblemHidden},
		{"NUL in a name", signOff, strings.Replace(good, "Ana", `\u0000Ana`, 1), ProblemHidden},
		{"an ask of another kind of id", strings.Replace(signOff, `"a"`, `7`, 1), good, ProblemAsk},
		{"a question", strings.Replace(signOff, "sign-off", "question", 1), good, ProblemVerdict},
	} {
		if got := CheckReply(objectOf(c.ask), objectOf(c.event)); got != c.want {
			t.Errorf("%s: Suits = %q, want %q", c.lesson, got, c.want)
		}
	}
}

// Further fields are kept unless the protocol gives them a meaning or the event has them.
func TestExtraFields(t *testing.T) {
	s := ReplyInput{ID: "m", By: "Ana", TS: "2026-11-20T11:00:00Z", Text: "t", Extra: objectOf(`{"note":1,"session":"s","verdict":"approved","by":"Eve","chosen":"x"}`)}
	line, wrong := Answer(objectOf(question), s)
	if want := `{"id":"m","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","text":"t","note":1}`; wrong != ReplyOK || string(line) != want {
		t.Errorf("Answer = %s, %q, want %s", line, wrong, want)
	}
}
