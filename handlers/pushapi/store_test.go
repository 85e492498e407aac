package pushapi

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// Whoever folds and whoever does not, each version that arrives is a moment of the trail.
func TestTrails(t *testing.T) {
	const first, second, third = `{"id":"r","ts":"2026-11-20T10:00:00Z","state":"in-flight","result":"begun","attachments":["log.txt"]}`,
		`{"id":"r","ts":"2026-11-20T11:00:00Z","state":"in-flight","result":"half"}`,
		`{"id":"r","ts":"2026-11-20T12:00:00Z","state":"settled","result":"done"}`
	event := func(line, id string) string { return strings.Replace(line, `{"id"`, `{"eventId":"`+id+`","id"`, 1) }
	fold := strings.Replace(third, `"state"`, `"attachments":["log.txt"],"state"`, 1)
	for name, c := range map[string]struct {
		pushes   []push
		versions int
	}{
		"the ledger at once":          {[]push{{runs: []string{first, second, third}}}, 3},
		"the ledger as it grows":      {[]push{{runs: []string{first}}, {runs: []string{first, second}}, {runs: []string{first, second, third}}}, 3},
		"folds of each time":          {[]push{{runs: []string{first}}, {runs: []string{second}}, {runs: []string{second}}, {runs: []string{third}}}, 3},
		"a fold alone":                {[]push{{runs: []string{fold}}}, 1},
		"a fold and its events":       {[]push{{runs: []string{event(fold, "3")}, events: []string{event(first, "1"), event(second, "2"), event(third, "3")}}}, 3},
		"events again, and one more":  {[]push{{runs: []string{event(second, "2")}, events: []string{event(first, "1"), event(second, "2")}}, {runs: []string{event(fold, "3")}, events: []string{event(first, "1"), event(second, "2"), event(third, "3")}}}, 3},
		"events that lost their fold": {[]push{{events: []string{event(first, "1"), event(second, "2"), event(third, "3")}}}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			for _, p := range c.pushes {
				w.later(time.Minute)
				w.is(w.ingest("bo", p), 200, "")
			}
			r, err := w.s.Record(ctx, anAgent, figs.Runs, "r")
			w.ok(err)
			if r.Versions != c.versions || len(r.Trail) != c.versions || figs.Fold([][]byte{r.Fold}).Get("result").Text() != "done" {
				t.Errorf("%d versions, want %d: %s", r.Versions, c.versions, r.Fold)
			}
			if f, err := w.s.File(ctx, anAgent, "log.txt"); err != nil || f.Mentions[0].N != 1 {
				t.Errorf("the file of the first line: %+v, %v", f, err)
			}
		})
	}
}

func TestPushesAtOnce(t *testing.T) {
	w := newWorld(t)
	const n = 8
	var wait sync.WaitGroup
	codes := make([]int, n)
	uploads := make([]int, n)
	w.is(w.ingest("bo", push{}), 200, "")
	w.wire.Changed = nil
	for i := range n {
		wait.Add(1)
		go func() {
			defer wait.Done()
			codes[i] = w.ingest("bo", push{runs: []string{fmt.Sprintf(`{"id":"r%d","ts":"2026-11-20T10:00:00Z"}`, i), fmt.Sprintf(`{"id":"shared","ts":"2026-11-20T10:00:00Z","state":"in-flight","n%d":1}`, i)}}).StatusCode
			uploads[i] = w.upload("bo", anAgent, "one.txt", fmt.Sprint(i)).StatusCode
		}()
	}
	wait.Wait()
	won := 0
	for i := range n {
		if codes[i] != 200 || uploads[i] != 200 && uploads[i] != 409 {
			t.Errorf("answers %v and %v", codes, uploads)
		}
		won += (409 - uploads[i]) / 209
	}
	page, err := w.s.Records(ctx, store.RecordQuery{Agent: anAgent, File: figs.Runs, Slice: store.Slice{N: 1}})
	shared, e := w.s.Record(ctx, anAgent, figs.Runs, "shared")
	if err != nil || e != nil || page.Total != n+1 || shared.Versions != n || won != 1 {
		t.Errorf("%d runs, %d versions of the shared one, %d uploads won, %v %v", page.Total, shared.Versions, won, err, e)
	}
}

// Nothing that a stranger sends is answered with anything of another workspace, or changes it.
func TestStrangers(t *testing.T) {
	w := newWorld(t)
	w.is(w.ingest("bo", push{runs: []string{aRun}, asks: []string{aQuestion}, messages: []string{anAnswer}}), 200, "")
	w.is(w.upload("bo", anAgent, "report.html", "secret words"), 200, "")
	before := w.hash()
	for name, a := range map[string]answer{
		"workspaces":               w.send("GET", "/api/workspaces", "zoe", nil),
		"messages":                 w.send("GET", "/api/messages?agent="+anAgent, "zoe", nil),
		"push there":               w.ingest("zoe", push{runs: []string{aRun}}),
		"push the agent here":      w.ingest("zoe", push{workspace: w.secret.ID, runs: []string{aRun}}),
		"the same, renamed":        w.ingest("zoe", push{workspace: w.secret.ID, name: "Mine", more: `,"confirmRename":true`}),
		"the very same body":       w.ingest("zoe", push{runs: []string{aRun}, asks: []string{aQuestion}, messages: []string{anAnswer}}),
		"validate there":           w.post("/api/validate", "zoe", w.body(push{runs: []string{aRun}})),
		"validate the agent here":  w.post("/api/validate", "zoe", w.body(push{workspace: w.secret.ID, runs: []string{aRun}})),
		"upload there":             w.upload("zoe", anAgent, "report.html", "secret words"),
		"upload the agent's, here": w.post("/api/artifacts/upload", "zoe", fmt.Sprintf(`{"workspaceId":%q,"agentId":%q,"name":"report.html","content":"eA=="}`, w.secret.ID, anAgent)),
	} {
		for _, word := range []string{w.acme.ID, "Acme", "Reconciliation", "October", "Which", "Ana", "bo@example.org", w.people["bo"].ID, store.Hash("secret words"), "unchanged"} {
			if strings.Contains(a.text, word) {
				t.Errorf("%s reveals %q: %s", name, word, a.text)
			}
		}
	}
	if w.hash() != before {
		t.Error("a stranger changed something")
	}
}
