package figs

import (
	"bytes"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs/jsonl"
)

func TestStrip(t *testing.T) {
	for _, c := range []struct {
		lesson     string
		file       File
		line, want string
	}{
		{"a run keeps where it stands", Runs, `{"id":"r","ts":"2026-11-20T10:00:00Z","eventId":"e","title":"secret","result":"secret","unit":"secret","period":"secret","state":"settled","status":"fail","attachments":["secret.pdf"],"session":{"model":"secret"},"x-own":"secret"}`,
			`{"id":"r","ts":"2026-11-20T10:00:00Z","eventId":"e","state":"settled","status":"fail"}`},
		{"an ask keeps its contract", Asks, `{"type":"sign-off","id":"a","to":"builder","run":"r","ts":"2026-11-20T10:00:00+02:00","title":"secret","found":"secret","need":"secret","options":["secret"],"onApprove":["secret"],"details":[{"l":"secret","v":"secret"}],"status":"open"}`,
			`{"type":"sign-off","id":"a","to":"builder","run":"r","ts":"2026-11-20T10:00:00+02:00","status":"open"}`},
		{"a close keeps what it cites", Asks, `{"id":"a","status":"resolved","resolution":{"note":"secret","chosen":"secret","by":"secret","via":"figs","answer":"m","run":"r","ts":"2026-11-20T12:00:00Z"}}`,
			`{"id":"a","status":"resolved","resolution":{"via":"figs","answer":"m","run":"r","ts":"2026-11-20T12:00:00Z"}}`},
		{"a close in words stays a close", Asks, `{"id":"a","status":"withdrawn","resolution":"secret"}`, `{"id":"a","status":"withdrawn","resolution":{}}`},
		{"no resolution stays none", Asks, `{"id":"a","resolution":null}`, `{"id":"a","resolution":null}`},
		{"a verdict keeps its word", Messages, `{"id":"m","kind":"verdict","ask":"a","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","verdict":"approved","text":"secret","chosen":"secret"}`,
			`{"id":"m","kind":"verdict","ask":"a","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","verdict":"approved"}`},
		{"words where a list is", Runs, `{"id":"r","ts":"secret","state":"secret","status":[ "secret" ]}`, `{"id":"r","ts":"erased","state":"erased","status":[]}`},
		{"numbers and truth", Asks, `{"id":12,"type":4711,"status":0.0,"to":true,"run":{"secret":1},"ts":""}`, `{"id":1,"type":1,"status":0,"to":true,"run":{},"ts":""}`},
		{"the last of duplicate keys counts", Runs, `{"id":"r","status":"secret","status":"ok"}`, `{"id":"r","status":"ok"}`},
		{"no object", Runs, `["secret"]`, `{}`},
	} {
		if got := string(Strip(c.file, []byte(c.line))); got != c.want {
			t.Errorf("%s: Strip(%s, %s) = %s, want %s", c.lesson, c.file, c.line, got, c.want)
		}
	}
}

// A record that was erased is pushed again as it was: nothing of it changes, and nothing comes back. A
// later close of it arrives.
func TestStripAndMerge(t *testing.T) {
	lines := [][]byte{
		[]byte(`{"id":"a","type":"question","ts":"2026-11-20T10:00:00Z","title":"secret","options":["secret"]}`),
		[]byte(`{"id":"a","title":"secret too","ts":"2026-11-20T10:30:00Z"}`),
		[]byte(`{"id":"a","title":"secret at last"}`),
	}
	in := PushRecord{File: Asks, ID: "a", Lines: lines}
	first := Merge(&in, &StoredRecord{})
	erased := StoredRecord{}
	var kept [][]byte
	for _, v := range first.New {
		v.Line = Strip(Asks, v.Line)
		erased.Trail, kept = append(erased.Trail, v), append(kept, v.Line)
	}
	erased.Fold = Fold(kept)
	strip := func(p PushRecord) *PushRecord {
		lines := make([][]byte, len(p.Lines))
		for i := range p.Lines {
			lines[i] = Strip(Asks, p.Lines[i])
		}
		p.Lines = lines
		return &p
	}
	if again := Merge(strip(in), &erased); len(again.New) > 0 || again.Refused != NotRefused {
		t.Errorf("the same again adds %+v, %v", again.New, again.Refused)
	}
	folded := in
	folded.Lines = [][]byte{AppendObject(nil, Fold(lines))}
	if again := Merge(strip(folded), &erased); len(again.New) > 0 || again.Refused != NotRefused {
		t.Errorf("its fold again adds %+v, %v", again.New, again.Refused)
	}
	in.Lines = append(in.Lines, []byte(`{"id":"a","status":"resolved","resolution":{"note":"secret","ts":"2026-11-20T11:00:00Z"}}`))
	closed := Merge(strip(in), &erased)
	if len(closed.New) != 1 || !IsSettled(Asks, closed.Fold) || bytes.Contains(closed.New[0].Line, []byte("secret")) {
		t.Errorf("its close adds %+v", closed.New)
	}
}

// Of answers without words nobody can say that one confirms another.
func TestStripConfirmsNothing(t *testing.T) {
	const ask = `{"id":"a","type":"question","title":"T","ts":"2026-11-20T10:00:00Z"}`
	const closed = `{"id":"a","status":"resolved","resolution":{"answer":"m","ts":"2026-11-20T12:00:00Z"}}`
	answer := func(id, text string) []byte {
		return Strip(Messages, []byte(`{"id":"`+id+`","kind":"answer","ask":"a","by":"Ana","ts":"2026-11-20T11:00:00Z","text":"`+text+`"}`))
	}
	d := NewAskStates()
	d.Version(Version{Line: []byte(ask), Snapshot: true, At: 1})
	d.Reply(answer("m", "yes"), 2, false)
	d.Version(Version{Line: []byte(closed), Snapshot: true, At: 3})
	d.Reply(answer("n", "no"), 4, true)
	d.Finish()
	if s, _ := d.State("a"); s.Phase != Resolved || !s.Reported {
		t.Errorf("it is %s, reported %v", s.Phase, s.Reported)
	}
}

// FuzzStrip holds that stripped ledgers stand where whole ones do, and that nothing of a text is left
// in them.
func FuzzStrip(f *testing.F) {
	f.Add(`{"id":"r","ts":"2026-11-20T10:00:00Z","result":"done","status":"ok"}`,
		`{"id":"a","type":"sign-off","title":"T","ts":"2026-11-20T10:00:00Z"}`+"\n"+`{"id":"a","title":"U","ts":"2026-11-20T11:30:00Z"}`+"\n"+`{"id":"a","status":"resolved","resolution":"yes"}`,
		`{"id":"m","kind":"verdict","ask":"a","by":"ana","ts":"2026-11-20T11:00:00Z","verdict":"changes-requested","text":"so"}`)
	f.Add(`{"id":"r","state":"in-flight","status":null}`, `{"id":"a","type":"fyi","status":"Open","resolution":null}`+"\n"+`{"id":"a","status":"rejected"}`+"\n"+`{"id":"a","status":0}`,
		`{"id":"m","kind":"answer","ask":"a","chosen":"Yes","ts":"later"}`+"\n"+`{"id":"n","kind":"verdict","verdict":"no","ask":"a"}`)
	f.Fuzz(func(t *testing.T, runs, asks, messages string) {
		for line := range strings.SplitSeq(runs, "\n") {
			quiet(t, Runs, line)
			if got, want := RunOutcome(Fold([][]byte{Strip(Runs, []byte(line))})), RunOutcome(Fold([][]byte{[]byte(line)})); got != want && isObject(line) {
				t.Errorf("a stripped run is %v, and was %v", got, want)
			}
		}
		whole, bare := NewAskStates(), NewAskStates()
		at := int64(0)
		for line := range strings.SplitSeq(asks, "\n") {
			quiet(t, Asks, line)
			if at++; isObject(line) {
				whole.Version(Version{Line: []byte(line), Snapshot: at%2 == 0, At: at})
				bare.Version(Version{Line: Strip(Asks, []byte(line)), Snapshot: at%2 == 0, At: at})
			}
		}
		for line := range strings.SplitSeq(messages, "\n") {
			quiet(t, Messages, line)
			if at++; isObject(line) {
				whole.Reply([]byte(line), at, at%3 == 0)
				bare.Reply(Strip(Messages, []byte(line)), at, at%3 == 0)
			}
		}
		whole.Finish()
		bare.Finish()
		for line := range strings.SplitSeq(asks, "\n") {
			id := Fold([][]byte{[]byte(line)}).Get("id").Text()
			got, ok := bare.State(id)
			want, had := whole.State(id)
			if ok != had || got.Phase != want.Phase || got.Round != want.Round || got.Since != want.Since {
				t.Errorf("stripped, %q is %+v, and was %+v", id, got, want)
			}
		}
	})
}

func isObject(line string) bool {
	v, _, ok := jsonl.Parse([]byte(line))
	return ok && v.Kind == jsonl.Object
}

// quiet fails where a stripped line still says something.
func quiet(t *testing.T, file File, line string) {
	t.Helper()
	out := Strip(file, []byte(line))
	if again := Strip(file, out); !bytes.Equal(again, out) {
		t.Errorf("stripped again %s becomes %s", out, again)
	}
	quietObject(t, Fold([][]byte{out}), stripped[file])
}

func quietObject(t *testing.T, o Object, known map[string]func(jsonl.Value) jsonl.Value) {
	t.Helper()
	names := map[string]bool{"id": true, "eventId": true, "run": true, "ask": true, "by": true, "answer": true}
	for _, f := range o {
		_, isTime := ParseTime(f.Value.Text())
		lists := [][]string{runStatuses, runStates, askTypes, askStatuses, askTos, messageKinds, verdicts, messageSources, vias, {"", "erased"}}
		listed := isTime
		for _, list := range lists {
			listed = listed || among(list, f.Value)
		}
		switch raw := string(f.Value.Raw); {
		case known[f.Key] == nil:
			t.Errorf("the member %q is left", f.Key)
		case f.Key == "resolution" && f.Value.Kind == jsonl.Object:
			quietObject(t, object(f.Value), resolved)
		case f.Value.Kind == jsonl.String && !names[f.Key] && !listed, f.Value.Kind == jsonl.Number && raw != "0" && raw != "1",
			f.Value.Kind == jsonl.Array && raw != "[]", f.Value.Kind == jsonl.Object && raw != "{}":
			t.Errorf("%q still says %s", f.Key, raw)
		}
	}
}
