package jsonapi

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
)

// call puts a request to an engine and decodes its answer strictly.
func call[T any](t *testing.T, e *Engine, r Request) (out T) {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	answer := e.Call(b)
	d := json.NewDecoder(bytes.NewReader(answer))
	d.DisallowUnknownFields()
	if err := d.Decode(&out); err != nil {
		t.Fatalf("%s answers %s: %v", b, answer, err)
	}
	return out
}

// open lists files by their paths and feeds them.
func open(t *testing.T, name string, files map[string]string, more ...Entry) (*Engine, *Listed) {
	t.Helper()
	e := New()
	return e, read(t, e, "list", name, files, more...)
}

func read(t *testing.T, e *Engine, op, name string, files map[string]string, more ...Entry) *Listed {
	t.Helper()
	entries := more
	for path, text := range files {
		entries = append(entries, Entry{Path: path, Size: int64(len(text))})
	}
	listed := call[Listed](t, e, Request{Op: op, Name: name, Entries: entries, Now: "2026-11-20T12:00:00Z"})
	for _, a := range listed.Agents {
		for _, f := range a.Files {
			copy(e.Buffer(len(files[f.Path])), files[f.Path])
			e.Feed(a.Number, f.Number, len(files[f.Path]))
		}
	}
	call[struct{}](t, e, Request{Op: strings.Replace(op, "list", "finish", 1)})
	return &listed
}

// TestReportType holds the types of findings to what the core writes.
func TestReportType(t *testing.T) {
	for v := range figstest.Vectors() {
		if len(v.Files["runs.jsonl"])+len(v.Files["messages.jsonl"]) > 1<<20 {
			continue // it takes long and shows nothing more
		}
		got, err := figstest.Core(v)
		if err != nil {
			t.Fatal(err)
		}
		var r Report
		d := json.NewDecoder(bytes.NewReader(got.FindingsJSON))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		var again bytes.Buffer
		e := json.NewEncoder(&again)
		e.SetEscapeHTML(false)
		if err := e.Encode(r); err != nil {
			t.Fatal(err)
		}
		var want, wrote any
		if json.Unmarshal(got.FindingsJSON, &want) != nil || json.Unmarshal(again.Bytes(), &wrote) != nil {
			t.Fatal(v.Name)
		}
		a, _ := json.Marshal(want)
		if b, _ := json.Marshal(wrote); !bytes.Equal(a, b) {
			t.Errorf("%s: the core writes\n%s\nand Report has\n%s", v.Name, a, b)
		}
	}
}

func TestListing(t *testing.T) {
	e, listed := open(t, "repo", map[string]string{
		"one/.figs/runs.jsonl": `{"id":"a","ts":"2026-05-04T09:00:00Z","state":"settled","status":"fail"}` + "\n", "two/.figs/asks.jsonl": "", "runs.json": "",
	}, Entry{Path: "one/.figs/asks.jsonl", Kind: "link"}, Entry{Path: "one/.figs/messages.jsonl", Kind: "dangling"}, Entry{Path: "one/.figs/agent.json/x"},
		Entry{Path: "one/.figs/artifacts/a.md", Size: 3}, Entry{Path: "node_modules", Kind: "folder"}, Entry{Path: "elsewhere", Kind: "link"}, Entry{Path: "../out/.figs/runs.jsonl"})
	var paths []string
	for _, a := range listed.Agents {
		paths = append(paths, a.Path)
	}
	if got, want := strings.Join(paths, " "), "repo/one/.figs repo/out/.figs repo/two/.figs"; got != want {
		t.Errorf("agents %s, want %s", got, want)
	}
	if got := strings.Join(listed.Notes, " "); got != `Not searched, by name: "node_modules". Symbolic links not followed: "elsewhere".` {
		t.Errorf("notes: %s", got)
	}
	unreadable := map[string]string{}
	for _, f := range call[Report](t, e, Request{Op: "findings"}).Findings {
		if f.Code == figs.FileUnreadable.String() {
			unreadable[f.File] = f.Message
		}
	}
	for file, says := range map[string]string{"asks.jsonl": "leads out of the folder", "messages.jsonl": "is not there", "agent.json": "a folder"} {
		if !strings.Contains(unreadable[file], says) {
			t.Errorf("of %s is said %q, want %q", file, unreadable[file], says)
		}
	}
	if agents := call[[]Agent](t, e, Request{Op: "agents"}); len(agents) != 3 || agents[0].Counts.Failed != 1 || agents[0].Counts.Files != 1 {
		t.Errorf("agents: %+v", agents)
	}
	// A folder named .figs is one, whatever it contains; a folder of ledgers is one, whatever its name.
	if _, listed := open(t, ".figs", nil); len(listed.Agents) != 1 || listed.Agents[0].Path != ".figs" {
		t.Errorf("an empty .figs: %+v", listed.Agents)
	}
	if _, listed := open(t, "copy", map[string]string{"runs.jsonl": ""}); len(listed.Agents) != 1 || listed.Agents[0].Path != "copy" {
		t.Errorf("a renamed folder: %+v", listed.Agents)
	}
	if e, listed := open(t, "x", nil); len(listed.Agents) != 0 || len(call[[]Agent](t, e, Request{Op: "agents"})) != 0 {
		t.Errorf("nothing: %+v", listed.Agents)
	}
}

// TestErrorOfAgent answers with a record that looks like a failure.
func TestErrorOfAgent(t *testing.T) {
	e, _ := open(t, ".figs", map[string]string{"runs.jsonl": `{"error":"!","id":"a"}` + "\n"})
	if got := string(e.Call([]byte(`{"op":"fold","agent":0,"file":"runs"}`))); got != `{"error":"!","id":"a"}`+"\n" {
		t.Errorf("fold: %s", got)
	}
	for _, wrong := range []string{`{"op":"fold","file":"files"}`, `{"op":"fold","agent":1,"file":"runs"}`, `{"op":"findings","agent":-1}`, `{"op":"jobs","agent":7}`, `{"op":"states","agent":7}`, `{"op":"what"}`, `no`} {
		if got := e.Call([]byte(wrong)); len(got) < 10 || got[0] != '!' {
			t.Errorf("%s answers %s", wrong, got)
		}
	}
	if got := string(e.Call([]byte(`{"op":"ask","id":"none"}`))); got != "null" {
		t.Errorf("an ask that is not there: %s", got)
	}
}

func TestPointInTime(t *testing.T) {
	e, _ := open(t, ".figs", map[string]string{"asks.jsonl": `{"id":"a","ts":"2026-05-04T09:00:00Z","type":"question","status":"open","title":"A?"}` + "\n" + `{"id":"a","ts":"2026-05-05T09:00:00Z","status":"resolved"}` + "\n"})
	for at, want := range map[string]string{"": "resolved", "2026-05-04": "needs_you"} {
		states := call[[]AskState](t, e, Request{Op: "states", At: at})
		if len(states) != 1 || states[0].Phase != want {
			t.Errorf("at %q: %+v, want %s", at, states, want)
		}
	}
}

func TestCompare(t *testing.T) {
	const line = `{"id":"a","type":"sign-off","status":"open","title":"Pay?","attachments":["x.csv","y.csv"]}` + "\n"
	e, _ := open(t, "new", map[string]string{".figs/asks.jsonl": line, ".figs/artifacts/x.csv": "1", ".figs/artifacts/y.csv": "2"})
	read(t, e, "listOlder", "old", map[string]string{".figs/asks.jsonl": line, ".figs/artifacts/x.csv": "1", ".figs/artifacts/y.csv": "3", ".figs/artifacts/z.csv": ""})
	same := call[[]SameSize](t, e, Request{Op: "compareFiles"})
	if len(same) != 2 || same[1] != (SameSize{Agent: 0, Older: 1, Name: "y.csv"}) {
		t.Fatalf("files to compare: %+v", same)
	}
	b, _ := json.Marshal(Request{Op: "compare", Different: []int{1}})
	got := string(e.Call(b))
	for _, want := range []string{`"past":"exchanged"`, `{"kind":"other-bytes","name":"y.csv","oldSize":1,"newSize":1,"attached":true}`, `{"kind":"gone","name":"z.csv"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if strings.Contains(got, "x.csv") {
		t.Errorf("the same bytes are a change: %s", got)
	}
}
