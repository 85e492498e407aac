package storetest

import (
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/store"
)

// changes tests that each change is told with the agents that pages show differently, or as one of everything.
func changes(w *fixture) {
	const second, third = "0d4f2a3c-1111-4222-8333-000000000002", "0d4f2a3c-1111-4222-8333-000000000003"
	since := must(w.s.Seq(ctx, w.workspace.ID))(w)
	told := func(what string, want ...string) {
		w.Helper()
		got := must(w.s.Changes(ctx, w.workspace.ID, since, 2))(w)
		if got.All {
			got.Agents = []string{"all"}
		}
		slices.Sort(got.Agents)
		w.same(what, strings.Join(got.Agents, " "), strings.Join(want, " "))
		w.same(what+": seq", got.Seq, must(w.s.Seq(ctx, w.workspace.ID))(w))
		if len(want) > 0 && got.Seq <= since {
			w.Errorf("%s: the seq is still %d", what, got.Seq)
		}
		since = got.Seq
	}
	of := func(agent string, b pushBody) {
		w.Helper()
		was := w.agent
		w.agent = agent
		w.push(b)
		w.agent = was
	}
	told("nothing")
	of(w.agent, pushBody{runs: []string{run("r1", "20", "10:00", "")}})
	told("a new agent", w.agent)
	of(w.agent, pushBody{runs: []string{run("r2", "20", "10:01", "")}})
	of(second, pushBody{asks: []string{ask("a", "", "10:00")}})
	told("two agents", w.agent, second)
	of(w.agent, pushBody{runs: []string{run("r3", "20", "10:02", "")}})
	of(third, pushBody{runs: []string{run("r1", "20", "10:02", "")}})
	of(second, pushBody{asks: []string{ask("b", "", "10:01")}})
	told("more than were asked for", "all")
	of(second, pushBody{asks: []string{ask("b", "", "10:01")}})
	told("a push of nothing new")

	ref := store.AskRef{Agent: second, Ask: "a"}
	w.ok(w.s.Assign(ctx, w.act(), second, w.ana.ID, ""))
	told("an assignment", second)
	must(w.s.Claim(ctx, w.act(), w.workspace.ID, second, "a", w.clock+1))(w)
	told("a claim", second)
	must(w.s.Snooze(ctx, w.act(), w.workspace.ID, second, "a", w.clock+1))(w)
	told("a snooze", second)
	must(w.s.AddAskNote(ctx, w.act(), w.workspace.ID, ref, "note", nil))(w)
	told("a note", second)
	w.ok(w.s.Archive(ctx, w.act(), third, true))
	told("an archived agent", third)
	must(w.s.Reindex(ctx))(w)
	told("all of them reindexed", "all") // there are more than two

	w.ok(w.s.RenameWorkspace(ctx, w.act(), w.workspace.ID, "Other"))
	told("a new name", "all")
	w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, w.bo.ID, store.Viewer))
	told("a role", "all")
	of(w.agent, pushBody{runs: []string{run("r4", "20", "10:03", "")}})
	told("what follows", w.agent)
	w.same("in no workspace", must(w.s.Changes(ctx, w.workspace.ID, since+5, 2))(w), store.Changes{Seq: since})
	if _, err := w.s.Changes(ctx, store.NewID(), 0, 2); err != store.ErrNotFound {
		w.Errorf("Changes of no workspace = %v, want ErrNotFound", err)
	}
}
