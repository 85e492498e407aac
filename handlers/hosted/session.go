package hosted

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// Redirect goes on to a path of this server, or to the start.
func Redirect(c echo.Context, next string) error {
	if next == "" {
		next = "/"
	}
	return c.Redirect(http.StatusSeeOther, next)
}

// Begin gives the browser of somebody who has just proved who they are a new session in place of
// the one it had. The secret is always ours and always new: nobody can plant one.
func (h *Host) Begin(c echo.Context, user string, way store.SignInMethod, kept accounts.SessionData) (session string, err error) {
	ctx := c.Request().Context()
	if v := auth.Of(c); v != nil && v.Session != "" {
		if err := h.Store.EndSession(ctx, v.Session); err != nil {
			return "", err
		}
	}
	from := accounts.SessionStart{Method: way, Agent: c.Request().UserAgent(), Address: c.RealIP()}
	s, secret := accounts.NewSession(user, from, kept, h.Sessions, h.Now().UnixMicro())
	if err := h.Store.SaveSession(ctx, s); err != nil {
		return "", err
	}
	h.SetCookie(c, secret, h.SecondsTo(s.Expires))
	if way == store.MethodProxy {
		return s.Hash, nil // which needs no password
	}
	return s.Hash, h.rememberDevice(c, user)
}

// SecondsTo is how long a browser keeps the cookie, which is as long as the session lasts.
func (h *Host) SecondsTo(end int64) int { return int((end - h.Now().UnixMicro()) / 1_000_000) }

// SetCookie keeps the secret in the browser for so many seconds; negative ones take it away.
func (h *Host) SetCookie(c echo.Context, secret string, seconds int) {
	c.SetCookie(&http.Cookie{Name: h.Auth.Cookie, Value: secret, Path: "/", MaxAge: seconds, HttpOnly: true, Secure: web.OverTLS(h.Public), SameSite: http.SameSiteLaxMode})
}

// Actor is who changes something, and when.
func (h *Host) Actor(c echo.Context) store.Act {
	return store.Act{By: web.SignedIn(c).User.ID, At: h.Now().UnixMicro()}
}

// DeviceCookie is the name of the cookie that marks a browser in which someone has signed in before.
func (h *Host) DeviceCookie() string { return h.Auth.Cookie + "-device" }

// rememberDevice sets the device cookie after a person has signed in.
func (h *Host) rememberDevice(c echo.Context, user string) error {
	key, _, err := h.SigningSeed(c)
	if err != nil {
		return err
	}
	c.SetCookie(&http.Cookie{Name: h.DeviceCookie(), Value: accounts.NewDevice(key, user, h.Now().UnixMicro()), Path: "/", MaxAge: int(accounts.DeviceLifetime / 1_000_000),
		HttpOnly: true, Secure: web.OverTLS(h.Public), SameSite: http.SameSiteLaxMode})
	return nil
}

// CalledAs is what a new person is called: what was said, or else what stands before the @.
func CalledAs(said, email string) string {
	if name, err := accounts.CheckName("name", said); err == nil {
		return name
	}
	before, _, _ := strings.Cut(email, "@")
	return before
}
