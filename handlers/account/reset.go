package account

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// ShowReset shows the form of a reset link, which whoever holds the server has made.
func (h Handlers) ShowReset(c echo.Context) error {
	ctx, key := c.Request().Context(), c.QueryParam("key")
	u, err := h.resetOf(c, key)
	if err != nil {
		return h.deadReset(c, err)
	}
	return h.SendPerson(c, h.Person(), http.StatusOK, accountpages.ResetPage(ctx, accountpages.Reset{Key: key, Email: u.Email}))
}

// resetOf is whom a reset link is for.
func (h Handlers) resetOf(c echo.Context, key string) (store.User, error) {
	ctx, now := c.Request().Context(), h.Now().UnixMicro()
	if err := accounts.LimitReset(ctx, h.Store, c.RealIP(), now); err != nil {
		return store.User{}, err
	}
	t, err := h.Store.Ticket(ctx, store.Hash(key), store.ResetKind, now)
	if err != nil {
		return store.User{}, err
	}
	return h.Store.User(ctx, t.Person)
}

func (h Handlers) deadReset(c echo.Context, err error) error {
	web.RetryAfter(c, err)
	m, status := accountpages.Reset{}, http.StatusNotFound
	switch faults, limited, is := web.FaultsOf(err); {
	case is == nil:
		auth.Guessed(c, "reset", true)
		m.Faults, status = faults, limited
	case errors.Is(err, store.ErrNotFound):
		auth.Guessed(c, "reset", false)
	default:
		return err
	}
	return h.SendPerson(c, h.Person(), status, accountpages.DeadResetPage(c.Request().Context(), m))
}

// Reset sets the password of the person of a reset link and signs them in.
func (h Handlers) Reset(c echo.Context) error {
	ctx, key, chosen := c.Request().Context(), web.FormValue(c, "key"), web.FormValue(c, "password")
	u, err := h.resetOf(c, key)
	if err != nil {
		return h.deadReset(c, err)
	}
	if err := accounts.CheckPassword(chosen, u.Email); err != nil {
		faults, status, err := web.FaultsOf(err)
		if err != nil {
			return err
		}
		return h.SendPerson(c, h.Person(), status, accountpages.ResetPage(ctx, accountpages.Reset{Key: key, Email: u.Email, Faults: faults}))
	}
	encoded, err := accounts.HashPassword(ctx, chosen)
	if err != nil {
		return err
	}
	if u, err = h.Store.UseReset(ctx, store.Act{At: h.Now().UnixMicro()}, store.Hash(key), encoded); err != nil { // somebody else was quicker
		return h.deadReset(c, err)
	}
	if err := h.beginAs(c, u, store.MethodResetLink); err != nil {
		return err
	}
	return secured(c, "password-changed")
}
