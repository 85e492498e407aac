// Package workspaces has the settings of a workspace: members, agents, data, policy, erasing, and what those who run the
// server see.
package workspaces

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// ShowMembers shows who belongs to the workspace, and to those who run it what was done in it.
func (h Handlers) ShowMembers(c echo.Context) error {
	return h.SendMembers(c, http.StatusOK, accountpages.Members{Done: c.QueryParam("done")})
}

// AddMember adds somebody who has an account, by their e-mail address.
func (h Handlers) AddMember(c echo.Context) error {
	ctx, at, email := c.Request().Context(), auth.At(c), web.FormValue(c, "email")
	again := accountpages.Members{Email: email, AddRole: web.FormValue(c, "role")}
	role, err := accounts.CheckRole(web.FormValue(c, "role"))
	if err != nil {
		return h.RefuseMembers(c, again, err)
	}
	user, err := h.Store.UserByEmail(ctx, email)
	if errors.Is(err, store.ErrNotFound) {
		again.Invited, again.InvitedRole = email, string(role)
		err = &accounts.ValidationError{Field: "email", Sentence: "No one on this server has this email address. Invite them with the form above, which has the address filled in."}
	}
	if err != nil {
		return h.RefuseMembers(c, again, err)
	}
	from, err := h.Store.Role(ctx, at.Workspace.ID, user.ID)
	if err == nil && from != "" {
		return h.RefuseMembers(c, again, &accounts.ValidationError{Field: "email", Sentence: "This person is already a member. Change their role in the list above."})
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if err := h.give(c, user.ID, "", role); err != nil {
		return h.RefuseMembers(c, again, err)
	}
	return hosted.SettledIn(c, "added")
}

// ChangeRole gives a member another role. It asks first when agents would lose their manager or builder by it.
func (h Handlers) ChangeRole(c echo.Context) error {
	role, err := accounts.CheckRole(web.FormValue(c, "role"))
	if err != nil {
		return h.RefuseMembers(c, accountpages.Members{}, err)
	}
	if user := web.FormValue(c, "user"); !accounts.CanAnswer(role) && web.FormValue(c, "sure") == "" {
		agents, err := h.answersFor(c.Request().Context(), auth.At(c).Workspace.ID, user)
		if err != nil {
			return err
		}
		if len(agents) > 0 {
			return h.confirmChange(c, user, role)
		}
	}
	return h.change(c, role, "role")
}

// RemoveMember takes somebody out of the workspace, or lets the person leave, which takes no right.
func (h Handlers) RemoveMember(c echo.Context) error {
	remove := func(c echo.Context) error { return h.change(c, "", "removed") }
	if web.FormValue(c, "user") != web.SignedIn(c).User.ID {
		remove = h.May(accounts.ChangeMembers)(remove)
	}
	return remove(c)
}

func (h Handlers) change(c echo.Context, to store.Role, done string) error {
	at, user := auth.At(c), web.FormValue(c, "user")
	from, err := h.Store.Role(c.Request().Context(), at.Workspace.ID, user)
	if errors.Is(err, store.ErrNotFound) {
		err = &accounts.ValidationError{Field: "role", Sentence: "They do not belong to this workspace any more."}
	}
	if err == nil {
		err = h.give(c, user, from, to)
	}
	if err != nil {
		return h.RefuseMembers(c, accountpages.Members{}, err)
	}
	if to == "" && user == web.SignedIn(c).User.ID {
		return c.Redirect(http.StatusSeeOther, "/")
	}
	return hosted.SettledIn(c, done)
}

// give changes a role, as far as the visitor may.
func (h Handlers) give(c echo.Context, user string, from, to store.Role) error {
	ctx, at, act := c.Request().Context(), auth.At(c), h.Actor(c)
	err := accounts.CheckRoleChange(at.Role, from, to, user == act.By)
	switch {
	case err != nil:
	case to == "":
		err = h.Store.RemoveMember(ctx, act, at.Workspace.ID, user)
	default:
		err = h.Store.SetMember(ctx, act, at.Workspace.ID, user, to)
	}
	if errors.Is(err, store.ErrLastOwner) {
		return &accounts.ValidationError{Field: "role", Sentence: "A workspace needs at least one owner, and this is the last. Make someone else an owner first."}
	}
	return err
}
