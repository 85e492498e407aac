package recordviews

import (
	"context"
	"slices"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// asksMe reports whether an ask is addressed to the current viewer. Offline the viewer is unknown, so every ask is.
func asksMe(s ui.Site, ask *journal.Ask) bool {
	return s.Shell == nil || slices.ContainsFunc(ask.AskedOf, func(p journal.Person) bool { return p.ID == s.Shell.Person.ID })
}

// AskSignFor is AskSign for the current viewer: "needs someone else" when the ask is addressed to someone else, "open" when it is
// addressed to no one, as for an archived agent.
func AskSignFor(ctx context.Context, site ui.Site, ask *journal.Ask) ui.Sign {
	switch {
	case ask.State.Phase != figs.NeedsYou || asksMe(site, ask):
		return ui.AskSign(ctx, ask)
	case len(ask.AskedOf) == 0:
		return ui.Sign{Kind: "note", Word: i18n.Say(ctx, "open")}
	}
	return ui.Sign{Kind: "wait", Word: i18n.Say(ctx, "needs someone else")}
}

// NeedsNews is the headline where n asks of an agent need a human; asks are those that are known.
func NeedsNews(ctx context.Context, site ui.Site, a *journal.Agent, n int, asks []journal.Ask) string {
	mine := n
	for i := range asks {
		if !asksMe(site, &asks[i]) {
			mine--
		}
	}
	switch {
	case a.Hosted != nil && a.Hosted.Archived != 0:
		return i18n.Say(ctx, "Nothing needs you")
	case site.Shell == nil:
		return OpenNews(ctx, n, asks)
	case mine >= n:
		return WaitsNews(ctx, n, "", asks)
	case mine <= 0:
		return i18n.CountWords(ctx, n, "Nothing needs you, one decision waits for others", "Nothing needs you, %s decisions wait for others")
	}
	return i18n.Say(ctx, "%s, %s for others", WaitsNews(ctx, mine, "decision", nil), ui.LowerFirst(i18n.NumberWord(ctx, n-mine)))
}

// recordAt is the address of a record that a finding or a refusal names, "" where it has no page.
func recordAt(s ui.Site, agent string, file figs.File, id string) templ.SafeURL {
	switch {
	case id == "":
		return ""
	case file == figs.Runs:
		return s.Href(agent, "jobs", journal.Segment(id))
	case file == figs.Asks:
		return s.Href(agent, "asks", journal.Segment(id))
	case file == figs.Messages:
		return s.Href(agent, "messages")
	}
	return ""
}

// recordWord is what a line of a ledger is about.
func recordWord(ctx context.Context, file figs.File) string {
	switch file {
	case figs.Runs:
		return i18n.Say(ctx, "job")
	case figs.Asks:
		return i18n.Say(ctx, "ask")
	case figs.Messages:
		return i18n.Say(ctx, "reply")
	}
	return i18n.Say(ctx, "record")
}

// isMember reports whether a person can still be chosen.
func isMember(members []journal.Person, p journal.Person) bool {
	return slices.ContainsFunc(members, func(m journal.Person) bool { return m.ID == p.ID })
}
