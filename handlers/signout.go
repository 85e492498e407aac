package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/store"
)

// signOut ends the session, also one that has ended already.
func (h *host) signOut(c echo.Context) error {
	if v := visitor.Of(c); v != nil && v.Session != "" {
		if err := h.Store.EndSession(c.Request().Context(), v.Session); err != nil {
			return err
		}
	}
	h.setCookie(c, "", -1)
	if v := visitor.Of(c); v != nil && v.Way == store.ByProxy { // any page of ours would sign them in again
		return h.sendPerson(c, h.person(), http.StatusOK, components.ProxyOutPage(c.Request().Context()))
	}
	return c.Redirect(http.StatusSeeOther, "/")
}
