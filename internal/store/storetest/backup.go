package storetest

import (
	"errors"

	"github.com/figs-web/figs-web/internal/store"
)

// facts tests that a fact has the last value, and that storing one changes no workspace.
func facts(w *fixture) {
	w.push(pushBody{})
	before := w.changeMarkers()
	_, _, err := w.s.Fact(ctx, "backup")
	w.wantError(err, store.ErrNotFound)
	w.ok(w.s.SetFact(ctx, "backup", "one", 7))
	w.ok(w.s.SetFact(ctx, "other", "x", 8))
	w.ok(w.s.SetFact(ctx, "backup", "two\x00", 9))
	value, at, err := w.s.Fact(ctx, "backup")
	w.ok(err)
	w.same("the fact", []any{value, at}, []any{"two\uFFFD", int64(9)})
	w.same("which no workspace shows", w.changeMarkers(), before)
}

// blobs tests that EachBlob yields each hash once, whoever attaches it.
func blobs(w *fixture) {
	w.push(pushBody{})
	other := "0d4f2a3c-1111-4222-8333-000000000009"
	w.push(pushBody{agent: other, name: "Other"})
	attach := func(agent, name, sha256 string, size int64) {
		w.Helper()
		_, err := w.s.Attach(ctx, w.act(), store.Attachment{Agent: agent, Name: name, SHA256: sha256, Size: size}, "")
		w.ok(err)
	}
	attach(w.agent, "b.txt", "bb", 2)
	attach(w.agent, "a.txt", "aa", 1)
	attach(other, "c.txt", "bb", 2)
	var got []string
	w.ok(w.s.EachBlob(ctx, func(sha256 string, size int64) error {
		got = append(got, sha256)
		return nil
	}))
	w.same("hashes", got, []string{"aa", "bb"})
	stop := errors.New("enough")
	w.wantError(w.s.EachBlob(ctx, func(string, int64) error { return stop }), stop)
	if step := must(w.s.Schema(ctx))(w); step < 10 {
		w.Errorf("the schema is at step %d", step)
	}
}
