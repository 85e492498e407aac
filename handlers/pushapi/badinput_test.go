package pushapi

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// Bodies that are no push are refused with what is wrong; nothing is stored, and nothing is 5xx.
func TestBodies(t *testing.T) {
	w := newWorld(t)
	before := w.hash()
	for name, c := range map[string]struct {
		body string
		code string
	}{
		"nothing":        {``, "push_unreadable"},
		"no JSON":        {`<html>`, "push_unreadable"},
		"cut":            {w.body(push{runs: []string{aRun}})[:200], "push_unreadable"},
		"an array":       {`[]`, "push_unreadable"},
		"two objects":    {w.body(push{}) + w.body(push{}), "push_unreadable"},
		"no agent":       {fmt.Sprintf(`{"workspaceId":%q}`, w.acme.ID), "push_unreadable"},
		"agent no UUID":  {w.body(push{agent: "../x"}), "push_unreadable"},
		"runs no list":   {strings.Replace(w.body(push{}), `"runs":[]`, `"runs":{}`, 1), "push_unreadable"},
		"10,000 deep":    {w.body(push{runs: []string{`{"id":"r","ts":"2026-11-20T10:00:00Z","x":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`}}), "push_unreadable"},
		"open 10,000":    {strings.Repeat(`{"a":`, 10_000), "push_unreadable"},
		"UTF-16":         {"\xff\xfe{\x00}\x00", "push_unreadable"},
		"deep charter":   {w.body(push{charter: `,"x":` + strings.Repeat("[", 40) + strings.Repeat("]", 40)}), "charter_too_deep"},
		"no workspaceId": {fmt.Sprintf(`{"agent":{"id":%q}}`, anAgent), "push_unreadable"},
	} {
		t.Run(name, func(t *testing.T) {
			w.is(w.post("/api/ingest", "bo", c.body), 400, c.code)
		})
	}
	w.is(w.post("/api/ingest", "bo", w.body(push{charter: `,"x":"` + strings.Repeat("x", 1<<20) + `"`})), 413, "charter_too_large")
	if w.hash() != before {
		t.Error("something was stored")
	}
}

// What is odd and can be stored is stored as it came.
func TestOddRecords(t *testing.T) {
	w := newWorld(t)
	runs := []string{
		`{"id":"a/b/../🍇 %2F","ts":"2026-11-20T10:00:00Z","x-own":{"deep":[1,{"y":null}]},"unit":"u","period":"p"}`,
		`{"id":"dup","ts":"1","result":"first","ts":"2026-11-20T10:00:00Z","result":"last"}`,
		`{"id":"\ud800","ts":"2026-11-20T10:00:00Z","result":"\udfff lone"}`,
		`{"id":"types","ts":"2026-11-20T10:00:00Z","title":[],"result":{},"session":7,"unit":false}`,
		`{"id":"zero\u0000","ts":"2099-01-01T00:00:00Z","result":"nul \u0000"}`,
		`{"id":"__proto__","ts":"2026-11-20T10:00:00Z","constructor":1}`,
	}
	a := w.ingest("bo", push{runs: runs, charter: `,"name":"Reconciliation","x":1e999`, more: `,"unknown":{"of":"the body"}`})
	w.is(a, 200, "")
	if a.json["runs"] != 6.0 {
		t.Fatalf("%s", a.text)
	}
	r, err := w.s.Record(ctx, anAgent, figs.Runs, "a/b/../🍇 %2F")
	w.ok(err)
	if string(r.Fold) != runs[0] {
		t.Errorf("kept %s", r.Fold)
	}
	r, err = w.s.Record(ctx, anAgent, figs.Runs, "dup")
	w.ok(err)
	if !strings.Contains(string(r.Fold), `"last"`) || strings.Contains(string(r.Fold), `"first"`) {
		t.Errorf("of duplicate keys the last counts: %s", r.Fold)
	}
	before := w.hash()
	w.is(w.ingest("bo", push{runs: runs, charter: `,"name":"Reconciliation","x":1e999`}), 200, "")
	if w.hash() != before {
		t.Error("the same again changed something")
	}
	// A clock in 2099 locks nothing.
	w.is(w.ingest("bo", push{charter: `,"x":1e999`, runs: []string{`{"id":"zero\u0000","ts":"2026-11-20T13:00:00Z","result":"now"}`}}), 200, "")
	r, err = w.s.Record(ctx, anAgent, figs.Runs, "zero\x00")
	w.ok(err)
	if !strings.Contains(string(r.Fold), `"now"`) {
		t.Errorf("locked by a clock in 2099: %s", r.Fold)
	}
}

// A record over a limit is refused alone, each time it comes, and the rest applies.
func TestRefusedAlone(t *testing.T) {
	w := newWorld(t)
	large := `{"id":"large","ts":"2026-11-20T10:00:00Z","x":"` + strings.Repeat("x", 1<<20) + `"}`
	long := `{"id":"` + strings.Repeat("長", 200) + `","ts":"2026-11-20T10:00:00Z"}`
	deep := `{"id":"deep","ts":"2026-11-20T10:00:00Z","x":` + strings.Repeat(`{"a":[`, 4900) + strings.Repeat("]}", 4900) + `}`
	for range 2 {
		a := w.ingest("bo", push{runs: []string{large, aRun, long, deep}})
		w.is(a, 200, "")
		reasons := map[string]bool{}
		for _, r := range a.json["refused"].([]any) {
			reasons[r.(map[string]any)["reason"].(string)] = true
		}
		if len(reasons) != 3 || !reasons["record_too_large"] || !reasons["record_too_deep"] || !reasons["record_id_too_long"] {
			t.Errorf("refused %v", reasons)
		}
	}
	list, err := w.s.Records(ctx, store.RecordQuery{Agent: anAgent, File: figs.Runs, Slice: store.Slice{N: 10}})
	if err != nil || list.Total != 1 || list.Items[0].ID != "r" {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestManyRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	w := newWorld(t)
	const n = 100_000
	runs := make([]string, n)
	for i := range runs {
		runs[i] = fmt.Sprintf(`{"id":"r%d","ts":"2026-11-20T10:00:00Z"}`, i)
	}
	a := w.ingest("bo", push{runs: runs})
	w.is(a, 200, "")
	if a.json["runs"] != float64(n) || len(a.json["refused"].([]any)) > 0 {
		t.Errorf("%.200s", a.text)
	}
}

// A ledger may say a hundred thousand things of one record.
func TestManyLines(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	w := newWorld(t)
	const n = 20_000
	var p push
	for i := range n {
		p.runs = append(p.runs, fmt.Sprintf(`{"id":"r","ts":"2026-11-20T10:00:00Z","result":"%d"}`, i))
		p.events = append(p.events, fmt.Sprintf(`{"id":"e","eventId":"%d","ts":"2026-11-20T10:00:00Z","result":"%d"}`, i, i))
		p.messages = append(p.messages, anAnswer)
	}
	for range 2 {
		begun := time.Now()
		w.is(w.ingest("bo", p), 200, "")
		if took := time.Since(begun); took > time.Minute {
			t.Errorf("took %v", took)
		}
		p.more = " "
	}
	for _, id := range []string{"r", "e"} {
		r, err := w.s.Record(ctx, anAgent, figs.Runs, id)
		w.ok(err)
		if r.Versions != n {
			t.Errorf("%s has %d versions", id, r.Versions)
		}
	}
}

// Ids mean something only together with their agent.
func TestTwoAgents(t *testing.T) {
	w := newWorld(t)
	p := push{runs: []string{aRun}, asks: []string{aQuestion}, messages: []string{anAnswer}}
	w.is(w.ingest("bo", p), 200, "")
	other := push{agent: secondAgent, name: "Payables", runs: []string{strings.Replace(aRun, "October", "Invoices", 1)}, asks: p.asks, messages: []string{strings.Replace(anAnswer, `"x"`, `"y"`, 1)}}
	w.is(w.ingest("bo", other), 200, "")
	w.is(w.upload("bo", anAgent, "report.html", "one"), 200, "")
	w.is(w.upload("bo", secondAgent, "report.html", "two"), 200, "")
	for agent, want := range map[string]string{anAgent: "October", secondAgent: "Invoices"} {
		r, err := w.s.Record(ctx, agent, figs.Runs, "r")
		w.ok(err)
		if !strings.Contains(string(r.Fold), want) {
			t.Errorf("%s: %s", agent, r.Fold)
		}
	}
}

// A pushed reply is transcribed, whatever it claims; one with the id of a reply that was minted
// here changes nothing and is reported back.
func TestForgedReply(t *testing.T) {
	w := newWorld(t)
	w.is(w.ingest("bo", push{asks: []string{anAsk}, runs: []string{aRun}}), 200, "")
	w.later(time.Minute)
	_, err := w.s.Reply(ctx, store.Act{By: w.people["ana"].ID, At: w.at()}, anAgent,
		[]byte(`{"id":"minted","kind":"verdict","ask":"a","by":"Ana","ts":"2026-11-20T12:01:00Z","source":"app","verdict":"rejected"}`))
	w.ok(err)
	forged := `{"id":"minted","kind":"verdict","ask":"a","by":"Ana","ts":"2026-11-20T12:01:00Z","source":"app","verdict":"approved"}`
	for range 2 {
		a := w.ingest("bo", push{asks: []string{anAsk}, runs: []string{aRun}, messages: []string{forged}})
		w.is(a, 200, "")
		if list := a.json["refused"].([]any); len(list) != 1 || list[0].(map[string]any)["reason"] != "message_id_reused" {
			t.Errorf("%s", a.text)
		}
	}
	m, err := w.s.Message(ctx, anAgent, "minted")
	w.ok(err)
	if !m.Verified || !strings.Contains(string(m.Line), "rejected") {
		t.Errorf("the reply is %+v", m)
	}
	own := strings.Replace(forged, "minted", "guess", 1)
	w.is(w.ingest("bo", push{asks: []string{anAsk}, runs: []string{aRun}, messages: []string{own}}), 200, "")
	if m, err := w.s.Message(ctx, anAgent, "guess"); err != nil || m.Verified || !strings.Contains(string(m.Line), `"source":"chat"`) {
		t.Errorf("a claim is kept as %+v, %v", m, err)
	}
}

// Pushes that come again and out of order end as they would in order.
func TestReorderedPushes(t *testing.T) {
	steps := []push{
		{runs: []string{`{"id":"r","ts":"2026-11-20T10:00:00Z","state":"in-flight","result":"begun"}`}},
		{runs: []string{`{"id":"r","ts":"2026-11-20T11:00:00Z","state":"settled","result":"done"}`}, asks: []string{aQuestion}},
		{runs: []string{`{"id":"r","ts":"2026-11-20T11:00:00Z","state":"settled","result":"done"}`}, asks: []string{strings.Replace(aQuestion, `"options"`, `"status":"resolved","resolution":{"ts":"2026-11-20T12:00:00Z"},"options"`, 1)}, messages: []string{anAnswer}},
	}
	var folds []string
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2, 1, 0, 2}, {2, 2, 0, 1}} {
		w := newWorld(t)
		for _, i := range order {
			w.is(w.ingest("bo", steps[i]), 200, "")
		}
		r, err := w.s.Record(ctx, anAgent, figs.Runs, "r")
		w.ok(err)
		q, err := w.s.Record(ctx, anAgent, figs.Asks, "q")
		w.ok(err)
		folds = append(folds, fmt.Sprint(figs.RunOutcome(figs.Fold([][]byte{r.Fold})), figs.Fold([][]byte{r.Fold}).Get("result").Text(), q.State.Phase, figs.Fold([][]byte{q.Fold}).Get("status").Text()))
	}
	for _, f := range folds[1:] {
		if f != folds[0] {
			t.Errorf("ended as %v", folds)
			break
		}
	}
}
