package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// snoozes tests that a snoozed ask is hidden from the inbox and the badge of one person, until the snooze ends or the ask
// changes.
func snoozes(w *fixture) {
	w.push(pushBody{asks: []string{ask("a", "", "10:00"), ask("b", "", "10:01"), ask("c", "", "10:02")}})
	w.ok(w.s.Assign(ctx, w.act(), w.agent, w.bo.ID, w.ana.ID))
	hash := must(w.s.StateHash(ctx))(w)
	snooze := func(u store.User, ask string, until int64) {
		w.Helper()
		before := must(w.s.Seq(ctx, w.workspace.ID))(w)
		seq := must(w.s.Snooze(ctx, w.actOf(u), w.workspace.ID, w.agent, ask, until))(w)
		w.same("its number", []int64{seq, must(w.s.Seq(ctx, w.workspace.ID))(w)}, []int64{before + 1, before + 1})
	}
	mine := func(what string, u store.User, now int64, needs, off string) {
		w.Helper()
		for _, tab := range []struct {
			tab  store.Tab
			want string
		}{{store.TabNeeds, needs}, {store.TabSnoozed, off}} {
			in := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Tab: tab.tab, Mine: u.ID, Now: now}))(w)
			var ids []string
			for i := range in.Items {
				id := itemID(&in.Items[i])
				ids = append(ids, id)
				w.same(what+": until when "+id, in.Items[i].Snoozed, must(w.s.Snoozed(ctx, u.ID, w.agent, id, now))(w))
			}
			w.same(fmt.Sprintf("%s: %s", what, tab.tab), strings.Join(ids, " "), tab.want)
			badge := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Mine: u.ID, Now: now, Slice: store.Slice{N: -1}}))(w)
			w.same(what+": counted", []int{in.Total, in.Snoozed, badge.Total, badge.Snoozed}, []int{count(needs), count(off), count(needs), count(off)})
			if in.Total > 0 && tab.tab == store.TabNeeds {
				w.same(what+": since when", in.Oldest, in.Items[0].Since)
			}
		}
	}
	now := w.clock
	mine("before", w.ana, now, "a b c", "")
	snooze(w.ana, "a", now+200)
	snooze(w.ana, "b", now+100)
	snooze(w.bo, "c", store.SnoozeUntilChange)
	mine("put off", w.ana, now, "c", "b a")
	mine("of somebody else", w.bo, now, "a b", "c")
	mine("a moment before", w.ana, now+99, "c", "b a")
	mine("then", w.ana, now+100, "b c", "a")
	mine("a clock that goes back", w.ana, now, "c", "b a")
	mine("both ended", w.ana, now+200, "a b c", "")
	mine("for news, for ever", w.bo, 1<<62, "a b", "c")
	all := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Viewer: w.ana.ID, Now: now}))(w)
	w.same("everybody's", []any{len(all.Items), all.Total, all.Snoozed, all.Items[0].Snoozed, all.Items[2].Snoozed}, []any{3, 3, 2, now + 200, int64(0)})
	w.same("under a filter", must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Mine: w.ana.ID, Type: "sign-off", Now: now}))(w).Snoozed, 0)
	snooze(w.ana, "b", 0)
	mine("taken back", w.ana, now, "b c", "a")
	w.same("no agent learns of it", must(w.s.StateHash(ctx))(w), hash)
	w.rejectsUnknownAsks(func(workspace, agent, ask string) (int64, error) {
		return w.s.Snooze(ctx, w.act(), workspace, agent, ask, 1<<62)
	})

	// Every change of the ask ends the snooze.
	for _, id := range []string{"a", "b", "c"} {
		snooze(w.ana, id, store.SnoozeUntilChange)
	}
	mine("all three", w.ana, now, "", "a b c")
	w.push(pushBody{asks: []string{strings.Replace(ask("a", "", "10:00"), "T a", "T2 a", 1)}})
	mine("a new version", w.ana, now, "a", "b c")
	w.push(pushBody{messages: []string{`{"id":"t","kind":"note","ask":"b","by":"Ana","ts":"2026-11-20T11:00:00Z","text":"t"}`}})
	if in := w.record(figs.Asks, "b"); len(in.Thread) != 1 {
		w.Fatalf("the reply is not there: %+v", in.Thread)
	}
	mine("a new reply", w.ana, now, "a b", "c")
	w.push(pushBody{messages: []string{`{"id":"t2","kind":"answer","ask":"b","by":"Ana","ts":"2026-11-20T11:00:00Z","text":"t"}`}})
	d := w.decisionInput("v", "c", `"kind":"answer","text":"t"`)
	w.decide(d)
	mine("decided by oneself", w.ana, now, "a b c", "") // b has a reply reported in her name, which she didn't give
	w.same("and not put off for the other", must(w.s.Snoozed(ctx, w.bo.ID, w.agent, "c", now))(w), int64(store.SnoozeUntilChange))
	must(w.s.Undo(ctx, store.Act{By: w.ana.ID, At: w.clock}, w.agent, "v"))(w)
	mine("undone, nothing comes back", w.ana, now, "a b c", "")
	w.decide(w.decisionInput("v2", "c", `"kind":"answer","text":"t"`))
	pending := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Now: w.clock}))(w).Items
	made := must(w.s.Pending(ctx, w.agent, "c"))(w)
	w.same("an item says that it is decided", []*store.Decision{pending[0].Pending, pending[1].Pending}, []*store.Decision{nil, &made})
	w.settle()
	w.same("a human's reply is new, too", must(w.s.Snoozed(ctx, w.bo.ID, w.agent, "c", now))(w), int64(0))
	w.reindex()
	mine("derived again", w.ana, now, "a b", "")
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

func count(words string) int { return len(strings.Fields(words)) }

// reportedTab tests the tab for reported replies: open before closed, newest first; for a person, what names them and what
// is of their agents.
func reportedTab(w *fixture) {
	carl, vi := w.user("carl@acme.example", "Carl Ωmega"), w.user("vi@acme.example", "Vi")
	w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, carl.ID, store.Member))
	w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, vi.ID, store.Viewer))
	say := func(ask, by string) string {
		return fmt.Sprintf(`{"id":"t-%s","kind":"answer","ask":%q,"by":%q,"ts":"2026-11-20T11:00:00Z","text":"t"}`, ask, ask, by)
	}
	closes := func(ask string) string {
		return strings.Replace(ask, `"to"`, `"status":"resolved","resolution":{"answer":"t-`+figs.ReadAsk(figs.Fold([][]byte{[]byte(ask)})).ID+`","ts":"2026-11-20T11:30:00Z"},"to"`, 1)
	}
	w.push(pushBody{asks: []string{ask("n", "", "10:00"), ask("o1", "builder", "10:01"), ask("o2", "manager", "10:02"), ask("x", "", "10:03"), closes(ask("c1", "", "10:04")), closes(ask("c2", "manager", "10:05"))},
		messages: []string{say("o1", "  cARL ωMEGA\n"), say("o2", "CARL@acme.example"), say("x", "Eve"), say("c1", "Carl Omega"), say("c2", "Vi")}})
	w.push(pushBody{agent: otherAgent, name: "Audit", asks: []string{ask("z", "", "10:06")}, messages: []string{say("z", "")}})
	w.ok(w.s.Assign(ctx, w.act(), w.agent, w.bo.ID, w.bo.ID))
	w.ok(w.s.Assign(ctx, w.act(), otherAgent, "", ""))
	tab := func(what string, q store.InboxQuery, want string) *store.Inbox {
		w.Helper()
		q.Tab = store.TabReported
		w.same(what, strings.Join(w.inbox(q), " "), want)
		q.Workspace = w.workspace.ID
		in := must(w.s.Inbox(ctx, q))(w)
		q.N, q.Tab = -1, ""
		w.same(what+": counted", []int{in.Reported, must(w.s.Inbox(ctx, q))(w).Reported}, []int{count(want), count(want)})
		return in
	}
	states := func() {
		w.Helper()
		w.same("waiting", w.inbox(store.InboxQuery{Tab: store.TabWaiting}), []string(nil))
		w.same("closed", w.inbox(store.InboxQuery{Tab: store.TabClosed}), []string{"c2", "c1"})
		in := tab("everybody's", store.InboxQuery{}, "z x o2 o1 c2 c1")
		var names []string
		for _, i := range in.Items {
			names = append(names, i.ReportedBy)
			w.same("reported", i.Reported, true)
		}
		w.same("whom they name", names, []string{"", "Eve", "CARL@acme.example", "cARL ωMEGA", "Vi", "Carl Omega"})
		tab("the manager's", store.InboxQuery{Mine: w.bo.ID}, "x o2 o1 c2 c1")
		tab("who is named", store.InboxQuery{Mine: carl.ID}, "o2 o1")
		tab("a viewer who is named may do nothing", store.InboxQuery{Mine: vi.ID}, "")
		tab("an owner's: of an agent that has neither, and in the name of nobody who may", store.InboxQuery{Mine: w.ana.ID}, "z x c2 c1")
		for person, want := range map[string][]string{carl.ID: {"o1", "o2"}, vi.ID: nil, w.bo.ID: {"n"}, w.ana.ID: {"x", "z", "c1", "c2"}} {
			w.same("what needs "+person, sorted(w.inbox(store.InboxQuery{Mine: person})), sorted(want))
			in := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Mine: person, Slice: store.Slice{N: -1}}))(w)
			w.same("its count", in.Total, len(want))
		}
		tab("nobody's", store.InboxQuery{Mine: "\x00"}, "")
		tab("of an agent", store.InboxQuery{Agent: otherAgent}, "z")
		tab("to the manager", store.InboxQuery{To: "manager"}, "o2 c2")
		tab("of a type", store.InboxQuery{Type: "sign-off"}, "")
	}
	states()
	w.reindex()
	states()
	w.walkInbox("reported", store.InboxQuery{Tab: store.TabReported})
	w.walkInbox("reported to one", store.InboxQuery{Tab: store.TabReported, Mine: w.bo.ID})
	w.walkInbox("to confirm", store.InboxQuery{Mine: w.bo.ID})
	w.walkInbox("to confirm, longest total wait first", store.InboxQuery{Mine: w.bo.ID, LongestFirst: true, Now: w.clock})

	must(w.s.Snooze(ctx, w.actOf(w.bo), w.workspace.ID, w.agent, "o1", w.clock+100))(w)
	tab("put off", store.InboxQuery{Mine: w.bo.ID, Now: w.clock}, "x o2 c2 c1")
	tab("and back", store.InboxQuery{Mine: w.bo.ID, Now: w.clock + 100}, "x o2 o1 c2 c1")
	w.ok(w.s.SetUserName(ctx, w.act(), carl.ID, "Carl Omega"))
	tab("under another name since", store.InboxQuery{Mine: carl.ID}, "o2")
	w.decide(w.decisionInput("v", "x", `"kind":"answer","text":"no"`))
	w.settle()
	tab("contradicted", store.InboxQuery{}, "z o2 o1 c2 c1")
	w.same("it waits now", w.inbox(store.InboxQuery{Tab: store.TabWaiting}), []string{"x"})
	w.push(pushBody{asks: []string{strings.Replace(ask("o2", "manager", "11:10"), "T o2", "again", 1)}})
	tab("raised again", store.InboxQuery{}, "z o1 c2 c1")
}

// reportedNames tests that the person whom a report names may confirm or deny it, even if they answer for no agent.
func reportedNames(w *fixture) {
	carl, vi, eve, mal := w.user("carl@acme.example", "Carl"), w.user("vi@acme.example", "Vi"), w.user("eve@acme.example", "Carl"), w.user("mal@acme.example", "Mal")
	w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, carl.ID, store.Member))
	w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, mal.ID, store.Member))
	w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, vi.ID, store.Viewer))
	report := func(ask, by string) string {
		return fmt.Sprintf(`{"id":"t-%s","kind":"verdict","ask":%q,"by":%q,"ts":"2026-11-20T11:00:00Z","verdict":"approved"}`, ask, ask, by)
	}
	an := func(id, rest string) string { return strings.Replace(anAsk, `"id":"a"`, `"id":"`+id+`"`+rest, 1) }
	w.push(pushBody{asks: []string{an("a", ""), an("b", ""), an("open", ""), an("bo", ""), an("vi", ""), an("dan", ""), an("closed", `,"status":"resolved","resolution":{"answer":"t-closed","ts":"2026-11-20T11:30:00Z"}`)},
		messages: []string{report("a", " carl "), report("b", "CARL@ACME.EXAMPLE"), report("bo", "Bo"), report("vi", "Vi"), report("dan", "Dan"), report("closed", "Carl")}})
	decide := func(u store.User, id, ask, fields string) error {
		w.Helper()
		_, err := w.s.Decide(ctx, w.actOf(u), w.decisionInput(id, ask, fields))
		return err
	}
	for what, err := range map[string]error{
		"a viewer": decide(vi, "1", "vi", approves), "who is no member": decide(eve, "2", "a", approves), "who is not named": decide(w.bo, "3", "a", approves),
		"what is not reported": decide(carl, "4", "open", approves), "somebody else's report": decide(carl, "5", "bo", approves),
	} {
		if !errors.Is(err, store.ErrForbidden) {
			w.Errorf("%s: %v, want ErrMayNot", what, err)
		}
	}
	ambiguousNames(w, mal, carl, decide)
	w.ok(decide(carl, "va", "a", approves))
	w.ok(decide(carl, "vb", "b", revises))
	w.ok(decide(carl, "vc", "closed", approves))
	w.settle()
	w.same("confirmed, contradicted, confirmed after the close", []string{w.phase("a"), w.phase("b"), w.phase("closed")}, []string{"replied 1", "being revised 1", "resolved 1"})
	w.wantError(decide(carl, "vd", "a", revises), store.ErrForbidden)
	m := must(w.s.Message(ctx, w.agent, "vb"))(w)
	w.same("verified, of Carl", []any{m.Verified, m.PushedBy}, []any{true, carl.ID})

	// A reply from before the report doesn't count as an answer to it.
	w.push(pushBody{asks: []string{an("d", "")}})
	w.ok(decide(w.ana, "vd", "d", revises))
	w.settle()
	w.push(pushBody{messages: []string{report("d", "Carl")}})
	w.push(pushBody{asks: []string{an("d", `,"status":"resolved","resolution":{"answer":"t-d","ts":"`+w.nextTimestamp()+`"}`)}})
	w.same("closed on the report", w.phase("d"), "resolved 1 reported")
	waits := func() bool {
		in := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Tab: store.TabReported}))(w)
		return slices.ContainsFunc(in.Items, func(i store.InboxItem) bool { return itemID(&i) == "d" })
	}
	w.same("waits to be confirmed", waits(), true)
	w.ok(decide(carl, "wd", "d", declines))
	w.settle()
	w.same("contradicted after the close", w.phase("d"), "resolved 1 reported")
	w.same("waits no more", waits(), false)
	closed := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Tab: store.TabClosed}))(w)
	at := slices.IndexFunc(closed.Items, func(i store.InboxItem) bool { return itemID(&i) == "d" })
	w.same("among what is closed", at >= 0 && closed.Items[at].Reported && closed.Items[at].Phase == figs.Resolved && closed.Items[at].ReportedBy == "Carl", true)
	w.same("asked of nobody", len(closed.Items[at].AskedOf), 0)
	one := must(w.s.Record(ctx, w.agent, figs.Asks, "d"))(w)
	w.same("nor as a record", len(one.AskedOf), 0)
	bar := mustReject[*store.ReplyRejectedError](w, "somebody has spoken of it", w.act(), w.decisionInput("xd", "d", approves))
	w.same("who", *bar, store.ReplyRejectedError{Bar: figs.BlockedDecided, Phase: figs.Resolved, By: carl.ID})
	w.ok(decide(carl, "yd", "d", approves))
	w.settle()
	w.same("corrected", w.phase("d"), "resolved 1")
	w.same("the chain", must(w.s.VerifyAudit(ctx, w.workspace.ID))(w).Broken, int64(0))
}

// ambiguousNames tests that a name lets nobody decide if it was taken after the report or is also someone else's, because
// people choose their own names. An email address always does.
func ambiguousNames(w *fixture, mal, carl store.User, decide func(u store.User, id, ask, fields string) error) {
	w.Helper()
	for _, name := range []string{"Dan", "Carl", "carl@acme.example"} {
		w.clock++
		w.ok(w.s.SetUserName(ctx, w.act(), mal.ID, name))
		for _, ask := range []string{"dan", "a", "b"} {
			w.wantError(decide(mal, "mal", ask, approves), store.ErrForbidden)
		}
	}
	who := func(by string) string {
		w.Helper()
		return must(w.s.MemberNamed(ctx, w.workspace.ID, by, w.clock-1))(w)
	}
	w.same("by the address", who("CARL@acme.example "), carl.ID)
	w.same("a new name does not count yet", []string{who("carl"), who("Dan"), who("Mal"), who(""), who("Eve")}, []string{carl.ID, "", "", "", ""})
	w.ok(w.s.SetUserName(ctx, w.act(), mal.ID, "CARL"))
	w.clock++
	w.same("two of a name", who("Carl"), "")
	w.ok(w.s.SetUserName(ctx, w.act(), mal.ID, "Mal"))
	w.clock += 2
	w.same("one again", []string{who("carl"), who("MAL")}, []string{carl.ID, mal.ID})
	w.ok(w.s.SetUserName(ctx, w.act(), mal.ID, "Mal"))
	w.same("the same name again is no other", must(w.s.MemberNamed(ctx, w.workspace.ID, "Mal", w.clock))(w), mal.ID)
}
