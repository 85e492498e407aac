package storetest

import "github.com/figs-web/figs-web/internal/store"

func tokens(w *fixture) {
	t := store.Token{ID: store.NewID(), User: w.bo.ID, Name: "laptop", Hash: store.Hash("secret"), Scope: store.ScopePush, Created: noon}
	w.ok(w.s.AddToken(ctx, w.act(), t))
	w.same("by its hash", must(w.s.UseToken(ctx, store.Hash("secret"), "192.0.2.1", noon+1))(w), t)
	const minute = 60_000_000
	must(w.s.UseToken(ctx, t.Hash, "192.0.2.1", noon+2*minute))(w)
	must(w.s.UseToken(ctx, t.Hash, "192.0.2.2", noon+2*minute+5))(w)
	used := must(w.s.ListTokens(ctx, w.bo.ID))(w)[0]
	w.same("last use, to the minute", []any{used.Used, used.Address}, []any{int64(noon + 2*minute), "192.0.2.1"})
	must(w.s.UseToken(ctx, t.Hash, "192.0.2.2\x00", noon+3*minute))(w)
	w.same("from elsewhere", must(w.s.ListTokens(ctx, w.bo.ID))(w)[0].Address, "192.0.2.2�")
	w.wantError(w.s.RevokeToken(ctx, w.act(), w.ana.ID, t.ID), store.ErrNotFound)
	w.ok(w.s.RevokeToken(ctx, w.act(), w.bo.ID, t.ID))
	w.wantError(w.s.RevokeToken(ctx, w.act(), w.bo.ID, t.ID), store.ErrNotFound)
	for _, hash := range []string{t.Hash, store.Hash("other"), "", "\x00"} {
		_, err := w.s.UseToken(ctx, hash, "", noon)
		w.wantError(err, store.ErrNotFound)
	}
}

// tokenExpiry tests that only the holder learns that a token has expired, and that nothing is written.
func tokenExpiry(w *fixture) {
	w.push(pushBody{asks: []string{aQuestion}})
	t := store.Token{ID: store.NewID(), User: w.bo.ID, Name: "reader", Hash: store.Hash("reads"), Scope: store.ScopeRead, Created: noon, Expires: noon + 100}
	w.ok(w.s.AddToken(ctx, w.act(), t))
	w.ok(w.s.AddToken(ctx, w.act(), store.Token{ID: store.NewID(), User: w.bo.ID, Name: "plain", Hash: store.Hash("plain"), Created: noon - 1}))
	all := must(w.s.ListTokens(ctx, w.bo.ID))(w)
	w.same("scopes and ends", []any{all[0].Scope, all[0].Expires, all[1].Scope, all[1].Expires}, []any{store.ScopeRead, int64(noon + 100), store.ScopePush, int64(0)})
	w.same("its audit", must(w.s.Audit(ctx, "", store.AuditQuery{N: 2}))(w)[1].Subject, t.ID+" "+w.bo.ID+" read")
	w.same("before its end", must(w.s.UseToken(ctx, t.Hash, "", noon+99))(w).ID, t.ID)
	_, _, err := w.s.SyncSeq(ctx, t.Hash, w.agent, noon+99)
	w.ok(err)
	for _, at := range []int64{noon + 100, noon + 1_000_000_000} {
		_, err := w.s.UseToken(ctx, t.Hash, "192.0.2.9", at)
		w.wantError(err, store.ErrExpired)
		_, _, err = w.s.SyncSeq(ctx, t.Hash, w.agent, at)
		w.wantError(err, store.ErrNotFound)
	}
	w.same("noted", must(w.s.ListTokens(ctx, w.bo.ID))(w)[0].Address, "")
	w.ok(w.s.RevokeToken(ctx, w.act(), w.bo.ID, t.ID))
	_, err = w.s.UseToken(ctx, t.Hash, "", noon+100)
	w.wantError(err, store.ErrNotFound)
}
