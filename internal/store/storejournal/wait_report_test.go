package storejournal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

const aMinute = 60_000_000

// TestWaitReport tests that an agent's wait report has the same waits as the ask's page.
func TestWaitReport(t *testing.T) {
	o := newTestWorkspace(t)
	o.push(first, matching, `,"runs":[{"id":"r","ts":"2026-11-20T10:30:00Z","state":"in-flight"}],
		"asks":[{"id":"a","type":"question","title":"A","run":"r","ts":"2026-11-20T10:00:00Z"},{"id":"b","type":"question","title":"B","ts":"2026-11-20T10:50:00Z"}],
		"messages":[{"id":"m","kind":"answer","ask":"b","by":"Bo","text":"t","ts":"2026-11-20T11:10:00Z"},{"id":"n","kind":"verdict","verdict":"changes-requested","ask":"a","by":"Bo","text":"t","ts":"2026-11-20T11:00:00Z"}]`)
	o.push(first, matching, `,"asks":[{"id":"b","status":"resolved","resolution":{"answer":"m","ts":"2026-11-20T11:20:00Z"}}]`)
	idle := noError(o.j.WaitReport(ctx, first, journal.Query{}))(o)
	o.same("in all", idle.WaitSummary, figs.WaitSummary{Asks: 2, Sum: 80 * aMinute, Union: 70 * aMinute, Held: 30 * aMinute})
	o.same("months", []any{len(idle.Months), idle.Months[0].Union}, []any{1, int64(70 * aMinute)})
	o.same("most costly first", []any{len(idle.LongestWaits.Items), idle.LongestWaits.Items[0].Ask.ID, idle.LongestWaits.Items[1].State.Phase}, []any{2, "a", figs.Resolved})
	page := noError(o.j.WaitReport(ctx, first, journal.Query{N: 1}))(o).LongestWaits
	next := noError(o.j.WaitReport(ctx, first, journal.Query{N: 1, After: page.Next}))(o).LongestWaits
	o.same("a page", []any{next.Items[0].Ask.ID, next.From, next.Prev != "", next.Next}, []any{"b", 1, true, ""})
	ask := noError(o.j.Ask(ctx, first, "a"))(o)
	o.same("its page", figs.NewWaitCounter(o.clock).Add(ask.Waits, ask.Flights), figs.WaitSummary{Asks: 1, Sum: 60 * aMinute, Union: 60 * aMinute, Held: 30 * aMinute})
	if _, err := o.j.WaitReport(ctx, "none", journal.Query{}); err == nil {
		t.Error("an agent that is not there has waited")
	}
}

// TestResolvedFindings tests that a push that fixes a finding moves it to the resolved ones.
func TestResolvedFindings(t *testing.T) {
	o := newTestWorkspace(t)
	o.push(first, matching, `,"runs":[{"id":"r","ts":"2026-11-20T10:00:00Z","status":"ok","session":{"tokens":{"in":"many"}}}],"asks":[{"id":"a","type":"question","title":"A","run":"nowhere","ts":"2026-11-20T10:00:00Z"}]`)
	before := noError(o.j.Findings(ctx, first, journal.Query{}))(o)
	o.push(first, matching, `,"asks":[{"id":"a","run":"r","ts":"2026-11-20T10:05:00Z"}]`)
	after := noError(o.j.Findings(ctx, first, journal.Query{}))(o)
	if after.ResolvedTotal != before.ResolvedTotal+1 {
		t.Fatalf("%d were mended, then %d: %+v", before.ResolvedTotal, after.ResolvedTotal, after.Resolved)
	}
	m := after.Resolved[0]
	o.same("it", []any{m.Code, m.Record, m.Line, m.By}, []any{figs.AskRunUnknown, "a", 0, figs.Position{File: "asks.jsonl"}})
	list := noError(o.j.Findings(ctx, first, journal.Query{State: journal.StateResolved}))(o)
	o.same("its own list", []any{len(list.Resolved), list.Total, len(list.Items)}, []any{1, 1, 0})
}

// TestNewestResolved tests that the newest records of a long agent, with the jobs that its asks name, have the resolved
// findings that they have among all.
func TestNewestResolved(t *testing.T) {
	o := newTestWorkspace(t)
	runs := []string{`{"id":"r","ts":"2026-11-20T08:00:00Z","status":"ok","session":{"tokens":{"in":"many"}}}`, `{"id":"old","ts":"2026-11-20T08:00:00Z","status":7}`}
	for i := range 230 {
		runs = append(runs, fmt.Sprintf(`{"id":"r%d","ts":"2026-11-20T09:%02d:00Z","status":"ok"}`, i, i%60))
	}
	const ask = `{"id":"a","type":"question","title":"A","run":"nowhere","ts":"2026-11-20T10:00:00Z"}`
	o.push(first, matching, `,"runs":[`+strings.Join(runs, ",")+`],"asks":[`+ask+`]`)
	o.push(first, matching, `,"runs":[{"id":"r7","status":"wrong","ts":"2026-11-20T10:01:00Z"}]`)
	o.push(first, matching, `,"runs":[{"id":"r7","status":"ok","ts":"2026-11-20T10:05:00Z"}],"asks":[{"id":"a","run":"r","ts":"2026-11-20T10:05:00Z"}]`)
	o.push(first, matching, `,"messages":[{"id":"m","kind":"answer","ask":"a","by":"Ana","ts":"2026-11-20T10:06:00Z","text":"t"}]`)
	all := noError(o.j.Findings(ctx, first, journal.Query{State: journal.StateResolved}))(o)
	newest := noError(o.j.NewestResolved(ctx, first, journal.Query{}))(o)
	o.same("resolved findings", newest.Resolved, all.Resolved)
	o.same("their number", []int{newest.ResolvedTotal, newest.ResolvedAmong}, []int{len(all.Resolved), 200 + 1 + 1})
	if len(all.Resolved) < 2 {
		t.Errorf("only %+v", all.Resolved)
	}
}
