package recordviews

import (
	"context"
	"strconv"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// LinksToNow are links that lead to now.
func LinksToNow(site ui.Site) ui.Links {
	if p, ok := site.Links.(ui.PinnedLinks); ok {
		return p.Links
	}
	return site.Links
}

// StepTo is the page of a line by its place in the order of writing.
func StepTo(site ui.Site, a *journal.Agent, n int) templ.SafeURL {
	return templ.SafeURL(LinksToNow(site).To("/" + a.Key + "/step?at=" + strconv.Itoa(n)))
}

// StepWords say what kind of thing a line is.
func StepWords(ctx context.Context, l *journal.StepLine) string {
	switch {
	case l.Kind == "aside":
		return i18n.Say(ctx, "A line that cannot be read")
	case l.Kind == "reply":
		return i18n.Say(ctx, "A reply")
	case l.Kind == "raise" && l.First:
		return i18n.Say(ctx, "An ask is raised")
	case l.Kind == "raise":
		return i18n.Say(ctx, "An ask is raised again")
	case l.Kind == "close":
		return i18n.Say(ctx, "An ask is closed")
	case l.Position.File == figs.Asks:
		return i18n.Say(ctx, "An ask is added to")
	case l.First && l.Flight:
		return i18n.Say(ctx, "A job begins")
	case l.Flight:
		return i18n.Say(ctx, "A job goes on")
	case l.Kind == "ok":
		return i18n.Say(ctx, "A job settles: ok")
	case l.Kind == "warn":
		return i18n.Say(ctx, "A job settles: warn")
	case l.Kind == "fail":
		return i18n.Say(ctx, "A job fails")
	}
	return i18n.Say(ctx, "A line of a job")
}
