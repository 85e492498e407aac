package storetest

import (
	"fmt"

	"github.com/figs-web/figs-web/internal/store"
)

// agentFigures checks that figures are those of the agents themselves, also after a change.
func agentFigures(w *fixture) {
	figures := func() (out map[string]string) {
		w.Helper()
		out = map[string]string{}
		all := must(w.s.AgentFigures(ctx, w.workspace.ID))(w)
		agents := must(w.s.ListAgents(ctx, w.workspace.ID))(w)
		w.same("agents", len(all), len(agents))
		for _, a := range agents {
			f := all[a.ID]
			w.same("figures of "+a.Name, f, store.AgentFigures{Jobs: a.Counts.Jobs, InFlight: a.Counts.InFlight, Needs: a.Counts.NeedsYou, Outcome: f.Outcome, OldestNeed: a.OldestNeed, Last: a.Last,
				Pushed: a.Pushed, Registered: a.Registered, Archived: a.Archived})
			out[a.ID] = fmt.Sprintf("%d jobs, %d needs, %v", f.Jobs, f.Needs, f.Outcome)
		}
		return out
	}
	w.push(pushBody{runs: []string{run("a", "18", "10:00", `,"state":"in-flight"`)}, asks: []string{ask("q", "", "10:00")}})
	w.push(pushBody{agent: otherAgent, name: "Audit", runs: []string{run("b", "20", "10:00", `,"status":"fail"`), run("c", "19", "10:00", "")}})
	w.same("at first", figures(), map[string]string{w.agent: "1 jobs, 1 needs, in-flight", otherAgent: "2 jobs, 0 needs, fail"})
	w.push(pushBody{agent: otherAgent, name: "Audit", runs: []string{run("d", "21", "10:00", `,"status":"warn"`)}})
	w.ok(w.s.Archive(ctx, w.act(), w.agent, true))
	w.same("later", figures(), map[string]string{w.agent: "1 jobs, 1 needs, in-flight", otherAgent: "3 jobs, 0 needs, warn"})
	some := must(w.s.SomeAgents(ctx, w.workspace.ID, []string{otherAgent, store.NewID()}))(w)
	w.same("some", []any{len(some), some[0]}, []any{1, must(w.s.Agent(ctx, otherAgent))(w)})
	elsewhere := store.NewID()
	w.same("of another workspace", len(must(w.s.SomeAgents(ctx, elsewhere, []string{otherAgent}))(w)), 0)
	_, err := w.s.AgentFigures(ctx, elsewhere)
	w.wantError(err, store.ErrNotFound)
}
