package figs

import (
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs/jsonl"
)

func TestChanged(t *testing.T) {
	for _, c := range []struct{ before, line, want string }{
		{`{"id":"a","x":1}`, `{"id":"a","x":1}`, ""}, {`{"id":"a","x":1}`, `{"id":"b","x":2,"y":3}`, "x y"}, {`{}`, `{"id":"a","x":null}`, "x"},
	} {
		if got := strings.Join(ChangedKeys(objectOf(c.before), objectOf(c.line)), " "); got != c.want {
			t.Errorf("Changed(%s, %s) = %q, want %q", c.before, c.line, got, c.want)
		}
	}
}

func TestSettled(t *testing.T) {
	for _, c := range []struct {
		file File
		fold string
		want bool
	}{
		{Runs, `{"state":"in-flight"}`, false}, {Runs, `{"state":"settled"}`, true}, {Runs, `{}`, true},
		{Asks, `{"status":"open"}`, false}, {Asks, `{"status":"resolved"}`, true}, {Asks, `{"status":"withdrawn"}`, true}, {Asks, `{"status":"rejected"}`, true}, {Asks, `{"status":"odd"}`, false}, {Asks, `{}`, false},
	} {
		if got := IsSettled(c.file, objectOf(c.fold)); got != c.want {
			t.Errorf("Settled(%v, %s) = %v, want %v", c.file, c.fold, got, c.want)
		}
	}
}

// Two events say the same when every field of the protocol but source does.
func TestSameMessage(t *testing.T) {
	const event = `{"id":"m","kind":"answer","ask":"a","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","chosen":"x","text":"t","verdict":"v"}`
	for change, want := range map[string]bool{
		`"source":"chat"`: true, `"id":"n"`: true, `"extra":1`: true,
		`"kind":"verdict"`: false, `"ask":"b"`: false, `"by":"Eve"`: false, `"ts":"2026-11-20T11:00:01Z"`: false, `"chosen":"y"`: false, `"text":"u"`: false, `"verdict":"w"`: false,
	} {
		other := Fold([][]byte{[]byte(event), []byte(`{` + change + `}`)})
		if got := SameMessage(objectOf(event), other); got != want {
			t.Errorf("with %s: SameMessage = %v, want %v", change, got, want)
		}
	}
}

// A kept event is as it came, with its source in its place, or at the end where it had none.
func TestTranscribed(t *testing.T) {
	for event, want := range map[string]string{
		`{"id":"m","source":"app","text":"t"}`: `{"id":"m","source":"chat","text":"t"}`, `{"id":"m","text":"t"}`: `{"id":"m","text":"t","source":"chat"}`,
	} {
		message := objectOf(event)
		if got := string(AppendTranscribed([]byte("> "), message)); got != "> "+want {
			t.Errorf("Transcribed(%s) = %s, want %s", event, got, want)
		}
		if got := string(AppendObject(nil, message)); got != event {
			t.Errorf("%s became %s", event, got)
		}
	}
}

// An eventId that is too long, and an event that is too large, are no events: what the fold says of them is kept.
func TestMergeEventBounds(t *testing.T) {
	event := func(id, rest string) string { return `{"id":"a","x":1,"eventId":"` + id + `"` + rest + `}` }
	deep := `,"y":` + strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)
	for lesson, c := range map[string]struct {
		events []string
		want   []string // event ids of what the trail grows by
		odd    int
	}{
		"as long as may be": {[]string{event(strings.Repeat("e", maxID), "")}, []string{strings.Repeat("e", maxID)}, 0},
		"too long":          {[]string{event(strings.Repeat("e", maxID+1), "")}, nil, 0},
		"none":              {[]string{event("", "")}, nil, 0},
		"too deep":          {[]string{event("e", deep)}, nil, 0},
		"twice the same":    {[]string{event("e", ""), event("e", "")}, []string{"e"}, 0},
		"twice another":     {[]string{event("e", ""), event("e", `,"y":1`)}, []string{"e"}, 1},
		"two":               {[]string{event("e", ""), event("f", "")}, []string{"e", "f"}, 0},
	} {
		m := Merge(&PushRecord{Runs, "a", lines(`{"id":"a","x":1}`), lines(c.events...)}, &StoredRecord{})
		var got []string
		for _, v := range m.New {
			if v.At != NoTime {
				t.Errorf("%s: a new version has the time %d", lesson, v.At)
			}
			if v.Event != "" {
				got = append(got, v.Event)
			}
		}
		if !slices.Equal(got, c.want) || m.Events != c.odd || m.Refused != NotRefused {
			t.Errorf("%s: events %q, %d left out, refused %q; want %q, %d", lesson, got, m.Events, m.Refused, c.want, c.odd)
		}
	}
}

// What is compared with a close: the times of both resolutions, else of the lines, never later than the close arrived.
func TestMergeTimes(t *testing.T) {
	ask := func(status, ts, resolved string) string {
		line := `{"id":"a","status":"` + status + `"`
		if ts != "" {
			line += `,"ts":"2026-11-20T` + ts + `:00:00Z"`
		}
		if resolved != "" {
			line += `,"resolution":{"ts":"2026-11-20T` + resolved + `:00:00Z"}`
		}
		return line + "}"
	}
	noon := timeOfText("2026-11-20T12:00:00Z")
	for lesson, c := range map[string]struct {
		stored, push string
		closedAt     int64
		want         Refusal
	}{
		"closed again in the same second":            {ask("resolved", "10", "12"), ask("withdrawn", "10", "12"), 0, NotRefused},
		"closed again before":                        {ask("resolved", "10", "12"), ask("withdrawn", "10", "11"), 0, RefusedOlder},
		"reopened, the close has no time":            {ask("resolved", "10", ""), ask("open", "11", ""), 0, NotRefused},
		"reopened before, the close has no time":     {ask("resolved", "10", ""), ask("open", "09", ""), 0, RefusedOlder},
		"reopened, without a time":                   {ask("resolved", "10", "12"), ask("open", "", ""), 0, NotRefused},
		"reopened at once, by a close of the future": {ask("resolved", "10", "20"), ask("open", "13", ""), noon, NotRefused},
		"reopened when the close arrived":            {ask("resolved", "10", "20"), ask("open", "12", ""), noon, RefusedOlder},
		"the close arrived at an unknown time":       {ask("resolved", "10", "20"), ask("open", "13", ""), 0, RefusedOlder},
		"the close arrived later than it says":       {ask("resolved", "10", "11"), ask("open", "12", ""), timeOfText("2026-11-20T13:00:00Z"), NotRefused},
		"an open one":                                {ask("open", "10", ""), ask("open", "09", ""), 0, NotRefused},
		"nothing is stored":                          {"", ask("open", "09", ""), 0, NotRefused},
	} {
		was := StoredRecord{ClosedAt: c.closedAt}
		if c.stored != "" {
			was.Fold = objectOf(c.stored)
		}
		if m := Merge(&PushRecord{Asks, "a", lines(c.push), nil}, &was); m.Refused != c.want {
			t.Errorf("%s: refused %q, want %q", lesson, m.Refused, c.want)
		}
	}
}

func TestAmong(t *testing.T) {
	list := []string{"a", "b"}
	for text, want := range map[string]bool{"a": true, "b": true, "c": false, "": false} {
		if got := among(list, jsonl.Value{Kind: jsonl.String, Raw: AppendString(nil, text)}); got != want {
			t.Errorf("among(%q) = %v, want %v", text, got, want)
		}
	}
}
