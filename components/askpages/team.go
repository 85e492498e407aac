package askpages

import (
	"context"

	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/internal/journal"
)

// askSign is the status of an ask on its page: who has it from a colleague is needed like who was asked.
func askSign(ctx context.Context, site ui.Site, ask *journal.Ask, b *viewer.ReplyBar) ui.Sign {
	if ui.Served && b != nil && b.Team != nil && b.Team.Handover != nil && b.Team.Handover.Mine && b.Team.Handover.CanReply {
		return ui.AskSign(ctx, ask)
	}
	return recordviews.AskSignFor(ctx, site, ask)
}
