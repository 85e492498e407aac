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
		v, err := w.visitor(c.Request().Context(), secretOf(c.Request().Header))
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

// secretOf is the token of a call: of its Authorization, else of the header of older clients.
func secretOf(h http.Header) string {
	scheme, secret, _ := strings.Cut(strings.TrimSpace(h.Get("Authorization")), " ")
	if secret = strings.TrimSpace(secret); secret != "" && strings.EqualFold(scheme, "Bearer") {
		return secret
	}
	return strings.TrimSpace(h.Get("X-Figs-Token"))
}

func (w *Wire) visitor(ctx context.Context, secret string) (*visitor.Visitor, error) {
	switch {
	case secret == "":
		return nil, w.strange("token_missing", "This call came without a token")
	case strings.HasPrefix(secret, "-"):
		// Some clients take a flag of their login for the token and keep it.
		return nil, w.strange("token_unknown", "What this client keeps as its token is an option of the command line, not a token")
	}
	t, err := w.Store.UseToken(ctx, store.Hash(secret), w.now())
	var user store.User
	if err == nil {
		user, err = w.Store.User(ctx, t.User)
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, w.strange("token_unknown", "This token is not known here: it was revoked, or it belongs to another server")
	case err != nil:
		return nil, err
	}
	return &visitor.Visitor{User: user, Token: t.ID}, nil
}

// strange answers who is not known, with the way to become known.
func (w *Wire) strange(code, title string) error {
	return &fault.Problem{Status: http.StatusUnauthorized, Code: code, Title: title,
		Hint: "Log in again at this server: FIGS_ENDPOINT=" + w.Public.String() + " figs logout, then FIGS_ENDPOINT=" + w.Public.String() +
			" figs login. If FIGS_TOKEN is set, unset it or give it a token from " + w.Public.String() + "/settings. What is recorded locally is safe; figs push sends it afterwards."}
}
