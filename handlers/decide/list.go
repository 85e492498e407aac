package decide

import (
	"context"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/journal"
)

// listOf is the list of the inbox that the URL of an ask's page, or of one of its forms, asks for; nil if it asks for none.
func listOf(c echo.Context) *ui.BesideList {
	asked := c.QueryParams()
	if !asked.Has(ui.ListParameter) || asked.Has("at") || askKey(c) == "" || c.Param("of") != "" {
		return nil
	}
	return &ui.BesideList{Query: journal.ParseInboxQuery(asked.Get(ui.ListParameter)), Open: ui.AskRow(c.Param("agent"), askKey(c))}
}

// askKey is the key of the ask that the URL is about; "" if it is about none.
func askKey(c echo.Context) string {
	if c.Param("section") == "asks" {
		return c.Param("key")
	}
	return c.Param("ask")
}

// beside puts the list of the site beside the page of the ask of the URL.
func (h Handlers) beside(c echo.Context, site ui.Site, status int, page []byte) ([]byte, error) {
	if site.Beside == nil {
		return page, nil
	}
	full := site.Href(c.Param("agent"), "asks", askKey(c))
	if status == http.StatusNotFound {
		full = ""
	}
	return components.RenderBeside(c.Request().Context(), site, h.Journal(c), full, page)
}

// planNext notes which ask of the list comes after the one that is replied to or snoozed, before either changes the list:
// the next one that has no pending decision, or the first such one above.
func (t *replyRequest) planNext(ctx context.Context) error {
	if t.list == nil || web.FormValue(t.c, "next") != "1" {
		return nil
	}
	q := t.list.Query
	if q.Viewer = t.user.ID; !q.Everybody {
		q.Mine = q.Viewer
	}
	inbox, err := t.h.Journal(t.c).Inbox(ctx, q)
	if err != nil {
		return err
	}
	items, here := inbox.Items, 0
	for i := range items {
		if items[i].Agent.Config.AgentID == t.x.id && items[i].Ask.Ask.ID == t.x.ask.Ask.ID {
			here = i + 1
			items[i].Pending = &journal.Pending{}
		}
	}
	slug := viewer.Segment(t.at.Workspace.Slug)
	t.next = web.Workspaces + slug + "/inbox"
	if query := t.list.Query.String(); query != "" {
		t.next += "?" + query
	}
	for _, item := range slices.Concat(items[here:], items[:here]) {
		if item.Pending == nil {
			t.next = t.list.WithList(web.Workspaces + slug + "/agents/" + item.Agent.Key + "/asks/" + item.Ask.Key)
			break
		}
	}
	return nil
}
