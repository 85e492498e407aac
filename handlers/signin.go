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
	browser.GET("/sign-in", h.showSignIn, h.keepsCookies)
	browser.POST("/sign-in", h.signIn, h.keepsCookies)
	browser.POST("/sign-out", h.signOut)
	browser.GET("/setup", h.showSetup, h.keepsCookies)
	browser.POST("/setup", h.setUp, h.keepsCookies)

	mine := browser.under("", h.signedIn)
	mine.GET("/device", h.showDevice)
	mine.POST("/device", h.decideDevice)
	mine.GET("/confirm", h.showConfirm)
	mine.POST("/confirm", h.confirm)
	mine.GET("/settings", h.showSettings)
	mine.POST("/settings/name", h.renameMe)
	mine.POST("/settings/language", h.speak)
	h.keyRoutes(browser, mine)
	h.securityRoutes(browser, mine)
	h.tokenRoutes(mine)

	members, assigns := h.may(people.ChangeMembers), h.may(people.AssignAgent)
	h.inviteRoutes(browser)
	h.oidcRoutes(browser, mine)
	w.GET("/settings", h.showMembers)
	w.POST("/settings/invite", h.makeInvite, h.may(people.InviteMembers))
	w.POST("/settings/invite/revoke", h.revokeInvite, h.may(people.InviteMembers))
	w.POST("/settings/add", h.addMember, members)
	w.POST("/settings/role", h.changeRole, members)
	w.GET("/settings/remove", h.showRemove)
	w.POST("/settings/remove", h.removeMember) // who leaves needs no right: the handler asks of others
	h.policyRoutes(w)
	w.GET("/agents/:agent/assign", h.showAssign, assigns)
	w.POST("/agents/:agent/assign", h.assign, assigns)
}

// showSignIn shows the form; who is signed in goes on.
func (h *host) showSignIn(c echo.Context) error {
	next := localPath(c.QueryParam("next"))
	if visitor.Of(c) != nil && c.QueryParam("again") == "" {
		return goOn(c, next)
	}
	if h.leadsOn(c) {
		return c.Redirect(http.StatusSeeOther, h.ways(components.SignIn{Next: next}).ProviderLink)
	}
	return h.sendSignIn(c, http.StatusOK, h.unknownHere(c, components.SignIn{Next: next}))
}

// sendSignIn offers every way in that there is.
func (h *host) sendSignIn(c echo.Context, status int, m components.SignIn) error {
	m = h.ways(m)
	m.Passkeys = h.passkeys != nil
	site := h.person()
	site.Script = script
	allowKeys(c)
	return h.sendPerson(c, site, status, components.SignInPage(c.Request().Context(), m))
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
	from, err := h.from(c)
	if err != nil {
		return err
	}
	user, err := people.SignIn(ctx, h.Store, email, typed(c, "password"), from, h.Now().UnixMicro())
	if err == nil {
		err = h.beginAs(c, user, store.ByPassword)
	}
	if err == nil {
		return goOn(c, next)
	}
	guessedIf(c, "password", err)
	faults, status := components.Faults{"": "The e-mail address and the password do not belong together. Check both; the e-mail address is the one your account was made with."}, http.StatusUnauthorized
	if !errors.Is(err, people.ErrNoMatch) {
		wait(c, err)
		if faults, status, err = faultsOf(err); err != nil {
			return err
		}
	}
	return h.sendSignIn(c, status, components.SignIn{Email: email, Next: next, Faults: faults})
}

// begin gives the browser of somebody who has just proved who they are a new session in place of
// the one it had. The secret is always ours and always new: nobody can plant one.
func (h *host) begin(c echo.Context, user string, way store.Way, kept people.Kept) (session string, err error) {
	ctx := c.Request().Context()
	if v := visitor.Of(c); v != nil && v.Session != "" {
		if err := h.Store.EndSession(ctx, v.Session); err != nil {
			return "", err
		}
	}
	from := people.Visit{Way: way, Agent: c.Request().UserAgent(), Address: c.RealIP()}
	s, secret := people.NewSession(user, from, kept, h.Sessions, h.Now().UnixMicro())
	if err := h.Store.SaveSession(ctx, s); err != nil {
		return "", err
	}
	h.setCookie(c, secret, h.secondsTo(s.Expires))
	if way == store.ByProxy {
		return s.Hash, nil // which needs no password
	}
	return s.Hash, h.rememberDevice(c, user)
}

// secondsTo is how long a browser keeps the cookie, which is as long as the session lasts.
func (h *host) secondsTo(end int64) int { return int((end - h.Now().UnixMicro()) / 1_000_000) }

// beginAs is begin for somebody who was read before they proved who they are. If their password
// was changed meanwhile, all sessions that there were have ended, and this one must not stay either.
func (h *host) beginAs(c echo.Context, user store.User, way store.Way) error {
	session, err := h.begin(c, user.ID, way, people.Kept{})
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
	c.SetCookie(&http.Cookie{Name: h.desk.Cookie, Value: secret, Path: "/", MaxAge: seconds, HttpOnly: true, Secure: overTLS(h.Public), SameSite: http.SameSiteLaxMode})
}

// slide keeps a session that is used from ending before its time, and notes it now and then.
func (h *host) slide(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		v := visitor.Of(c)
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
func (h *host) renewCookie(c echo.Context, v *visitor.Visitor) {
	for _, cookie := range c.Request().CookiesNamed(h.desk.Cookie) {
		if store.Hash(cookie.Value) == v.Session {
			h.setCookie(c, cookie.Value, h.secondsTo(v.Expires))
		}
	}
}

// keep notes what a session keeps, and that it is used.
func (h *host) keep(c echo.Context, v *visitor.Visitor, data []byte) error {
	now := h.Now().UnixMicro()
	end := h.Sessions.End(v.Began, now)
	if err := h.Store.KeepSession(c.Request().Context(), v.Session, data, now, end); err != nil {
		return err
	}
	v.Data, v.Used, v.Expires = data, now, end
	return nil
}

// remember notes which workspace is looked at, for the next time that the start is opened.
func (h *host) remember(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		v, at := visitor.Of(c), visitor.At(c)
		kept := people.ReadKept(v.Data)
		if c.Request().Method == http.MethodGet && v.Session != "" && kept.Workspace != at.Workspace.ID {
			kept.Workspace = at.Workspace.ID
			if err := h.keep(c, v, kept.Bytes()); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return next(c)
	}
}
