package storetest

import (
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/store"
)

// formerMembers tests that someone who may no longer reply is unassigned from their agents in the same transaction.
func formerMembers(w *fixture) {
	w.push(pushBody{asks: []string{ask("m", "manager", "10:01")}})
	posts := func() []string {
		a := w.loadAgent()
		return []string{a.Manager, a.Builder}
	}
	w.same("who pushes first built it", posts(), []string{"", w.ana.ID})
	carl := w.user("carl@acme.example", "Carl")
	for what, end := range map[string]func() error{
		"demoted": func() error { return w.s.SetMember(ctx, w.act(), w.workspace.ID, carl.ID, store.Viewer) },
		"removed": func() error { return w.s.RemoveMember(ctx, w.act(), w.workspace.ID, carl.ID) },
		"left": func() error {
			return w.s.RemoveMember(ctx, store.Act{By: carl.ID, At: w.act().At}, w.workspace.ID, carl.ID)
		},
	} {
		w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, carl.ID, store.Member))
		w.ok(w.s.Assign(ctx, w.act(), w.agent, carl.ID, carl.ID))
		w.same("Carl's", w.inbox(store.InboxQuery{Mine: carl.ID}), []string{"m"})
		w.same("not Ana's", w.inbox(store.InboxQuery{Mine: w.ana.ID}), []string(nil))
		before := w.loadAgent().Seq
		w.ok(end())
		w.same(what, posts(), []string{"", ""})
		w.same(what+": the owner's", w.inbox(store.InboxQuery{Mine: w.ana.ID}), []string{"m"})
		w.same(what+": not Carl's", w.inbox(store.InboxQuery{Mine: carl.ID}), []string(nil))
		told, err := w.s.ListNotifications(ctx, w.ana.ID, w.workspace.ID, store.NotificationQuery{Slice: store.Slice{N: 2}})
		w.ok(err)
		var lost []string
		for i := range told.Items {
			lost = append(lost, strings.Join(strings.Fields(told.Items[i].Name)[:3], " ")+" "+told.Items[i].Agent)
		}
		slices.Sort(lost)
		w.same(what+": the owner is told", lost, []string{"vacant builder " + carl.ID + " " + w.agent, "vacant manager " + carl.ID + " " + w.agent})
		if told, err := w.s.ListNotifications(ctx, carl.ID, w.workspace.ID, store.NotificationQuery{Slice: store.Slice{N: 1}}); err != nil || len(told.Items) != 0 {
			w.Errorf("%s: Carl is told %v, %v", what, told, err)
		}
		w.same(what+": audited", w.actions(w.workspace.ID, 2), []string{"agent.vacate", "agent.vacate"})
		if w.loadAgent().Seq <= before {
			w.Error("the agent's pages are not told")
		}
		w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, carl.ID, store.Admin))
		w.same("a role does not bring it back", posts(), []string{"", ""})
	}
	w.ok(w.s.Assign(ctx, w.act(), w.agent, carl.ID, w.bo.ID))
	w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, carl.ID, store.Member))
	w.same("a member goes on", posts(), []string{carl.ID, w.bo.ID})
	eve, vi := w.user("eve@acme.example", "Eve"), w.user("vi@acme.example", "Vi")
	w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, vi.ID, store.Viewer))
	for _, person := range []string{eve.ID, vi.ID, "none", "\x00"} {
		w.wantError(w.s.Assign(ctx, w.act(), w.agent, person, ""), store.ErrCannotAnswer)
		w.wantError(w.s.Assign(ctx, w.act(), w.agent, "", person), store.ErrCannotAnswer)
	}
	w.same("which changes nothing", posts(), []string{carl.ID, w.bo.ID})
	w.same("nobody to repair", must(w.s.ClearFormerMembers(ctx, w.act()))(w), 0)
}
