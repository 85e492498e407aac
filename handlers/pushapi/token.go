package pushapi

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// signedIn lets those pass who bring a token that is good.
func (w *Wire) signedIn(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		v, err := w.visitor(c, auth.Secret(c.Request().Header))
		if err != nil {
			switch httperr.Of(err).Status {
			case http.StatusUnauthorized:
				c.Response().Header().Set("WWW-Authenticate", "Bearer")
				w.leave(c)
			case http.StatusTooManyRequests:
				w.leave(c)
			}
			return err
		}
		auth.Set(c, v)
		return next(c)
	}
}

// visitor is who holds a token, or a *httperr.Problem that says why it is not good.
func (w *Wire) visitor(c echo.Context, secret string) (*auth.Visitor, error) {
	switch {
	case secret == "":
		return nil, w.strange("token_missing", "The request has no token")
	case strings.HasPrefix(secret, "-"):
		// Some clients take a flag of their login for the token and keep it.
		return nil, w.strange("token_unknown", "The client's stored token is a command-line option, not a token")
	}
	v, err := auth.Bearer(c, w.Store, secret, w.now())
	var wait *accounts.RateLimitError
	switch {
	case errors.As(err, &wait):
		return nil, auth.TooManyTokens(wait)
	case errors.Is(err, store.ErrExpired):
		return nil, w.strange("token_expired", "This token has expired")
	case errors.Is(err, store.ErrNotFound):
		return nil, w.strange("token_unknown", "This token isn't valid on this server: it was revoked, or it belongs to another server")
	}
	return v, err
}

// pushes lets those pass whose token may push. It stands behind SignedIn.
func (w *Wire) pushes(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		err := auth.Of(c).MayWrite("Get a token that can push with figs logout and figs login at this server, or at " + w.Public.String() +
			"/settings/tokens and set FIGS_TOKEN to it. Your local records are safe; push them afterwards.")
		if err != nil {
			w.leave(c)
			return err
		}
		return next(c)
	}
}

// strange answers who is not known, with the way to become known.
func (w *Wire) strange(code, title string) error {
	return &httperr.Problem{Status: http.StatusUnauthorized, Code: code, Title: title,
		Hint: "Log in again at this server: FIGS_ENDPOINT=" + w.Public.String() + " figs logout, then FIGS_ENDPOINT=" + w.Public.String() +
			" figs login. If FIGS_TOKEN is set, unset it or give it a token from " + w.Public.String() + "/settings/tokens. Your local records are safe; push them afterwards."}
}
