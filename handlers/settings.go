package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/internal/people"
)

// showSettings shows what the person can see and set of themselves.
func (h *host) showSettings(c echo.Context) error {
	return h.sendSettings(c, http.StatusOK, components.Settings{Done: c.QueryParam("done")})
}

// sendSettings fills in everything that m does not say.
func (h *host) sendSettings(c echo.Context, status int, m components.Settings) error {
	v, ctx := me(c), c.Request().Context()
	all, err := h.Store.Memberships(ctx, v.User.ID)
	if err != nil {
		return err
	}
	for _, x := range all {
		m.Places = append(m.Places, components.MyPlace{Place: components.Place{Slug: x.Workspace.Slug, Name: x.Workspace.Name}, Role: string(x.Role)})
	}
	sessions, err := h.Store.ListSessions(ctx, v.User.ID, h.Now().UnixMicro())
	if err != nil {
		return err
	}
	for _, x := range sessions {
		m.Sessions = append(m.Sessions, components.MySession{Key: x.Hash, Agent: x.Agent, Created: x.Created, Used: x.Expires - people.SessionLasts, Here: x.Hash == v.Session})
	}
	tokens, err := h.Store.ListTokens(ctx, v.User.ID)
	if err != nil {
		return err
	}
	for _, x := range tokens {
		m.Tokens = append(m.Tokens, components.MyToken{Key: x.ID, Called: x.Name, Created: x.Created, Used: x.Used, Revoked: x.Revoked})
	}
	m.Email = v.User.Email
	if m.Person == "" {
		m.Person = v.User.Name
	}
	site := h.person()
	site.Script = script
	return h.sendPerson(c, site, status, components.SettingsPage(ctx, site, m))
}

// refuseSettings shows the page again with what is wrong.
func (h *host) refuseSettings(c echo.Context, m components.Settings, err error) error {
	wait(c, err)
	faults, status, err := faultsOf(err)
	if err != nil {
		return err
	}
	m.Faults = faults
	return h.sendSettings(c, status, m)
}

// settled leads back to the page, which says what was done.
func settled(c echo.Context, done string) error {
	return c.Redirect(http.StatusSeeOther, "/settings?done="+done)
}

// renameMe changes the name that others see.
func (h *host) renameMe(c echo.Context) error {
	name, err := people.CheckName("name", typed(c, "name"))
	if err != nil {
		return h.refuseSettings(c, components.Settings{Person: typed(c, "name")}, err)
	}
	if err := h.Store.SetUserName(c.Request().Context(), h.act(c), me(c).User.ID, name); err != nil {
		return err
	}
	return settled(c, "name")
}

// changePassword takes the old one first: an open browser on a desk is not enough. All other
// sessions end, and this one goes on under a new secret.
func (h *host) changePassword(c echo.Context) error {
	v, ctx, chosen := me(c), c.Request().Context(), typed(c, "password")
	if err := people.TryPassword(ctx, h.Store, v.User.ID, h.Now().UnixMicro()); err != nil {
		return h.refuseSettings(c, components.Settings{}, err)
	}
	ok, _, err := people.VerifyPassword(ctx, v.User.Password, typed(c, "old"))
	if err != nil {
		return err
	}
	if !ok {
		return h.refuseSettings(c, components.Settings{}, &people.Wrong{Field: "old", Sentence: "This is not the password that you have."})
	}
	if err := people.CheckPassword(chosen, v.User.Email); err != nil {
		return h.refuseSettings(c, components.Settings{}, err)
	}
	encoded, err := people.HashPassword(ctx, chosen)
	if err != nil {
		return err
	}
	if err := h.Store.SetPassword(ctx, h.act(c), v.User.ID, encoded); err != nil {
		return err
	}
	if _, err := h.begin(c, v.User.ID, people.ReadKept(v.Data)); err != nil {
		return err
	}
	return settled(c, "password")
}

// endSession ends one of the person's sessions, or all but this one when none is named.
func (h *host) endSession(c echo.Context) error {
	v, ctx, named := me(c), c.Request().Context(), typed(c, "session")
	mine, err := h.Store.ListSessions(ctx, v.User.ID, h.Now().UnixMicro())
	if err != nil {
		return err
	}
	for _, s := range mine {
		if s.Hash == v.Session || named != "" && s.Hash != named {
			continue
		}
		if err := h.Store.EndSession(ctx, s.Hash); err != nil {
			return err
		}
	}
	if named == "" {
		return settled(c, "sessions")
	}
	return settled(c, "session")
}
