package storetest

import (
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

func lines(trail []store.Entry) []string {
	var all []string
	for _, e := range trail {
		all = append(all, string(e.Line))
	}
	return all
}

func trail(w *fixture) {
	w.push(pushBody{runs: []string{`{"id":"r","ts":"2026-11-20T10:00:00Z","state":"in-flight","result":"one","attachments":["a.txt"]}`}})
	first := w.clock
	w.push(pushBody{runs: []string{`{"id":"r","ts":"2026-11-20T10:05:00Z","state":"in-flight","result":"two","attachments":["a.txt"]}`}})
	w.push(pushBody{runs: []string{`{"id":"r","ts":"2026-11-20T10:09:00Z","state":"settled","result":"two","attachments":["b.txt"]}`}})
	r := w.record(figs.Runs, "r")
	w.same("trail", lines(r.Trail), []string{
		`{"id":"r","ts":"2026-11-20T10:00:00Z","state":"in-flight","result":"one","attachments":["a.txt"]}`,
		`{"id":"r","ts":"2026-11-20T10:05:00Z","result":"two"}`,
		`{"id":"r","ts":"2026-11-20T10:09:00Z","state":"settled","attachments":["b.txt"]}`})
	w.same("received", []int64{r.Received, r.Trail[0].At, r.Changed}, []int64{first, first, w.clock})
	w.same("pushed by", r.Trail[2].PushedBy, w.ana.ID)
	// A client that doesn't fold sends all lines every time.
	w.push(pushBody{asks: []string{`{"id":"u","type":"question","title":"T","ts":"2026-11-20T10:00:00Z"}`, `{"id":"u","need":"n"}`}})
	w.push(pushBody{asks: []string{`{"id":"u","type":"question","title":"T","ts":"2026-11-20T10:00:00Z"}`, `{"id":"u","need":"n"}`, `{"id":"u","need":"m"}`}})
	w.same("unfolded", lines(w.record(figs.Asks, "u").Trail), []string{`{"id":"u","type":"question","title":"T","ts":"2026-11-20T10:00:00Z"}`, `{"id":"u","need":"n"}`, `{"id":"u","need":"m"}`})
}

func events(w *fixture) {
	line := func(n int) string {
		return fmt.Sprintf(`{"id":"r","ts":"2026-11-20T10:0%d:00Z","state":"in-flight","result":"%d","eventId":"e%d"}`, n, n, n)
	}
	w.push(pushBody{runs: []string{line(2)}, events: []string{line(1), line(2)}})
	w.push(pushBody{runs: []string{line(3)}, events: []string{line(1), line(2), line(3)}})
	r := w.record(figs.Runs, "r")
	w.same("trail", lines(r.Trail), []string{line(1), line(2), line(3)})
	w.same("its event", r.Trail[1].Event, "e2")
	// An older client takes over, and sends snapshots from now on.
	w.push(pushBody{runs: []string{strings.Replace(line(3), `"in-flight"`, `"settled"`, 1)}})
	w.same("and a snapshot", len(w.record(figs.Runs, "r").Trail), 4)
	done := w.push(pushBody{runs: []string{line(4)}, events: []string{strings.Replace(line(1), `"1"`, `"other"`, 1)}})
	w.same("another line under a known eventId", done.Refused, []figs.RefusedRecord{{File: figs.Runs, ID: "r", Reason: figs.RefusedEventReused}})
}

func neverBackwards(w *fixture) {
	open := anAsk
	closed := strings.Replace(anAsk, `"run"`, `"status":"resolved","resolution":{"ts":"2026-11-20T11:00:00Z"},"run"`, 1)
	older := []figs.RefusedRecord{{File: figs.Asks, ID: "a", Reason: figs.RefusedOlder}}
	w.push(pushBody{asks: []string{open}})
	w.push(pushBody{asks: []string{closed}})
	done := w.push(pushBody{asks: []string{open}, runs: []string{aRun}})
	w.same("refused, the rest applied", []any{done.Refused, done.Runs, done.Asks}, []any{older, 1, 0})
	w.same("still closed", w.record(figs.Asks, "a").State.Phase, figs.Resolved)
	refusals := must(w.s.Refusals(ctx, w.agent))(w)
	if len(refusals) != 1 || refusals[0].RefusedRecord != older[0] || refusals[0].PushedBy != w.ana.ID || must(w.s.Agent(ctx, w.agent))(w).Counts.Refused != 1 {
		w.Errorf("refusals %+v, want the one", refusals)
	}
	seq := must(w.s.Seq(ctx, w.workspace.ID))(w)
	done = w.push(pushBody{asks: []string{open}, runs: []string{aRun}})
	w.same("refused again, nothing written", done, store.PushResult{Seq: seq, Refused: older})
	if _, _, err := w.s.KnownPush(ctx, store.Hash(string(w.encode(pushBody{asks: []string{open}, runs: []string{aRun}})))); err == nil {
		w.Error("a push with refusals is known by its digest: its answer would lose them")
	}
	w.push(pushBody{asks: []string{strings.Replace(strings.Replace(open, "T10:00", "T12:30", 1), `"run"`, `"status":"open","run"`, 1)}})
	w.same("reopened", w.record(figs.Asks, "a").State.Phase, figs.NeedsYou)
	w.same("the refusal is over", len(must(w.s.Refusals(ctx, w.agent))(w)), 0)

	w.push(pushBody{asks: []string{`{"id":"t","type":"question","title":"T","status":"rejected"}`}})
	done = w.push(pushBody{asks: []string{`{"id":"t","type":"question","title":"T","status":"open","ts":"2026-11-20T23:00:00Z"}`}})
	w.same("rejected is terminal", done.Refused, []figs.RefusedRecord{{File: figs.Asks, ID: "t", Reason: figs.RefusedTerminal}})

	// A clock in 2099 must not lock a record.
	w.push(pushBody{runs: []string{`{"id":"f","ts":"2099-01-01T00:00:00Z","result":"one"}`}})
	done = w.push(pushBody{runs: []string{`{"id":"f","ts":"` + w.nextTimestamp() + `","result":"two"}`}})
	w.same("after 2099", []int{done.Runs, len(done.Refused)}, []int{1, 0})
}

func refusedAlone(w *fixture) {
	large := `{"id":"big","result":"` + strings.Repeat("x", figs.MaxRecord) + `"}`
	done := w.push(pushBody{runs: []string{large, aRun, `{"title":"no id"}`, `7`, `{"id":"` + strings.Repeat("i", 401) + `"}`}, messages: []string{anAnswer}})
	var reasons []string
	for _, r := range done.Refused {
		reasons = append(reasons, r.Reason.String())
	}
	w.same("refused", reasons, []string{"record_id_missing", "record_not_object", "record_id_too_long", "record_too_large"})
	w.same("the rest", []int{done.Runs, done.Messages}, []int{1, 1})
	if again := w.push(pushBody{runs: []string{large, aRun, `{"title":"no id"}`, `7`, `{"id":"` + strings.Repeat("i", 401) + `"}`}, messages: []string{anAnswer}}); again.Changed || len(again.Refused) != 4 {
		w.Errorf("again: %+v, want the same refusals and nothing written", again)
	}
}

func asks(w *fixture) {
	phase := func() string {
		w.Helper()
		r := w.record(figs.Asks, "a")
		listed, err := w.s.Records(ctx, store.RecordQuery{Agent: w.agent, File: figs.Asks})
		w.ok(err)
		state := r.State
		state.Reply = -1
		w.same("listed state", listed.Items[0].State, state)
		s := fmt.Sprintf("%s %d", r.State.Phase, r.State.Round)
		if r.State.Reported {
			s += " reported"
		}
		return s
	}
	w.push(pushBody{asks: []string{anAsk}})
	w.same("raised", phase(), "needs you 1")
	w.reply("v1", "a", `"kind":"verdict","verdict":"changes-requested","text":"more"`)
	w.same("changes requested here", phase(), "being revised 1")
	w.push(pushBody{asks: []string{strings.Replace(anAsk, "Send it", "Send it now", 1)}})
	w.same("changed, whatever its clock says", phase(), "needs you 2")
	w.push(pushBody{messages: []string{`{"id":"t","kind":"verdict","ask":"a","by":"Ana","ts":"` + w.nextTimestamp() + `","source":"app","verdict":"approved"}`}})
	w.same("approved, says the agent", phase(), "replied 2 reported")
	w.reply("v2", "a", `"kind":"verdict","verdict":"approved"`)
	w.same("approved here", phase(), "replied 2")
	w.push(pushBody{asks: []string{strings.Replace(anAsk, "Send it", "Send it now", 1)[:len(anAsk)+3] + `,"status":"resolved","resolution":{"answer":"v2","ts":"` + w.nextTimestamp() + `"}}`}})
	w.same("closed", phase(), "resolved 2")
	r := w.record(figs.Asks, "a")
	var thread []string
	for _, m := range r.Thread {
		thread = append(thread, fmt.Sprintf("%s %d %v %v", m.ID, m.Round, m.Earlier, m.Verified))
	}
	w.same("thread", thread, []string{"v1 1 true true", "t 2 false false", "v2 2 false true"})
	w.same("rounds", r.Rounds, []int{1, 2, 2})
	w.same("raises", r.Raises, []bool{true, true, false})
	w.same("closes", r.Closes, []bool{false, false, true})
	if r.State.Reply < 0 || r.Thread[r.State.Reply].ID != "v2" {
		w.Errorf("the close cites reply %d, want v2", r.State.Reply)
	}
}
