package askpages

import (
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
)

// Beside puts the list of site.Beside beside the page of an ask, which is rendered already. full is where it is alone; "" if
// there is no such ask.
func Beside(ctx context.Context, site ui.Site, w journal.Workspace, full templ.SafeURL, page []byte) (templ.Component, error) {
	q := site.Beside.Query
	inbox, err := listed(ctx, site, w, &q)
	if err != nil {
		return nil, err
	}
	return panes(site, q, InboxPage(site, q, inbox), askBeside(full, page)), nil
}

// listed reads the part of the inbox that a query asks for, and marks the pending decisions whose rows are in it.
func listed(ctx context.Context, site ui.Site, w journal.Workspace, q *journal.InboxQuery) (*journal.Inbox, error) {
	if q.Tab == "" {
		q.Tab = journal.TabNeeds
	}
	q.Mine, q.Viewer = "", site.Shell.Person.ID
	if !q.Everybody {
		q.Mine = q.Viewer
	}
	inbox, err := w.Inbox(ctx, *q)
	if err != nil {
		return nil, err
	}
	pending := map[string]bool{}
	for i := range inbox.Items {
		if p := inbox.Items[i].Pending; p != nil && p.Mine {
			pending[p.ID] = true
		}
	}
	for i := range site.Shell.Pending {
		site.Shell.Pending[i].Listed = pending[site.Shell.Pending[i].ID]
	}
	return inbox, nil
}

// openRow marks the link of the row whose ask is beside the list.
func openRow(site ui.Site, item *journal.InboxItem) templ.Attributes {
	return ui.IsCurrent(site.Beside.IsOpen(LiveAsk(&item.Agent, &item.Ask)))
}
