package storetest

import "github.com/figs-web/figs-web/internal/store"

// syncs compares SyncSeq with the methods that it replaces.
func syncs(w *fixture) {
	w.push(pushBody{asks: []string{aQuestion}, messages: []string{anAnswer}})
	stranger := w.user("eve@acme.example", "Eve")
	for _, u := range []store.User{w.ana, w.bo, stranger} {
		w.ok(w.s.AddToken(ctx, w.act(), store.Token{ID: "t-" + u.ID, User: u.ID, Name: "t", Hash: store.Hash(u.Name), Created: noon}))
	}
	_, want, err := w.s.MessagesSeq(ctx, w.agent)
	w.ok(err)
	for range 2 {
		seq, used, err := w.s.SyncSeq(ctx, store.Hash("Bo"), w.agent, w.clock)
		w.ok(err)
		w.same("seq", seq, want)
		used2 := must(w.s.UseToken(ctx, store.Hash("Bo"), "", w.clock))(w).Used
		w.same("used", used, used2)
	}
	for _, who := range [][2]string{{"Eve", w.agent}, {"nobody", w.agent}, {"", w.agent}, {"Bo", "0d4f2a3c-1111-4222-8333-000000000009"}, {"Bo", "\x00"}} {
		_, _, err := w.s.SyncSeq(ctx, store.Hash(who[0]), who[1], w.clock)
		w.wantError(err, store.ErrNotFound)
	}
	w.ok(w.s.RevokeToken(ctx, w.act(), w.ana.ID, "t-"+w.ana.ID))
	_, _, err = w.s.SyncSeq(ctx, store.Hash("Ana"), w.agent, w.clock)
	w.wantError(err, store.ErrNotFound)
	w.reply("minted", "q", `"kind":"answer","text":"new"`)
	seq, _, err := w.s.SyncSeq(ctx, store.Hash("Bo"), w.agent, w.clock)
	w.ok(err)
	if seq <= want {
		w.Errorf("after a reply the tag is %d, it was %d", seq, want)
	}
	w.ok(w.s.DeleteWorkspace(ctx, w.act(), w.workspace.ID))
	_, _, err = w.s.SyncSeq(ctx, store.Hash("Bo"), w.agent, w.clock)
	w.wantError(err, store.ErrNotFound)
}
