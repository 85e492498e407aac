package journal_test

import (
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

func at(minute int64) journal.Mark { return journal.Mark{At: minute} }

func kinds(marks []journal.Mark) string {
	var all []string
	for _, m := range marks {
		all = append(all, m.Kind)
	}
	return strings.Join(all, " ")
}

func TestJobMarks(t *testing.T) {
	var job journal.JobMarks
	var marks []journal.Mark
	for _, line := range []figs.Run{
		{State: "in-flight"}, {Result: "half"}, {Status: "warn"}, {State: "settled"}, {Status: "ok", Result: "done"}, {Status: "new word"},
	} {
		marks = append(marks, job.Next(at(1), &line))
	}
	if got, want := kinds(marks), "checkpoint checkpoint warn warn ok note"; got != want {
		t.Errorf("kinds %q, want %q", got, want)
	}
	if marks[4].Label != "done" {
		t.Errorf("the label is %q", marks[4].Label)
	}
}

func TestAskMarks(t *testing.T) {
	var ask journal.AskMarks
	ask.Line(at(5), &figs.Ask{Title: "Pay?"}, 0, true, false)
	ask.Line(at(figs.NoTime), &figs.Ask{Title: "no time of its own"}, 0, false, false) // stays after the line before it
	closed := &figs.Ask{TS: "tomorrow", Resolution: &figs.Resolution{Note: "paid", TS: "1970-01-01T00:00:00.000009Z"}}
	ask.Line(at(figs.NoTime), closed, 1, false, true)
	ask.Line(at(9), &figs.Ask{Title: "Pay now?"}, 1, true, false)
	ask.Reply(at(9), &figs.Message{Kind: "note", Text: "of the second round"}, 1)
	ask.Reply(at(7), &figs.Message{Kind: "answer", Chosen: "Later"}, 0)
	marks := ask.Sorted()
	if got, want := kinds(marks), "raise note reply raise reply close"; got != want {
		t.Fatalf("kinds %q, want %q", got, want)
	}
	if marks[2].Label != "Later" || marks[5].Label != "paid" {
		t.Errorf("labels %q, %q", marks[2].Label, marks[5].Label)
	}
	if marks[5].At != 9 || marks[5].Position.TS != closed.Resolution.TS {
		t.Errorf("a close with an unreadable time is at %d, %q, not at the time of its resolution", marks[5].At, marks[5].Position.TS)
	}
}
