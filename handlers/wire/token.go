package wire

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/fault"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/store"
)

// signedIn lets those pass who bring a token that is good.
func (w *Wire) signedIn(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		v, err := w.visitor(c.Request().Context(), visitor.Secret(c.Request().Header))
		if err != nil {
			if fault.Of(err).Status == http.StatusUnauthorized {
				c.Response().Header().Set("WWW-Authenticate", "Bearer")
				w.leave(c)
			}
			return err
		}
		visitor.Set(c, v)
		return next(c)
	}
}

// visitor is who holds a token, or a *fault.Problem that says why it is not good.
func (w *Wire) visitor(ctx context.Context, secret string) (*visitor.Visitor, error) {
	switch {
	case secret == "":
		return nil, w.strange("token_missing", "This call came without a token")
	case strings.HasPrefix(secret, "-"):
		// Some clients take a flag of their login for the token and keep it.
		return nil, w.strange("token_unknown", "What this client keeps as its token is an option of the command line, not a token")
	}
	v, err := visitor.Holder(ctx, w.Store, secret, w.now())
	if errors.Is(err, store.ErrNotFound) {
		return nil, w.strange("token_unknown", "This token is not known here: it was revoked, or it belongs to another server")
	}
	return v, err
}

// strange answers who is not known, with the way to become known.
func (w *Wire) strange(code, title string) error {
	return &fault.Problem{Status: http.StatusUnauthorized, Code: code, Title: title,
		Hint: "Log in again at this server: FIGS_ENDPOINT=" + w.Public.String() + " figs logout, then FIGS_ENDPOINT=" + w.Public.String() +
			" figs login. If FIGS_TOKEN is set, unset it or give it a token from " + w.Public.String() + "/settings. What is recorded locally is safe; figs push sends it afterwards."}
}
