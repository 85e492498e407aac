package handlers

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

func itoa(n int) string { return strconv.Itoa(n) }

// peopleRoutes are the pages on people: browser is open to everybody, w to members of the
// workspace of the address.
func (h *host) peopleRoutes(browser, w *routing) {
	browser.GET("/", h.showStartPage)
	browser.HEAD("/", h.showStartPage)
	browser.GET("/sign-in", h.showSignIn)
	browser.POST("/sign-in", h.signIn)
	browser.POST("/sign-out", h.signOut)
	browser.GET("/setup", h.showSetup)
	browser.POST("/setup", h.setUp)

	mine := browser.under("", h.signedIn)
	mine.GET("/device", h.showDevice)
	mine.POST("/device", h.decideDevice)
	mine.GET("/settings", h.showSettings)
	mine.POST("/settings/name", h.renameMe)
	mine.POST("/settings/password", h.changePassword)
	mine.POST("/settings/sessions/end", h.endSession)
	mine.POST("/settings/tokens", h.makeToken)
	mine.POST("/settings/tokens/revoke", h.revokeToken)

	runs := h.desk.Member(store.Admin)
	w.GET("/settings", h.showMembers)
	w.POST("/settings/name", h.renameWorkspace, runs)
	w.POST("/settings/add", h.addMember, runs)
	w.POST("/settings/role", h.changeRole, runs)
	w.POST("/settings/remove", h.removeMember)
	w.POST("/settings/ticks", h.setTicks, runs)
	w.GET("/agents/:agent/assign", h.showAssign, runs)
	w.POST("/agents/:agent/assign", h.assign, runs)
}

// showSignIn shows the form; who is signed in goes on.
func (h *host) showSignIn(c echo.Context) error {
	next := localPath(c.QueryParam("next"))
	if visitor.Of(c) != nil {
		return goOn(c, next)
	}
	return h.sendPerson(c, h.person(), http.StatusOK, components.SignInPage(c.Request().Context(), components.SignIn{Next: next}))
}

func goOn(c echo.Context, next string) error {
	if next == "" {
		next = "/"
	}
	return c.Redirect(http.StatusSeeOther, next)
}

// signIn begins a session.
func (h *host) signIn(c echo.Context) error {
	ctx, email, next := c.Request().Context(), typed(c, "email"), localPath(typed(c, "next"))
	user, err := people.SignIn(ctx, h.Store, email, typed(c, "password"), c.RealIP(), h.Now().UnixMicro())
	if err == nil {
		err = h.beginAs(c, user)
	}
	if err == nil {
		return goOn(c, next)
	}
	faults, status := components.Faults{"": "The e-mail address and the password do not belong together. Check both; the e-mail address is the one your account was made with."}, http.StatusUnauthorized
	if !errors.Is(err, people.ErrNoMatch) {
		wait(c, err)
		if faults, status, err = faultsOf(err); err != nil {
			return err
		}
	}
	return h.sendPerson(c, h.person(), status, components.SignInPage(ctx, components.SignIn{Email: email, Next: next, Faults: faults}))
}

// cookieLasts is how many seconds a browser keeps the cookie, which is as long as the session lasts.
const cookieLasts = int(people.SessionLasts / 1_000_000)

// begin gives the browser a new session in place of the one it had. The secret is always ours
// and always new: nobody can plant one.
func (h *host) begin(c echo.Context, user string, kept people.Kept) (session string, err error) {
	ctx := c.Request().Context()
	if v := visitor.Of(c); v != nil && v.Session != "" {
		if err := h.Store.EndSession(ctx, v.Session); err != nil {
			return "", err
		}
	}
	s, secret := people.NewSession(user, c.Request().UserAgent(), kept, h.Now().UnixMicro())
	if err := h.Store.SaveSession(ctx, s); err != nil {
		return "", err
	}
	h.setCookie(c, secret, cookieLasts)
	return s.Hash, nil
}

// beginAs is begin for somebody who has just given their password. If it was changed meanwhile,
// all sessions that there were have ended, and this one must not stay either.
func (h *host) beginAs(c echo.Context, user store.User) error {
	session, err := h.begin(c, user.ID, people.Kept{})
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	now, err := h.Store.User(ctx, user.ID)
	if err != nil || now.Password == user.Password {
		return err
	}
	h.setCookie(c, "", -1)
	return errors.Join(people.ErrNoMatch, h.Store.EndSession(ctx, session))
}

// setCookie keeps the secret in the browser for so many seconds; negative ones take it away.
func (h *host) setCookie(c echo.Context, secret string, seconds int) {
	c.SetCookie(&http.Cookie{Name: h.desk.Cookie, Value: secret, Path: "/", MaxAge: seconds, HttpOnly: true, Secure: secure(h.Public), SameSite: http.SameSiteLaxMode})
}

// slide keeps a session that is used from ending, and notes it at most once a day.
func (h *host) slide(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		v := visitor.Of(c)
		if v == nil || v.Session == "" || c.Request().Method != http.MethodGet {
			return next(c)
		}
		end, worth := people.Slide(v.Expires, h.Now().UnixMicro())
		if !worth {
			return next(c)
		}
		err := h.keep(c, v, v.Data, end)
		if err != nil && !errors.Is(err, store.ErrNotFound) { // it was ended meanwhile: the next page knows
			return err
		}
		if err == nil {
			h.renewCookie(c, v.Session)
		}
		return next(c)
	}
}

// renewCookie lets the browser keep the cookie of a session as long as the server does.
func (h *host) renewCookie(c echo.Context, session string) {
	for _, cookie := range c.Request().CookiesNamed(h.desk.Cookie) {
		if store.Hash(cookie.Value) == session {
			h.setCookie(c, cookie.Value, cookieLasts)
		}
	}
}

func (h *host) keep(c echo.Context, v *visitor.Visitor, data []byte, end int64) error {
	if err := h.Store.KeepSession(c.Request().Context(), v.Session, data, end); err != nil {
		return err
	}
	v.Data, v.Expires = data, end
	return nil
}

// remember notes which workspace is looked at, for the next time that the start is opened.
func (h *host) remember(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		v, at := visitor.Of(c), visitor.At(c)
		kept := people.ReadKept(v.Data)
		if c.Request().Method == http.MethodGet && v.Session != "" && kept.Workspace != at.Workspace.ID {
			kept.Workspace = at.Workspace.ID
			if err := h.keep(c, v, kept.Bytes(), v.Expires); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return next(c)
	}
}
