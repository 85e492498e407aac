package storetest

import (
	"github.com/figs-web/figs-web/internal/store"
)

// stats tests the figures: open asks, pending decisions, undelivered replies.
func stats(w *fixture) {
	empty := must(w.s.Stats(ctx, w.clock))(w)
	w.same("workspaces and people", []int{empty.Workspaces, empty.People, empty.Agents, empty.Pending}, []int{1, 2, 0, 0})
	w.same("the empty workspace", empty.Open, []store.OpenAskCount{{Workspace: w.workspace.ID, Slug: "acme"}})
	if empty.DatabaseBytes <= 0 {
		w.Errorf("the database has %d bytes", empty.DatabaseBytes)
	}

	w.push(pushBody{asks: []string{
		`{"id":"new","ts":"2026-11-20T11:00:00Z","type":"question","title":"Q","options":["Yes"],"status":"open"}`,
		`{"id":"old","ts":"2026-11-20T09:00:00Z","type":"question","title":"Q","options":["Yes"],"status":"open"}`,
	}})
	_, err := w.s.Attach(ctx, w.act(), store.Attachment{Agent: w.agent, Name: "a.txt", SHA256: "aa", Size: 5}, "")
	w.ok(err)
	_, err = w.s.Attach(ctx, w.act(), store.Attachment{Agent: w.agent, Name: "b.txt", SHA256: "aa", Size: 5}, "")
	w.ok(err)
	const hour = 3600_000_000
	signedIn := func(who store.User, address string) {
		w.ok(w.s.SaveSession(ctx, store.Session{Hash: store.NewID(), User: who.ID, Created: w.clock, Used: w.clock, Expires: w.clock + hour, Address: address, Method: store.MethodPassword}))
	}
	addresses := func(at int64) []any {
		f := must(w.s.Stats(ctx, at))(w)
		return []any{f.SignedIn, f.OnlyAddress}
	}
	w.same("nobody is signed in", addresses(w.clock), []any{0, ""})
	signedIn(w.ana, "")
	signedIn(w.ana, "192.0.2.1")
	signedIn(w.bo, "192.0.2.1")
	w.same("all came from one address", addresses(w.clock), []any{2, "192.0.2.1"})
	signedIn(w.bo, "192.0.2.2")
	w.same("they came from two", addresses(w.clock), []any{2, ""})
	w.same("their sessions have ended", addresses(w.clock+hour), []any{0, ""})
	full := must(w.s.Stats(ctx, w.clock))(w)
	w.same("what needs a human", full.Open, []store.OpenAskCount{{Workspace: w.workspace.ID, Slug: "acme", N: 2, Oldest: noon - 3*hour}})
	w.same("blobs, each once", []int64{full.Blobs, full.BlobBytes}, []int64{1, 5})
	w.same("seen within the hour", full.PushedWithin, [4]int{1, 0, 0, 0})
	w.same("seen a week later", must(w.s.Stats(ctx, w.clock+8*24*hour))(w).PushedWithin, [4]int{0, 0, 0, 1})
	if last := must(w.s.LastChange(ctx))(w); last != w.clock && last != w.clock-1_000_000 && last != w.clock-2_000_000 {
		w.Errorf("the newest change was at %d, and the clock is at %d", last, w.clock)
	}
	if done := w.s.TxStats(); done.Committed == 0 {
		w.Errorf("the store has done %+v", done)
	}

	w.ok(w.s.DeleteWorkspace(ctx, w.act(), w.workspace.ID))
	gone := must(w.s.Stats(ctx, w.clock))(w)
	w.same("in a deleted workspace", []any{gone.Workspaces, gone.Agents, len(gone.Open)}, []any{0, 0, 0})
	w.same("nor its findings", len(must(w.s.FindingsByRule(ctx))(w)), 0)
}
