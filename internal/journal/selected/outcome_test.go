package selected

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/wasm/bridge"
)

// ledger opens an engine with lines of runs.jsonl.
func ledger(t *testing.T, runs string) *bridge.Engine {
	t.Helper()
	e := bridge.New()
	for _, request := range []map[string]any{{"op": "open", "keep": true, "now": now, "agents": []string{".figs"}}, {"op": "finish"}} {
		if request["op"] == "finish" {
			copy(e.Buffer(len(runs)), runs)
			e.Feed(0, 0, len(runs))
		}
		text, err := json.Marshal(request)
		if err != nil {
			t.Fatal(err)
		}
		copy(e.Buffer(len(text)), text)
		e.Call(text)
	}
	return e
}

// TestOutcomes tests that each job is in exactly one list, that the counts match the lists, and that an unknown status, of
// whatever type, never counts as ok.
func TestOutcomes(t *testing.T) {
	e := ledger(t, `{"id":"absent"}
{"id":"ok","status":"ok"}
{"id":"healed","status":"done"}
{"id":"healed","status":"ok"}
{"id":"warn","status":"warn"}
{"id":"fail","status":"fail"}
{"id":"flying","state":"in-flight","status":"error"}
{"id":"word","status":"error"}
{"id":"capital","status":"OK"}
{"id":"empty","status":""}
{"id":"null","status":"ok"}
{"id":"null","status":null}
{"id":"number","status":1}
{"id":"list","status":["ok"]}
{"id":"object","status":{"ok":true}}
`)
	open := func(page string) *Journal {
		s, ok := bridge.Decode(e.Call(Request(page)))
		if !ok {
			t.Fatalf("the selection for %s cannot be read", page)
		}
		return New(s, now)
	}
	a, err := open("/1/jobs").Agent(context.Background(), "1")
	if err != nil {
		t.Fatal(err)
	}
	for state, want := range map[string]struct {
		ids   []string
		count int
	}{
		"ok":        {[]string{"absent", "healed", "ok"}, a.Counts.Jobs - a.Counts.InFlight - a.Counts.Failed - a.Counts.Warned - a.Counts.Unknown},
		"warn":      {[]string{"warn"}, a.Counts.Warned},
		"fail":      {[]string{"fail"}, a.Counts.Failed},
		"in-flight": {[]string{"flying"}, a.Counts.InFlight},
		"unknown":   {[]string{"capital", "empty", "list", "null", "number", "object", "word"}, a.Counts.Unknown},
	} {
		jobs, err := open("/1/jobs?state="+state).Jobs(context.Background(), "1", journal.Query{State: state})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, job := range jobs.Items {
			ids = append(ids, job.Run.ID)
			if known := slices.Contains([]string{"", "ok", "warn", "fail"}, job.Run.Status); known == (state == "unknown") && state != "in-flight" {
				t.Errorf("%s stands among %q with the status %q", job.Run.ID, state, job.Run.Status)
			}
		}
		if slices.Sort(ids); !slices.Equal(ids, want.ids) || want.count != len(want.ids) {
			t.Errorf("%s: %q, counted %d; want %q", state, ids, want.count, want.ids)
		}
	}
	o, err := open("/1").Overview(context.Background(), "1")
	if err != nil {
		t.Fatal(err)
	}
	for _, lane := range o.Lanes {
		last := lane.Marks[len(lane.Marks)-1].Kind
		if want := map[string]string{"word": "note", "null": "note", "empty": "note", "absent": "ok", "healed": "ok", "flying": "note"}[lane.ID]; want != "" && last != want {
			t.Errorf("the picture marks %s as %q, want %q", lane.ID, last, want)
		}
	}
}
