package handlers

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/fault"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/passkey"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// keyFeatures leaves a page that makes and asks for passkeys what that takes.
var keyFeatures = strings.NewReplacer("publickey-credentials-create=()", "publickey-credentials-create=(self)",
	"publickey-credentials-get=()", "publickey-credentials-get=(self)").Replace(appFeatures)

// allowKeys lets the page of this answer make and ask for passkeys.
func allowKeys(c echo.Context) { c.Response().Header().Set("Permissions-Policy", keyFeatures) }

// keyRoutes are those of passkeys: browser is open to everybody, mine to who is signed in.
func (h *host) keyRoutes(browser, mine *routing) {
	browser.POST("/sign-in/passkey/begin", h.challenge(h.beginSignIn))
	browser.POST("/sign-in/passkey", h.signInByKey)
	mine.POST("/confirm/begin", h.challenge(h.beginConfirm))
	mine.POST("/settings/passkeys/begin", h.challenge(h.beginRegister), h.proves(people.MakePasskey))
	mine.POST("/settings/passkeys", h.addPasskey, h.proves(people.MakePasskey))
	mine.POST("/settings/passkeys/remove", h.removePasskey, h.proves(people.RemovePasskey))
}

// challenge answers a script with what its browser needs; a fault is an object too.
func (h *host) challenge(begin func(echo.Context) ([]byte, error)) echo.HandlerFunc {
	return func(c echo.Context) error {
		if h.passkeys == nil {
			return sayJSON(c, fault.Of(store.ErrNotFound))
		}
		options, err := begin(c)
		if err != nil {
			wait(c, err)
			if faults, status, is := faultsOf(err); is == nil {
				err = &fault.Problem{Status: status, Title: faults[""]}
			}
			return sayJSON(c, fault.Of(err))
		}
		return c.JSONBlob(http.StatusOK, options)
	}
}

// browserSecret is what binds a challenge to the browser of somebody who is not signed in. It is
// made when there is none; two tabs share it.
func (h *host) browserSecret(c echo.Context, make bool) string {
	name := h.desk.Cookie + "-passkey"
	if cookie, err := c.Cookie(name); err == nil && len(cookie.Value) >= 26 {
		return cookie.Value
	}
	if !make {
		return ""
	}
	secret := people.NewSecret()
	c.SetCookie(&http.Cookie{Name: name, Value: secret, Path: "/", HttpOnly: true, Secure: overTLS(h.Public), SameSite: http.SameSiteStrictMode})
	return secret
}

func (h *host) beginSignIn(c echo.Context) ([]byte, error) {
	ctx, now := c.Request().Context(), h.Now().UnixMicro()
	if err := people.TryPasskey(ctx, h.Store, c.RealIP(), now); err != nil {
		visitor.Guessed(c, "passkey", true)
		return nil, err
	}
	return h.passkeys.BeginSignIn(ctx, h.browserSecret(c, true), now)
}

func (h *host) beginConfirm(c echo.Context) ([]byte, error) {
	return h.passkeys.BeginConfirm(c.Request().Context(), me(c).User, me(c).Session, h.Now().UnixMicro())
}

func (h *host) beginRegister(c echo.Context) ([]byte, error) {
	return h.passkeys.BeginRegister(c.Request().Context(), me(c).User, me(c).Session, h.Now().UnixMicro())
}

// signInByKey begins a session of the person whose passkey has answered.
func (h *host) signInByKey(c echo.Context) error {
	next := localPath(typed(c, "next"))
	if h.passkeys == nil {
		return store.ErrNotFound
	}
	user, err := h.passkeys.SignIn(c.Request().Context(), h.browserSecret(c, false), []byte(typed(c, "answer")), h.Now().UnixMicro())
	if err == nil {
		err = h.beginAs(c, user, store.ByPasskey)
	}
	if err == nil {
		return goOn(c, next)
	}
	said, is := keyFault(err)
	if !is {
		return err
	}
	visitor.Guessed(c, "passkey", false)
	return h.sendSignIn(c, http.StatusUnauthorized, components.SignIn{Next: next, Faults: components.Faults{"": said}})
}

// keyFault says why a passkey was not taken. is is false for an error that is no passkey's.
func keyFault(err error) (said string, is bool) {
	var copied *passkey.Copied
	switch {
	case errors.As(err, &copied):
		return "The passkey has counted backwards, as it does when somebody has a copy of it, so it was refused. Come in another way, remove it under Signing in, and make a new one.", true
	case errors.Is(err, passkey.ErrLate):
		return "That took longer than five minutes, or was sent twice. Try again.", true
	case errors.Is(err, passkey.ErrRefused), errors.Is(err, people.ErrNoMatch):
		return "This passkey is not known here. Try another one, or come in another way.", true
	}
	return "", false
}

// confirmKey holds the answer of a passkey against those of who is signed in.
func (h *host) confirmKey(c echo.Context, v *visitor.Visitor, answer string) error {
	if h.passkeys == nil {
		return errUnproved
	}
	err := h.passkeys.Confirm(c.Request().Context(), v.User, v.Session, []byte(answer), h.Now().UnixMicro())
	if said, is := keyFault(err); is {
		visitor.Guessed(c, "passkey", false)
		return &people.Wrong{Sentence: said}
	}
	return err
}

// hasKeys reports whether a person can prove with a passkey here who they are.
func (h *host) hasKeys(ctx context.Context, person string) (bool, error) {
	if h.passkeys == nil {
		return false, nil
	}
	all, err := h.Store.ListPasskeys(ctx, person)
	return len(all) > 0, err
}

// addPasskey keeps the key that the browser has made.
func (h *host) addPasskey(c echo.Context) error {
	if h.passkeys == nil {
		return store.ErrNotFound
	}
	v := me(c)
	name, err := people.CheckName("key", typed(c, "key"))
	if err != nil {
		return h.refuseSecurity(c, components.Security{KeyName: typed(c, "key")}, err)
	}
	err = h.passkeys.Register(c.Request().Context(), h.act(c), v.User, v.Session, name, []byte(typed(c, "answer")))
	var taken *store.Taken
	if said, is := keyFault(err); is || errors.As(err, &taken) {
		if !is {
			said = "This passkey belongs to an account already."
		} else if errors.Is(err, passkey.ErrRefused) {
			said = "The browser made no passkey that can be verified here. Try again, or with another browser or device."
		}
		err = &people.Wrong{Field: "key", Sentence: said}
	}
	if err != nil {
		return h.refuseSecurity(c, components.Security{KeyName: name}, err)
	}
	return secured(c, "key")
}

// removePasskey removes one of the person's passkeys, unless nothing else would let them in.
func (h *host) removePasskey(c echo.Context) error {
	err := h.Store.RemovePasskey(c.Request().Context(), h.act(c), me(c).User.ID, typed(c, "id"))
	switch {
	case errors.Is(err, store.ErrLastWay):
		return h.refuseSecurity(c, components.Security{}, &people.Wrong{Sentence: "This passkey is your only way to sign in, so it stays. Set a password or make another passkey first; then remove it."})
	case err != nil && !errors.Is(err, store.ErrNotFound): // gone already is gone
		return err
	}
	return secured(c, "unkey")
}
