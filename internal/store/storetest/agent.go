package storetest

import (
	"errors"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

const secondAgent = "0d4f2a3c-1111-4222-8333-000000000002"

func (w *fixture) loadAgent() store.Agent {
	w.Helper()
	return must(w.s.Agent(ctx, w.agent))(w)
}

func (w *fixture) countHits(agent, words string) int {
	w.Helper()
	found, err := w.s.Search(ctx, store.SearchQuery{Workspace: w.workspace.ID, Agent: agent, Text: words})
	w.ok(err)
	return len(found.Hits)
}

// actions returns the last n actions in a workspace's audit log, newest first.
func (w *fixture) actions(workspace string, n int) (list []string) {
	w.Helper()
	for _, row := range must(w.s.Audit(ctx, workspace, store.AuditQuery{N: n}))(w) {
		list = append(list, row.Action)
	}
	return list
}

// archive tests that an archived agent is read, pushed to and synced as before, and left out where all agents are meant.
func archive(w *fixture) {
	w.push(pushBody{runs: []string{aRun}, asks: []string{anAsk, aQuestion}, charter: `,"org":{"department":"Finance"}`})
	w.push(pushBody{agent: secondAgent, name: "Other", runs: []string{aRun}, asks: []string{anAsk}})
	w.same("before", []any{len(w.inbox(store.InboxQuery{})), w.countHits("", "October")}, []any{3, 2})
	for words, n := range map[string]int{" OTHER ": 1, "finance": 2, "finance other": 0, "o'ther": 0, "%": 0, " ": 3} {
		for _, mine := range []string{"", w.ana.ID} {
			if all := w.inbox(store.InboxQuery{AgentWords: words, Mine: mine}); len(all) != n && (mine == "" || n == 0) {
				w.Errorf("agents with %q have %d asks, want %d", words, len(all), n)
			}
		}
	}
	act := w.act()
	w.ok(w.s.Archive(ctx, act, w.agent, true))
	w.same("noted", w.loadAgent().Archived, act.At)
	seq := must(w.s.Seq(ctx, w.workspace.ID))(w)
	w.ok(w.s.Archive(ctx, w.act(), w.agent, true))
	w.same("again changes nothing", []any{must(w.s.Seq(ctx, w.workspace.ID))(w), w.loadAgent().Archived}, []any{seq, act.At})
	for _, q := range []store.InboxQuery{{}, {Mine: w.ana.ID}, {Mine: w.ana.ID, Tab: store.TabNeeds}, {Agent: w.agent}, {Department: "Finance"}, {Tab: store.TabWaiting}, {Tab: store.TabReported}} {
		for _, item := range w.inbox(q) {
			if strings.Contains(item, "q") {
				w.Errorf("%+v lists %s of an archived agent", q, item)
			}
		}
	}
	in := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Slice: store.Slice{N: -1}}))(w)
	roster := must(w.s.Roster(ctx, w.workspace.ID))(w)
	w.same("counted", []any{in.Total, roster.Archived, roster.Departments, roster.Agent(w.agent).Archived}, []any{1, []string{w.agent}, []string(nil), true})
	w.same("found in all, in it", []int{w.countHits("", "October"), w.countHits(w.agent, "October")}, []int{1, 1})
	done := w.push(pushBody{runs: []string{strings.Replace(aRun, "October", "November", 1)}, messages: []string{anAnswer}, charter: `,"org":{"department":"Finance"}`})
	w.same("pushed while archived", []any{done.Runs, done.Messages, w.loadAgent().Archived}, []any{1, 1, act.At})
	w.reply("mine", "a", `"kind":"verdict","verdict":"approved"`)
	w.same("its replies", w.loadAgent().Counts.Messages, 2)
	w.ok(w.s.Archive(ctx, w.act(), w.agent, false))
	w.ok(w.s.Archive(ctx, w.act(), w.agent, false))
	w.same("brought back", []any{w.loadAgent().Archived, len(w.inbox(store.InboxQuery{})), w.countHits("", "November")}, []any{int64(0), 1, 1})
	var told []string
	for _, action := range w.actions(w.workspace.ID, 50) {
		if strings.HasPrefix(action, "agent.archive") || strings.HasPrefix(action, "agent.restore") {
			told = append(told, action)
		}
	}
	w.same("audited once each", told, []string{"agent.restore", "agent.archive"})
	w.wantError(w.s.Archive(ctx, w.act(), store.NewID(), true), store.ErrNotFound)
}

// allowName tests that a push under another name is rejected and recorded, and passes once if that name is allowed.
func allowName(w *fixture) {
	w.push(pushBody{runs: []string{aRun}})
	refused := func(name string) {
		w.Helper()
		var renamed *store.RenamedError
		if _, err := w.tryPush(pushBody{name: name, runs: []string{aRun}}); !errors.As(err, &renamed) {
			w.Errorf("as %q: %v, want *Renamed", name, err)
		}
	}
	refused("Copy")
	asked := w.loadAgent()
	w.same("noted", []any{asked.RequestedName, asked.RequestedAt, asked.Name}, []any{"Copy", w.clock, "Reconciliation"})
	seq := must(w.s.Seq(ctx, w.workspace.ID))(w)
	refused("Copy")
	w.same("not twice in an hour", []any{w.loadAgent().RequestedAt, must(w.s.Seq(ctx, w.workspace.ID))(w)}, []any{asked.RequestedAt, seq})
	w.clock += 3600_000_000
	refused("Copy")
	w.same("after an hour", w.loadAgent().RequestedAt, w.clock)
	refused("Ledger")
	refused(strings.Repeat("é", 5000))
	refused("Ledger")
	w.same("the last one", w.loadAgent().RequestedName, "Ledger")
	w.wantError(w.s.AllowName(ctx, w.act(), w.agent, "Copy"), store.ErrNotFound)
	w.wantError(w.s.AllowName(ctx, w.act(), w.agent, "Reconciliation"), store.ErrNotFound)
	w.ok(w.s.AllowName(ctx, w.act(), w.agent, "Ledger"))
	w.ok(w.s.AllowName(ctx, w.act(), w.agent, ""))
	refused("Ledger")
	w.ok(w.s.AllowName(ctx, w.act(), w.agent, "Ledger"))
	refused("Copy")
	w.push(pushBody{runs: []string{strings.Replace(aRun, "October", "November", 1)}})
	w.same("the registered one passes as ever", w.loadAgent().AllowedName, "Ledger")
	done := w.push(pushBody{name: "Ledger", runs: []string{aRun}})
	a := w.loadAgent()
	w.same("passed", []any{done.Changed, a.Name, a.AllowedName, a.RequestedName, a.RequestedAt}, []any{true, "Ledger", "", "", int64(0)})
	refused("Reconciliation")
	w.same("audited", w.actions(w.workspace.ID, 4), []string{"agent.rename", "agent.rename.grant", "agent.rename.withdraw", "agent.rename.grant"})
}

// moveAgent tests that an agent moves with all of its data, and that none remains in the old workspace.
func moveAgent(w *fixture) {
	other := store.Workspace{ID: store.NewID(), Slug: "other", Name: "Other", Created: noon}
	w.ok(w.s.AddWorkspace(ctx, w.act(), other, w.ana.ID))
	pushEverything(w)
	w.push(pushBody{agent: secondAgent, name: "Stays", runs: []string{aRun}, asks: []string{anAsk}})
	w.ok(w.s.Assign(ctx, w.act(), w.agent, w.ana.ID, w.bo.ID))
	hash := store.Hash("bytes")
	must(w.s.Attach(ctx, w.act(), store.Attachment{Agent: w.agent, Name: "moves.html", SHA256: hash, Size: 5}, "xylophone"))(w)
	w.ok(w.s.AddAttachmentView(ctx, store.AttachmentView{Workspace: w.workspace.ID, Person: w.ana.ID, SHA256: hash, Ext: ".html", How: "rendered", At: 7}))
	state := must(w.s.StateHash(ctx))(w)
	pulses := func() []any {
		return []any{must(w.s.HourlyActivity(ctx, w.workspace.ID, "", -1<<40, 1<<40))(w), must(w.s.HourlyActivity(ctx, other.ID, "", -1<<40, 1<<40))(w)}
	}
	from, to := must(w.s.Seq(ctx, w.workspace.ID))(w), must(w.s.Seq(ctx, other.ID))(w)
	_, tag, err := w.s.MessagesSeq(ctx, w.agent)
	w.ok(err)
	w.wantError(w.s.MoveAgent(ctx, w.act(), w.agent, store.NewID()), store.ErrNotFound)
	w.wantError(w.s.MoveAgent(ctx, w.act(), store.NewID(), other.ID), store.ErrNotFound)
	w.ok(w.s.MoveAgent(ctx, w.act(), w.agent, w.workspace.ID))
	w.same("which change nothing", must(w.s.Seq(ctx, w.workspace.ID))(w), from)
	w.ok(w.s.MoveAgent(ctx, w.act(), w.agent, other.ID))
	a := w.loadAgent()
	w.same("it is there", []any{a.Workspace, a.Manager, a.Builder}, []any{other.ID, w.ana.ID, ""})
	if now := must(w.s.Seq(ctx, other.ID))(w); must(w.s.Seq(ctx, w.workspace.ID))(w) != from+1 || now <= to || a.Seq != now || a.MessagesSeq <= tag || a.MessagesSeq != now {
		w.Errorf("numbers: %d of the agent, %d of its replies, %d there; they were %d, %d, %d", a.Seq, a.MessagesSeq, now, from, tag, to)
	}
	w.same("state hash", must(w.s.StateHash(ctx))(w), state)
	w.same("found here and there", []int{w.countHits("", "xylophone"), w.countHits("", "October")}, []int{0, 1})
	found, err := w.s.Search(ctx, store.SearchQuery{Workspace: other.ID, Text: "xylophone"})
	w.ok(err)
	w.same("found there", len(found.Hits), 1)
	w.same("its bytes", []int{len(must(w.s.AttachmentsBySHA(ctx, w.workspace.ID, hash))(w)), len(must(w.s.AttachmentsBySHA(ctx, other.ID, hash))(w))}, []int{0, 1})
	w.same("who opened them", []int{len(must(w.s.AttachmentViews(ctx, w.workspace.ID, w.ana.ID, []string{hash}))(w)), len(must(w.s.AttachmentViews(ctx, other.ID, w.ana.ID, []string{hash}))(w))}, []int{0, 1})
	in := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: other.ID}))(w)
	left := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID}))(w)
	w.same("what needs somebody", []int{in.Total, left.Total}, []int{a.Counts.NeedsYou, 1})
	moved := pulses()
	w.reindex()
	w.same("beats are those that are derived again", pulses(), moved)
	var elsewhere *store.OtherWorkspaceError
	if _, err := w.tryPush(pushBody{runs: []string{aRun}}); !errors.As(err, &elsewhere) || elsewhere.Workspace != other.ID {
		w.Errorf("pushed to where it was: %v, want *Moved", err)
	}
	w.push(pushBody{workspace: other.ID, runs: []string{strings.Replace(aRun, "October", "December", 1)}})
	w.same("audited in both", []string{w.actions(w.workspace.ID, 1)[0], w.actions(other.ID, 1)[0]}, []string{"agent.leave", "agent.join"})
	for _, row := range append(must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{N: 1}))(w), must(w.s.Audit(ctx, other.ID, store.AuditQuery{N: 1}))(w)...) {
		w.same("neither names the other", row.Subject, w.agent)
	}
}

// moveWhilePending tests that an agent can't move while a decision is pending.
func moveWhilePending(w *fixture) {
	other := store.Workspace{ID: store.NewID(), Slug: "other", Name: "Other", Created: noon}
	w.ok(w.s.AddWorkspace(ctx, w.act(), other, w.ana.ID))
	w.push(pushBody{asks: []string{anAsk}})
	w.decide(w.decisionInput("d", "a", `"kind":"verdict","verdict":"approved"`))
	var pending *store.PendingError
	if err := w.s.MoveAgent(ctx, w.act(), w.agent, other.ID); !errors.As(err, &pending) || pending.By != w.ana.ID {
		w.Errorf("moved while a decision waits: %v, want *Pending", err)
	}
	w.clock += store.UndoWindow
	w.settle()
	w.ok(w.s.MoveAgent(ctx, w.act(), w.agent, other.ID))
	made := must(w.s.Decision(ctx, w.agent, "d"))(w)
	list, err := w.s.ListDecisions(ctx, other.ID, "", "", 5)
	w.ok(err)
	w.same("the decision came along", []any{made.Workspace, len(list), must(w.s.Record(ctx, w.agent, figs.Asks, "a"))(w).State.Phase}, []any{other.ID, 1, figs.Replied})
}
