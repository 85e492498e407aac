package storetest

import (
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// askTitles tests that asks are found by the beginnings of words of their title or id, newest first, and only those that a
// search of the workspace finds.
func askTitles(w *fixture) {
	titled := func(id, title, rest string) string {
		return fmt.Sprintf(`{"id":"%s","type":"question","title":"%s","to":"manager","ts":"2026-11-20T10:00:00Z"%s}`, id, title, rest)
	}
	w.push(pushBody{runs: []string{`{"id":"job-1","ts":"2026-11-20T09:00:00Z","title":"Ledger of October"}`},
		asks: []string{titled("acme-2026-00007", "Close the Größe ledger?", ""), titled("other", "Which account?", `,"detail":"of the ledger"`), titled(`odd\u0000\u202e`, "Ledger again", "")}})
	w.push(pushBody{agent: secondAgent, name: "Other", asks: []string{titled("second", `Ledger of 10% \"quoted\"`, "")}})
	found := func(workspace, words string, n int) string {
		w.Helper()
		var ids []string
		for _, a := range must(w.s.AsksByTitle(ctx, workspace, words, n))(w) {
			ids = append(ids, fmt.Sprintf("%q", a.ID))
		}
		return strings.Join(ids, " ")
	}
	in, odd := w.workspace.ID, fmt.Sprintf("%q", "odd\u0000\u202e")
	for _, again := range []string{"", ", indexed again"} {
		for words, want := range map[string]string{
			"ledg": `"second" ` + odd + ` "acme-2026-00007"`, "LEDGER gr": `"acme-2026-00007"`, "größe clo": `"acme-2026-00007"`, "2026 acme-": `"acme-2026-00007"`, "acme-2026-00007": `"acme-2026-00007"`, "acme-2026-0000": `"acme-2026-00007"`,
			"edger": "", "l": "", "l ledger": `"second" ` + odd + ` "acme-2026-00007"`, "": "", "?!": "", `"quot* (ledger %_ :^`: `"second"`, "ledger OR account": "", "ledger NOT quoted": "", "account": `"other"`, "ledger account": "", "\x00\xff": "", "quoted": `"second"`,
		} {
			w.same(words+again, found(in, words, 8), want)
		}
		w.reindex()
	}
	w.same("at most", found(in, "ledger", 1), `"second"`)
	w.same("none", found(in, "ledger", 0), "")
	first := must(w.s.AsksByTitle(ctx, in, "acme", 8))(w)[0]
	w.same("an ask", first, store.AskTitle{Agent: w.agent, ID: "acme-2026-00007", Title: "Close the Größe ledger?", Type: "question", State: figs.AskState{Phase: figs.NeedsYou, Round: 1, Reply: -1, Since: first.State.Since}})
	other := store.Workspace{ID: store.NewID(), Slug: "other-titles", Name: "Other"}
	w.ok(w.s.AddWorkspace(ctx, w.act(), other, w.bo.ID))
	w.same("of another workspace", found(other.ID, "ledger", 8), "")
	_, err := w.s.AsksByTitle(ctx, store.NewID(), "ledger", 8)
	w.wantError(err, store.ErrNotFound)
	w.ok(w.s.Archive(ctx, w.act(), secondAgent, true))
	w.same("archived", found(in, "ledger", 8), odd+` "acme-2026-00007"`)
	w.erase(store.EraseAsk, "acme-2026-00007")
	w.same("erased", found(in, "ledger", 8), odd)
}
