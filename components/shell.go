package components

import (
	"bytes"
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/askpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/workspacepages"
	"github.com/figs-web/figs-web/internal/journal"
)

// RenderWorkspace answers a page about all agents of a workspace: "chart", "inbox", "activity",
// "search", "connect", with the query of its address. It returns what Render returns.
func RenderWorkspace(ctx context.Context, site ui.Site, w journal.Workspace, page, query string) (status int, title string, html []byte, err error) {
	v, err := workspacePage(ctx, site, w, page, query)
	return show(ctx, site, v, err)
}

// RenderBeside puts the list of site.Beside beside the page of an ask, as Render has written it. full is its URL without the
// list; "" if there is no such ask.
func RenderBeside(ctx context.Context, site ui.Site, w journal.Workspace, full templ.SafeURL, page []byte) ([]byte, error) {
	body, err := askpages.Beside(ctx, site, w, full, page)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(usualPage + len(page))
	err = body.Render(ctx, &b)
	return b.Bytes(), err
}

// workspacePage finds the page of a word of the address. It is a switch and no table: the
// inspector's reader links this package and shall not carry pages that it never shows.
func workspacePage(ctx context.Context, site ui.Site, w journal.Workspace, page, query string) (ui.View, error) {
	switch page {
	case "chart":
		return workspacepages.Chart(ctx, site, w, query)
	case "inbox":
		return askpages.Inbox(ctx, site, w, query)
	case "connect":
		return workspacepages.Connect(ctx, site, w)
	case "search":
		return workspacepages.Everywhere(ctx, site, w, query)
	case "activity":
		return workspacepages.Activity(ctx, site, w, query)
	}
	return ui.View{}, journal.ErrNotFound
}
