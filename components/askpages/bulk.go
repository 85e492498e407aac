package askpages

import (
	"context"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
)

// BulkResult is what became of several asks that were selected in the inbox.
type BulkResult struct {
	Did     string // "snooze", "seen", "handover"
	Done    int    // asks; with "seen", notifications
	Skipped []BulkSkipped
	Back    string // query of the inbox
}

// BulkSkipped is an ask with which nothing was done.
type BulkSkipped struct {
	At    string // address of its page
	Title string // an agent's words, or the id
	Why   ui.Fault
}

// BulkResultPage says what was done, and what was not and why.
func BulkResultPage(ctx context.Context, site ui.Site, r *BulkResult) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Inbox"), Body: bulkResultPage(site, r)}
}

// bulkNews is the headline of that page.
func bulkNews(ctx context.Context, r *BulkResult) (news, lede string) {
	if r.Done == 0 && r.Did == "seen" {
		return i18n.Say(ctx, "These asks have no unread notifications"), ""
	}
	if r.Done == 0 {
		return i18n.Say(ctx, "Nothing was changed"), ""
	}
	switch r.Did {
	case "snooze":
		news, lede = i18n.CountWords(ctx, r.Done, "One ask is snoozed", "%s asks are snoozed"), i18n.Say(ctx, "For you only. The agents aren't told.")
	case "handover":
		news, lede = i18n.CountWords(ctx, r.Done, "One ask is handed over", "%s asks are handed over"), i18n.Say(ctx, "Who may decide hasn't changed.")
	default:
		news = i18n.CountWords(ctx, r.Done, "One notification is marked as read", "%s notifications are marked as read")
	}
	return news, lede
}
