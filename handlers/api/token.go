package api

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/fault"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/store"
)

// recognised lets those pass who have a session or bring a token. A token that was brought
// counts alone: whoever sends a bad one learns it, session or not.
func (a *API) recognised(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		secret := secretOf(c.Request().Header)
		if secret == "" && visitor.Of(c) != nil {
			return next(c)
		}
		if secret == "" {
			return a.strange(c, "token_missing", "This address answers members only, and nobody said who asks")
		}
		ctx := c.Request().Context()
		t, err := a.Desk.Source.UseToken(ctx, store.Hash(secret), a.Desk.Now().UnixMicro())
		var user store.User
		if err == nil {
			user, err = a.Desk.Source.User(ctx, t.User)
		}
		if errors.Is(err, store.ErrNotFound) {
			return a.strange(c, "token_unknown", "This token is not known here: it was revoked, or it belongs to another server")
		}
		if err != nil {
			return err
		}
		visitor.Set(c, &visitor.Visitor{User: user, Token: t.ID})
		return next(c)
	}
}

// secretOf is the token of a call: of its Authorization, else of the header that older clients send.
func secretOf(h http.Header) string {
	scheme, secret, _ := strings.Cut(strings.TrimSpace(h.Get("Authorization")), " ")
	if secret = strings.TrimSpace(secret); secret != "" && strings.EqualFold(scheme, "Bearer") {
		return secret
	}
	return strings.TrimSpace(h.Get("X-Figs-Token"))
}

func (a *API) strange(c echo.Context, code, title string) error {
	c.Response().Header().Set("WWW-Authenticate", "Bearer")
	return &fault.Problem{Status: http.StatusUnauthorized, Code: code, Title: title,
		Hint: "Make a token at " + a.Public.String() + "/settings and send it as \"Authorization: Bearer TOKEN\"."}
}
