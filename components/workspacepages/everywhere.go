package workspacepages

import (
	"context"

	"github.com/figs-web/figs-web/components/agentpages"
	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/internal/journal"
)

// Everywhere searches the whole workspace.
func Everywhere(ctx context.Context, site ui.Site, w journal.Workspace, query string) (ui.View, error) {
	q := journal.ParseQuery(query)
	found := &journal.WorkspaceHits{}
	if q.Text != "" {
		var err error
		if found, err = w.SearchAll(ctx, q); err != nil {
			return ui.View{}, err
		}
	}
	s := &agentpages.SearchView{Site: site, Q: q, Parsed: find.Parse(q.Text), Looked: &found.Report, Caption: i18n.Say(ctx, "Search every agent")}
	return ui.View{Status: ui.StatusOK, Title: i18n.Say(ctx, "Search"), Body: EverywherePage(s, found)}, nil
}

func everywhereNews(ctx context.Context, q journal.Query, found *journal.WorkspaceHits) (news, lede string) {
	quoted := i18n.Say(ctx, "for “%s”", agenttext.Plain(q.Text))
	switch {
	case q.Text == "":
		return i18n.Say(ctx, "Search every agent"), i18n.Say(ctx, "Find jobs, asks, replies and text of attachments by words, part of an id, or properties.")
	case len(found.Items) == 0 && q.After == "":
		return i18n.Say(ctx, "No results"), quoted
	}
	return agentpages.FoundWords(ctx, &found.Report), quoted
}
