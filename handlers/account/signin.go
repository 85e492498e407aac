// Package account has the pages on which people sign in and look after their account: passwords, passkeys, sign-in with a
// provider, invitations, devices and tokens.
package account

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// ShowSignIn shows the form; who is signed in goes on.
func (h Handlers) ShowSignIn(c echo.Context) error {
	next := web.LocalPath(c.QueryParam("next"))
	if auth.Of(c) != nil && c.QueryParam("again") == "" {
		return hosted.Redirect(c, next)
	}
	if h.leadsOn(c) {
		return c.Redirect(http.StatusSeeOther, h.ways(accountpages.SignIn{Next: next}).ProviderLink)
	}
	return h.sendSignIn(c, http.StatusOK, h.UnknownHere(c, accountpages.SignIn{Next: next}))
}

// sendSignIn offers every way in that there is.
func (h Handlers) sendSignIn(c echo.Context, status int, m accountpages.SignIn) error {
	m = h.ways(m)
	m.Passkeys = h.Passkeys != nil
	site := h.Person()
	site.Script = web.Script
	hosted.AllowKeys(c)
	return h.SendPerson(c, site, status, accountpages.SignInPage(c.Request().Context(), m))
}

// SignIn begins a session.
func (h Handlers) SignIn(c echo.Context) error {
	ctx, email, next := c.Request().Context(), web.FormValue(c, "email"), web.LocalPath(web.FormValue(c, "next"))
	from, err := h.from(c)
	if err != nil {
		return err
	}
	user, err := accounts.SignIn(ctx, h.Store, email, web.FormValue(c, "password"), from, h.Now().UnixMicro())
	if err == nil {
		err = h.beginAs(c, user, store.MethodPassword)
	}
	if err == nil {
		return hosted.Redirect(c, next)
	}
	web.GuessedIf(c, "password", err)
	faults, status := ui.Faults{"": {Sentence: "Wrong email address or password."}}, http.StatusUnauthorized
	if !errors.Is(err, accounts.ErrNoMatch) {
		web.RetryAfter(c, err)
		if faults, status, err = web.FaultsOf(err); err != nil {
			return err
		}
	}
	return h.sendSignIn(c, status, accountpages.SignIn{Email: email, Next: next, Faults: faults})
}

// beginAs is begin for somebody who was read before they proved who they are. If their password
// was changed meanwhile, all sessions that there were have ended, and this one must not stay either.
func (h Handlers) beginAs(c echo.Context, user store.User, way store.SignInMethod) error {
	session, err := h.Begin(c, user.ID, way, accounts.SessionData{})
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	now, err := h.Store.User(ctx, user.ID)
	if err != nil || now.Password == user.Password {
		return err
	}
	h.SetCookie(c, "", -1)
	return errors.Join(accounts.ErrNoMatch, h.Store.EndSession(ctx, session))
}

// ExtendSession keeps a session that is used from ending before its time, and notes it now and then.
func (h Handlers) ExtendSession(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		v := auth.Of(c)
		if v == nil || v.Session == "" || c.Request().Method != http.MethodGet {
			return next(c)
		}
		if !h.Sessions.Note(v.Used, h.Now().UnixMicro()) {
			return next(c)
		}
		err := h.keep(c, v, v.Data)
		if err != nil && !errors.Is(err, store.ErrNotFound) { // it was ended meanwhile: the next page knows
			return err
		}
		if err == nil {
			h.renewCookie(c, v)
		}
		return next(c)
	}
}

// renewCookie lets the browser keep the cookie of a session as long as the server does.
func (h Handlers) renewCookie(c echo.Context, v *auth.Visitor) {
	for _, cookie := range c.Request().CookiesNamed(h.Auth.Cookie) {
		if store.Hash(cookie.Value) == v.Session {
			h.SetCookie(c, cookie.Value, h.SecondsTo(v.Expires))
		}
	}
}

// keep notes what a session keeps, and that it is used.
func (h Handlers) keep(c echo.Context, v *auth.Visitor, data []byte) error {
	now := h.Now().UnixMicro()
	end := h.Sessions.End(v.Began, now)
	if err := h.Store.UpdateSession(c.Request().Context(), v.Session, data, now, end); err != nil {
		return err
	}
	v.Data, v.Used, v.Expires = data, now, end
	return nil
}

// RememberWorkspace notes which workspace is looked at, for the next time that the start is opened.
func (h Handlers) RememberWorkspace(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		v, at := auth.Of(c), auth.At(c)
		kept := accounts.ParseSessionData(v.Data)
		if c.Request().Method == http.MethodGet && v.Session != "" && kept.Workspace != at.Workspace.ID {
			kept.Workspace = at.Workspace.ID
			if err := h.keep(c, v, kept.Bytes()); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return next(c)
	}
}

// SignOut ends the session, also one that has ended already.
func (h Handlers) SignOut(c echo.Context) error {
	if v := auth.Of(c); v != nil && v.Session != "" {
		if err := h.Store.EndSession(c.Request().Context(), v.Session); err != nil {
			return err
		}
	}
	h.SetCookie(c, "", -1)
	if v := auth.Of(c); v != nil && v.Way == store.MethodProxy { // any page of ours would sign them in again
		return h.SendPerson(c, h.Person(), http.StatusOK, accountpages.ProxyOutPage(c.Request().Context()))
	}
	if address := h.providerLogout(c); address != "" {
		c.Response().Header().Set("Refresh", "0; url="+address)
		return h.SendPerson(c, h.Person(), http.StatusOK, accountpages.ProviderOutPage(c.Request().Context(), h.providerName(), address))
	}
	return c.Redirect(http.StatusSeeOther, "/")
}

// from describes where a sign-in attempt comes from: its address, and the device cookie if there is one.
func (h Handlers) from(c echo.Context) (accounts.ClientInfo, error) {
	from := accounts.ClientInfo{Address: c.RealIP()}
	cookie, err := c.Cookie(h.DeviceCookie())
	if err != nil {
		return from, nil // it has none
	}
	from.Device = cookie.Value
	from.Key, _, err = h.SigningSeed(c)
	return from, err
}
