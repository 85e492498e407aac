package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

func push(w *fixture) {
	done := w.push(pushBody{runs: []string{aRun}, asks: []string{anAsk, aQuestion}, messages: []string{anAnswer}, charter: `,"mandate":"Match","x":{"y":1}`})
	w.same("pushed", done, store.PushResult{Registered: true, Changed: true, Seq: done.Seq, Runs: 1, Asks: 2, Messages: 1})
	a := must(w.s.Agent(ctx, w.agent))(w)
	w.same("agent", []any{a.Name, a.Builder, a.PushedBy, a.Manager, a.Pushed, a.Seq}, []any{"Reconciliation", w.ana.ID, w.ana.ID, "", w.clock, done.Seq})
	w.same("counts", a.Counts, store.Counts{Jobs: 1, Warned: 1, Asks: 2, NeedsYou: 1, Waiting: 1, Messages: 1})
	w.same("last sign of life", a.LastTS, "2026-11-20T10:30:00Z")
	r := w.record(figs.Runs, "r")
	w.same("fold", string(r.Fold), aRun)
	w.same("run", []any{r.Outcome, r.Versions, r.No, r.PushedBy, r.Received}, []any{figs.OutcomeWarn, 1, 1, w.ana.ID, w.clock})
	charters := must(w.s.Charters(ctx, w.agent))(w)
	if len(charters) != 1 || !strings.Contains(string(charters[0].Charter), `"x":{"y":1}`) {
		w.Errorf("charters %v, want one with its unknown field", charters)
	}
	done = w.push(pushBody{runs: []string{`{"id":"r","ts":"2026-11-20T12:00:00Z","status":"ok"}`}, charter: `,"mandate":"Match all"`})
	w.same("second", []int{done.Runs, done.Asks, done.Messages}, []int{1, 0, 0})
	w.same("charters", len(must(w.s.Charters(ctx, w.agent))(w)), 2)
	w.same("agents", len(must(w.s.ListAgents(ctx, w.workspace.ID))(w)), 1)
	_, err := w.s.Agent(ctx, "nobody")
	w.wantError(err, store.ErrNotFound)
	_, err = w.s.Record(ctx, w.agent, figs.Asks, "r")
	w.wantError(err, store.ErrNotFound)
}

func pushNothingNew(w *fixture) {
	b := pushBody{runs: []string{aRun}, asks: []string{anAsk, aQuestion}, messages: []string{anAnswer}}
	first := w.push(b)
	agent, workspace, err := w.s.KnownPush(ctx, store.Hash(string(w.encode(b))))
	w.ok(err)
	w.same("known by its digest", []string{agent, workspace}, []string{w.agent, w.workspace.ID})
	_, _, err = w.s.KnownPush(ctx, store.Hash("other"))
	w.wantError(err, store.ErrNotFound)
	before := must(w.s.Agent(ctx, w.agent))(w)
	otherwise := pushBody{runs: []string{strings.ReplaceAll(aRun, `,"`, ` , "`)}, asks: []string{aQuestion, anAsk}, messages: []string{anAnswer, anAnswer}}
	for _, again := range []pushBody{b, otherwise, {runs: b.runs}, {asks: []string{`{"id":"a"}`}}} {
		done := w.push(again)
		w.same("pushed again", done, store.PushResult{Seq: first.Seq})
	}
	w.same("the agent", must(w.s.Agent(ctx, w.agent))(w), before)
	w.same("the trail", len(w.record(figs.Runs, "r").Trail), 1)
}

// pushInPieces tests that pushes in pieces or in another order give the same result as one push.
func pushInPieces(w *fixture) {
	all := pushBody{runs: []string{aRun}, asks: []string{anAsk, aQuestion}, messages: []string{anAnswer}}
	w.push(pushBody{messages: all.messages})
	w.same("an orphan", must(w.s.Agent(ctx, w.agent))(w).Counts, store.Counts{Messages: 1, Orphans: 1})
	w.push(pushBody{asks: all.asks[1:]})
	w.same("no orphan any more", must(w.s.Agent(ctx, w.agent))(w).Counts.Orphans, 0)
	w.same("its ask, later", w.record(figs.Asks, "q").State.Phase, figs.Replied)
	w.push(pushBody{asks: all.asks[:1]})
	w.push(pushBody{runs: all.runs})
	hash := must(w.s.StateHash(ctx))(w)
	other := pushBody{agent: "0d4f2a3c-1111-4222-8333-000000000002"}
	if done := w.push(all); done.Changed {
		w.Errorf("all at once after the pieces: %+v, want nothing new", done)
	}
	w.same("state hash", must(w.s.StateHash(ctx))(w), hash)
	w.push(other)
	if again := must(w.s.StateHash(ctx))(w); again == hash {
		w.Error("another agent does not change the state hash")
	}
}

func pushMoved(w *fixture) {
	w.push(pushBody{runs: []string{aRun}})
	other := store.Workspace{ID: store.NewID(), Slug: "globex", Name: "Globex"}
	w.ok(w.s.AddWorkspace(ctx, w.act(), other, w.ana.ID))
	var moved *store.OtherWorkspaceError
	if _, err := w.tryPush(pushBody{workspace: other.ID, runs: []string{aRun}}); !errors.As(err, &moved) || moved.Workspace != w.workspace.ID {
		w.Errorf("into another workspace: %v, want *Moved from %s", err, w.workspace.ID)
	}
	_, err := w.tryPush(pushBody{workspace: store.NewID(), agent: "0d4f2a3c-1111-4222-8333-000000000009"})
	w.wantError(err, store.ErrNotFound)
	_, err = w.s.Agent(ctx, "0d4f2a3c-1111-4222-8333-000000000009")
	w.wantError(err, store.ErrNotFound)
	// An id is a UUID: another case of its letters is the same agent.
	if done := w.push(pushBody{agent: strings.ToUpper(w.agent), runs: []string{aRun}}); done.Registered {
		w.Error("the id in capital letters registered a second agent")
	}
}

func pushRenamed(w *fixture) {
	w.push(pushBody{runs: []string{aRun}})
	var renamed *store.RenamedError
	if _, err := w.tryPush(pushBody{name: "Copy", runs: []string{aRun}}); !errors.As(err, &renamed) || renamed.Registered != "Reconciliation" || renamed.Pushed != "Copy" {
		w.Errorf("under another name: %v, want *Renamed", err)
	}
	w.same("still", must(w.s.Agent(ctx, w.agent))(w).Name, "Reconciliation")
	w.push(pushBody{name: "Copy", confirm: true})
	w.same("confirmed", must(w.s.Agent(ctx, w.agent))(w).Name, "Copy")
}

// pushConcurrently tests that concurrent pushes of one agent lose nothing and count nothing twice.
func pushConcurrently(w *fixture) {
	const pushes, each = 12, 5
	var wait sync.WaitGroup
	failed := make(chan error, pushes)
	for i := range pushes {
		wait.Add(1)
		b := pushBody{runs: []string{fmt.Sprintf(`{"id":"shared","ts":"2026-11-20T13:00:00Z","state":"in-flight","n%d":%d}`, i, i)}}
		for k := range each {
			b.runs = append(b.runs, fmt.Sprintf(`{"id":"r%d-%d","ts":"2026-11-20T13:00:00Z"}`, i, k))
			b.messages = append(b.messages, fmt.Sprintf(`{"id":"m%d-%d","kind":"answer","ask":"a","text":"t","by":"Ana","ts":"2026-11-20T13:00:00Z"}`, i, k))
		}
		text, act := w.encode(b), w.act()
		go func() {
			defer wait.Done()
			read, err := figs.ReadPush(text)
			if err == nil {
				_, err = w.s.Push(ctx, store.Push{Workspace: read.Workspace, Act: act, Body: read})
			}
			failed <- err
		}()
	}
	wait.Wait()
	close(failed)
	for err := range failed {
		w.ok(err)
	}
	a := must(w.s.Agent(ctx, w.agent))(w)
	w.same("counts", []int{a.Counts.Jobs, a.Counts.Messages}, []int{pushes*each + 1, pushes * each})
	shared := w.record(figs.Runs, "shared")
	w.same("versions", []int{shared.Versions, len(shared.Trail)}, []int{pushes, pushes})
	for i := range pushes {
		if !strings.Contains(string(shared.Fold), fmt.Sprintf(`"n%d":%d`, i, i)) {
			w.Errorf("field n%d is lost: %s", i, shared.Fold)
		}
	}
	places := map[int]bool{}
	page, err := w.s.Records(ctx, store.RecordQuery{Agent: w.agent, File: figs.Runs, Slice: store.Slice{N: 200}})
	w.ok(err)
	for _, r := range page.Items {
		places[r.No] = true
	}
	w.same("each has its own number", []int{len(places), page.Total}, []int{pushes*each + 1, pushes*each + 1})
}

// twoAgents tests that the same ids of two agents are independent.
func twoAgents(w *fixture) {
	const other = "0d4f2a3c-1111-4222-8333-000000000002"
	w.push(pushBody{runs: []string{aRun}, asks: []string{aQuestion}, messages: []string{anAnswer}})
	done := w.push(pushBody{agent: other, name: "Payables", runs: []string{strings.Replace(aRun, "October", "Invoices", 1)}, asks: []string{aQuestion},
		messages: []string{strings.Replace(anAnswer, `"x"`, `"y"`, 1)}})
	w.same("the other agent's", done, store.PushResult{Registered: true, Changed: true, Seq: done.Seq, Runs: 1, Asks: 1, Messages: 1})
	w.same("the first one's run", string(w.record(figs.Runs, "r").Fold), aRun)
	mine, err := w.s.Messages(ctx, w.agent)
	w.ok(err)
	theirs, err := w.s.Messages(ctx, other)
	w.ok(err)
	if len(mine) != 1 || len(theirs) != 1 || !strings.Contains(string(mine[0].Line), `"x"`) || !strings.Contains(string(theirs[0].Line), `"y"`) {
		w.Errorf("replies %v and %v, want each agent's own", mine, theirs)
	}
	_, err = w.s.Messages(ctx, "0d4f2a3c-1111-4222-8333-000000000003")
	w.wantError(err, store.ErrNotFound)
}

// oddTexts tests that texts come back as pushed, even if a database can't store them.
func oddTexts(w *fixture) {
	long := strings.Repeat("長", 3000)
	ids := []string{`a/b`, `../agent.json`, `\u0000`, `\ud800`, `\ud801`, `\ufffd`, `🍇`, `\u202egnp`, `\"; DROP TABLE records; --`, `%2F`, `a\\nb`, ` `, `é`, `e\u0301`}
	var runs, asks []string
	for i, id := range ids {
		runs = append(runs, fmt.Sprintf(`{"id":"%s","title":"%s %d","result":"\u0000\udc00 %s","ts":"%s","n":%d}`, id, id, i, long, strings.Repeat("9", 5000), i))
		asks = append(asks, fmt.Sprintf(`{"id":"%s","type":"question","title":"%s","to":{"x":1},"run":"%s","unit":["u"],"status":7,"resolution":[],"ts":5}`, id, id, long))
	}
	w.push(pushBody{name: "A\x00B" + long, runs: runs, asks: asks, messages: []string{`{"id":"\u0000","kind":"answer","ask":"` + long + `","text":"\ud800","by":{},"ts":"2099"}`}})
	w.same("all are there", must(w.s.Agent(ctx, w.agent))(w).Counts, store.Counts{Jobs: len(ids), Asks: len(ids), NeedsYou: len(ids), Messages: 1, Orphans: 1})
	for i, id := range ids {
		read, err := figs.ReadPush(w.encode(pushBody{runs: runs[i : i+1]}))
		w.ok(err)
		r := w.record(figs.Runs, read.Records[0].ID)
		w.same("run "+id, string(r.Fold), runs[i])
	}
	if done := w.push(pushBody{confirm: true, name: "A\x00B" + long, runs: runs, asks: asks}); done.Changed {
		w.Errorf("the same again: %+v, want nothing new", done)
	}
	for _, words := range []string{`"`, `'`, `*`, `AND`, `a AND`, `NEAR(`, `-x`, `body:x`, "\x00", `\`, `(`, `a"b`, strings.Repeat("x ", 1000)} {
		_, err := w.s.Search(ctx, store.SearchQuery{Workspace: w.workspace.ID, Text: words, Count: true})
		w.ok(err)
	}
	list := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID}))(w)
	w.same("inbox", list.Total, len(ids))
}

func manyRecords(w *fixture) {
	const n = 700
	var b pushBody
	for i := range n {
		b.runs = append(b.runs, fmt.Sprintf(`{"id":"r%d","ts":"2026-11-20T10:00:00Z","x":1}`, i))
		b.asks = append(b.asks, fmt.Sprintf(`{"id":"a%d","type":"question","title":"T","ts":"2026-11-20T10:00:00Z"}`, i))
		b.messages = append(b.messages, fmt.Sprintf(`{"id":"m%d","kind":"answer","ask":"a%d","text":"t","by":"Ana","ts":"2026-11-20T11:00:00Z"}`, i, i))
	}
	w.push(b)
	w.same("counts", must(w.s.Agent(ctx, w.agent))(w).Counts, store.Counts{Jobs: n, Asks: n, Waiting: n, Messages: n})
	for i := range n {
		b.runs[i] = strings.Replace(b.runs[i], `"x":1`, `"x":2`, 1)
		b.asks[i] = strings.Replace(b.asks[i], `"T"`, `"U"`, 1)
	}
	done := w.push(b)
	w.same("all changed", []int{done.Runs, done.Asks, done.Messages}, []int{n, n, 0})
	w.same("asked again", must(w.s.Agent(ctx, w.agent))(w).Counts, store.Counts{Jobs: n, Asks: n, NeedsYou: n, Messages: n})
	w.same("the trail of one", len(w.record(figs.Runs, "r699").Trail), 2)
}

// findings tests that the report of a push is made when something changed, and stored unchanged.
func findings(w *fixture) {
	asked := 0
	push := func(b pushBody) {
		w.Helper()
		read, err := figs.ReadPush(w.encode(b))
		w.ok(err)
		must(w.s.Push(ctx, store.Push{Workspace: read.Workspace, Act: w.act(), Body: read, Report: func() *figs.Report {
			asked++
			f := figs.New(figs.Options{Loose: true})
			f.Feed(figs.Runs, []byte(strings.Join(b.runs, "\n")+"\n"))
			return f.Finish()
		}}))(w)
	}
	push(pushBody{runs: []string{`{"id":"r","status":"perhaps \u0000"}`}})
	report := string(must(w.s.Findings(ctx, w.agent))(w))
	counts := must(w.s.Agent(ctx, w.agent))(w).Counts
	if !strings.Contains(report, `"run_status_unknown"`) || !strings.Contains(report, `"run_ts_missing"`) || counts.Errors < 2 || asked != 1 {
		w.Errorf("%d errors, asked %d times, report %s", counts.Errors, asked, report)
	}
	w.same("counted by rule", must(w.s.FindingsByRule(ctx))(w)["run_status_unknown"], 1)
	push(pushBody{runs: []string{`{"id":"r","status":"perhaps \u0000"}`}})
	w.same("asked for a push of what is there", asked, 1)
	push(pushBody{runs: []string{`{"id":"r","status":"ok","ts":"2026-11-20T10:00:00Z"}`}})
	w.same("of the last push", []int{asked, must(w.s.Agent(ctx, w.agent))(w).Counts.Errors}, []int{2, 0})
	w.same("no more counted by rule", must(w.s.FindingsByRule(ctx))(w)["run_status_unknown"], 0)
	_, err := w.s.Findings(ctx, "nobody")
	w.wantError(err, store.ErrNotFound)
}
