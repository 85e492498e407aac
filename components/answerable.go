package components

import (
	"context"
	"slices"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// asksMe reports whether an ask is addressed to the current viewer. Offline the viewer is unknown, so every ask is.
func (s Site) asksMe(ask *journal.Ask) bool {
	return s.Shell == nil || slices.ContainsFunc(ask.AskedOf, func(p journal.Person) bool { return p.ID == s.Shell.Person.ID })
}

// askSignFor is askSign for the current viewer: "needs others" when the ask is addressed to someone else, "open" when it is
// addressed to no one, as for an archived agent.
func askSignFor(ctx context.Context, site Site, ask *journal.Ask) sign {
	switch {
	case ask.State.Phase != figs.NeedsYou || site.asksMe(ask):
		return askSign(ctx, ask)
	case len(ask.AskedOf) == 0:
		return sign{"note", say(ctx, "open")}
	}
	return sign{"wait", say(ctx, "needs others")}
}

// needsNews is the headline where n asks of an agent need a human; asks are those that are known.
func needsNews(ctx context.Context, site Site, a *journal.Agent, n int, asks []journal.Ask) string {
	mine := n
	for i := range asks {
		if !site.asksMe(&asks[i]) {
			mine--
		}
	}
	switch {
	case a.Hosted != nil && a.Hosted.Archived != 0:
		return say(ctx, "Nothing needs you")
	case site.Shell == nil:
		return openNews(ctx, n, asks)
	case mine >= n:
		return waitsNews(ctx, n, "", asks)
	case mine <= 0:
		return countSpelled(ctx, n, "Nothing needs you, one decision waits for others", "Nothing needs you, %s decisions wait for others")
	}
	return say(ctx, "%s, %s for others", waitsNews(ctx, mine, "decision", nil), lowered(spelled(ctx, n-mine)))
}

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
	return slices.ContainsFunc(members, func(m journal.Person) bool { return m.ID == p.ID })
}
