package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/figs-web/figs-web/internal/store"
)

// programDrafts tests that a program's draft replaces none, and that a program can only delete the draft it has seen.
func programDrafts(w *fixture) {
	w.push(pushBody{asks: []string{anAsk, aQuestion}})
	before := w.changeMarkers()
	d := store.Draft{Person: w.ana.ID, Workspace: w.workspace.ID, Agent: w.agent, Ask: "a", Revision: w.viewOf("a").Revision.String(), Verdict: "approved", Text: "so\x00", At: 7, Token: "t"}
	w.ok(w.s.CreateDraft(ctx, d))
	d.Text = "so\uFFFD"
	kept := func() store.Draft { return must(w.s.Draft(ctx, w.ana.ID, w.agent, "a"))(w) }
	w.same("kept", kept(), d)
	other := d
	other.Text, other.At = "no", 8
	var taken *store.TakenError
	if err := w.s.CreateDraft(ctx, other); !errors.As(err, &taken) {
		w.Fatalf("a second: %v, want *Taken", err)
	}
	w.same("the first is there", kept(), d)
	for what, change := range map[string]func(*store.Draft){
		"a later one": func(d *store.Draft) { d.At++ }, "other words": func(d *store.Draft) { d.Text += "!" }, "another's": func(d *store.Draft) { d.Person = w.bo.ID },
		"typed": func(d *store.Draft) { d.Token = "" }, "elsewhere": func(d *store.Draft) { d.Workspace = "\x00" }, "of another ask": func(d *store.Draft) { d.Ask = "q" },
	} {
		not := d
		change(&not)
		if err := w.s.DeleteDraft(ctx, not); !errors.Is(err, store.ErrNotFound) {
			w.Errorf("forgetting %s: %v, want ErrNotFound", what, err)
		}
	}
	typed := d
	typed.Token, typed.Text, typed.At = "", "what its person typed then", 9
	w.ok(w.s.SaveDraft(ctx, typed))
	w.same("typed over it", kept(), typed)
	w.wantError(w.s.DeleteDraft(ctx, d), store.ErrNotFound)
	w.ok(w.s.DeleteDraft(ctx, typed))
	w.wantError(w.s.DeleteDraft(ctx, typed), store.ErrNotFound)
	bad := d
	bad.Ask = "none"
	w.wantError(w.s.CreateDraft(ctx, bad), store.ErrNotFound)
	empty := d
	empty.Verdict, empty.Text = "", ""
	w.ok(w.s.CreateDraft(ctx, empty))
	_, err := w.s.Draft(ctx, w.ana.ID, w.agent, "a")
	w.wantError(err, store.ErrNotFound)

	var wait sync.WaitGroup
	won := make(chan bool, 8)
	for i := range cap(won) {
		wait.Go(func() {
			one := d
			one.Text = fmt.Sprint(i)
			err := w.s.CreateDraft(ctx, one)
			var taken *store.TakenError
			if err != nil && !errors.As(err, &taken) {
				w.Error(err)
			}
			won <- err == nil
		})
	}
	wait.Wait()
	close(won)
	n := 0
	for ok := range won {
		if ok {
			n++
		}
	}
	w.same("begun by eight at once", n, 1)
	w.same("which no agent learns", w.changeMarkers(), before)
	w.decide(w.decisionInput("v", "a", approves))
	var pending *store.PendingError
	if err := w.s.CreateDraft(ctx, d); !errors.As(err, &pending) || pending.By != w.ana.ID || pending.Effective == 0 {
		w.Fatalf("while a decision is pending: %v, want *Pending of Ana's", err)
	}
	w.ok(w.s.CreateDraft(ctx, store.Draft{Person: w.bo.ID, Workspace: w.workspace.ID, Agent: w.agent, Ask: "a", Text: "t", At: 9}))
}

// feedback tests that feedback is listed in its workspace only, and changes nothing that agents see.
func feedback(w *fixture) {
	w.push(pushBody{asks: []string{anAsk}})
	elsewhere := store.Workspace{ID: store.NewID(), Slug: "else", Name: "Else"}
	w.ok(w.s.AddWorkspace(ctx, w.act(), elsewhere, w.ana.ID))
	before := w.changeMarkers()
	one := store.Feedback{ID: store.NewID(), Workspace: w.workspace.ID, Person: w.bo.ID, Token: "t", Tool: "figs-web", Version: "1.2", Context: "ls /agents", Text: "It\x00 broke\u202e", At: 7}
	w.ok(w.s.AddFeedback(ctx, one))
	one.Text = "It\uFFFD broke\u202e"
	two := store.Feedback{ID: store.NewID(), Workspace: w.workspace.ID, Person: w.ana.ID, Text: strings.Repeat("é", 4<<10), At: 8}
	w.ok(w.s.AddFeedback(ctx, two))
	w.ok(w.s.AddFeedback(ctx, store.Feedback{ID: store.NewID(), Workspace: elsewhere.ID, Person: w.ana.ID, Text: "x", At: 9}))
	w.same("all", must(w.s.ListFeedback(ctx, w.workspace.ID))(w), []store.Feedback{two, one})
	w.same("counted", must(w.s.CountFeedback(ctx, w.workspace.ID))(w), 2)
	w.same("which no agent learns", w.changeMarkers(), before)

	stranger := w.user("eve@else.example", "Eve")
	for what, f := range map[string]store.Feedback{
		"of a stranger":   {ID: "x", Workspace: w.workspace.ID, Person: stranger.ID, Text: "x"},
		"of nobody":       {ID: "x", Workspace: w.workspace.ID, Person: "\x00", Text: "x"},
		"to no workspace": {ID: "x", Workspace: "\x00'", Person: w.ana.ID, Text: "x"},
	} {
		if err := w.s.AddFeedback(ctx, f); !errors.Is(err, store.ErrNotFound) {
			w.Errorf("feedback %s: %v, want ErrNotFound", what, err)
		}
	}
	rows := len(must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{N: 100}))(w))
	w.wantError(w.s.RemoveFeedback(ctx, w.act(), elsewhere.ID, one.ID), store.ErrNotFound)
	w.wantError(w.s.RemoveFeedback(ctx, w.act(), w.workspace.ID, "\x00"), store.ErrNotFound)
	w.ok(w.s.RemoveFeedback(ctx, w.act(), w.workspace.ID, one.ID))
	w.wantError(w.s.RemoveFeedback(ctx, w.act(), w.workspace.ID, one.ID), store.ErrNotFound)
	w.same("one is left", must(w.s.ListFeedback(ctx, w.workspace.ID))(w), []store.Feedback{two})
	audit := must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{N: 100}))(w)
	w.same("the audit", []any{len(audit) - rows, audit[0].Action, audit[0].By, audit[0].Subject}, []any{1, "feedback.remove", w.ana.ID, w.bo.ID + " " + one.ID})
	w.ok(w.s.DeleteWorkspace(ctx, w.act(), w.workspace.ID))
	w.wantError(w.s.AddFeedback(ctx, one), store.ErrNotFound)
}

// feedbackLimit tests that a workspace stores MaxFeedback messages, however many are sent concurrently.
func feedbackLimit(w *fixture) {
	add := func(n int) error {
		return w.s.AddFeedback(ctx, store.Feedback{ID: store.NewID(), Workspace: w.workspace.ID, Person: w.ana.ID, Text: "x", At: int64(n)})
	}
	const few = 4
	for n := range store.MaxFeedback - few {
		w.ok(add(n))
	}
	var wait sync.WaitGroup
	kept := make(chan bool, 2*few)
	for range cap(kept) {
		wait.Go(func() {
			err := add(store.MaxFeedback)
			if err != nil && !errors.Is(err, store.ErrLimitReached) {
				w.Error(err)
			}
			kept <- err == nil
		})
	}
	wait.Wait()
	close(kept)
	n := 0
	for ok := range kept {
		if ok {
			n++
		}
	}
	w.same("kept", []int{n, must(w.s.CountFeedback(ctx, w.workspace.ID))(w)}, []int{few, store.MaxFeedback})
	w.wantError(add(0), store.ErrLimitReached)
}
