package handlers

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// makeToken makes a token and shows it, this once: no address leads back to it.
func (h *host) makeToken(c echo.Context) error {
	name, err := people.CheckName("token", typed(c, "token"))
	if err != nil {
		return h.refuseSettings(c, components.Settings{TokenName: typed(c, "token")}, err)
	}
	secret, act := people.NewToken(), h.act(c)
	t := store.Token{ID: store.NewID(), User: act.By, Name: name, Hash: store.Hash(secret), Created: act.At}
	if err := h.Store.AddToken(c.Request().Context(), act, t); err != nil {
		return err
	}
	return h.sendSettings(c, http.StatusOK, components.Settings{Fresh: secret})
}

// revokeToken takes a token back. One that is revoked already, or is somebody else's, is left as
// it is.
func (h *host) revokeToken(c echo.Context) error {
	act := h.act(c)
	if err := h.Store.RevokeToken(c.Request().Context(), act, act.By, typed(c, "id")); err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return settled(c, "revoked")
}
