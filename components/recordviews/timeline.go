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
		return i18n.Say(ctx, "Unreadable line")
	case l.Kind == "reply":
		return i18n.Say(ctx, "Reply recorded")
	case l.Kind == "raise" && l.First:
		return i18n.Say(ctx, "Ask raised")
	case l.Kind == "raise":
		return i18n.Say(ctx, "Ask raised again")
	case l.Kind == "close":
		return i18n.Say(ctx, "Ask closed")
	case l.Position.File == figs.Asks:
		return i18n.Say(ctx, "Ask updated")
	case l.First && l.Flight:
		return i18n.Say(ctx, "Job started")
	case l.Flight:
		return i18n.Say(ctx, "Job continued")
	case l.Kind == "ok":
		return i18n.Say(ctx, "Job settled: OK")
	case l.Kind == "warn":
		return i18n.Say(ctx, "Job settled: warning")
	case l.Kind == "fail":
		return i18n.Say(ctx, "Job failed")
	}
	return i18n.Say(ctx, "Job line")
}
