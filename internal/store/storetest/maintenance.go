package storetest

import (
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// seq tests that a workspace's Seq rises with every change of its data, and with nothing else.
func seq(w *fixture) {
	at := func() int64 { return must(w.s.Seq(ctx, w.workspace.ID))(w) }
	before := at()
	step := func(what string, rises bool) {
		w.Helper()
		now := at()
		if now != before+int64(map[bool]int{true: 1}[rises]) {
			w.Errorf("%s: number %d after %d", what, now, before)
		}
		before = now
	}
	w.push(pushBody{asks: []string{aQuestion}})
	step("a push", true)
	w.push(pushBody{asks: []string{aQuestion}})
	step("the same push", false)
	w.reply("m", "q", `"kind":"answer","text":"t"`)
	step("a reply", true)
	w.ok(w.s.Assign(ctx, w.act(), w.agent, w.bo.ID, ""))
	step("an assignment", true)
	must(w.s.Attach(ctx, w.act(), store.Attachment{Agent: w.agent, Name: "a.txt", SHA256: "s"}, ""))(w)
	step("an attachment", true)
	w.ok(w.s.SaveSession(ctx, store.Session{Hash: "h", User: w.ana.ID, Expires: noon}))
	step("a session", false)
	_, err := w.tryPush(pushBody{name: "Copy"})
	if err == nil {
		w.Fatal("a copied folder was taken")
	}
	step("a refused push, of which the name is noted", true)
	_, err = w.s.Seq(ctx, "nowhere")
	w.wantError(err, store.ErrNotFound)
}

// pushEverything pushes an agent with something of each kind.
func pushEverything(w *fixture) {
	w.push(pushBody{runs: []string{aRun, `{"id":"f","ts":"2026-11-20T09:00:00Z","state":"in-flight"}`}, asks: []string{anAsk, aQuestion}, messages: []string{anAnswer}})
	w.push(pushBody{runs: []string{strings.Replace(aRun, `"warn"`, `"fail"`, 1)}, asks: []string{strings.Replace(anAsk, "Send it", "Send it now", 1)}})
	w.reply("v", "a", `"kind":"verdict","verdict":"changes-requested","text":"more"`)
	must(w.s.Attach(ctx, w.act(), store.Attachment{Agent: w.agent, Name: "notes.txt", SHA256: "s", Size: 1}, "bridge"))(w)
}

func reindex(w *fixture) {
	pushEverything(w)
	hash := must(w.s.StateHash(ctx))(w)
	look := func() []any {
		a := must(w.s.Agent(ctx, w.agent))(w)
		a.Seq, a.MessagesSeq = 0, 0
		asks, err := w.s.Records(ctx, store.RecordQuery{Agent: w.agent, File: figs.Asks})
		w.ok(err)
		runs, err := w.s.Records(ctx, store.RecordQuery{Agent: w.agent, File: figs.Runs})
		w.ok(err)
		in := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID}))(w)
		roster := in.Roster
		in.Roster, in.Seq = nil, 0
		beats := must(w.s.HourlyActivity(ctx, w.workspace.ID, "", -1<<40, 1<<40))(w)
		of := must(w.s.HourlyActivity(ctx, w.workspace.ID, w.agent, -1<<40, 1<<40))(w)
		found, err := w.s.Search(ctx, store.SearchQuery{Workspace: w.workspace.ID, Text: "bridge"})
		w.ok(err)
		return []any{a, asks, runs, *in, found.Hits, beats, of, roster.Agents, roster.Departments, roster.Admins}
	}
	before := look()
	w.reindex()
	w.same("everything", look(), before)
	w.same("state hash", must(w.s.StateHash(ctx))(w), hash)
	if done := w.push(pushBody{runs: []string{strings.Replace(aRun, `"warn"`, `"fail"`, 1)}}); done.Changed {
		w.Errorf("a push of what is there after reindexing: %+v", done)
	}
}

func stateHash(w *fixture) {
	seen := map[string]string{}
	note := func(what string) {
		w.Helper()
		hash := must(w.s.StateHash(ctx))(w)
		if other, had := seen[hash]; had {
			w.Errorf("%s has the state hash of %s", what, other)
		}
		seen[hash] = what
	}
	note("nothing")
	w.push(pushBody{runs: []string{aRun}})
	note("a run")
	w.push(pushBody{runs: []string{strings.Replace(aRun, "98%", "99%", 1)}})
	note("the run, changed")
	w.push(pushBody{asks: []string{aQuestion}})
	note("an ask")
	w.push(pushBody{messages: []string{anAnswer}})
	note("a reply")
	w.reply("v", "q", `"kind":"answer","text":"t"`)
	note("a reply of ours")
	must(w.s.Attach(ctx, w.act(), store.Attachment{Agent: w.agent, Name: "a.txt", SHA256: "s"}, ""))(w)
	note("an attachment")
	w.push(pushBody{charter: `,"mandate":"Match"`})
	note("a charter")
	hash := must(w.s.StateHash(ctx))(w)
	w.ok(w.s.Assign(ctx, w.act(), w.agent, w.bo.ID, w.bo.ID))
	w.same("who manages is no state of the agent", must(w.s.StateHash(ctx))(w), hash)
}
