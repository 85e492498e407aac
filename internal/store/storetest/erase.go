package storetest

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// Words that are erased. The store must not return them afterwards.
const (
	secretRun   = `{"id":"r","ts":"2026-11-20T10:00:00Z","title":"zanzibar","result":"zanzibar settled","status":"warn","attachments":["zanzibar.pdf"],"x-own":"zanzibar"}`
	secretAsk   = `{"id":"a","type":"sign-off","title":"quetzal","need":"quetzal","ts":"2026-11-20T10:00:00Z","run":"r","onApprove":["quetzal"]}`
	secretReply = `{"id":"m","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","text":"okapi"}`
)

var errUnlucky = errors.New("the disk does not do it")

func (w *fixture) erase(kind store.ErasureKind, id string) store.Erasure {
	w.Helper()
	e := must(w.s.Erase(ctx, w.act(), store.Erasure{Workspace: w.workspace.ID, Agent: w.agent, Kind: kind, ID: id, Why: "a name that was not ours to tell"}))(w)
	if e.SHA256 == "" || e.Person != w.ana.ID || e.At != w.clock {
		w.Errorf("the tombstone of %s %s is %+v", kind, id, e)
	}
	w.same("is kept", must(w.s.Erasure(ctx, w.agent, kind, id))(w), e)
	return e
}

// allText returns everything that the store returns about the agent's records, as one text.
func (w *fixture) allText() string {
	w.Helper()
	out := ""
	for _, x := range []struct {
		file figs.File
		id   string
	}{{figs.Runs, "r"}, {figs.Asks, "a"}, {figs.Asks, "q"}} {
		r := w.record(x.file, x.id)
		out += fmt.Sprintf("%s %d %s %d\n", r.Fold, r.Versions, r.State.Phase, r.Outcome)
		for i := range r.Trail {
			out += fmt.Sprintf(" %s %d\n", r.Trail[i].Line, r.Trail[i].At)
		}
		for i := range r.Thread {
			out += fmt.Sprintf(" %s\n", r.Thread[i].Line)
		}
	}
	return out + string(must(w.s.Findings(ctx, w.agent))(w)) + fmt.Sprint(w.loadAgent())
}

// erase tests that erased text is nowhere any more, that no push brings it back, and that later states of the record
// arrive.
func erase(w *fixture) {
	later := `{"id":"a","title":"quetzal again","ts":"2026-11-20T10:30:00Z"}`
	whole := pushBody{runs: []string{secretRun}, asks: []string{secretAsk, later, aQuestion}, messages: []string{secretReply}}
	read, err := figs.ReadPush(w.encode(whole))
	w.ok(err)
	report := figs.Report{Errors: 1, Warnings: 1, Findings: []figs.Finding{
		{Code: figs.RunTSMissing, Severity: figs.RunTSMissing.Severity(), File: "runs.jsonl", Record: "r", Message: `"zanzibar" is wrong`},
		{Code: figs.TSFuture, Severity: figs.TSFuture.Severity(), File: "asks.jsonl", Record: "q", Message: "stays"}}}
	tell := func() *figs.Report { r := report; return &r }
	must(w.s.Push(ctx, store.Push{Workspace: w.workspace.ID, Act: w.act(), Body: read, Report: tell}))(w)
	w.ok(w.s.SaveDraft(ctx, store.Draft{Person: w.ana.ID, Workspace: w.workspace.ID, Agent: w.agent, Ask: "a", Text: "about quetzal", At: 7}))
	before := []*store.Record{w.record(figs.Runs, "r"), w.record(figs.Asks, "a"), w.record(figs.Asks, "q")}
	seq := must(w.s.Seq(ctx, w.workspace.ID))(w)
	w.erase(store.EraseRun, "r")
	w.erase(store.EraseAsk, "a")
	w.erase(store.EraseReply, "m")
	w.same("numbers", must(w.s.Seq(ctx, w.workspace.ID))(w), seq+3)
	gone := func(when string) {
		w.Helper()
		said := w.allText()
		for _, word := range []string{"zanzibar", "quetzal", "okapi"} {
			if strings.Contains(said, word) || w.countHits("", word) > 0 || w.countHits(w.agent, word) > 0 {
				w.Errorf("%s, %q is still told:\n%s", when, word, said)
			}
		}
	}
	gone("erased")
	for i, is := range []*store.Record{w.record(figs.Runs, "r"), w.record(figs.Asks, "a"), w.record(figs.Asks, "q")} {
		was := before[i]
		w.same("shape of "+is.ID, []any{is.Versions, is.Received, is.Changed, is.PushedBy, is.Outcome, is.State.Phase, is.State.Round, len(is.Thread), len(is.Trail)},
			[]any{was.Versions, was.Received, was.Changed, was.PushedBy, was.Outcome, was.State.Phase, was.State.Round, len(was.Thread), len(was.Trail)})
	}
	_, err = w.s.Draft(ctx, w.ana.ID, w.agent, "a")
	w.wantError(err, store.ErrNotFound)
	w.same("the other finding stays", []any{strings.Contains(w.allText(), "stays"), w.loadAgent().Counts.Errors + w.loadAgent().Counts.Warnings}, []any{true, 1})

	hash, seq := must(w.s.StateHash(ctx))(w), must(w.s.Seq(ctx, w.workspace.ID))(w)
	for name, again := range map[string]pushBody{
		"line by line": whole,
		"folded":       {runs: whole.runs, asks: []string{strings.NewReplacer(`"quetzal","need"`, `"quetzal again","need"`, "T10:00", "T10:30").Replace(secretAsk), aQuestion}, messages: whole.messages},
		"other words":  {runs: []string{strings.ReplaceAll(secretRun, "zanzibar", "zanzibar of old")}},
	} {
		if done := w.push(again); done.Changed || len(done.Refused) > 0 {
			w.Errorf("the same ledger %s: %+v, want nothing", name, done)
		}
	}
	w.same("nothing came back", []any{must(w.s.StateHash(ctx))(w), must(w.s.Seq(ctx, w.workspace.ID))(w)}, []any{hash, seq})
	w.reindex()
	w.same("derived again", must(w.s.StateHash(ctx))(w), hash)
	gone("derived again")

	report.Findings[0].Message = "zanzibar once more"
	closes := w.encode(pushBody{runs: whole.runs, messages: whole.messages, asks: append(whole.asks, `{"id":"a","status":"resolved","resolution":{"note":"quetzal","ts":"2026-11-20T12:00:00Z"}}`)})
	read, err = figs.ReadPush(closes)
	w.ok(err)
	done := must(w.s.Push(ctx, store.Push{Workspace: w.workspace.ID, Act: w.act(), Body: read, Report: tell}))(w)
	w.same("its close arrives", []any{done.Asks, done.Runs, w.record(figs.Asks, "a").State.Phase}, []any{1, 0, figs.Resolved})
	gone("closed")
	w.same("audited", w.actions(w.workspace.ID, 3), []string{"erase.reply", "erase.ask", "erase.run"})
	w.ok(w.s.Scrub(ctx))
}

// eraseInvalid tests erasing what doesn't exist, is in another workspace, has a pending decision, or was erased before.
func eraseInvalid(w *fixture) {
	w.push(pushBody{runs: []string{aRun}, asks: []string{anAsk}})
	try := func(e store.Erasure) error {
		_, err := w.s.Erase(ctx, w.act(), e)
		return err
	}
	good := store.Erasure{Workspace: w.workspace.ID, Agent: w.agent, Kind: store.EraseRun, ID: "r", Why: "x"}
	for what, change := range map[string]func(*store.Erasure){
		"another workspace": func(e *store.Erasure) { e.Workspace = store.NewID() },
		"no agent":          func(e *store.Erasure) { e.Agent = "\x00'" },
		"no record":         func(e *store.Erasure) { e.ID = "none" },
		"no such kind":      func(e *store.Erasure) { e.Kind = store.EraseAsk },
		"no reply":          func(e *store.Erasure) { e.Kind, e.ID = store.EraseReply, "\xff" },
		"no attachment":     func(e *store.Erasure) { e.Kind, e.ID = store.EraseAttachment, strings.Repeat("a", 1<<20) },
	} {
		bad := good
		change(&bad)
		if err := try(bad); !errors.Is(err, store.ErrNotFound) {
			w.Errorf("%s: %v, want ErrNotFound", what, err)
		}
	}
	first := w.erase(store.EraseRun, "r")
	seq := must(w.s.Seq(ctx, w.workspace.ID))(w)
	good.Why = "another reason"
	again := must(w.s.Erase(ctx, w.act(), good))(w)
	w.same("again", []any{again, must(w.s.Seq(ctx, w.workspace.ID))(w)}, []any{first, seq})
	w.decide(w.decisionInput("d", "a", `"kind":"verdict","verdict":"approved","text":"okapi"`))
	var pending *store.PendingError
	if err := try(store.Erasure{Workspace: w.workspace.ID, Agent: w.agent, Kind: store.EraseAsk, ID: "a"}); !errors.As(err, &pending) {
		w.Errorf("while a decision waits: %v, want *Pending", err)
	}
	w.clock += store.UndoWindow
	w.settle()
	w.erase(store.EraseReply, "d")
	made := must(w.s.Decision(ctx, w.agent, "d"))(w)
	if strings.Contains(string(made.Line), "okapi") || made.Audit == "" || !strings.Contains(string(made.Line), "approved") {
		w.Errorf("the decision is %+v", made)
	}
	w.same("it stands", w.record(figs.Asks, "a").State.Phase, figs.Replied)
	w.same("all of them", len(must(w.s.Erasures(ctx, w.agent))(w)), 2)
	w.same("counted", w.loadAgent().Erased, 2)
	// The client pushes the reply that was synced to it, with its text.
	line := strings.Replace(string(made.Line), `"verdict":`, `"text":"okapi","verdict":`, 1)
	if done := w.push(pushBody{asks: []string{anAsk}, messages: []string{line}}); len(done.Refused) > 0 || done.Messages > 0 {
		w.Errorf("the reply as the agent has it: %+v", done)
	}
}

// attachDuringRemoval tests that Attach waits for RemoveBlob, so that its caller notices that the bytes are gone.
func attachDuringRemoval(w *fixture) {
	w.Helper()
	a := store.Attachment{Agent: w.agent, Name: "again.pdf", SHA256: store.Hash("dropped"), Size: 5}
	named := make(chan error, 1)
	must(w.s.RemoveBlob(ctx, a.SHA256, func() error {
		go func() {
			_, err := w.s.Attach(ctx, store.Act{By: w.ana.ID, At: w.clock}, a, "")
			named <- err
		}()
		select {
		case err := <-named:
			w.Errorf("bytes were named while they were dropped: %v", err)
			named <- err
		case <-time.After(50 * time.Millisecond): // it is waiting
		}
		return nil
	}))(w)
	w.ok(<-named)
	w.same("now they are needed", must(w.s.RemoveBlob(ctx, a.SHA256, func() error { return errUnlucky }))(w), false)
	w.erase(store.EraseAttachment, a.Name)
}

// eraseAttachment tests that an erased attachment is gone from search and lists, and that its name takes no other bytes.
func eraseAttachment(w *fixture) {
	w.push(pushBody{runs: []string{secretRun}, asks: []string{anAsk}})
	a := store.Attachment{Agent: w.agent, Name: "zanzibar.pdf", SHA256: store.Hash("bytes"), Size: 5}
	must(w.s.Attach(ctx, w.act(), a, "xylophone"))(w)
	other := a
	other.Name = "other.pdf"
	must(w.s.Attach(ctx, w.act(), other, "xylophone"))(w)
	e := w.erase(store.EraseAttachment, a.Name)
	w.same("its hash", e.SHA256, a.SHA256)
	w.same("others need them", must(w.s.RemoveBlob(ctx, a.SHA256, func() error { return errors.New("removed") }))(w), false)
	w.erase(store.EraseAttachment, other.Name)
	removed := 0
	w.same("nobody does", must(w.s.RemoveBlob(ctx, a.SHA256, func() error { removed++; return nil }))(w), true)
	w.same("removed", removed, 1)
	if _, err := w.s.RemoveBlob(ctx, a.SHA256, func() error { return errUnlucky }); !errors.Is(err, errUnlucky) {
		w.Errorf("a disk that does not do it: %v", err)
	}
	attachDuringRemoval(w)
	w.same("found", w.countHits("", "xylophone"), 0)
	f := must(w.s.File(ctx, w.agent, a.Name))(w)
	w.same("the file", []any{f.SHA256, f.Size, f.Erased, len(f.Mentions)}, []any{"", int64(-1), &e, 1})
	w.same("counted", w.loadAgent().Counts.Files, 0)
	hash := must(w.s.StateHash(ctx))(w)
	for _, again := range []string{a.SHA256, store.Hash("other bytes")} {
		x := a
		x.SHA256 = again
		w.same("comes again", must(w.s.Attach(ctx, w.act(), x, "xylophone"))(w), true)
	}
	at := w.act().At
	w.ok(w.s.MarkPushedAgain(ctx, w.agent, a.Name, at))
	w.ok(w.s.MarkPushedAgain(ctx, w.agent, a.Name, at+1))
	w.same("noted once", must(w.s.Erasure(ctx, w.agent, store.EraseAttachment, a.Name))(w).PushedAgain, at)
	w.wantError(w.s.MarkPushedAgain(ctx, w.agent, "none", at), store.ErrNotFound)
	w.reindex()
	w.same("nothing came back", must(w.s.StateHash(ctx))(w), hash)
	w.ok(w.s.Scrub(ctx))
}
