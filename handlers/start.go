package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/people"
)

// showStartPage leads who is signed in to what needs them, in the workspace that they looked at
// last. For everybody else it is a page with two doors: the inspector itself is one file whose
// bytes anybody can verify, so that it carries no link to this server.
func (h *host) showStartPage(c echo.Context) error {
	v, ctx := visitor.Of(c), c.Request().Context()
	if v == nil {
		return h.sendPerson(c, h.person(), http.StatusOK, components.StartPage(ctx, h.Public.Host))
	}
	all, err := h.Store.Memberships(ctx, v.User.ID)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return h.sendPerson(c, h.person(), http.StatusOK, components.NoWorkspacePage(ctx, v.User.Name, v.User.Email))
	}
	to, last := all[0].Workspace, people.ReadKept(v.Data).Workspace
	for _, m := range all {
		if m.Workspace.ID == last {
			to = m.Workspace
		}
	}
	return c.Redirect(http.StatusSeeOther, workspaces+segment(to.Slug)+"/inbox")
}
