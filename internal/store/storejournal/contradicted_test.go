package storejournal_test

import (
	"testing"

	"github.com/figs-web/figs-web/internal/journal"
)

// TestContradicted tests that the overview and the list of asks name who denied what the agent reported, until the agent
// raises the ask again.
func TestContradictedBy(t *testing.T) {
	o := newTestWorkspace(t)
	const asks = `"asks":[{"id":"a","type":"sign-off","title":"A","ts":"2026-11-20T10:00:00Z"},{"id":"b","type":"sign-off","title":"B","ts":"2026-11-20T10:01:00Z"},{"id":"c","type":"sign-off","title":"C","ts":"2026-11-20T10:02:00Z"}]`
	o.push(first, matching, ","+asks+`,"messages":[{"id":"ra","kind":"verdict","ask":"a","by":"Ana","verdict":"approved","ts":"2026-11-20T11:00:00Z"},{"id":"rb","kind":"verdict","ask":"b","by":"Ana","verdict":"approved","ts":"2026-11-20T11:00:00Z"}]`)
	check := func(when string, want map[string]string) {
		t.Helper()
		list, view := map[string]string{}, map[string]string{}
		for _, ask := range noError(o.j.Asks(ctx, first, journal.Query{}))(o).Items {
			list[ask.Ask.ID] = ask.Contradicted
		}
		overview := noError(o.j.Overview(ctx, first))(o)
		for _, ask := range append(overview.Needs, overview.Waiting...) {
			view[ask.Ask.ID] = ask.Contradicted
		}
		o.same(when+", in the list", list, want)
		o.same(when+", on the first view", view, want)
	}
	check("reported", map[string]string{"a": "", "b": "", "c": ""})
	var last int64
	for ask, verdict := range map[string]string{"a": "changes-requested", "b": "approved", "c": "changes-requested"} {
		last = max(last, o.decide(o.ana, "v"+ask, ask, verdict).Effective)
	}
	noError(o.s.Settle(ctx, last))(o)
	check("a is contradicted, b confirmed, of c nothing was reported", map[string]string{"a": "Ana", "b": "", "c": ""})
	o.push(first, matching, `,"asks":[{"id":"a","type":"sign-off","title":"A, done again","ts":"2026-11-20T19:00:00Z"}]`)
	check("raised again", map[string]string{"a": "", "b": "", "c": ""})
}
