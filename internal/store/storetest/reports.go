package storetest

import (
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/internal/store"
)

// reports tests what reports count: outcomes, rounds, waits, attachments that weren't viewed, reported approvals that were
// denied, and approvals whose job failed.
func reports(w *fixture) {
	const reviewed = `,"reviewed":[{"name":"a.html","opened":true,"how":"screen"},{"name":"b.html","waived":true,"reason":"known"}]`
	w.push(pushBody{runs: []string{run("r", "20", "09:00", `,"state":"in-flight"`)}, asks: []string{anAsk, aQuestion}})
	from := w.clock
	facts := func() (all []string) {
		w.Helper()
		for _, f := range must(w.s.DecisionFacts(ctx, w.workspace.ID, from, w.clock+1))(w) {
			if f.Agent != w.agent || f.Person != w.ana.ID {
				w.Errorf("a decision of %s for %s", f.Person, f.Agent)
			}
			all = append(all, fmt.Sprintf("outcome %d, round %d, waited %g s, %d unviewed, failed %t", f.Outcome, f.Round, float64(f.Waited)/1e6, f.Unviewed, f.JobFailed))
		}
		return all
	}
	d := w.decisionInput("c", "a", `"kind":"verdict","verdict":"changes-requested","text":"Wrong month"`)
	w.decide(d)
	w.same("a pending decision isn't counted", facts(), []string(nil))
	w.settle()
	first := fmt.Sprintf("outcome 3, round 1, waited %d s, -1 unviewed, failed false", (w.clock-store.UndoWindow-(noon-7200_000000))/1_000_000)
	w.same("changes", facts(), []string{first})
	all := must(w.s.DecisionFacts(ctx, w.workspace.ID, from, w.clock+1))(w)
	w.same("its title and note", must(w.s.DecisionTitles(ctx, w.workspace.ID, []int64{all[0].No, 1 << 40}))(w), map[int64]store.ReportTitle{all[0].No: {Ask: "a", Title: "Send it", Note: "Wrong month"}})
	w.same("not for another workspace", must(w.s.DecisionTitles(ctx, store.NewID(), []int64{all[0].No}))(w), map[int64]store.ReportTitle{})

	raised := w.clock
	w.push(pushBody{asks: []string{strings.Replace(strings.Replace(anAsk, "Send it", "Send all", 1), "2026-11-20T10:00:00Z", timestamp(raised), 1)}})
	w.clock += 60_000_000
	w.decide(w.decisionInput("v", "a", approves+reviewed))
	second := fmt.Sprintf("outcome 2, round 2, waited %d s, 1 unviewed, failed false", (w.clock-raised)/1_000_000)
	w.settle()
	w.same("approved", facts(), []string{first, second})

	w.clock += 1_000_000
	w.push(pushBody{messages: []string{`{"id":"t","kind":"verdict","verdict":"approved","ask":"b","by":"Ana","ts":"` + timestamp(w.clock) + `"}`},
		asks: []string{strings.Replace(strings.Replace(anAsk, `"a"`, `"b"`, 1), `,"run":"r"`, "", 1)}})
	w.clock += 5_000_000
	w.decide(w.decisionInput("no", "b", `"kind":"verdict","verdict":"rejected","text":"I did not say this."`))
	w.settle()
	third := "outcome 5, round 1, waited -1e-06 s, -1 unviewed, failed false"
	w.same("contradicted", facts(), []string{first, second, third})

	w.clock += 60_000_000
	w.push(pushBody{runs: []string{`{"id":"r","ts":"` + timestamp(w.clock) + `","state":"settled","status":"fail"}`}})
	w.same("the job failed", facts(), []string{first, strings.Replace(second, "false", "true", 1), third})
	const today = noon - 12*3600_000_000
	w.same("jobs", must(w.s.JobCounts(ctx, w.workspace.ID, nil, today, today+dayLong))(w), []store.JobCount{{Agent: w.agent, Settled: 1, Failed: 1}})
	w.same("jobs of agents", must(w.s.JobCounts(ctx, w.workspace.ID, []string{w.agent, otherAgent}, today, today+dayLong))(w), []store.JobCount{{Agent: w.agent, Settled: 1, Failed: 1}})
	w.same("jobs of no agent", must(w.s.JobCounts(ctx, w.workspace.ID, []string{}, today, today+dayLong))(w), []store.JobCount(nil))
	w.same("failed jobs", must(w.s.FailedJobs(ctx, w.workspace.ID, today, today+dayLong))(w), []store.JobCount{{Agent: w.agent, Failed: 1}})
	w.same("failed jobs of another workspace", must(w.s.FailedJobs(ctx, store.NewID(), today, today+dayLong))(w), []store.JobCount(nil))
	w.same("jobs of the day before", must(w.s.JobCounts(ctx, w.workspace.ID, nil, today-dayLong, today))(w), []store.JobCount(nil))

	open := must(w.s.OpenAskFacts(ctx, w.workspace.ID, w.clock))(w)
	if len(open) != 1 || open[0].Agent != w.agent || open[0].Since != noon-5400_000000 || len(open[0].People) != 1 || open[0].People[0] != w.ana.ID {
		w.Errorf("open asks: %+v", open)
	}
	w.same("its title", must(w.s.AskTitles(ctx, w.workspace.ID, []int64{open[0].No}))(w), map[int64]store.ReportTitle{open[0].No: {Ask: "q", Title: "Which?"}})
	w.same("of another workspace", must(w.s.DecisionFacts(ctx, store.NewID(), 0, 1<<60))(w), []store.DecisionFacts(nil))
}
