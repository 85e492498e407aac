package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

func undo(w *fixture) {
	w.push(pushBody{asks: []string{anAsk}})
	d := w.decisionInput("v", "a", approves)
	made := w.decide(d)
	at := func(by string, at int64) store.Act { return store.Act{By: by, At: at} }
	before := w.changeMarkers()
	_, err := w.s.Undo(ctx, at(w.bo.ID, made.At), w.agent, "v")
	w.wantError(err, store.ErrForbidden)
	_, err = w.s.Undo(ctx, at(w.ana.ID, made.At), w.agent, "w")
	w.wantError(err, store.ErrNotFound)
	var late *store.TooLateError
	if _, err := w.s.Undo(ctx, at(w.ana.ID, made.Effective), w.agent, "v"); !errors.As(err, &late) || late.Effective != made.Effective {
		w.Errorf("when it counts, though nobody settled it: %v, want *TooLate", err)
	}
	w.same("nothing was written", w.changeMarkers(), before)

	gone := must(w.s.Undo(ctx, at(w.ana.ID, made.Effective-1), w.agent, "v"))(w)
	w.same("undone", []any{gone.State, gone.Ended, gone.Seq}, []any{store.DecisionUndone, made.Effective - 1, must(w.s.Seq(ctx, w.workspace.ID))(w)})
	w.same("its audit", must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{N: 1}))(w)[0].Action, "decision.undo")
	before = w.changeMarkers()
	w.same("undone again", must(w.s.Undo(ctx, at(w.ana.ID, made.Effective-1), w.agent, "v"))(w), gone)
	_, err = w.s.Pending(ctx, w.agent, "a")
	w.wantError(err, store.ErrNotFound)
	w.same("the form once more does not bring it back", []any{w.decide(d).State, w.decide(d).Repeated}, []any{store.DecisionUndone, true})
	w.same("nothing was written by these", w.changeMarkers(), before)
	w.same("settled", w.settle().N, 0)
	w.same("as if nothing was said", []any{w.phase("a"), len(w.messageLines())}, []any{"needs you 1", 0})

	w.decide(w.decisionInput("w", "a", approves))
	w.settle()
	w.same("decided anew", w.phase("a"), "replied 1")
	if _, err := w.s.Undo(ctx, at(w.ana.ID, 0), w.agent, "w"); !errors.As(err, &late) {
		w.Errorf("settled, by a slow clock: %v, want *TooLate", err)
	}
}

// changedWhilePending tests that what happens to an ask while a decision is pending doesn't count as seen.
func changedWhilePending(w *fixture) {
	w.push(pushBody{asks: []string{anAsk, aQuestion}})
	w.decide(w.decisionInput("v", "a", approves))
	w.clock += 1_000_000
	w.push(pushBody{asks: []string{strings.Replace(anAsk, "Send it", "Send all", 1)},
		messages: []string{`{"id":"t","kind":"answer","ask":"a","by":"Ana","ts":"2026-11-20T11:59:00Z","text":"t"}`}})
	w.settle()
	w.same("an approval does not cover what came after it", w.phase("a"), "needs you 2")
	thread := w.record(figs.Asks, "a").Thread
	w.same("but it is there", []any{thread[len(thread)-1].ID, thread[len(thread)-1].Earlier, thread[len(thread)-1].Round}, []any{"v", true, 1})
	w.decide(w.decisionInput("v2", "a", approves))
	w.settle()
	w.same("the second round has its own", w.phase("a"), "replied 2")

	w.decide(w.decisionInput("x", "q", `"kind":"answer","chosen":"x"`))
	w.clock += 1_000_000
	w.push(pushBody{asks: []string{aQuestion[:len(aQuestion)-1] + `,"status":"withdrawn","resolution":{"ts":"` + timestamp(w.clock) + `"}}`}})
	w.settle()
	r := w.record(figs.Asks, "q")
	w.same("closed meanwhile", []any{w.phase("q"), len(r.Thread), r.State.Reply}, []any{"withdrawn 1", 1, -1})

	// Nobody else gets the id of a pending decision.
	const other = `{"id":"b","type":"question","title":"T","ts":"2026-11-20T10:00:00Z"}`
	w.push(pushBody{asks: []string{other}})
	w.decide(w.decisionInput("y", "b", `"kind":"answer","text":"yes"`))
	done := w.push(pushBody{messages: []string{`{"id":"y","kind":"answer","ask":"b","by":"Ana","ts":"2026-11-20T11:00:00Z","text":"no"}`}})
	w.same("its id", done.Refused, []figs.RefusedRecord{{File: figs.Messages, ID: "y", Reason: figs.RefusedMessageReused}})
	var taken *store.TakenError
	if _, err := w.s.Reply(ctx, w.act(), w.agent, []byte(`{"id":"y","ask":"b","kind":"answer","text":"t"}`)); !errors.As(err, &taken) {
		w.Errorf("minting its id: %v, want *Taken", err)
	}
	hash := must(w.s.StateHash(ctx))(w)
	w.reindex()
	w.same("derived again while it is pending", must(w.s.StateHash(ctx))(w), hash)
	w.settle()
	w.same("and settled", w.phase("b"), "replied 1")
	asks := []string{w.phase("a"), w.phase("q"), w.phase("b")}
	hash = must(w.s.StateHash(ctx))(w)
	w.reindex()
	w.same("derived again", []any{must(w.s.StateHash(ctx))(w), w.phase("a"), w.phase("q"), w.phase("b")}, []any{hash, asks[0], asks[1], asks[2]})
	w.same("the chain", must(w.s.VerifyAudit(ctx, w.workspace.ID))(w).Broken, int64(0))

	w.decide(w.decisionInput("z", "a", revises))
	w.ok(w.s.DeleteWorkspace(ctx, w.act(), w.workspace.ID))
	gone := w.settle()
	w.same("of a deleted workspace", []any{gone.N, gone.Next}, []any{0, int64(0)})
}

// reported tests that people can confirm or deny a reply reported in their names, before the close and after it.
func reported(w *fixture) {
	claim := func(id, ask, verdict string) string {
		return fmt.Sprintf(`{"id":%q,"kind":"verdict","ask":%q,"by":"Ana","ts":"2099-01-01T00:00:00Z","source":"app","verdict":%q}`, id, ask, verdict)
	}
	ask := func(id string) string { return strings.Replace(anAsk, `"id":"a"`, `"id":"`+id+`"`, 1) }
	w.push(pushBody{asks: []string{ask("a"), ask("b"), ask("c"), ask("d")},
		messages: []string{claim("ta", "a", "approved"), claim("tb", "b", "approved"), claim("tc", "c", "rejected"), claim("td", "d", "approved")}})
	w.same("reported", []string{w.phase("a"), w.phase("c")}, []string{"replied 1 reported", "declined 1 reported"})
	w.decide(w.decisionInput("va", "a", approves))
	w.decide(w.decisionInput("vb", "b", revises))
	w.decide(w.decisionInput("vc", "c", approves))
	w.settle()
	w.same("confirmed, contradicted", []string{w.phase("a"), w.phase("b"), w.phase("c")}, []string{"replied 1", "being revised 1", "replied 1"})

	// What is reported while a decision is pending doesn't count as seen.
	w.push(pushBody{asks: []string{ask("e")}})
	w.decide(w.decisionInput("ve", "e", approves))
	w.clock += 1_000_000
	w.push(pushBody{messages: []string{claim("te", "e", "rejected")}})
	w.settle()
	w.same("reported after it", w.phase("e"), "declined 1 reported")
	w.decide(w.decisionInput("we", "e", approves))
	w.settle()
	w.same("and contradicted", w.phase("e"), "replied 1")

	closed := ask("d")[:len(ask("d"))-1] + `,"status":"resolved","resolution":{"answer":"td","ts":"` + w.nextTimestamp() + `"}}`
	w.push(pushBody{asks: []string{closed}})
	w.same("closed on it", w.phase("d"), "resolved 1 reported")
	w.decide(w.decisionInput("vd", "d", approves))
	w.settle()
	w.same("confirmed after the close", w.phase("d"), "resolved 1")
	bar := mustReject[*store.ReplyRejectedError](w, "closed and confirmed", w.act(), w.decisionInput("wd", "d", approves))
	w.same("why", bar.Bar, figs.BlockedClosed)
	phases := []string{w.phase("a"), w.phase("b"), w.phase("c"), w.phase("d")}
	w.reindex()
	w.same("derived again", []string{w.phase("a"), w.phase("b"), w.phase("c"), w.phase("d")}, phases)
}

// delivery tests how far a reply has got: recorded, picked up, pushed back, cited by the close.
func delivery(w *fixture) {
	w.push(pushBody{asks: []string{anAsk, aQuestion}, messages: []string{anAnswer}})
	delivery := func() store.Delivery { w.Helper(); return must(w.s.Delivery(ctx, w.agent, "v"))(w) }
	made := w.decide(w.decisionInput("v", "a", approves))
	want := store.Delivery{Recorded: made.At}
	w.same("pending", delivery(), want)
	tag := func() int64 {
		_, tag, err := w.s.MessagesSeq(ctx, w.agent)
		w.ok(err)
		return tag
	}
	old := tag()
	w.settle()
	w.same("settled", delivery(), want)
	before := w.changeMarkers()
	w.same("a sync before it", must(w.s.MarkPickedUp(ctx, w.agent, old, w.clock))(w), int64(0))
	w.same("of nobody", must(w.s.MarkPickedUp(ctx, "nobody", 1<<60, w.clock))(w), int64(0))
	w.same("nothing was written", w.changeMarkers(), before)
	want.PickedUp = w.clock
	handed := tag()
	seq := must(w.s.MarkPickedUp(ctx, w.agent, handed, w.clock))(w)
	w.same("handed", []any{delivery(), seq, tag()}, []any{want, must(w.s.Seq(ctx, w.workspace.ID))(w), handed})
	before = w.changeMarkers()
	w.same("handed again", []any{must(w.s.MarkPickedUp(ctx, w.agent, handed, w.clock+5))(w), delivery()}, []any{int64(0), want})
	w.same("nothing was written again", w.changeMarkers(), before)

	minted := string(must(w.s.Message(ctx, w.agent, "v"))(w).Line)
	w.push(pushBody{messages: []string{strings.Replace(minted, "approved", "rejected", 1)}})
	w.same("a forged one", delivery(), want)
	w.push(pushBody{messages: []string{anAnswer, minted, minted}})
	want.Confirmed = w.clock
	w.same("back", delivery(), want)
	if done := w.push(pushBody{messages: []string{minted, anAnswer}}); done.Changed {
		w.Errorf("back again: %+v, want nothing written", done)
	}
	w.push(pushBody{asks: []string{anAsk[:len(anAsk)-1] + `,"status":"resolved","resolution":{"answer":"v","run":"r2","ts":"` + w.nextTimestamp() + `"}}`}})
	want.Closed, want.Run = w.clock, "r2"
	w.same("acted on", delivery(), want)
	m := must(w.s.Message(ctx, w.agent, "m"))(w)
	w.same("what no human here said", []int64{m.PickedUp, m.Confirmed}, []int64{0, 0})
	w.reindex()
	w.same("derived again", delivery(), want)
	gone := w.decisionInput("u", "q", `"kind":"answer","chosen":"x"`)
	w.decide(gone)
	must(w.s.Undo(ctx, store.Act{By: w.ana.ID, At: w.clock}, w.agent, "u"))(w)
	_, err := w.s.Delivery(ctx, w.agent, "u")
	w.wantError(err, store.ErrNotFound)
}

// decideConcurrently tests that one of two concurrent decisions succeeds, that a form sent ten times is one decision, and
// that each decision is settled once.
func decideConcurrently(w *fixture) {
	const asks, tries = 6, 5
	var b pushBody
	for i := range asks {
		b.asks = append(b.asks, fmt.Sprintf(`{"id":"a%d","type":"question","title":"T","ts":"2026-11-20T10:00:00Z"}`, i))
	}
	w.push(b)
	w.ok(w.s.Assign(ctx, w.act(), w.agent, w.bo.ID, ""))
	var made, undone atomic.Int32
	var wait sync.WaitGroup
	for i := range asks {
		ask := fmt.Sprintf("a%d", i)
		for p, person := range []string{w.ana.ID, w.bo.ID} {
			d := w.decisionInput(fmt.Sprintf("%s-%d", ask, p), ask, `"kind":"answer","text":"t"`)
			act := store.Act{By: person, At: w.clock}
			for k := range tries {
				d := d
				d.Line = []byte(strings.Replace(string(d.Line), fmt.Sprintf(`"%s-%d"`, ask, p), fmt.Sprintf(`"%s-%d-%d"`, ask, p, k), 1))
				wait.Go(func() {
					m, err := w.s.Decide(ctx, act, d)
					var pending *store.PendingError
					if err == nil && m.By == person && m.Ask == ask && !m.Repeated {
						made.Add(1)
					} else if err != nil && (!errors.As(err, &pending) || pending.By == person) {
						w.Errorf("%s: %v", ask, err)
					}
				})
			}
		}
	}
	wait.Wait()
	w.same("decisions", int(made.Load()), asks)
	pending := must(w.s.PendingIn(ctx, w.workspace.ID))(w)
	w.same("pending", len(pending), asks)
	for i := range pending {
		p := &pending[i]
		wait.Go(func() {
			if i < asks/2 {
				if _, err := w.s.Undo(ctx, store.Act{By: p.By, At: p.Effective - 1}, w.agent, p.ID); err == nil {
					undone.Add(1)
				}
			}
		})
		wait.Go(func() {
			if _, err := w.s.Settle(ctx, p.Effective+store.UndoWindow); err != nil {
				w.Error(err)
			}
		})
	}
	wait.Wait()
	ids := map[string]bool{}
	for _, line := range w.messageLines() {
		ids[figs.ReadMessage(figs.Fold([][]byte{[]byte(line)})).Ask] = true
	}
	w.same("replies", []int{len(ids), len(w.messageLines())}, []int{asks - int(undone.Load()), asks - int(undone.Load())})
	w.same("what is left", len(must(w.s.PendingIn(ctx, w.workspace.ID))(w)), 0)
	counts := must(w.s.Agent(ctx, w.agent))(w).Counts
	w.same("counts", []int{counts.NeedsYou, counts.Waiting, counts.Messages}, []int{int(undone.Load()), len(ids), len(ids)})
	w.same("the chain", must(w.s.VerifyAudit(ctx, w.workspace.ID))(w).Broken, int64(0))
}

// decideOddClocks tests that a decision counts for what its author saw, whatever the clocks of agents and processes say,
// and that Reindex derives the same.
func decideOddClocks(w *fixture) {
	ask := func(title, ts string) string {
		return fmt.Sprintf(`{"id":"a","type":"sign-off","title":%q,"ts":%q}`, title, ts)
	}
	same := func(what, want string) {
		w.Helper()
		w.same(what, w.phase("a"), want)
		w.reindex()
		w.same(what+", derived again", w.phase("a"), want)
	}
	const b = `{"id":"b","type":"sign-off","title":"T","ts":"2026-11-20T10:00:00Z"}`
	w.push(pushBody{asks: []string{ask("one", "2099-01-01T00:00:00Z"), b}})
	w.decide(w.decisionInput("v1", "a", revises))
	w.settle()
	same("raised in 2099", "being revised 1")
	w.push(pushBody{asks: []string{ask("two", "2099-01-01T00:00:00Z")}})
	same("and again", "needs you 2")
	w.decide(w.decisionInput("v2", "a", revises))
	w.settle()
	same("decided", "being revised 2")
	w.push(pushBody{asks: []string{ask("three", "2098-01-01T00:00:00Z")}})
	w.decide(w.decisionInput("v3", "a", revises))
	w.settle()
	same("decided again", "being revised 3")
	w.push(pushBody{asks: []string{ask("four", "1999-01-01T00:00:00Z")}})
	same("raised in 1999", "needs you 4")
	w.decide(w.decisionInput("v4", "a", approves))
	w.settle()
	same("approved", "replied 4")
	w.push(pushBody{asks: []string{ask("five", "2099-06-01T00:00:00Z")}})
	same("raised later in 2099", "needs you 5")
	w.decide(w.decisionInput("v5", "a", approves))
	w.settle()
	same("approved again", "replied 5")
	slow := w.clock - 5*store.UndoWindow // another process, or one whose clock was set back
	read, err := figs.ReadPush(w.encode(pushBody{asks: []string{`{"id":"a","found":"more"}`},
		messages: []string{`{"id":"t","kind":"verdict","ask":"a","by":"Ana","ts":"2099-12-01T00:00:00Z","verdict":"rejected"}`}}))
	w.ok(err)
	must(w.s.Push(ctx, store.Push{Workspace: read.Workspace, Act: store.Act{By: w.ana.ID, At: slow}, Body: read}))(w)
	phase := w.phase("a")
	same("reported by a slow clock", phase)

	w.decide(w.decisionInput("w1", "b", revises))
	w.settle()
	w.push(pushBody{asks: []string{strings.Replace(b, "2026", "2099", 1)}})
	w.decide(w.decisionInput("w2", "b", approves))
	w.settle()
	w.same("raised again in 2099", w.phase("b"), "replied 2")
}
