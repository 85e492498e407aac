package api

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// recognised lets those pass who have a session or bring a token. A token that was brought
// counts alone: whoever sends a bad one learns it, session or not.
func (a *API) recognised(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		secret := auth.Secret(c.Request().Header)
		if secret == "" && auth.Of(c) != nil {
			return next(c)
		}
		if secret == "" {
			return a.strange(c, "token_missing", "This URL requires a token")
		}
		v, err := auth.Bearer(c, a.Auth.Source, secret, a.Auth.Now().UnixMicro())
		var wait *accounts.RateLimitError
		switch {
		case errors.As(err, &wait):
			return auth.TooManyTokens(wait)
		case errors.Is(err, store.ErrExpired):
			return a.strange(c, "token_expired", "This token has expired")
		case errors.Is(err, store.ErrNotFound):
			return a.strange(c, "token_unknown", "This token isn't valid on this server: it was revoked, or it belongs to another server")
		case err != nil:
			return err
		}
		auth.Set(c, v)
		return next(c)
	}
}

func (a *API) strange(c echo.Context, code, title string) error {
	c.Response().Header().Set("WWW-Authenticate", "Bearer")
	return &httperr.Problem{Status: http.StatusUnauthorized, Code: code, Title: title,
		Hint: "Create a token at " + a.Public.String() + "/settings/tokens and send it as \"Authorization: Bearer TOKEN\"."}
}

// byToken lets those pass who came with a token. A browser adds its session to whatever a page
// anywhere sends here, so that a session alone may change nothing.
func byToken(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if v := auth.Of(c); v == nil || v.Token == "" {
			return &httperr.Problem{Status: http.StatusForbidden, Code: "token_required", Title: "This URL requires a token, not a browser session; nothing was changed",
				Hint: "Send \"Authorization: Bearer TOKEN\", or do it on the pages of this server."}
		}
		return next(c)
	}
}

// writes lets those pass whose token may do more than read.
func (a *API) writes(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := auth.Of(c).MayWrite(a.another()); err != nil {
			return err
		}
		return next(c)
	}
}

// another is how to come by a token that may do more than read.
func (a *API) another() string {
	return "Create a token that may push at " + a.Public.String() + "/settings/tokens and send that."
}
