package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// actOf returns an act of a user, now.
func (w *fixture) actOf(u store.User) store.Act { return store.Act{By: u.ID, At: w.clock} }

// attachmentViews tests that a view is stored once per way, bytes, extension, workspace and person.
func attachmentViews(w *fixture) {
	w.push(pushBody{asks: []string{anAsk}})
	one := store.AttachmentView{Workspace: w.workspace.ID, Person: w.ana.ID, SHA256: store.Hash("x"), Ext: ".html", How: "rendered", At: 7}
	w.ok(w.s.AddAttachmentView(ctx, one))
	before := w.changeMarkers()
	again := one
	again.At = 9
	w.ok(w.s.AddAttachmentView(ctx, again))
	text, source, other, bos := one, one, one, one
	text.Ext, text.At = ".txt", 8
	source.How, source.At = "source", 9
	other.SHA256, other.At = store.Hash("y"), 10
	bos.Person = w.bo.ID
	odd := store.AttachmentView{Workspace: w.workspace.ID, Person: w.ana.ID, SHA256: "\x00\xff", Ext: "'; --", How: "\u202e"}
	for _, o := range []store.AttachmentView{text, source, other, bos, odd} {
		w.ok(w.s.AddAttachmentView(ctx, o))
	}
	list := func(workspace string, person store.User, hashes ...string) []store.AttachmentView {
		w.Helper()
		return must(w.s.AttachmentViews(ctx, workspace, person.ID, hashes))(w)
	}
	w.same("of one", list(w.workspace.ID, w.ana, one.SHA256), []store.AttachmentView{one, text, source})
	w.same("of two", list(w.workspace.ID, w.ana, other.SHA256, one.SHA256), []store.AttachmentView{one, text, source, other})
	w.same("Bo's", list(w.workspace.ID, w.bo, other.SHA256, one.SHA256), []store.AttachmentView{bos})
	w.same("of none", list(w.workspace.ID, w.ana), []store.AttachmentView(nil))
	w.same("of what nobody opened", list(w.workspace.ID, w.ana, "", "\x00", "nothing"), []store.AttachmentView(nil))
	w.same("in another workspace", list(store.NewID(), w.ana, one.SHA256), []store.AttachmentView(nil))
	w.same("which no agent learns", w.changeMarkers(), before)
	long := one
	long.How = strings.Repeat("x", 1<<20)
	if err := w.s.AddAttachmentView(ctx, long); err == nil {
		w.Error("a megabyte is a way to open something")
	}
	var wait sync.WaitGroup
	for i := range 10 {
		wait.Go(func() {
			o := one
			o.SHA256, o.At = store.Hash("z"), int64(i)
			if err := w.s.AddAttachmentView(ctx, o); err != nil {
				w.Error(err)
			}
		})
	}
	wait.Wait()
	w.same("opened ten times at once", len(list(w.workspace.ID, w.ana, store.Hash("z"))), 1)
}

// drafts tests that a draft belongs to its author, until they decide the ask.
func drafts(w *fixture) {
	w.push(pushBody{asks: []string{anAsk, aQuestion}})
	elsewhere := store.Workspace{ID: store.NewID(), Slug: "else", Name: "Else"}
	w.ok(w.s.AddWorkspace(ctx, w.act(), elsewhere, w.ana.ID))
	before := w.changeMarkers()
	find := func(u store.User, ask string) store.Draft {
		w.Helper()
		d, err := w.s.Draft(ctx, u.ID, w.agent, ask)
		if !errors.Is(err, store.ErrNotFound) {
			w.ok(err)
		}
		return d
	}
	d := store.Draft{Person: w.ana.ID, Workspace: w.workspace.ID, Agent: w.agent, Ask: "a", Revision: w.viewOf("a").Revision.String(), Verdict: "approved", Chosen: "x", Text: "so\n\u202efar", At: 7}
	w.ok(w.s.SaveDraft(ctx, d))
	w.same("kept", find(w.ana, "a"), d)
	w.same("nobody else's", []store.Draft{find(w.bo, "a"), find(w.ana, "q")}, []store.Draft{{}, {}})
	d.Verdict, d.Chosen, d.Text, d.At = "", "", strings.Repeat("é", 32<<10), 8
	w.ok(w.s.SaveDraft(ctx, d))
	w.same("in place of it, 64 KiB", find(w.ana, "a"), d)
	bos := store.Draft{Person: w.bo.ID, Workspace: w.workspace.ID, Agent: w.agent, Ask: "a", Text: "a\x00b\xff", At: 9}
	w.ok(w.s.SaveDraft(ctx, bos))
	bos.Text = "a\uFFFDb\uFFFD"
	w.same("odd bytes", find(w.bo, "a"), bos)
	for what, change := range map[string]func(*store.Draft){
		"another workspace": func(d *store.Draft) { d.Workspace = elsewhere.ID },
		"no workspace":      func(d *store.Draft) { d.Workspace = "\x00" },
		"no agent":          func(d *store.Draft) { d.Agent = "\x00'" },
		"no ask":            func(d *store.Draft) { d.Ask = "none" },
		"a long id":         func(d *store.Draft) { d.Ask = strings.Repeat("a", 1<<20) },
		"nothing there":     func(d *store.Draft) { d.Ask, d.Text = "none", "" },
	} {
		bad := d
		change(&bad)
		if err := w.s.SaveDraft(ctx, bad); !errors.Is(err, store.ErrNotFound) {
			w.Errorf("a draft of %s: %v, want ErrNotFound", what, err)
		}
	}
	w.same("which no agent learns", w.changeMarkers(), before)
	var wait sync.WaitGroup
	for i := range 10 {
		wait.Go(func() {
			d := d
			d.Text = fmt.Sprint(i)
			if err := w.s.SaveDraft(ctx, d); err != nil {
				w.Error(err)
			}
		})
	}
	wait.Wait()
	w.same("kept by ten at once", len(find(w.ana, "a").Text), 1)
	empty := d
	empty.Text = ""
	w.ok(w.s.SaveDraft(ctx, empty))
	w.same("an empty one is forgotten", find(w.ana, "a"), store.Draft{})

	w.ok(w.s.SaveDraft(ctx, d))
	refused := w.decisionInput("v", "a", `"kind":"answer","text":"t"`)
	mustReject[*store.InvalidReplyError](w, "a misfit", w.act(), refused)
	w.same("words that were not taken are there", find(w.ana, "a"), d)
	made := w.decide(w.decisionInput("v", "a", approves))
	w.same("decided", []store.Draft{find(w.ana, "a"), find(w.bo, "a")}, []store.Draft{{}, bos})
	w.ok(w.s.SaveDraft(ctx, d))
	w.same("what was on its way comes late", find(w.ana, "a"), store.Draft{})
	must(w.s.Undo(ctx, store.Act{By: w.ana.ID, At: made.At}, w.agent, "v"))(w)
	w.same("undone, nothing comes back", find(w.ana, "a"), store.Draft{})
	w.ok(w.s.DeleteWorkspace(ctx, w.act(), w.workspace.ID))
	w.wantError(w.s.SaveDraft(ctx, d), store.ErrNotFound)
}

// claims tests that a claim is visible until its end, and changes the workspace's Seq.
func claims(w *fixture) {
	w.push(pushBody{asks: []string{anAsk, aQuestion}})
	hash := must(w.s.StateHash(ctx))(w)
	_, tag, err := w.s.MessagesSeq(ctx, w.agent)
	w.ok(err)
	claim := func(act store.Act, ask string, until int64) {
		w.Helper()
		before := must(w.s.Seq(ctx, w.workspace.ID))(w)
		seq := must(w.s.Claim(ctx, act, w.workspace.ID, w.agent, ask, until))(w)
		w.same("its number", []int64{seq, must(w.s.Seq(ctx, w.workspace.ID))(w)}, []int64{before + 1, before + 1})
	}
	who := func(ask string, now int64) []store.Claim {
		w.Helper()
		list := must(w.s.Claims(ctx, w.agent, ask, now))(w)
		in := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Now: now}))(w)
		for i := range in.Items {
			if itemID(&in.Items[i]) != ask {
				continue
			}
			var newest *store.Claim
			if len(list) > 0 {
				newest = &list[0]
			}
			w.same("in the inbox", in.Items[i].Claim, newest)
		}
		return list
	}
	anas := store.Claim{Agent: w.agent, Ask: "a", By: w.ana.ID, At: 100, Until: 200}
	bos := store.Claim{Agent: w.agent, Ask: "a", By: w.bo.ID, At: 110, Until: 150}
	claim(store.Act{By: w.ana.ID, At: 100}, "a", 200)
	claim(store.Act{By: w.bo.ID, At: 110}, "a", 150)
	w.same("both, newest first", who("a", 120), []store.Claim{bos, anas})
	w.same("one has ended", who("a", 150), []store.Claim{anas})
	w.same("a clock that goes back", who("a", 149), []store.Claim{bos, anas})
	w.same("both have", who("a", 200), []store.Claim(nil))
	w.same("of another ask", who("q", 120), []store.Claim(nil))
	claim(store.Act{By: w.ana.ID, At: 160}, "a", 300)
	anas.At, anas.Until = 160, 300
	w.same("renewed", who("a", 161), []store.Claim{anas})
	claim(store.Act{By: w.ana.ID, At: 170}, "a", 0)
	w.same("taken back", who("a", 171), []store.Claim(nil))

	now := w.clock + store.UndoWindow
	claim(w.actOf(w.ana), "a", now)
	claim(w.actOf(w.bo), "a", now)
	w.decide(w.decisionInput("v", "a", approves))
	w.same("decided, it is its maker's no more", who("a", w.clock), []store.Claim{{Agent: w.agent, Ask: "a", By: w.bo.ID, At: w.clock - 1_000_000, Until: now}})
	w.same("no agent learns of it", must(w.s.StateHash(ctx))(w), hash)
	_, later, err := w.s.MessagesSeq(ctx, w.agent)
	w.ok(err)
	w.same("nor does a sync", later, tag)
	w.rejectsUnknownAsks(func(workspace, agent, ask string) (int64, error) {
		return w.s.Claim(ctx, w.act(), workspace, agent, ask, 1<<62)
	})
}

// rejectsUnknownAsks calls f with asks that don't exist.
func (w *fixture) rejectsUnknownAsks(f func(workspace, agent, ask string) (int64, error)) {
	w.Helper()
	before := w.changeMarkers()
	long := strings.Repeat("x", 1<<20)
	for _, at := range [][3]string{{store.NewID(), w.agent, "a"}, {"\x00", w.agent, "a"}, {w.workspace.ID, "\x00", "a"}, {w.workspace.ID, w.agent, "none"},
		{w.workspace.ID, w.agent, "\x00\xff"}, {w.workspace.ID, w.agent, long}, {w.workspace.ID, long, "a"}, {"", "", ""}} {
		if seq, err := f(at[0], at[1], at[2]); !errors.Is(err, store.ErrNotFound) || seq != 0 {
			w.Errorf("of %.60q: %d, %v, want ErrNotFound", at, seq, err)
		}
	}
	w.same("nothing is written", w.changeMarkers(), before)
}

// signingKey tests that the key is created once, whoever asks first.
func signingKey(w *fixture) {
	if _, _, err := w.s.SigningKey(ctx, []byte("short"), 7); err == nil {
		w.Error("a short seed is taken")
	}
	seeds := make([]string, 20)
	var wait sync.WaitGroup
	for i := range seeds {
		wait.Go(func() {
			fresh := []byte(store.Hash(fmt.Sprint(i))[:32])
			seed, since, err := w.s.SigningKey(ctx, fresh, int64(100+i))
			if err != nil || since < 100 || len(seed) != 32 {
				w.Errorf("%d: %x, %d, %v", i, seed, since, err)
			}
			seeds[i] = string(seed)
		})
	}
	wait.Wait()
	for i := range seeds {
		w.same("one key", seeds[i], seeds[0])
	}
	again, since, err := w.s.SigningKey(ctx, nil, 7)
	w.ok(err)
	w.same("for good", []any{string(again), since >= 100}, []any{seeds[0], true})
	made := 0
	w.ok(w.s.EachAudit(ctx, "", func(row store.AuditEntry) error {
		if row.Action == "key.make" {
			made++
			if row.At != since || strings.Contains(row.Subject, seeds[0]) {
				w.Errorf("its audit: %+v", row)
			}
		}
		return nil
	}))
	w.same("audited once", made, 1)
}

// listDecisions tests that effective decisions are listed, newest first, of a workspace or of one ask.
func listDecisions(w *fixture) {
	w.push(pushBody{asks: []string{anAsk, aQuestion, strings.Replace(aQuestion, `"q"`, `"r"`, 1)}})
	list := func(workspace, agent, ask string, n int) []any {
		w.Helper()
		all, err := w.s.ListDecisions(ctx, workspace, agent, ask, n)
		w.ok(err)
		ids := []any{}
		for _, m := range all {
			w.same("as by its id", m, must(w.s.Decision(ctx, w.agent, m.ID))(w))
			ids = append(ids, m.ID)
		}
		return ids
	}
	here := w.workspace.ID
	w.decide(w.decisionInput("v", "a", revises))
	w.same("pending", list(here, "", "", 0), []any{})
	w.settle()
	w.decide(w.decisionInput("x", "q", `"kind":"answer","chosen":"x"`))
	gone := w.decide(w.decisionInput("y", "r", `"kind":"answer","chosen":"x"`))
	must(w.s.Undo(ctx, store.Act{By: w.ana.ID, At: gone.At}, w.agent, "y"))(w)
	w.settle()
	w.decide(w.decisionInput("v2", "a", approves))
	w.settle()
	w.same("all", list(here, "", "", 0), []any{"v2", "x", "v"})
	w.same("the newest two", list(here, "", "", 2), []any{"v2", "x"})
	w.same("on one ask", list(here, w.agent, "a", 0), []any{"v2", "v"})
	for _, at := range [][3]string{{store.NewID()}, {"\x00"}, {here, otherAgent, "a"}, {here, w.agent, "none"}, {here, w.agent, "\x00"}, {here, w.agent, ""}, {store.NewID(), w.agent, "a"}} {
		w.same(fmt.Sprintf("%q", at), list(at[0], at[1], at[2], 0), []any{})
	}
	w.same("a reply that nobody decided", len(must(w.s.FullRecords(ctx, w.agent, figs.Asks, []string{"a"}))(w)[0].Thread), 2)
}
