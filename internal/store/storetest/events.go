package storetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// changedRecords tests what is told of records and replies that changed.
func changedRecords(w *fixture) {
	const second = "0d4f2a3c-1111-4222-8333-000000000002"
	told := func(what, agent string, since int64, most int, want ...string) {
		w.Helper()
		list, more, err := w.s.ChangedRecords(ctx, w.workspace.ID, agent, since, most)
		w.ok(err)
		got := []string{fmt.Sprint(more)}
		for _, c := range list {
			name := c.File.String() + " " + c.ID
			if c.Agent != w.agent {
				name = "second " + name
			}
			if got = append(got, name); (c.Reply != nil) != (c.File == figs.Messages) || c.Reply != nil && string(c.Reply.Line) == "" {
				w.Errorf("%s: %s has the reply %+v", what, name, c.Reply)
			}
			if c.Seq <= since {
				w.Errorf("%s: %s of %d, after %d", what, name, c.Seq, since)
			}
		}
		w.same(what, strings.Join(got, ", "), strings.Join(want, ", "))
	}
	seq := func() int64 { return must(w.s.Seq(ctx, w.workspace.ID))(w) }
	told("nothing", "", 0, 10, "false")
	w.push(pushBody{runs: []string{run("r1", "20", "10:00", ""), run("r2", "20", "10:01", "")}, asks: []string{aQuestion}})
	first := seq()
	told("of the first push", "", 0, 10, "false", "asks.jsonl q", "runs.jsonl r2", "runs.jsonl r1")
	told("more than are asked for", "", 0, 2, "true", "asks.jsonl q", "runs.jsonl r2")
	w.push(pushBody{runs: []string{run("r1", "20", "10:02", `,"status":"fail"`)}, messages: []string{anAnswer}})
	list, _, err := w.s.ChangedRecords(ctx, w.workspace.ID, "", first, 10)
	w.ok(err)
	if !slices.ContainsFunc(list, func(c store.ChangedRecord) bool { return c.ID == "r1" }) || !slices.ContainsFunc(list, func(c store.ChangedRecord) bool { return c.Reply != nil && c.ID == "m" }) || slices.ContainsFunc(list, func(c store.ChangedRecord) bool { return c.ID == "r2" }) {
		w.Errorf("after the second push: %+v, want r1 and the reply, and not r2", list)
	}
	was := w.agent
	w.agent = second
	w.push(pushBody{runs: []string{run("other", "20", "10:03", "")}})
	w.agent = was
	told("of one agent", second, 0, 10, "false", "second runs.jsonl other")
	told("of no agent", "none", 0, 10, "false")
	told("after everything", "", seq(), 10, "false")
	list, more, err := w.s.ChangedRecords(ctx, store.NewID(), "", 0, 10)
	w.same("in no workspace", []any{len(list), more, err}, []any{0, false, nil})
}
