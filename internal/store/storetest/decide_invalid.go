package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// decideInvalid tests that whatever a form sends is stored or rejected with a reason, and breaks nothing.
func decideInvalid(w *fixture) {
	const odd = "q\x00'\u202e"
	w.push(pushBody{asks: []string{aQuestion, `{"id":"q\u0000'\u202e","type":"question","title":"T","ts":"2026-11-20T10:00:00Z","options":["x\u0000"]}`}})
	answer := `"kind":"answer","chosen":"x"`
	long := strings.Repeat("x", 1<<20)
	for what, change := range map[string]func(*store.DecisionInput){
		"no ask":         func(d *store.DecisionInput) { d.Ask = "" },
		"another's id":   func(d *store.DecisionInput) { d.Ask = odd + "'" },
		"a long ask":     func(d *store.DecisionInput) { d.Ask = long },
		"a long agent":   func(d *store.DecisionInput) { d.Agent = long },
		"an odd agent":   func(d *store.DecisionInput) { d.Agent = "\x00\xff" },
		"no workspace":   func(d *store.DecisionInput) { d.Workspace = "" },
		"odd workspaces": func(d *store.DecisionInput) { d.Workspace = "\x00" },
	} {
		d := w.decisionInput("v", "q", answer)
		change(&d)
		if err := mustReject[error](w, what, w.act(), d); !errors.Is(err, store.ErrNotFound) {
			w.Errorf("%s: %v, want ErrNotFound", what, err)
		}
	}
	for what, line := range map[string]string{"no event": "", "no object": "[]", "half an event": `{"id":"v"`, "a long id": `{"id":"` + long + `"}`, "no id": `{"kind":"answer","ask":"q"}`} {
		d := w.decisionInput("v", "q", answer)
		d.Line = []byte(line)
		mustReject[*store.InvalidReplyError](w, what, w.act(), d)
	}
	for what, notes := range map[string]string{"no object": "[]", "half of one": "{", "two": "{}{}", "nothing": ""} {
		d := w.decisionInput("v", "q", answer)
		d.Notes = []byte(notes)
		mustReject[error](w, "notes that are "+what, w.act(), d)
	}
	seen := w.decisionInput("v", "q", answer)
	seen.Saw.Files = []store.ViewedFile{{Name: "\x00\xff", SHA256: "\x00"}, {Name: long, SHA256: "x"}}
	stale := mustReject[*store.StaleError](w, "files that nobody has", w.act(), seen)
	w.same("which", len(stale.Changed), 2)

	d := w.decisionInput("v\x00", odd, `"kind":"answer","text":"t"`)
	d.Line = fmt.Appendf(nil, `{"id":"v\u0000","kind":"answer","ask":"q\u0000'\u202e","by":"Ana","ts":%q,"source":"app","chosen":"x\u0000"}`, w.nextTimestamp())
	d.Key, d.Notes = "\x00\xff"+long, []byte(`{"a":"\u0000`+long+`"}`)
	made := w.decide(d)
	w.same("an odd one", []any{made.Ask, made.ID, string(made.Notes) == string(d.Notes), made.Line}, []any{odd, "v\x00", true, any(d.Line)})
	w.same("sent again", w.decide(d).Repeated, true)
	item := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID}))(w).Items
	w.same("in the inbox", item[0].Pending, &made)
	w.settle()
	w.same("it counts", []any{w.phase(odd), w.phase("q")}, []any{"replied 1", "needs you 1"})
	w.same("the chain", must(w.s.VerifyAudit(ctx, w.workspace.ID))(w).Broken, int64(0))
}

// reviewConcurrently tests that people can claim, snooze, draft and decide at the same time.
func reviewConcurrently(w *fixture) {
	const each = 8
	var b pushBody
	for i := range each {
		b.asks = append(b.asks, ask(fmt.Sprint("a", i), "", "10:00"))
	}
	w.push(b)
	w.ok(w.s.Assign(ctx, w.act(), w.agent, w.bo.ID, w.ana.ID))
	var forms []store.DecisionInput
	for i := range each {
		forms = append(forms, w.decisionInput(fmt.Sprint("v", i), fmt.Sprint("a", i), `"kind":"answer","text":"t"`))
	}
	now := w.clock
	var wait sync.WaitGroup
	for i := range each {
		id := fmt.Sprint("a", i)
		for _, u := range []store.User{w.ana, w.bo} {
			for _, f := range []func() error{
				func() error {
					_, err := w.s.Claim(ctx, store.Act{By: u.ID, At: now}, w.workspace.ID, w.agent, id, now+100)
					return err
				},
				func() error {
					_, err := w.s.Snooze(ctx, store.Act{By: u.ID, At: now}, w.workspace.ID, w.agent, id, store.SnoozeUntilChange)
					return err
				},
				func() error {
					return w.s.SaveDraft(ctx, store.Draft{Person: u.ID, Workspace: w.workspace.ID, Agent: w.agent, Ask: id, Text: "t", At: now})
				},
				func() error {
					_, err := w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Mine: u.ID, Now: now})
					return err
				},
			} {
				wait.Go(func() {
					if err := f(); err != nil {
						w.Error(err)
					}
				})
			}
		}
		wait.Go(func() {
			if _, err := w.s.Decide(ctx, store.Act{By: w.bo.ID, At: now}, forms[i]); err != nil {
				w.Error(err)
			}
		})
	}
	wait.Wait()
	in := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Mine: w.ana.ID, Now: now}))(w)
	all := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Viewer: w.ana.ID, Now: now}))(w)
	w.same("Ana has put off all", []int{in.Total, in.Snoozed, all.Total}, []int{0, each, each})
	for i := range all.Items {
		x := &all.Items[i]
		w.same("at it", []any{x.Pending != nil && x.Pending.By == w.bo.ID, x.Claim != nil, x.Snoozed}, []any{true, true, int64(store.SnoozeUntilChange)})
	}
	w.settle()
	w.same("all answered", len(must(w.s.FullRecords(ctx, w.agent, figs.Asks, []string{"a0"}))(w)[0].Thread), 1)
	w.same("nothing is put off any more", must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Mine: w.ana.ID, Now: now}))(w).Snoozed, 0)
}
