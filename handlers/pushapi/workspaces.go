package pushapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

type workspace struct {
	ID   string     `json:"id"`
	Slug string     `json:"slug"`
	Name string     `json:"name"`
	Role store.Role `json:"role"`
}

type user struct {
	ID    string `json:"id"`
	Email string `json:"email"`
	Name  string `json:"name"`
}

// listWorkspaces lists where the token's owner is a member.
func (w *Wire) listWorkspaces(c echo.Context) error {
	v := auth.Of(c)
	all, err := w.Store.Memberships(c.Request().Context(), v.User.ID)
	if err != nil {
		return err
	}
	list := make([]workspace, 0, len(all))
	for _, m := range all {
		list = append(list, workspace{m.Workspace.ID, m.Workspace.Slug, m.Workspace.Name, m.Role})
	}
	return c.JSON(http.StatusOK, struct {
		Workspaces []workspace `json:"workspaces"`
		User       user        `json:"user"`
	}{list, user{v.User.ID, v.User.Email, v.User.Name}})
}

// admit returns nil when the visitor may write to the workspace. Workspaces that are not there
// and those of others are answered alike.
func (w *Wire) admit(ctx context.Context, v *auth.Visitor, workspace string) error {
	role, err := w.Store.Role(ctx, workspace, v.User.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return w.stranger(ctx, v, workspace)
	case err != nil:
		return err
	case !accounts.Can(role, accounts.AgentRelation{}, accounts.PushAgent):
		return &httperr.Problem{Status: http.StatusForbidden, Code: "role_too_low", Title: "Your role in this workspace doesn't allow pushing; nothing was stored",
			Hint: "This token belongs to " + v.User.Email + ", who is a " + string(role) + " there. An owner or admin can make that a member under " +
				w.Public.String() + "/w/" + workspace + "/settings; then push again."}
	}
	return nil
}

// stranger says why somebody has no role in a workspace, and the way out.
func (w *Wire) stranger(ctx context.Context, v *auth.Visitor, workspace string) error {
	gone, err := w.belongedTo(ctx, v, workspace)
	if err != nil {
		return err
	}
	if gone {
		return &httperr.Problem{Status: http.StatusForbidden, Code: "workspace_deleted", Title: "This workspace was deleted; nothing was stored",
			Hint: "What the agent recorded is still in its own folder. Choose another workspace with figs link, then push again, or ask the operator of " + w.Public.String() + " to restore this one."}
	}
	return &httperr.Problem{Status: http.StatusForbidden, Code: "not_a_member", Title: "This workspace doesn't exist, or you aren't a member of it; nothing was stored",
		Hint: "This token belongs to " + v.User.Email + ". Ask an owner of the workspace to add that address as a member, or run figs link to choose one of your own; then push again."}
}

// belongedTo reports whether the visitor was a member of a workspace that was deleted.
func (w *Wire) belongedTo(ctx context.Context, v *auth.Visitor, workspace string) (bool, error) {
	found, err := w.Store.Workspace(ctx, workspace)
	if errors.Is(err, store.ErrNotFound) || err == nil && found.Deleted == 0 {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	members, err := w.Store.Members(ctx, found.ID)
	for _, m := range members {
		if m.User.ID == v.User.ID {
			return true, err
		}
	}
	return false, err
}

// sees reports whether the visitor is a member of the workspace, in any role.
func (w *Wire) sees(ctx context.Context, v *auth.Visitor, workspace string) (bool, error) {
	_, err := w.Store.Role(ctx, workspace, v.User.ID)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
