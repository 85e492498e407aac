package components

import (
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// recordAt is the address of a record that a finding or a refusal names, "" where it has no page.
func (s Site) recordAt(agent string, file figs.File, id string) templ.SafeURL {
	switch {
	case id == "":
		return ""
	case file == figs.Runs:
		return s.to(agent, "jobs", journal.Segment(id))
	case file == figs.Asks:
		return s.to(agent, "asks", journal.Segment(id))
	case file == figs.Messages:
		return s.to(agent, "messages")
	}
	return ""
}

// recordWord is what a line of a ledger is about.
func recordWord(ctx context.Context, file figs.File) string {
	switch file {
	case figs.Runs:
		return say(ctx, "job")
	case figs.Asks:
		return say(ctx, "ask")
	case figs.Messages:
		return say(ctx, "reply")
	}
	return say(ctx, "record")
}

// isMember reports whether a person can still be chosen.
func isMember(members []journal.Person, p journal.Person) bool {
	for _, m := range members {
		if m.ID == p.ID {
			return true
		}
	}
	return false
}
