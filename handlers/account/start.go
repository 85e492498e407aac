package account

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
)

// ShowStartPage leads who is signed in to what needs them, in the workspace that they looked at
// last. Everyone else chooses between signing in and the inspector, which is one file whose bytes anyone can verify and
// therefore has no link to this server.
func (h Handlers) ShowStartPage(c echo.Context) error {
	v, ctx := auth.Of(c), c.Request().Context()
	if v == nil {
		fresh, err := h.fresh(ctx)
		if err != nil {
			return err
		}
		return h.SendPerson(c, h.Person(), http.StatusOK, accountpages.StartPage(ctx, h.Public.Host, fresh))
	}
	all, err := h.Store.Memberships(ctx, v.User.ID)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return h.SendPerson(c, h.Person(), http.StatusOK, accountpages.NoWorkspacePage(ctx, v.User.Name, v.User.Email))
	}
	to, last := all[0].Workspace, accounts.ParseSessionData(v.Data).Workspace
	for _, m := range all {
		if m.Workspace.ID == last {
			to = m.Workspace
		}
	}
	return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(to.Slug)+"/inbox")
}

// fresh reports whether the server has no users. Once it has, it doesn't ask the store again.
func (h Handlers) fresh(ctx context.Context) (bool, error) {
	if h.Peopled.Load() {
		return false, nil
	}
	users, err := h.Store.ListUsers(ctx)
	if len(users) > 0 {
		h.Peopled.Store(true)
	}
	return err == nil && len(users) == 0, err
}
