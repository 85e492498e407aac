package selected_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/journal/selected"
	"github.com/figs-web/figs-web/wasm/bridge"
)

// TestLastEvent tests that the overview shows the last line of the timeline, even if times are equal, or if it is a close
// whose time is in the resolution.
func TestLastEvent(t *testing.T) {
	for name, l := range openFolders(t) {
		for _, at := range []int{l.f.Steps(), l.f.Steps() - 1, 4} {
			n := at
			for n > 1 {
				if _, ref := l.f.Step(n); !ref.Aside() {
					break
				}
				n--
			}
			file, ref := l.f.Step(n)
			o, err := l.page(t, "/1?at="+strconv.Itoa(at)).Overview(context.Background(), "1")
			if err != nil {
				t.Fatal(name, err)
			}
			if o.Event == nil || o.Event.Position.File != file || o.Event.Position.Line != ref.Number || o.Newest.Line != ref.Number {
				t.Errorf("%s at %d: the last event is %+v, want %s:%d", name, at, o.Event, file, ref.Number)
			}
		}
	}
}

// TestFailed tests that the overview shows the newest failed job, even if later ones succeeded.
func TestFailed(t *testing.T) {
	dir := fstest.MapFS{".figs/runs.jsonl": {Data: []byte(`{"id":"old","ts":"2026-11-17T08:00:00Z","result":"Older failure","status":"fail"}
{"id":"bad","ts":"2026-11-18T08:00:00Z","result":"The export was empty","status":"fail"}
{"id":"good","ts":"2026-11-19T08:00:00Z","result":"Fine again","status":"ok"}
`)}}
	o, err := openDir(t, dir, ".figs").page(t, "/1").Overview(context.Background(), "1")
	if err != nil || o.Failed == nil || o.Failed.Run.ID != "bad" || o.Last.Run.ID != "good" {
		t.Errorf("failed is %+v, last is %+v, %v", o.Failed, o.Last, err)
	}
}

// TestNeeded tests that the overview of several agents shows the title of an ask of each, even if the engine keeps no
// bytes.
func TestNeeded(t *testing.T) {
	dir := fstest.MapFS{}
	asks := []string{
		`{"id":"a","ts":"2026-11-17T08:00:00Z","type":"question","title":"First \u00e9"}` + "\n" + `{"id":"b","ts":"2026-11-18T08:00:00Z","type":"question","title":"Later"}`,
		`{"id":"a","status":"withdrawn"}` + "\n" + ` {"id":"b","ts":"2026-11-18T08:00:00Z","type":"signoff","title":"Old title"}` + "\r\n\n" + `  {"id":"b","title":"New title"}`,
		`{"id":"untitled","ts":"2026-11-18T08:00:00Z","type":"sign-off"}`,
		`{"id":"long","ts":"2026-11-18T08:00:00Z","type":"sign-off","title":"` + strings.Repeat("x", 5000) + `"}`,
		`{"id":"closed","type":"question","title":"Closed","status":"withdrawn"}`,
	}
	want := []*journal.Needed{{Key: "a", Title: "First é", Type: "question"}, {Key: "b", Title: "New title", Type: "other"}, {Key: "untitled", Title: "untitled", Type: "sign-off"}, {Key: "long", Title: "long", Type: "sign-off"}, nil}
	for _, keep := range []bool{true, false} {
		var read []bridge.ReadFolder
		for i, text := range asks {
			name := strconv.Itoa(i) + "/.figs"
			dir[name+"/asks.jsonl"] = &fstest.MapFile{Data: []byte(text + "\n")}
			f, report, err := folder.Read(context.Background(), dir, name, figs.Options{Keep: keep, Now: today}, nil)
			if err != nil {
				t.Fatal(err)
			}
			read = append(read, bridge.ReadFolder{Path: name, Folder: f, Report: report})
		}
		e := bridge.NewWithFolders(keep, read...)
		b := bytes.Clone(e.Call(selected.Request("/")))
		var slices [][4]int
		if err := json.Unmarshal(e.Call([]byte(`{"op":"slices"}`)), &slices); err != nil {
			t.Fatal(err)
		}
		for _, s := range slices {
			b = append(b, dir[strconv.Itoa(s[0])+"/.figs/"+figs.File(s[1]).String()].Data[s[2]:s[2]+s[3]]...)
		}
		s, ok := bridge.Decode(b)
		if !ok {
			t.Fatal("the selection cannot be read")
		}
		agents, err := selected.New(s, today).Agents(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for i := range agents {
			if diff := cmp.Diff(want[i], agents[i].Needed); diff != "" {
				t.Errorf("keep %v, agent %d:\n%s", keep, i+1, diff)
			}
		}
	}
}
