package storetest

import (
	"fmt"
	"math/rand"
	"os"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// repeatedPushes tests that repeating earlier pushes, in any order, changes nothing that is settled.
func repeatedPushes(w *fixture) {
	closed := strings.Replace(anAsk, `"run"`, `"status":"resolved","resolution":{"ts":"2026-11-20T11:00:00Z"},"run"`, 1)
	pushes := []pushBody{
		{runs: []string{run("x", "20", "10:00", `,"state":"in-flight"`)}, asks: []string{anAsk}},
		{runs: []string{run("x", "20", "10:05", `,"state":"in-flight","result":"half"`)}, asks: []string{anAsk, aQuestion}},
		{runs: []string{run("x", "20", "10:09", `,"state":"settled","result":"all"`)}, asks: []string{anAsk, aQuestion}, messages: []string{anAnswer}},
		{runs: []string{run("x", "20", "10:09", `,"state":"settled","result":"all"`), aRun}, asks: []string{closed, strings.Replace(aQuestion, `"options"`, `"status":"withdrawn","resolution":{"ts":"2026-11-20T11:30:00Z"},"options"`, 1)}, messages: []string{anAnswer}},
	}
	for _, b := range pushes {
		w.push(b)
	}
	hash := must(w.s.StateHash(ctx))(w)
	trail := lines(w.record(figs.Runs, "x").Trail)
	counts := must(w.s.Agent(ctx, w.agent))(w).Counts
	order := rand.New(rand.NewSource(4))
	for range 12 {
		done := w.push(pushes[order.Intn(len(pushes))])
		if done.Runs+done.Asks+done.Messages > 0 {
			w.Fatalf("a replay changed something: %+v", done)
		}
	}
	w.same("state hash", must(w.s.StateHash(ctx))(w), hash)
	w.same("trail", lines(w.record(figs.Runs, "x").Trail), trail)
	after := must(w.s.Agent(ctx, w.agent))(w).Counts
	if after.Refused == 0 {
		w.Error("nobody is told that the replays came too late")
	}
	after.Refused = counts.Refused
	w.same("counts", after, counts)
	w.same("nobody is owed anything", w.inbox(store.InboxQuery{}), []string(nil))
}

// oddClocks tests that wrong clocks are stored as they are, and that nothing waits until 2099.
func oddClocks(w *fixture) {
	const far, past = "2099-12-31T23:59:59Z", "0001-01-01T00:00:00Z"
	w.push(pushBody{runs: []string{`{"id":"far","ts":"` + far + `"}`, `{"id":"past","ts":"` + past + `"}`, `{"id":"odd","ts":"99999-01-01T00:00:00Z"}`, `{"id":"9999","ts":"9999-12-31T23:59:59+00:00"}`},
		asks:     []string{strings.Replace(aQuestion, "2026-11-20T10:30:00Z", far, 1), strings.Replace(anAsk, "2026-11-20T10:00:00Z", past, 1)},
		messages: []string{`{"id":"m","kind":"answer","ask":"a","text":"t","by":"Ana","ts":"` + past + `"}`}})
	a := must(w.s.Agent(ctx, w.agent))(w)
	first, _ := figs.ParseTime(past)
	w.same("since and last", []any{a.First, a.FirstFile, a.LastTS}, []any{first, figs.Runs, "9999-12-31T23:59:59+00:00"})
	lines := 0
	for _, b := range must(w.s.HourlyActivity(ctx, w.workspace.ID, "", -1<<50, 1<<50))(w) {
		if b.Kind <= store.ActivityReply {
			lines += b.N
		}
	}
	w.same("every line is counted", lines, 7)
	w.same("days", len(must(w.s.DailyActivity(ctx, w.agent))(w)) > 4, true)
	must(w.s.WeeklyJobs(ctx, w.workspace.ID, []string{w.agent}, noon))(w)
	w.same("in the inbox", w.inbox(store.InboxQuery{}), []string{"q"})
	w.same("not waiting since long", w.inbox(store.InboxQuery{SinceBefore: noon}), []string(nil))
	done := w.push(pushBody{runs: []string{`{"id":"far","ts":"` + w.nextTimestamp() + `","status":"fail"}`}})
	w.same("a right clock comes after 2099", done.Runs, 1)
	before := must(w.s.StateHash(ctx))(w)
	w.reindex()
	w.same("state hash", must(w.s.StateHash(ctx))(w), before)
	again := must(w.s.Agent(ctx, w.agent))(w)
	w.same("since, derived again", again.First, a.First)
}

// claimedVerified tests that no pushed reply counts as verified, whatever it claims.
func claimedVerified(w *fixture) {
	w.push(pushBody{asks: []string{anAsk}})
	for i, claim := range []string{`"source":"app"`, `"source":"app","verified":true`, `"verified":1,"pushed_by":"ana","effective_at":0`, `"source":["app"]`, `"source":"APP"`} {
		w.push(pushBody{messages: []string{fmt.Sprintf(`{"id":"claim%d","kind":"verdict","ask":"a","by":"Ana","ts":"2026-11-20T11:0%d:00Z","verdict":"approved",%s}`, i, i, claim)}})
	}
	r := w.record(figs.Asks, "a")
	for _, m := range r.Thread {
		if m.Verified || !strings.Contains(string(m.Line), `"source":"chat"`) {
			w.Errorf("%s is verified: %v", m.Line, m.Verified)
		}
	}
	w.same("what they move", []any{len(r.Thread), r.State.Phase, r.State.Reported}, []any{5, figs.Replied, true})
	// A decision with an id that an agent has already used is rejected.
	_, err := w.s.Reply(ctx, w.act(), w.agent, []byte(`{"id":"claim0","ask":"a","kind":"verdict","verdict":"rejected","by":"Bo","ts":"2026-11-20T12:00:00Z","source":"app"}`))
	if _, taken := err.(*store.TakenError); !taken {
		w.Errorf("minting the id: %v, want *Taken", err)
	}
}

// manyAtOnce tests a push with many records, and the same push again.
func manyAtOnce(w *fixture) {
	if testing.Short() {
		w.Skip("so many records take seconds")
	}
	n := 20_000
	if os.Getenv("FIGS_LONG") != "" { // make crash
		n = 100_000
	}
	b := pushBody{runs: make([]string, n/2), asks: make([]string, n/2)}
	for i := range b.runs {
		b.runs[i] = fmt.Sprintf(`{"id":"r%d","ts":"2026-11-20T10:%02d:%02dZ"}`, i, i/60%60, i%60)
		b.asks[i] = fmt.Sprintf(`{"id":"a%d","type":"question","title":"T","ts":"2026-11-20T10:00:00Z"}`, i)
	}
	done := w.push(b)
	w.same("all of them", []int{done.Runs, done.Asks, len(done.Refused)}, []int{n / 2, n / 2, 0})
	w.same("counted", must(w.s.Agent(ctx, w.agent))(w).Counts, store.Counts{Jobs: n / 2, Asks: n / 2, NeedsYou: n / 2})
	b.runs[n/4] = strings.Replace(b.runs[n/4], `"ts"`, `"status":"fail","ts"`, 1)
	done = w.push(b)
	w.same("one of them", []int{done.Runs, done.Asks}, []int{1, 0})
	in := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Mine: w.ana.ID}))(w)
	w.same("inbox", []any{in.Total, len(in.Items), in.Next != ""}, []any{n / 2, 50, true})
}

// oneRecord tests an unfolded ledger with a single record, line after line.
func oneRecord(w *fixture) {
	const n = 20_000
	b := pushBody{runs: []string{run("r", "20", "10:00", "")}, asks: make([]string, n), events: make([]string, n)}
	for i := range n {
		b.asks[i] = fmt.Sprintf(`{"id":"a","type":"question","title":"T%d","ts":"2026-11-20T10:00:00Z"}`, i)
		b.events[i] = fmt.Sprintf(`{"id":"r","eventId":"e%d","result":"%d","ts":"2026-11-20T10:00:00Z"}`, i, i)
	}
	done := w.push(b)
	w.same("two records", []int{done.Runs, done.Asks, len(done.Refused)}, []int{1, 1, 0})
	w.same("with all their versions", []int{w.record(figs.Asks, "a").Versions, len(w.record(figs.Runs, "r").Trail)}, []int{n, n})
	if again := w.push(b); again.Changed {
		w.Errorf("the same again: %+v", again)
	}
}
