package recordviews

import (
	"context"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/feed"
	"github.com/figs-web/figs-web/internal/journal"
)

// TestFeedWords: what the feed calls a line, an agent's history calls it too.
func TestFeedWords(t *testing.T) {
	ctx := context.Background()
	line := func(file figs.File, kind string, first, flight bool) string {
		return StepWords(ctx, &journal.StepLine{Position: journal.Position{File: file}, Kind: kind, First: first, Flight: flight})
	}
	reply := func(verdict string, verified bool) string {
		return VerdictSign(ctx, &journal.Message{Message: figs.Message{Verdict: verdict}, Verified: verified}).Word
	}
	known := map[string]string{
		"unreadable": line(figs.Runs, "aside", false, false), "reply": line(figs.Messages, "reply", true, false),
		"ask_raised": line(figs.Asks, "raise", true, false), "ask_raised_again": line(figs.Asks, "raise", false, false), "ask_closed": line(figs.Asks, "close", false, false), "ask_updated": line(figs.Asks, "note", false, false),
		"job_started": line(figs.Runs, "checkpoint", true, true), "job_continued": line(figs.Runs, "checkpoint", false, true), "job_ok": line(figs.Runs, "ok", false, false), "job_warn": line(figs.Runs, "warn", false, false),
		"job_fail": line(figs.Runs, "fail", false, false), "job_line": line(figs.Runs, "note", false, false),
		"approved": reply("approved", true), "changes_requested": reply("changes-requested", true), "declined": reply("rejected", true), "answered": reply("", true),
		"reported_approved": reply("approved", false), "reported_changes_requested": reply("changes-requested", false), "reported_declined": reply("rejected", false), "reported_answered": reply("", false),
	}
	for _, kind := range feed.Kinds() {
		if want, ok := known[kind]; !ok || feed.Word(kind) != want {
			t.Errorf("%s is called %q, want %q", kind, feed.Word(kind), want)
		}
	}
}
