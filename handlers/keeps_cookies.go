package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/fault"
)

// keepsCookies refuses a form that signs somebody in when the browser keeps no cookies, before a link or a code is used up.
// The form's page sets a cookie like the session's; the form must come back with it, or with a session.
func (h *host) keepsCookies(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		name := h.desk.Cookie + "-kept"
		kept := len(c.Request().CookiesNamed(name)) > 0 || len(c.Request().CookiesNamed(h.desk.Cookie)) > 0
		switch {
		case kept:
		case c.Request().Method == http.MethodPost && typed(c, "cookie") == "asked":
			return &fault.Problem{Status: http.StatusBadRequest, Code: "no_cookie", Title: "Your browser kept no cookie, so nobody was signed in",
				Hint: "Signing in takes a cookie of this server. Allow it, go back, load the page again and send the form once more. Nothing was changed: a link that works once still works."}
		case c.Request().Method == http.MethodGet:
			c.SetCookie(&http.Cookie{Name: name, Value: "1", Path: "/", HttpOnly: true, Secure: overTLS(h.Public), SameSite: http.SameSiteLaxMode})
		}
		return next(c)
	}
}
