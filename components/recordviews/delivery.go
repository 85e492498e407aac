package recordviews

import (
	"context"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
)

// leg is a part of a reply's way to its agent.
type leg struct {
	word string
	at   int64 // when it came so far; 0: not yet
}

// legs are the way of a verified reply, as far as it is known.
func legs(ctx context.Context, d *journal.Delivery) []leg {
	return []leg{
		{i18n.Say(ctx, "recorded"), d.Recorded},
		{i18n.Say(ctx, "picked up by a sync"), d.PickedUp},
		{i18n.Say(ctx, "confirmed: its id came back in a push"), d.Confirmed},
		{i18n.Say(ctx, "acted on: a close cites it"), d.Closed},
	}
}

// patience is how long a reply may wait for each leg before the page says so.
const patience = ui.Day

// DeliveryStuck says for how long a reply has waited for its next leg, when that is too long, and what to
// do about it; "" when all is well.
func DeliveryStuck(ctx context.Context, site ui.Site, d *journal.Delivery) (news, hint string) {
	if !site.HasClock() || d.Confirmed != 0 || d.Closed != 0 {
		return "", ""
	}
	switch {
	case d.PickedUp == 0 && d.Recorded != 0 && site.Now-d.Recorded > patience:
		return i18n.Say(ctx, "No sync has picked it up for %s.", ui.Span(ctx, site.Now-d.Recorded)),
			i18n.Say(ctx, "The agent may not be running. Start it, or have it run figs sync.")
	case d.PickedUp != 0 && site.Now-d.PickedUp > patience:
		return i18n.Say(ctx, "A sync picked it up %s ago, but no push has confirmed it.", ui.Span(ctx, site.Now-d.PickedUp)),
			i18n.Say(ctx, "The sync may have failed on the agent's side. Ask it to sync and push again.")
	}
	return "", ""
}

// jobSigns say how the job went that a reply set in motion; nothing is known of one that is not there.
func jobSigns(ctx context.Context, job *journal.Job) []ui.Sign {
	if job.Key == "" {
		return nil
	}
	return ui.RunSigns(ctx, &job.Run)
}
