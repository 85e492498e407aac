package storetest

import (
	"errors"
	"fmt"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// attach attaches bytes.
func (w *fixture) attach(agent, name, sha256 string) {
	w.Helper()
	_, err := w.s.Attach(ctx, w.act(), store.Attachment{Agent: agent, Name: name, SHA256: sha256, Size: 1}, "words "+name)
	w.ok(err)
}

// deletedWorkspaces tests that a deleted workspace can be restored with everything, and that a purged one keeps only its
// audit log.
func deletedWorkspaces(w *fixture) {
	w.push(pushBody{runs: []string{aRun}, asks: []string{anAsk, aQuestion}, messages: []string{anAnswer}})
	w.reply("v", "a", `"kind":"verdict","verdict":"approved"`)
	w.attach(w.agent, "mine.txt", "aa")
	w.attach(w.agent, "shared.txt", "bb")
	other := store.Workspace{ID: store.NewID(), Slug: "other", Name: "Other"}
	w.ok(w.s.AddWorkspace(ctx, w.act(), other, w.ana.ID))
	neighbour := "0d4f2a3c-1111-4222-8333-00000000000b"
	w.push(pushBody{workspace: other.ID, agent: neighbour, name: "Other", runs: []string{aRun}})
	w.attach(neighbour, "shared.txt", "bb")

	id := w.workspace.ID
	before := must(w.s.StateHash(ctx))(w)
	w.wantError(w.s.RestoreWorkspace(ctx, w.act(), id), store.ErrNotFound)
	w.wantError(w.s.PurgeWorkspace(ctx, w.act(), id), store.ErrNotFound)
	w.ok(w.s.DeleteWorkspace(ctx, w.act(), id))
	w.same("memberships", len(must(w.s.Memberships(ctx, w.ana.ID))(w)), 1)
	w.ok(w.s.RestoreWorkspace(ctx, w.act(), id))
	w.wantError(w.s.RestoreWorkspace(ctx, w.act(), id), store.ErrNotFound)
	w.same("restored", []any{must(w.s.StateHash(ctx))(w), must(w.s.Role(ctx, id, w.bo.ID))(w)}, []any{before, store.Member})

	w.ok(w.s.DeleteWorkspace(ctx, w.act(), id))
	purge := w.act()
	w.ok(w.s.PurgeWorkspace(ctx, purge, id))
	waiting := []store.BlobRemoval{{SHA256: "aa", At: purge.At}, {SHA256: "bb", At: purge.At}}
	w.same("to remove", must(w.s.BlobRemovals(ctx, id))(w), waiting)
	if _, err := w.s.RemoveBlob(ctx, "aa", func() error { return errUnlucky }); !errors.Is(err, errUnlucky) {
		w.Errorf("removing the bytes: %v, want %v", err, errUnlucky)
	}
	w.same("still to remove", must(w.s.BlobRemovals(ctx, ""))(w), waiting)
	w.same("nobody has them", must(w.s.RemoveBlob(ctx, "aa", func() error { return nil }))(w), true)
	w.same("the neighbour has them", must(w.s.RemoveBlob(ctx, "bb", func() error { return errUnlucky }))(w), false)
	w.same("left to remove", len(must(w.s.BlobRemovals(ctx, ""))(w)), 0)
	left := must(w.s.Workspace(ctx, id))(w)
	if !left.Purged() || left.Name != "" || left.Slug != id || left.Deleted == 0 {
		w.Errorf("the tombstone is %+v", left)
	}
	_, err := w.s.Workspace(ctx, "acme")
	w.wantError(err, store.ErrNotFound)
	_, err = w.s.Agent(ctx, w.agent)
	w.wantError(err, store.ErrNotFound)
	w.wantError(w.s.RestoreWorkspace(ctx, w.act(), id), store.ErrNotFound)
	w.wantError(w.s.PurgeWorkspace(ctx, w.act(), id), store.ErrNotFound)
	found, err := w.s.Search(ctx, store.SearchQuery{Workspace: other.ID, Text: "October"})
	w.ok(err)
	w.same("hits elsewhere", len(found.Hits), 1)
	chain := must(w.s.VerifyAudit(ctx, id))(w)
	audit := must(w.s.Audit(ctx, id, store.AuditQuery{N: 1}))(w)
	if chain.Broken != 0 || audit[0].Action != "workspace.purge" || audit[0].Subject != id {
		w.Errorf("the audit is %+v and ends with %+v", chain, audit[0])
	}
	// Its slug and its agents' ids are free.
	w.ok(w.s.AddWorkspace(ctx, w.act(), store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Again"}, w.ana.ID))
	w.push(pushBody{workspace: other.ID, runs: []string{aRun}})
}

// exportRecorder records what it is given.
type exportRecorder struct {
	said []string
	stop error
}

func (t *exportRecorder) record(format string, args ...any) error {
	t.said = append(t.said, fmt.Sprintf(format, args...))
	return t.stop
}

func (t *exportRecorder) Agent(id, name string, _ []byte) error {
	return t.record("agent %s %s", id, name)
}
func (t *exportRecorder) Line(file figs.File, id string, v figs.Version) error {
	return t.record("%v %s %s %t", file, id, v.Line, v.Snapshot)
}
func (t *exportRecorder) Attachment(a store.Attachment) error {
	return t.record("attachment %s %s", a.Name, a.SHA256)
}
func (t *exportRecorder) Erased(e store.ExportedErasure) error {
	return t.record("erased %d %s", e.Kind, e.ID)
}

// exports tests that an agent's lines are exported in order of arrival.
func exports(w *fixture) {
	one, two := `{"id":"r","ts":"2026-11-20T10:00:00Z"}`, `{"id":"s","ts":"2026-11-20T10:00:00Z"}`
	w.push(pushBody{runs: []string{one, two}})
	w.push(pushBody{runs: []string{`{"id":"r","ts":"2026-11-20T10:00:00Z","result":"x"}`}, asks: []string{aQuestion}, messages: []string{anAnswer}})
	w.attach(w.agent, "a.txt", "aa")
	w.push(pushBody{agent: "0d4f2a3c-1111-4222-8333-00000000000b", name: "Other"})
	first := []string{"agent " + w.agent + " Reconciliation",
		fmt.Sprintf("%v r %s true", figs.Runs, one), fmt.Sprintf("%v s %s true", figs.Runs, two), fmt.Sprintf(`%v r {"id":"r","result":"x"} true`, figs.Runs),
		fmt.Sprintf("%v q %s true", figs.Asks, aQuestion), fmt.Sprintf("%v  %s false", figs.Messages, must(w.s.Message(ctx, w.agent, "m"))(w).Line), "attachment a.txt aa"}
	t := &exportRecorder{}
	w.ok(w.s.Export(ctx, w.workspace.ID, w.agent, t))
	w.same("one agent", t.said, first)
	t = &exportRecorder{}
	w.ok(w.s.Export(ctx, w.workspace.ID, "", t))
	w.same("both", t.said, append(first, "agent 0d4f2a3c-1111-4222-8333-00000000000b Other"))
	stop := errors.New("enough")
	w.wantError(w.s.Export(ctx, w.workspace.ID, "", &exportRecorder{stop: stop}), stop)
	w.wantError(w.s.Export(ctx, w.workspace.ID, "none", t), store.ErrNotFound)
	w.wantError(w.s.Export(ctx, "none", w.agent, t), store.ErrNotFound)

	size := must(w.s.ExportSize(ctx, w.workspace.ID, w.agent))(w)
	if size.LineBytes < 100 {
		w.Errorf("the lines have %d bytes", size.LineBytes)
	}
	size.LineBytes = 0
	w.same("size", size, store.ExportSize{Agents: 1, Runs: 2, Asks: 1, Messages: 1, Lines: 5, Files: 1, FileBytes: 1})
	w.same("of both", must(w.s.ExportSize(ctx, w.workspace.ID, ""))(w).Agents, 2)
	size.Lines = 0
	w.same("counts", must(w.s.ExportCounts(ctx, w.workspace.ID, w.agent))(w), size)
	_, err := w.s.ExportSize(ctx, "none", w.agent)
	w.wantError(err, store.ErrNotFound)
	w.ok(w.s.AuditExport(ctx, w.act(), w.workspace.ID, w.agent))
	w.wantError(w.s.AuditExport(ctx, w.act(), "none", w.agent), store.ErrNotFound)
	row := must(w.s.Audit(ctx, w.workspace.ID, store.AuditQuery{N: 1}))(w)[0]
	w.same("audit", []string{row.Action, row.Subject, row.By}, []string{"agent.export", w.agent, w.ana.ID})
}
