package storetest

import "github.com/figs-web/figs-web/internal/store"

// policy tests the settings of a workspace for approvals and notifications.
func policy(w *fixture) {
	w.push(pushBody{asks: []string{anAsk}})
	before := w.changeMarkers()
	all, none := store.Policy{TickEveryStep: true, StepUp: true, Text: store.TextEverywhere}, store.Policy{}
	w.ok(w.s.SetPolicy(ctx, w.act(), w.workspace.ID, all, true))
	now := must(w.s.Workspace(ctx, "acme"))(w)
	w.same("all of it", []any{now.Policy, now.Seq}, []any{all, before[0].(int64) + 1})
	w.same("in lists", []store.Policy{must(w.s.ListWorkspaces(ctx))(w)[0].Policy, must(w.s.Memberships(ctx, w.bo.ID))(w)[0].Workspace.Policy}, []store.Policy{all, all})
	for _, c := range []struct {
		to   store.Policy
		says string
	}{
		{store.Policy{StepUp: true, Text: store.TextEverywhere}, "ticks=on>off"}, {store.Policy{TickEveryStep: true, Text: store.TextEverywhere}, "ticks=off>on step_up=on>off"},
		{store.Policy{TickEveryStep: true}, "text=everywhere>link"}, {none, "ticks=on>off"},
	} {
		w.ok(w.s.SetPolicy(ctx, w.act(), w.workspace.ID, c.to, true))
		w.same(c.says, must(w.s.Workspace(ctx, w.workspace.ID))(w).Policy, c.to)
		row := must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{N: 1}))(w)[0]
		w.same("its audit", []string{row.Action, row.Subject, row.By}, []string{"workspace.policy", c.says, w.ana.ID})
	}
	ofPolicy := func(person string) (n int) {
		list, err := w.s.ListNotifications(ctx, person, w.workspace.ID, store.NotificationQuery{Slice: store.Slice{N: 50}})
		w.ok(err)
		for i := range list.Items {
			if list.Items[i].Event == store.EventPolicy {
				n++
			}
		}
		return n
	}
	w.same("each time that it protects less, all owners are told, and nobody else", []int{ofPolicy(w.ana.ID), ofPolicy(w.bo.ID)}, []int{4, 0})
	trace := w.changeMarkers()
	w.ok(w.s.SetPolicy(ctx, w.act(), w.workspace.ID, none, true))
	w.same("the same again changes nothing", w.changeMarkers(), trace)
	w.same("no agent learns of it", must(w.s.StateHash(ctx))(w), before[3])
	strict := store.Policy{TickEveryStep: true, StepUp: true}
	w.ok(w.s.SetPolicy(ctx, w.act(), w.workspace.ID, strict, false))
	trace = w.changeMarkers()
	for _, weaker := range []store.Policy{none, {TickEveryStep: true}, {StepUp: true}, all} {
		w.wantError(w.s.SetPolicy(ctx, w.act(), w.workspace.ID, weaker, false), store.ErrReauthRequired)
	}
	w.same("without a proof nothing protects less", w.changeMarkers(), trace)
	for _, id := range []string{store.NewID(), "\x00"} {
		w.wantError(w.s.SetPolicy(ctx, w.act(), id, all, true), store.ErrNotFound)
	}
	w.ok(w.s.DeleteWorkspace(ctx, w.act(), w.workspace.ID))
	w.wantError(w.s.SetPolicy(ctx, w.act(), w.workspace.ID, all, true), store.ErrNotFound)
}
