package account

import (
	"errors"
	"fmt"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/oidc"
	"github.com/figs-web/figs-web/internal/store"
)

// mapRoles gives somebody the roles that their groups have, and takes those away that they have
// not any more. Workspaces to which no group is mapped are left alone, and so is everything when
// the provider says nothing about groups.
func (h Handlers) mapRoles(c echo.Context, person string, who oidc.Person) error {
	if len(h.OIDC.Roles) == 0 {
		return nil
	}
	if !who.Grouped {
		c.Set(web.FaultKey, errors.New("sign-in at the provider: no role was changed, because "+who.Ungrouped))
		return nil
	}
	var left error
	for _, word := range h.OIDC.Workspaces() {
		role, _ := h.OIDC.RoleIn(word, who.Groups)
		left = errors.Join(left, h.mapRole(c, person, word, role))
	}
	return left
}

// mapRole makes the role of a person what it should be. The last owner stays one, whatever the
// provider says.
func (h Handlers) mapRole(c echo.Context, person, word string, want store.Role) error {
	ctx, act := c.Request().Context(), store.Act{By: hosted.ByProvider, At: h.Now().UnixMicro()}
	w, err := h.Store.Workspace(ctx, word)
	if errors.Is(err, store.ErrNotFound) || err == nil && w.Deleted != 0 {
		c.Set(web.FaultKey, fmt.Errorf("sign-in at the provider: a group is mapped to the workspace %q, which is not there", word))
		return nil
	}
	if err != nil {
		return err
	}
	have, err := h.Store.Role(ctx, w.ID, person)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	switch {
	case have == want:
		return nil
	case want == "":
		err = h.Store.RemoveMember(ctx, act, w.ID, person)
	default:
		err = h.Store.SetMember(ctx, act, w.ID, person, want)
	}
	if errors.Is(err, store.ErrLastOwner) {
		c.Set(web.FaultKey, fmt.Errorf("sign-in at the provider: %q keeps its last owner, whom the provider's groups would make %q", word, want))
		return nil
	}
	return err
}
