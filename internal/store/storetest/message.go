package storetest

import (
	"errors"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

func (w *fixture) messageLines() []string {
	w.Helper()
	list, err := w.s.Messages(ctx, w.agent)
	w.ok(err)
	var all []string
	for _, m := range list {
		all = append(all, string(m.Line))
	}
	return all
}

func messages(w *fixture) {
	w.push(pushBody{messages: []string{anAnswer, strings.Replace(anAnswer, `"id":"m"`, `"id":"n","x":1`, 1)}, asks: []string{aQuestion}})
	transcribed := strings.Replace(anAnswer, `"app"`, `"chat"`, 1)
	w.same("what claims to be the app's is transcribed", w.messageLines(), []string{transcribed, strings.Replace(transcribed, `"id":"m"`, `"id":"n","x":1`, 1)})
	_, tag, err := w.s.MessagesSeq(ctx, w.agent)
	w.ok(err)
	done := w.push(pushBody{messages: []string{strings.Replace(anAnswer, `"x"`, `"y"`, 1)}})
	w.same("another with its id", done.Refused, []figs.RefusedRecord{{File: figs.Messages, ID: "m", Reason: figs.RefusedMessageReused}})
	w.same("the first wins", w.messageLines()[0], transcribed)
	w.push(pushBody{runs: []string{aRun}})
	_, same, err := w.s.MessagesSeq(ctx, w.agent)
	w.ok(err)
	w.same("a run does not change the tag", same, tag)
	// The first one also wins within one push.
	done = w.push(pushBody{messages: []string{strings.Replace(anAnswer, `"m"`, `"k"`, 1), strings.Replace(strings.Replace(anAnswer, `"m"`, `"k"`, 1), `"x"`, `"y"`, 1)}})
	w.same("two with one id", []int{done.Messages, len(done.Refused)}, []int{1, 1})
	if _, later, _ := w.s.MessagesSeq(ctx, w.agent); later <= tag {
		w.Errorf("tag %d after a new reply, want more than %d", later, tag)
	}
	// Older replies come first, whenever they arrive.
	w.push(pushBody{messages: []string{strings.Replace(strings.Replace(anAnswer, `"m"`, `"old"`, 1), "T11", "T09", 1)}})
	if first := w.messageLines()[0]; !strings.Contains(first, `"old"`) {
		w.Errorf("first is %s, want the oldest", first)
	}
}

// replies tests that only replies given on this server are verified, and that they can come back with the next push.
func replies(w *fixture) {
	w.push(pushBody{asks: []string{aQuestion}})
	w.reply("minted", "q", `"kind":"answer","chosen":"x"`)
	minted := w.messageLines()[0]
	done := w.push(pushBody{asks: []string{aQuestion}, messages: []string{minted}})
	w.same("comes back", []any{done.Changed, done.Confirmed, done.Messages, len(done.Refused)}, []any{true, 1, 0, 0})
	done = w.push(pushBody{asks: []string{aQuestion}, messages: []string{minted}})
	w.same("comes back again", []any{done.Changed, done.Confirmed, len(done.Refused)}, []any{false, 0, 0})
	reordered := `{"chosen":"x","kind":"answer","id":"minted",` + minted[strings.Index(minted, `"ask"`):strings.Index(minted, `,"kind"`)] + `,"extra":1}`
	done = w.push(pushBody{asks: []string{aQuestion}, messages: []string{reordered}})
	w.same("comes back written otherwise", []any{done.Changed, len(done.Refused)}, []any{false, 0})
	forged := strings.Replace(minted, `"chosen":"x"`, `"chosen":"y"`, 1)
	done = w.push(pushBody{messages: []string{forged}})
	w.same("a forged one", done.Refused, []figs.RefusedRecord{{File: figs.Messages, ID: "minted", Reason: figs.RefusedMessageReused}})
	r := w.record(figs.Asks, "q")
	w.same("what counts", []any{string(r.Thread[0].Line), r.Thread[0].Verified, r.State.Reported, r.Thread[0].PushedBy}, []any{minted, true, false, w.ana.ID})

	// If an agent pushes the id of another agent's verified reply, it gets an unverified one.
	const other = "0d4f2a3c-1111-4222-8333-000000000002"
	w.push(pushBody{agent: other, name: "Payables", asks: []string{aQuestion}, messages: []string{forged}})
	theirs := must(w.s.Record(ctx, other, figs.Asks, "q"))(w)
	w.same("theirs", []any{theirs.Thread[0].Verified, theirs.State.Reported}, []any{false, true})

	act := w.act()
	var taken *store.TakenError
	if _, err := w.s.Reply(ctx, act, w.agent, []byte(minted)); !errors.As(err, &taken) {
		w.Errorf("minting the id again: %v, want *Taken", err)
	}
	_, err := w.s.Reply(ctx, act, w.agent, []byte(`{"id":"z","kind":"answer","ask":"none","text":"t"}`))
	w.wantError(err, store.ErrNotFound)
	_, err = w.s.Reply(ctx, act, "0d4f2a3c-1111-4222-8333-000000000003", []byte(`{"id":"z","ask":"q"}`))
	w.wantError(err, store.ErrNotFound)
	w.same("nothing of it stayed", len(w.messageLines()), 1)
}
