package workspaces

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/demo"
	"github.com/figs-web/figs-web/internal/store"
)

// FillDemo fills a workspace that has no agents yet with the sample agents. They are pushed with
// a token of the person who asks, which is good for no longer than that.
func (h Handlers) FillDemo(c echo.Context) error {
	v, at, ctx := auth.Of(c), auth.At(c), c.Request().Context()
	agents, err := h.Store.ListAgents(ctx, at.Workspace.ID)
	if err != nil {
		return err
	}
	if len(agents) > 0 {
		return &httperr.Problem{Status: http.StatusConflict, Code: "workspace_in_use", Title: "This workspace already has agents",
			Hint: "You can add the demo only to an empty workspace. Create another workspace to see it."}
	}
	secret, act := accounts.NewToken(), store.Act{By: v.User.ID, At: h.Now().UnixMicro()}
	token := store.Token{ID: store.NewID(), User: v.User.ID, Name: "demo workspace", Hash: store.Hash(secret), Created: act.At}
	if err := h.Store.AddToken(ctx, act, token); err != nil {
		return err
	}
	// Also when the person has gone meanwhile: nothing is left half, and no token is left good.
	ctx = context.WithoutCancel(ctx)
	filled := demo.Fill(ctx, demo.Target{Handler: c.Echo(), Public: h.Public.String(), Token: secret, Workspace: at.Workspace.ID})
	act.At = h.Now().UnixMicro()
	if err := h.Store.RevokeToken(ctx, act, v.User.ID, token.ID); err != nil {
		return err
	}
	if filled != nil {
		return filled
	}
	return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(at.Workspace.Slug)+"/inbox")
}
