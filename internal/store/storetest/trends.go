package storetest

import (
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

const (
	otherAgent = "0d4f2a3c-1111-4222-8333-000000000002"
	noonHour   = noon / 3600_000_000
	midnight   = noonHour - 12
	dayLong    = 86400_000000
)

func roster(w *fixture) {
	const charter = `,"org":{"department":" Finance "},"role":"Matches","avatar":{"seed":"s1"}`
	w.push(pushBody{charter: charter})
	w.push(pushBody{agent: otherAgent, name: "Audit", charter: `,"org":{"department":"Control\u0000"}`})
	first := must(w.s.Roster(ctx, w.workspace.ID))(w)
	w.same("faces, by name", first.Agents, []store.RosterAgent{
		{ID: otherAgent, Name: "Audit", Department: "Control\uFFFD", Builder: w.ana.ID},
		{ID: w.agent, Name: "Reconciliation", Role: "Matches", Department: "Finance", AvatarSeed: "s1", Builder: w.ana.ID}})
	w.same("departments", first.Departments, []string{"Control\uFFFD", "Finance"})
	w.same("admins", first.Admins, map[string]bool{w.ana.ID: true})
	w.same("of an agent", must(w.s.Agent(ctx, w.agent))(w).Department, "Finance")
	w.push(pushBody{charter: charter, runs: []string{aRun}})
	if again := must(w.s.Roster(ctx, w.workspace.ID))(w); again != first {
		w.Error("a push of records makes the roster be read again")
	}
	changed := func(what string) *store.Roster {
		w.Helper()
		now := must(w.s.Roster(ctx, w.workspace.ID))(w)
		if now == first {
			w.Errorf("the roster is the old one after %s", what)
		}
		first = now
		return now
	}
	w.ok(w.s.Assign(ctx, w.act(), w.agent, w.bo.ID, ""))
	w.same("assigned", *changed("an assignment").Agent(w.agent), store.RosterAgent{ID: w.agent, Name: "Reconciliation", Role: "Matches", Department: "Finance", AvatarSeed: "s1", Manager: w.bo.ID})
	w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, w.bo.ID, store.Admin))
	w.same("a second admin", len(changed("another role").Admins), 2)
	w.ok(w.s.RemoveMember(ctx, w.act(), w.workspace.ID, w.bo.ID))
	w.same("one left", len(changed("a member left").Admins), 1)
	w.push(pushBody{name: "Renamed", confirm: true})
	w.same("renamed", changed("another name").Agent(w.agent).Name, "Renamed")
	_, err := w.s.Roster(ctx, store.NewID())
	w.wantError(err, store.ErrNotFound)
	made := 0
	for range 2 {
		if first.Memo("key", func() any { made++; return made }) != 1 {
			w.Error("what was made once was made again")
		}
	}
}

func run(id, day, at, rest string) string {
	return fmt.Sprintf(`{"id":%q,"ts":"2026-11-%sT%s:00Z"%s}`, id, day, at, rest)
}

func tokensUsed(session string, n int) string {
	return fmt.Sprintf(`,"session":{"sessionId":%q,"tokens":{"input":%d,"output":5}}`, session, n)
}

func hourlyActivity(w *fixture) {
	w.push(pushBody{runs: []string{run("a", "19", "23:30", ""), run("b", "20", "00:30", `,"status":"fail"`), run("c", "20", "01:00", `,"state":"in-flight"`), `{"id":"d"}`},
		asks: []string{ask("q", "", "10:00")}, messages: []string{`{"id":"m","kind":"answer","ask":"q","text":"t","by":"Ana","ts":"2026-11-20T10:20:00Z"}`}})
	arrived := w.clock / 3600_000_000
	w.push(pushBody{agent: otherAgent, name: "Audit", runs: []string{run("a", "20", "00:40", `,"status":"perhaps"`)}})
	list := func(agent string, from, to int64) []store.HourCount {
		w.Helper()
		return must(w.s.HourlyActivity(ctx, w.workspace.ID, agent, from, to))(w)
	}
	mine := []store.HourCount{
		{Kind: store.ActivityRunLine, Hour: midnight - 1, N: 1}, {Kind: store.ActivityRunLine, Hour: midnight, N: 1}, {Kind: store.ActivityRunLine, Hour: midnight + 1, N: 1}, {Kind: store.ActivityRunLine, Hour: arrived, N: 1},
		{Kind: store.ActivityAskLine, Hour: midnight + 10, N: 1}, {Kind: store.ActivityReply, Hour: midnight + 10, N: 1},
		{Kind: store.ActivitySettled, Hour: midnight - 24, N: 1}, {Kind: store.ActivitySettled, Hour: midnight, N: 1}, {Kind: store.ActivitySettled, Outcome: figs.OutcomeFail, Hour: midnight, N: 1},
		{Kind: store.ActivityRaised, Hour: midnight, N: 1}}
	w.same("an agent's", list(w.agent, 0, 1<<40), mine)
	w.same("in a period", list(w.agent, midnight-24, midnight), []store.HourCount{mine[0], mine[6]})
	all := append([]store.HourCount(nil), mine...)
	all[1].N++
	all = append(all[:9], store.HourCount{Kind: store.ActivitySettled, Outcome: figs.OutcomeUnknown, Hour: midnight, N: 1}, mine[9])
	w.same("everybody's", list("", 0, 1<<40), all)
	w.same("of another workspace", must(w.s.HourlyActivity(ctx, store.NewID(), "", 0, 1<<40))(w), []store.HourCount(nil))
	// A job that settles again with another outcome moves to the other day.
	w.push(pushBody{runs: []string{run("c", "21", "01:00", `,"state":"settled","status":"warn"`), run("b", "21", "00:30", `,"status":"ok"`)}})
	var settled []store.HourCount
	for _, b := range list(w.agent, 0, 1<<40) {
		if b.Kind == store.ActivitySettled {
			settled = append(settled, b)
		}
	}
	w.same("settled", settled, []store.HourCount{mine[6], mine[7], {Kind: store.ActivitySettled, Hour: midnight + 24, N: 1}, {Kind: store.ActivitySettled, Outcome: figs.OutcomeWarn, Hour: midnight + 24, N: 1}})
	weeks := must(w.s.WeeklyJobs(ctx, w.workspace.ID, []string{otherAgent, w.agent}, noon-5*dayLong))(w)
	const week = (noon/dayLong + 3) / 7
	w.same("weeks", weeks, []store.WeekCount{{Agent: w.agent, Week: week, N: 3}, {Agent: w.agent, Week: week, Outcome: figs.OutcomeWarn, N: 1},
		{Agent: otherAgent, Week: week, Outcome: figs.OutcomeUnknown, N: 1}})
	w.same("before", must(w.s.WeeklyJobs(ctx, w.workspace.ID, []string{otherAgent, w.agent}, noon+5*dayLong))(w), []store.WeekCount(nil))
	w.same("of one", must(w.s.WeeklyJobs(ctx, w.workspace.ID, []string{otherAgent, store.NewID()}, noon-5*dayLong))(w), weeks[2:])
}

func latestJobs(w *fixture) {
	w.push(pushBody{runs: []string{run("old", "18", "10:00", `,"state":"in-flight"`), run("new", "19", "10:00", `,"state":"in-flight"`), run("ok", "17", "10:00", ""), run("ok2", "16", "10:00", "")}})
	w.push(pushBody{agent: otherAgent, name: "Audit", runs: []string{run("only", "20", "10:00", `,"status":"warn"`)}})
	names := func(settled bool) map[string]string {
		found := map[string]string{}
		for _, r := range must(w.s.LatestJobs(ctx, w.workspace.ID, []string{w.agent, otherAgent, store.NewID()}, settled))(w) {
			found[r.Agent] += r.ID + " " + fmt.Sprint(r.Outcome)
		}
		return found
	}
	w.same("in flight", names(false), map[string]string{w.agent: "new in-flight"})
	w.same("settled", names(true), map[string]string{w.agent: "ok ok", otherAgent: "only warn"})
	w.push(pushBody{runs: []string{run("new", "20", "10:00", `,"state":"settled"`)}})
	w.same("in flight, later", names(false), map[string]string{w.agent: "old in-flight"})
	w.same("settled, later", names(true)[w.agent], "new ok")
	w.same("of none", len(must(w.s.LatestJobs(ctx, w.workspace.ID, nil, true))(w)), 0)
}

func answerTimes(w *fixture) {
	reply := func(id, ask, at string) string {
		return fmt.Sprintf(`{"id":%q,"kind":"answer","ask":%q,"text":"t","by":"Ana","ts":"2026-11-20T%s:00Z"}`, id, ask, at)
	}
	w.push(pushBody{asks: []string{ask("a", "", "10:00"), ask("b", "", "10:00"), ask("c", "", "10:00"), ask("late", "", "11:00")},
		messages: []string{reply("2", "a", "10:30"), reply("1", "a", "10:10"), reply("3", "b", "10:05"), reply("4", "late", "10:59")}})
	const minute = 60_000_000
	list := func(agent string, from, to int64) []int64 {
		return must(w.s.AnswerTimes(ctx, w.workspace.ID, agent, from, to))(w)
	}
	w.same("to the first reply", list("", 0, noon), []int64{0, 5 * minute, 10 * minute})
	w.same("of the agent", list(w.agent, 0, noon), []int64{0, 5 * minute, 10 * minute})
	w.same("of another", list(otherAgent, 0, noon), []int64(nil))
	w.same("in a period", list("", noon-2*60*minute, noon-110*minute), []int64{5 * minute})
	w.reply("v", "c", `"kind":"answer","text":"t"`)
	w.same("replied here", len(list("", noon, 1<<60)), 1)
	// The wait starts with the first raise, even if the ask is raised again.
	w.push(pushBody{asks: []string{strings.Replace(ask("b", "", "11:00"), "T b", "T b again", 1)}})
	w.same("raised again", list("", 0, noon), []int64{0, 5 * minute, 10 * minute})
}

func tokenUsage(w *fixture) {
	w.push(pushBody{runs: []string{run("a", "19", "10:00", tokensUsed("s", 100)), run("b", "20", "10:00", tokensUsed("s", 300)), run("c", "20", "11:00", tokensUsed("", 7)),
		run("d", "20", "11:00", tokensUsed("", 7)), run("e", "20", "11:00", ""), run("f", "20", "11:00", `,"state":"in-flight"`+tokensUsed("x", 5000)),
		run("g", "20", "11:00", `,"session":{"tokens":{"input":-5,"output":"many","cacheRead":4503599627370496}}`)}})
	const today = noon - dayLong/2
	of := func(agent string, from, to int64) store.TokenUsage {
		return must(w.s.TokenUsage(ctx, w.workspace.ID, agent, from, to))(w)
	}
	w.same("a session once", of("", 0, today+dayLong), store.TokenUsage{Sum: 305 + 12 + 12 + 1<<40, Jobs: 5})
	w.same("in a period", of(w.agent, today-dayLong, today), store.TokenUsage{Jobs: 1})
	w.same("of another", of(otherAgent, 0, today+dayLong), store.TokenUsage{})
}

func userNames(w *fixture) {
	found := must(w.s.UserNames(ctx, []string{w.ana.ID, "", "nobody", w.bo.ID, w.ana.ID, "\x00\xff"}))(w)
	w.same("names", found, map[string]string{w.ana.ID: "Ana", w.bo.ID: "Bo"})
	w.same("of nobody", must(w.s.UserNames(ctx, nil))(w), map[string]string{})
}

func fullRecords(w *fixture) {
	w.push(pushBody{runs: []string{aRun}, asks: []string{anAsk, aQuestion}, messages: []string{anAnswer}})
	list := must(w.s.FullRecords(ctx, w.agent, figs.Asks, []string{"q", "none", "a", "q", "\x00"}))(w)
	if len(list) != 2 {
		w.Fatalf("%d asks, want 2", len(list))
	}
	for i, id := range []string{"q", "a"} {
		w.same("the same as alone", list[i], *w.record(figs.Asks, id))
	}
	w.same("replies", len(list[0].Thread), 1)
	w.same("folds", must(w.s.Folds(ctx, w.agent, figs.Asks, []string{"q", "none"}))(w), map[string][]byte{"q": []byte(aQuestion)})
	ref := store.AskRef{Agent: w.agent, Ask: "q"}
	refs := []store.AskRef{ref, {Agent: w.agent, Ask: "none"}, {Agent: store.NewID(), Ask: "a"}, {Agent: "\x00", Ask: "\x00"}}
	several := must(w.s.AskRecords(ctx, w.workspace.ID, refs))(w)
	w.same("of several agents", []any{len(several), string(several[ref].Fold), several[ref].State.Phase}, []any{1, aQuestion, list[0].State.Phase})
	w.same("of another workspace", len(must(w.s.AskRecords(ctx, store.NewID(), refs))(w)), 0)
	w.same("a reply", len(must(w.s.Folds(ctx, w.agent, figs.Messages, []string{"m", "q"}))(w)), 1)
	w.same("no runs", len(must(w.s.FullRecords(ctx, w.agent, figs.Runs, nil))(w)), 0)
	must(w.s.Attach(ctx, w.act(), store.Attachment{Agent: w.agent, Name: "loose.txt", SHA256: "s", Size: 1}, ""))(w)
	w.push(pushBody{runs: []string{`{"id":"r","attachments":["x.html"],"ts":"2026-11-20T12:30:00Z"}`}})
	files := must(w.s.FilesByName(ctx, w.agent, []string{"x.html", "loose.txt", "none", "../x"}))(w)
	w.same("files", []any{len(files), files["x.html"].Size, len(files["x.html"].Mentions), files["loose.txt"].Size}, []any{2, int64(-1), 1, int64(1)})
}

// longTabs tests that long tabs find what a person is asked, with many agents and with few.
func longTabs(w *fixture) {
	const agents = 40
	var latest []string
	for i := range agents {
		id := fmt.Sprintf("0d4f2a3c-2222-4222-8333-%012d", i)
		w.push(pushBody{agent: id, name: fmt.Sprint("Agent ", i), charter: fmt.Sprintf(`,"org":{"department":"D%d"}`, i%4), asks: []string{
			strings.Replace(ask(fmt.Sprintf("b%d", i), "builder", fmt.Sprintf("10:%02d", i)), `"to"`, `"status":"withdrawn","to"`, 1),
			strings.Replace(ask(fmt.Sprintf("m%d", i), "manager", fmt.Sprintf("11:%02d", i)), `"to"`, `"status":"resolved","to"`, 1)}})
		if i%8 == 0 {
			w.ok(w.s.Assign(ctx, w.act(), id, w.bo.ID, w.ana.ID))
			latest = append([]string{fmt.Sprintf("m%d", i)}, latest...)
		}
	}
	w.same("of few agents", w.inbox(store.InboxQuery{Tab: store.TabClosed, Mine: w.bo.ID}), latest)
	in := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Tab: store.TabClosed, Mine: w.ana.ID, Slice: store.Slice{N: 3}}))(w)
	w.same("of many", []any{itemID(&in.Items[0]), itemID(&in.Items[1]), itemID(&in.Items[2]), in.Next != "", in.Total}, []any{"m39", "m38", "m37", true, 0})
	w.same("of a department", w.inbox(store.InboxQuery{Tab: store.TabClosed, Department: "D1", Type: "question", Slice: store.Slice{N: 3}}), []string{"m37", "m33", "m29"})
	w.walkInbox("closed", store.InboxQuery{Tab: store.TabClosed})
	w.walkInbox("closed of one person", store.InboxQuery{Tab: store.TabClosed, Mine: w.bo.ID})
	w.walkInbox("closed of a department", store.InboxQuery{Tab: store.TabClosed, Department: "D1"})
	w.same("of a department and of somebody", w.inbox(store.InboxQuery{Tab: store.TabClosed, Department: "D0", Mine: w.bo.ID, Slice: store.Slice{N: 2}}), latest[:2])
	w.same("of a department that is not there", w.inbox(store.InboxQuery{Tab: store.TabClosed, Department: "D9"}), []string(nil))
	w.same("past the end", w.inbox(store.InboxQuery{Tab: store.TabClosed, Mine: w.bo.ID, Slice: store.Slice{After: "1..LTE"}}), []string(nil))
	w.same("only counted", len(must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Tab: store.TabClosed, Slice: store.Slice{N: -1}}))(w).Items), 0)
}
