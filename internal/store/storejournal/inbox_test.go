package storejournal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// decide stores a person's verdict on the first agent's ask, which is pending at first.
func (o *testWorkspace) decide(who journal.Person, id, ask, verdict string) store.Decision {
	o.Helper()
	r := noError(o.s.Record(ctx, first, figs.Asks, ask))(o)
	act := store.Act{By: who.ID, At: o.act().At}
	line := fmt.Sprintf(`{"id":%q,"kind":"verdict","ask":%q,"by":%q,"ts":"2026-11-20T18:30:00Z","source":"app","verdict":%q,"text":"t"}`, id, ask, who.Name, verdict)
	return noError(o.s.Decide(ctx, act, store.DecisionInput{Workspace: o.workspace, Agent: first, Ask: ask, Key: id, Line: []byte(line), Saw: store.View{Revision: store.RevisionOf(r)}}))(o)
}

// TestInboxItemActivity tests that the items of the inbox show claims, pending decisions and snoozes.
func TestInboxItemActivity(t *testing.T) {
	o := newTestWorkspace(t)
	o.push(first, matching, `,"asks":[{"id":"a","type":"sign-off","title":"A","ts":"2026-11-20T10:00:00Z"},{"id":"b","type":"sign-off","title":"B","ts":"2026-11-20T10:01:00Z"},
		{"id":"c","type":"question","title":"C","ts":"2026-11-20T10:02:00Z"},{"id":"d","type":"question","title":"D","ts":"2026-11-20T10:03:00Z"}],
		"messages":[{"id":"m","kind":"answer","ask":"d","by":" bo ","text":"t","ts":"2026-11-20T11:00:00Z"}]`)
	o.ok(o.s.Assign(ctx, o.act(), first, o.ana.ID, ""))
	until := now.UnixMicro() + 100
	noError(o.s.Claim(ctx, store.Act{By: o.bo.ID, At: o.clock}, o.workspace, first, "a", until))(o)
	noError(o.s.Claim(ctx, store.Act{By: o.ana.ID, At: o.clock}, o.workspace, first, "c", now.UnixMicro()))(o) // this claim has ended
	noError(o.s.Snooze(ctx, store.Act{By: o.ana.ID, At: o.clock}, o.workspace, first, "c", store.SnoozeUntilChange))(o)
	made := o.decide(o.ana, "v", "b", "changes-requested")
	list := func(q journal.InboxQuery) (*journal.Inbox, map[string]journal.InboxItem) {
		t.Helper()
		in := noError(o.j.Inbox(ctx, q))(o)
		items := map[string]journal.InboxItem{}
		for _, i := range in.Items {
			items[i.Ask.Ask.ID] = i
		}
		return in, items
	}
	in, items := list(journal.InboxQuery{Mine: o.ana.ID})
	o.same("Ana's", []any{len(items), in.Needs, in.Reported, in.Snoozed}, []any{2, 2, 1, 1})
	o.same("a claim", *items["a"].Claim, journal.Claim{By: o.bo, Until: until})
	o.same("a decision", *items["b"].Pending, journal.Pending{ID: "v", By: o.ana, Mine: true, Effective: made.Effective, Verdict: "changes-requested"})
	in, items = list(journal.InboxQuery{Viewer: o.bo.ID})
	o.same("everybody's, as Bo sees it", []any{len(items), in.Needs, in.Snoozed, items["a"].Claim.Mine, items["b"].Pending.Mine, items["c"].Claim, items["c"].Snoozed}, []any{3, 3, 0, true, false, (*journal.Claim)(nil), int64(0)})
	in, items = list(journal.InboxQuery{Mine: o.ana.ID, Everybody: true})
	o.same("everybody's, as Ana sees it", []any{len(items), in.Needs, in.Snoozed, items["c"].Snoozed}, []any{3, 3, 1, int64(1<<63 - 1)})
	_, items = list(journal.InboxQuery{Mine: o.ana.ID, Tab: journal.TabSnoozed})
	o.same("put off", []any{len(items), items["c"].Snoozed}, []any{1, int64(1<<63 - 1)})
	_, items = list(journal.InboxQuery{Mine: o.ana.ID, Tab: journal.TabSnoozed, Everybody: true})
	o.same("put off is one's own", len(items), 1)
	_, items = list(journal.InboxQuery{Mine: o.bo.ID, Tab: journal.TabReported})
	o.same("reported in Bo's name", []any{len(items), items["d"].ReportedBy, items["d"].Ask.State.Reported}, []any{1, "bo", true})
	waits := noError(o.j.Trends(ctx, journal.TrendsQuery{Viewer: o.ana.ID}))(o).Waits
	o.same("in trends", []any{len(waits), waits[0].Claim.By, waits[2].Snoozed}, []any{3, o.bo, int64(1<<63 - 1)})
}

// TestDelivery tests that the page of an ask shows how far a reply has got.
func TestDelivery(t *testing.T) {
	o := newTestWorkspace(t)
	const raised = `{"id":"a","type":"sign-off","title":"A","ts":"2026-11-20T10:00:00Z"}`
	o.push(first, matching, `,"asks":[`+raised+`],"messages":[{"id":"t","kind":"verdict","ask":"a","by":"Bo","verdict":"approved","ts":"2026-11-20T11:00:00Z"}]`)
	thread := func() map[string]journal.Message {
		t.Helper()
		all := map[string]journal.Message{}
		for _, m := range noError(o.j.Ask(ctx, first, "a"))(o).Thread {
			all[m.Message.ID] = m
		}
		return all
	}
	o.ok(o.addReply("w", "a"))
	minted := o.clock
	made := o.decide(o.ana, "v", "a", "approved")
	noError(o.s.Settle(ctx, made.Effective))(o)
	all := thread()
	o.same("of an agent", []any{all["t"].Verified, all["t"].Delivery, all["t"].Receipt, all["t"].PushedBy}, []any{false, (*journal.Delivery)(nil), false, o.ana})
	o.same("without a decision", []any{*all["w"].Delivery, all["w"].Receipt, all["w"].PushedBy}, []any{journal.Delivery{Recorded: minted}, false, journal.Person{}})
	o.same("decided", []any{*all["v"].Delivery, all["v"].Receipt, all["v"].PushedBy}, []any{journal.Delivery{Recorded: made.At}, true, journal.Person{}})
	handed := o.act().At
	noError(o.s.MarkPickedUp(ctx, first, 1<<60, handed))(o)
	line := string(noError(o.s.Message(ctx, first, "v"))(o).Line)
	o.push(first, matching, `,"messages":[`+line+`]`)
	confirmed := o.clock
	want := journal.Delivery{Recorded: made.At, PickedUp: handed, Confirmed: confirmed}
	o.same("came back", *thread()["v"].Delivery, want)
	o.push(first, matching, `,"asks":[`+strings.Replace(raised, `"a"`, `"a","status":"resolved","resolution":{"answer":"v","run":"r","ts":"2026-11-20T18:40:00Z"}`, 1)+`]`)
	want.Closed, want.Job = o.clock, &journal.Job{Run: figs.Run{ID: "r"}}
	same := func(what string) {
		t.Helper()
		d := thread()["v"].Delivery
		if d.Job != nil {
			d.Job = &journal.Job{Key: d.Job.Key, Run: figs.Run{ID: d.Job.Run.ID, State: d.Job.Run.State, Status: d.Job.Run.Status}}
		}
		if diff := cmp.Diff(&want, d); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	same("acted on, by a job that is not there")
	o.push(first, matching, `,"runs":[{"id":"r","ts":"2026-11-20T18:45:00Z","state":"settled","status":"fail"}]`)
	want.Job = &journal.Job{Key: "r", Run: figs.Run{ID: "r", State: "settled", Status: "fail"}}
	same("and what came of it")
	for _, m := range noError(o.j.Messages(ctx, first, journal.Query{}))(o).Items {
		o.same("in a list", m.Delivery, (*journal.Delivery)(nil))
	}
}

// addReply adds a verified reply without a decision.
func (o *testWorkspace) addReply(id, ask string) error {
	line := fmt.Sprintf(`{"id":%q,"kind":"verdict","ask":%q,"by":"Ana","ts":"2026-11-20T18:20:00Z","source":"app","verdict":"changes-requested","text":"t"}`, id, ask)
	_, err := o.s.Reply(ctx, o.act(), first, []byte(line))
	return err
}
