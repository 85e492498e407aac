package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// viewOf returns what a page of an ask shows now.
func (w *fixture) viewOf(ask string) store.View {
	w.Helper()
	r := w.record(figs.Asks, ask)
	sight := store.View{Revision: store.RevisionOf(r)}
	names := figs.AttachmentNames(figs.Fold([][]byte{r.Fold}))
	files := must(w.s.FilesByName(ctx, w.agent, names))(w)
	for _, name := range names {
		f := store.ViewedFile{Name: name}
		if files[name] != nil {
			f.SHA256 = files[name].SHA256
		}
		sight.Files = append(sight.Files, f)
	}
	return sight
}

// decisionInput returns what Ana's form for an ask sends; fields are the event's fields from kind on.
func (w *fixture) decisionInput(id, ask, fields string) store.DecisionInput {
	w.Helper()
	line := fmt.Sprintf(`{"id":%q,"ask":%q,"by":"Ana","ts":%q,"source":"app",%s}`, id, ask, w.nextTimestamp(), fields)
	return store.DecisionInput{Workspace: w.workspace.ID, Agent: w.agent, Ask: ask, Line: []byte(line), Key: "form " + id, Saw: w.viewOf(ask)}
}

// decide stores a decision of Ana.
func (w *fixture) decide(d store.DecisionInput) store.Decision {
	w.Helper()
	return must(w.s.Decide(ctx, store.Act{By: w.ana.ID, At: w.clock}, d))(w)
}

// settle settles all pending decisions.
func (w *fixture) settle() store.SettleResult {
	w.Helper()
	w.clock += store.UndoWindow
	return must(w.s.Settle(ctx, w.clock))(w)
}

// mustReject ends the test unless the decision is rejected with an error of that type and nothing is written.
func mustReject[E error](w *fixture, what string, act store.Act, d store.DecisionInput) (err E) {
	w.Helper()
	before := w.changeMarkers()
	made, got := w.s.Decide(ctx, act, d)
	if !errors.As(got, &err) {
		w.Fatalf("%s: %v, want %v", what, got, reflect.TypeFor[E]())
	}
	w.same(what+": nothing is made", made, store.Decision{})
	w.same(what+": nothing is written", w.changeMarkers(), before)
	return err
}

// changeMarkers returns values that every change of the workspace or the agent changes.
func (w *fixture) changeMarkers() []any {
	w.Helper()
	_, tag, err := w.s.MessagesSeq(ctx, w.agent)
	w.ok(err)
	chain := must(w.s.VerifyAudit(ctx, w.workspace.ID))(w)
	return []any{must(w.s.Seq(ctx, w.workspace.ID))(w), tag, chain, must(w.s.StateHash(ctx))(w)}
}

// phase describes the state of an ask, and checks that lists, inbox and the ask itself agree.
func (w *fixture) phase(ask string) string {
	w.Helper()
	r := w.record(figs.Asks, ask)
	listed, err := w.s.Records(ctx, store.RecordQuery{Agent: w.agent, File: figs.Asks})
	w.ok(err)
	needs := 0
	for _, l := range listed.Items {
		if l.ID == ask {
			state := r.State
			state.Reply = -1
			w.same("listed state of "+ask, l.State, state)
		}
		if l.State.Phase == figs.NeedsYou {
			needs++
		}
	}
	w.same("the badge", must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Slice: store.Slice{N: -1}}))(w).Total, needs)
	s := fmt.Sprintf("%s %d", r.State.Phase, r.State.Round)
	if r.State.Reported {
		s += " reported"
	}
	return s
}

const (
	approves = `"kind":"verdict","verdict":"approved"`
	revises  = `"kind":"verdict","verdict":"changes-requested","text":"more"`
	declines = `"kind":"verdict","verdict":"rejected","text":"no"`
)

// decisions tests that a decision is stored at once and becomes effective only when its time comes.
func decisions(w *fixture) {
	w.push(pushBody{asks: []string{anAsk, aQuestion}})
	d := w.decisionInput("v", "a", approves+`,"reviewed":[{"name":"x"}]`)
	d.Notes = []byte(`{"sanitizer":"3","waived":["\u0000"]}`)
	before := w.changeMarkers()
	made := w.decide(d)
	want := store.Decision{Workspace: w.workspace.ID, Agent: w.agent, Ask: "a", ID: "v", By: w.ana.ID, Line: d.Line, Saw: d.Saw, Notes: d.Notes,
		At: w.clock, Effective: w.clock + store.UndoWindow, Audit: made.Audit, Seq: made.Seq}
	want.Saw.Files = []store.ViewedFile{}
	w.same("made", made, want)
	after := w.changeMarkers()
	w.same("its number", []any{made.Seq > before[0].(int64), after[0]}, []any{true, any(made.Seq)})
	w.same("the tag of syncs and the state", []any{after[1], after[3]}, []any{before[1], before[3]})
	row := must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{N: 1}))(w)[0]
	w.same("its audit", []string{row.Action, row.Hash, row.By}, []string{"decision.make", made.Audit, w.ana.ID})
	for _, part := range []string{w.agent, " a v ", store.Hash(string(d.Line)), d.Saw.Revision.String()} {
		if !strings.Contains(row.Subject, part) {
			w.Errorf("the audit says %q, want %q in it", row.Subject, part)
		}
	}
	w.same("pending", must(w.s.Pending(ctx, w.agent, "a"))(w), made)
	w.same("pending here", must(w.s.PendingIn(ctx, w.workspace.ID))(w), []store.Decision{made})
	w.same("by its id", must(w.s.Decision(ctx, w.agent, "v"))(w), made)
	w.same("until then", []any{w.phase("a"), len(w.messageLines())}, []any{"needs you 1", 0})
	found, err := w.s.Search(ctx, store.SearchQuery{Workspace: w.workspace.ID, Text: "reviewed"})
	w.ok(err)
	w.same("found", len(found.Hits), 0)

	early := must(w.s.Settle(ctx, made.Effective-1))(w)
	w.same("a moment before", early, store.SettleResult{Workspaces: map[string]int64{}, Next: made.Effective})
	w.same("nothing was written", w.changeMarkers(), after)
	done := must(w.s.Settle(ctx, made.Effective))(w)
	seq := must(w.s.Seq(ctx, w.workspace.ID))(w)
	w.same("settled", done, store.SettleResult{N: 1, Workspaces: map[string]int64{w.workspace.ID: seq}})
	w.same("from then", []any{w.phase("a"), w.messageLines()}, []any{"replied 1", []string{string(d.Line)}})
	_, tag, err := w.s.MessagesSeq(ctx, w.agent)
	w.ok(err)
	w.same("the tag of syncs", tag, seq)
	m := must(w.s.Message(ctx, w.agent, "v"))(w)
	w.same("the reply", []any{m.Verified, m.PushedBy, m.Received}, []any{true, w.ana.ID, made.At})
	_, err = w.s.Pending(ctx, w.agent, "a")
	w.wantError(err, store.ErrNotFound)
	made.State, made.Ended, made.Seq = store.DecisionEffective, made.Effective, seq
	w.same("by its id, later", must(w.s.Decision(ctx, w.agent, "v"))(w), made)
	after = w.changeMarkers()
	must(w.s.Settle(ctx, made.Effective+store.UndoWindow))(w)
	w.same("settled again", w.changeMarkers(), after)
	_, err = w.s.Decision(ctx, w.agent, "nobody's")
	w.wantError(err, store.ErrNotFound)
}

// repeatedForms tests that a form makes one decision, however often it is sent.
func repeatedForms(w *fixture) {
	w.push(pushBody{asks: []string{anAsk, aQuestion}})
	d := w.decisionInput("v", "a", approves)
	made := w.decide(d)
	made.Repeated = true
	again := d
	again.Line = []byte(strings.Replace(string(d.Line), `"v"`, `"w"`, 1)) // the server has made another id
	before := w.changeMarkers()
	w.same("sent twice", w.decide(again), made)
	w.same("nothing was written", w.changeMarkers(), before)
	p := mustReject[*store.PendingError](w, "another form", w.act(), w.decisionInput("w", "a", approves))
	w.same("of whom", *p, store.PendingError{By: w.ana.ID, Effective: made.Effective})
	other := w.decisionInput("x", "q", `"kind":"answer","chosen":"x"`)
	other.Key = d.Key
	mustReject[*store.TakenError](w, "one form for two asks", w.act(), other)
	w.settle()
	w.push(pushBody{asks: []string{strings.Replace(anAsk, "Send it", "Send all", 1)}})
	w.same("the back button", []any{w.decide(again).ID, w.decide(again).State, len(w.messageLines())}, []any{"v", store.DecisionEffective, 1})
	other.Key = "form x"
	other.Line = []byte(strings.Replace(string(other.Line), `"x"`, `"v"`, 1))
	mustReject[*store.TakenError](w, "an id that is used", w.act(), other)
	if _, err := w.s.Decide(ctx, w.act(), store.DecisionInput{Workspace: w.workspace.ID, Agent: w.agent, Ask: "q"}); err == nil {
		w.Error("a decision without a key is taken")
	}
}

// stale tests that a decision is rejected if the person hasn't seen everything.
func stale(w *fixture) {
	const withFiles = `{"id":"a","type":"sign-off","title":"Send it","ts":"2026-11-20T10:00:00Z","attachments":["a.txt","b.txt"]}`
	w.push(pushBody{asks: []string{withFiles}})
	attach := func(name string) {
		must(w.s.Attach(ctx, w.act(), store.Attachment{Agent: w.agent, Name: name, SHA256: "hash of " + name, Size: 1}, ""))(w)
	}
	attach("a.txt")
	attach("other.txt")
	a, b := store.ViewedFile{Name: "a.txt", SHA256: "hash of a.txt"}, store.ViewedFile{Name: "b.txt"}
	d := w.decisionInput("v", "a", approves)
	w.same("seen", d.Saw.Files, []store.ViewedFile{a, b})

	unseen := d
	unseen.Saw.Files = nil
	err := mustReject[*store.StaleError](w, "a file not seen", w.act(), unseen)
	w.same("what is there", *err, store.StaleError{Now: d.Saw.Revision, Files: []store.ViewedFile{a, b}, Changed: []string{"a.txt"}})
	unseen.Saw.Files = []store.ViewedFile{a, {Name: "b.txt", SHA256: "hash of b.txt"}, {Name: "other.txt", SHA256: "x"}, {Name: "none.txt", SHA256: "x"}}
	err = mustReject[*store.StaleError](w, "other bytes", w.act(), unseen)
	w.same("which", err.Changed, []string{"b.txt", "other.txt", "none.txt"})
	attach("b.txt")
	err = mustReject[*store.StaleError](w, "a file that came", w.act(), d)
	w.same("which came", err.Changed, []string{"b.txt"})

	d = w.decisionInput("v", "a", approves)
	w.push(pushBody{messages: []string{`{"id":"t","kind":"verdict","ask":"a","by":"Ana","ts":"2026-11-20T11:00:00Z","verdict":"approved"}`}})
	err = mustReject[*store.StaleError](w, "a reply that came", w.act(), d)
	w.same("replies", []int{d.Saw.Revision.Replies, err.Now.Replies, len(err.Changed)}, []int{0, 1, 0})
	d = w.decisionInput("v", "a", approves)
	w.push(pushBody{asks: []string{strings.Replace(withFiles, "Send it", "Send all", 1)}})
	err = mustReject[*store.StaleError](w, "another version", w.act(), d)
	w.same("versions", []int{d.Saw.Revision.Version, err.Now.Version}, []int{1, 2})
	w.same("as a page has it", err.Now, store.RevisionOf(w.record(figs.Asks, "a")))
	forged := err.Now
	forged.Fold = d.Saw.Revision.Fold
	d.Saw.Revision = forged
	mustReject[*store.StaleError](w, "the numbers without the text", w.act(), d)
	w.decide(w.decisionInput("v", "a", approves))

	r := err.Now
	read, ok := store.ParseRevision(r.String())
	w.same("through a form", []any{read, ok}, []any{r, true})
	for _, bad := range []string{"", "1.1.0", "1.1.0.x", "-1.1.0." + r.Fold, "1.1.0." + r.Fold + ".", "01.1.0." + r.Fold, "99999999999.1.0." + r.Fold} {
		if _, ok := store.ParseRevision(bad); ok {
			w.Errorf("%q is read as a revision", bad)
		}
	}
}

// rejected tests who may not decide, and which asks take no decision.
func rejected(w *fixture) {
	w.push(pushBody{asks: []string{anAsk, aQuestion, `{"id":"gone","type":"question","title":"T","status":"withdrawn","ts":"2026-11-20T10:00:00Z"}`}})
	viewer, eve := w.user("vi@acme.example", "Vi"), w.user("eve@acme.example", "Eve")
	w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, viewer.ID, store.Viewer))
	w.wantError(w.s.Assign(ctx, w.act(), w.agent, viewer.ID, ""), store.ErrCannotAnswer)
	for _, person := range []string{w.bo.ID, viewer.ID, eve.ID, "", "\x00"} {
		if err := mustReject[error](w, "not "+person, store.Act{By: person, At: w.clock}, w.decisionInput("v", "a", approves)); !errors.Is(err, store.ErrForbidden) {
			w.Errorf("%q decides: %v", person, err)
		}
	}
	elsewhere := store.Workspace{ID: store.NewID(), Slug: "else", Name: "Else"}
	w.ok(w.s.AddWorkspace(ctx, w.act(), elsewhere, w.ana.ID))
	for what, change := range map[string]func(*store.DecisionInput){
		"another workspace": func(d *store.DecisionInput) { d.Workspace = elsewhere.ID },
		"no agent":          func(d *store.DecisionInput) { d.Agent = "0d4f2a3c-1111-4222-8333-000000000009" },
		"no ask":            func(d *store.DecisionInput) { d.Ask = "none" },
		"a run":             func(d *store.DecisionInput) { d.Ask = "r" },
	} {
		d := w.decisionInput("v", "a", approves)
		change(&d)
		if err := mustReject[error](w, what, store.Act{By: w.ana.ID, At: w.clock}, d); !errors.Is(err, store.ErrNotFound) {
			w.Errorf("%s: %v", what, err)
		}
	}
	bar := mustReject[*store.ReplyRejectedError](w, "withdrawn", w.act(), w.decisionInput("v", "gone", `"kind":"answer","text":"t"`))
	w.same("why", *bar, store.ReplyRejectedError{Bar: figs.BlockedClosed, Phase: figs.Withdrawn})

	w.ok(w.s.Assign(ctx, w.act(), w.agent, w.bo.ID, ""))
	must(w.s.Decide(ctx, store.Act{By: w.bo.ID, At: w.clock}, w.decisionInput("v", "a", revises)))(w)
	w.same("somebody else's, pending", mustReject[*store.PendingError](w, "pending", w.act(), w.decisionInput("w", "a", approves)).By, w.bo.ID)
	w.settle()
	bar = mustReject[*store.ReplyRejectedError](w, "somebody else's", w.act(), w.decisionInput("w", "a", approves))
	w.same("whose", *bar, store.ReplyRejectedError{Bar: figs.BlockedDecided, Phase: figs.BeingRevised, By: w.bo.ID})
	must(w.s.Decide(ctx, store.Act{By: w.bo.ID, At: w.clock}, w.decisionInput("w", "a", declines)))(w)
	w.settle()
	w.same("corrected by who gave it", w.phase("a"), "declined 1")
	bar = mustReject[*store.ReplyRejectedError](w, "declined", store.Act{By: w.bo.ID, At: w.clock}, w.decisionInput("x", "a", approves))
	w.same("for good", bar.Bar, figs.BlockedDeclined)

	w.clock += 1_000_000
	w.push(pushBody{asks: []string{`{"id":"typo","type":"signoff","title":"Send it","ts":"2026-11-20T10:00:00Z","onApprove":["send"]}`}})
	for _, fields := range []string{approves, `"kind":"answer","text":"yes"`} {
		w.same("a misspelled type", mustReject[*store.ReplyRejectedError](w, "a misspelled type", store.Act{By: w.bo.ID, At: w.clock}, w.decisionInput("y", "typo", fields)).Bar, figs.BlockedType)
	}

	for misfit, fields := range map[figs.ReplyProblem]string{
		figs.ProblemVerdict: approves, figs.ProblemChosen: `"kind":"answer","chosen":"z"`, figs.ProblemEmpty: `"kind":"answer","x":1`,
		figs.ProblemTooLong: `"kind":"answer","text":"` + strings.Repeat("x", 1<<20) + `"`, figs.ProblemHidden: `"kind":"answer","text":"a\u202eb"`,
		figs.ProblemEvent: `"kind":"note","text":"t"`,
	} {
		err := mustReject[*store.InvalidReplyError](w, misfit.String(), w.act(), w.decisionInput("m", "q", fields))
		w.same("misfit", err.Misfit, misfit)
	}
	d := w.decisionInput("m", "q", `"kind":"answer","chosen":"x"`)
	d.Line = []byte(strings.Replace(string(d.Line), `"ask":"q"`, `"ask":"a"`, 1))
	mustReject[*store.InvalidReplyError](w, "a reply to another ask", w.act(), d)
	w.ok(w.s.DeleteWorkspace(ctx, w.act(), w.workspace.ID))
	if _, err := w.s.Decide(ctx, w.act(), w.decisionInput("m", "q", `"kind":"answer","chosen":"x"`)); !errors.Is(err, store.ErrNotFound) {
		w.Errorf("in a deleted workspace: %v", err)
	}
}
