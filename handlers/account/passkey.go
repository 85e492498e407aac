package account

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/passkey"
	"github.com/figs-web/figs-web/internal/store"
)

// Challenge answers a script with what its browser needs; a fault is an object too.
func (h Handlers) Challenge(begin func(echo.Context) ([]byte, error)) echo.HandlerFunc {
	return func(c echo.Context) error {
		if h.Passkeys == nil {
			return web.SayJSON(c, httperr.Of(store.ErrNotFound))
		}
		options, err := begin(c)
		if err != nil {
			web.RetryAfter(c, err)
			if faults, status, is := web.FaultsOf(err); is == nil {
				err = &httperr.Problem{Status: status, Title: faults[""].Sentence, Args: faults[""].Args}
			}
			return web.SayJSON(c, httperr.Of(err))
		}
		return c.JSONBlob(http.StatusOK, options)
	}
}

// browserSecret binds a challenge to the browser of somebody who is not signed in yet. With make, a new one is made
// where there is none; two tabs share it.
func (h Handlers) browserSecret(c echo.Context, make bool) string {
	name := h.Auth.Cookie + "-passkey"
	if cookie, err := c.Cookie(name); err == nil && len(cookie.Value) >= 26 {
		return cookie.Value
	}
	if !make {
		return ""
	}
	secret := accounts.NewSecret()
	c.SetCookie(&http.Cookie{Name: name, Value: secret, Path: "/", HttpOnly: true, Secure: web.OverTLS(h.Public), SameSite: http.SameSiteStrictMode})
	return secret
}

// BeginSignIn asks for a passkey of anybody who wants to sign in.
func (h Handlers) BeginSignIn(c echo.Context) ([]byte, error) {
	ctx, now := c.Request().Context(), h.Now().UnixMicro()
	if err := accounts.LimitPasskey(ctx, h.Store, c.RealIP(), now); err != nil {
		auth.Guessed(c, "passkey", true)
		return nil, err
	}
	return h.Passkeys.BeginSignIn(ctx, h.browserSecret(c, true), now)
}

// BeginConfirm asks for one of who is signed in, before an action that needs it.
func (h Handlers) BeginConfirm(c echo.Context) ([]byte, error) {
	return h.Passkeys.BeginConfirm(c.Request().Context(), web.SignedIn(c).User, web.SignedIn(c).Session, h.Now().UnixMicro())
}

// BeginRegister begins to add one to the account.
func (h Handlers) BeginRegister(c echo.Context) ([]byte, error) {
	return h.Passkeys.BeginRegister(c.Request().Context(), web.SignedIn(c).User, web.SignedIn(c).Session, h.Now().UnixMicro())
}

// SignInByKey begins a session of the person whose passkey has answered.
func (h Handlers) SignInByKey(c echo.Context) error {
	next := web.LocalPath(web.FormValue(c, "next"))
	if h.Passkeys == nil {
		return store.ErrNotFound
	}
	user, err := h.Passkeys.SignIn(c.Request().Context(), h.browserSecret(c, false), []byte(web.FormValue(c, "answer")), h.Now().UnixMicro())
	if err == nil {
		err = h.beginAs(c, user, store.MethodPasskey)
	}
	if err == nil {
		return hosted.Redirect(c, next)
	}
	said, is := hosted.KeyFault(err)
	if !is {
		return err
	}
	auth.Guessed(c, "passkey", false)
	return h.sendSignIn(c, http.StatusUnauthorized, accountpages.SignIn{Next: next, Faults: ui.Faults{"": {Sentence: said}}})
}

// AddPasskey keeps the key that the browser has made.
func (h Handlers) AddPasskey(c echo.Context) error {
	if h.Passkeys == nil {
		return store.ErrNotFound
	}
	v := web.SignedIn(c)
	name, err := accounts.CheckName("key", web.FormValue(c, "key"))
	if err != nil {
		return h.refuseSecurity(c, accountpages.Security{KeyName: web.FormValue(c, "key")}, err)
	}
	err = h.Passkeys.Register(c.Request().Context(), h.Actor(c), v.User, v.Session, name, []byte(web.FormValue(c, "answer")))
	var taken *store.TakenError
	if said, is := hosted.KeyFault(err); is || errors.As(err, &taken) {
		if !is {
			said = "This passkey already belongs to an account."
		} else if errors.Is(err, passkey.ErrRefused) {
			said = "The passkey couldn't be verified, so it wasn't added. Try again, or use another browser or device."
		}
		err = &accounts.ValidationError{Field: "key", Sentence: said}
	}
	if err != nil {
		return h.refuseSecurity(c, accountpages.Security{KeyName: name}, err)
	}
	return secured(c, "passkey-added")
}

// RemovePasskey removes one of the person's passkeys, unless nothing else would let them in.
func (h Handlers) RemovePasskey(c echo.Context) error {
	err := h.Store.RemovePasskey(c.Request().Context(), h.Actor(c), web.SignedIn(c).User.ID, web.FormValue(c, "id"))
	switch {
	case errors.Is(err, store.ErrLastSignInMethod):
		return h.refuseSecurity(c, accountpages.Security{}, &accounts.ValidationError{Sentence: "This passkey is your only way to sign in. Set a password or add another passkey first, then remove it."})
	case err != nil && !errors.Is(err, store.ErrNotFound): // gone already is gone
		return err
	}
	return secured(c, "passkey-removed")
}
