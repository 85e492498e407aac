package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/visitor"
)

// signOut ends the session, also one that has ended already.
func (h *host) signOut(c echo.Context) error {
	if v := visitor.Of(c); v != nil && v.Session != "" {
		if err := h.Store.EndSession(c.Request().Context(), v.Session); err != nil {
			return err
		}
	}
	h.setCookie(c, "", -1)
	return c.Redirect(http.StatusSeeOther, "/")
}
