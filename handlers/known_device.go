package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/internal/people"
)

// deviceCookie tells the server that somebody has signed in with a browser before.
func (h *host) deviceCookie() string { return h.desk.Cookie + "-device" }

// from is where a request that tries to sign in comes from.
func (h *host) from(c echo.Context) (people.From, error) {
	from := people.From{Address: c.RealIP()}
	cookie, err := c.Cookie(h.deviceCookie())
	if err != nil {
		return from, nil // it has none
	}
	from.Device = cookie.Value
	from.Key, _, err = h.seed(c)
	return from, err
}

// rememberDevice lets a browser keep that a person has signed in with it.
func (h *host) rememberDevice(c echo.Context, user string) error {
	key, _, err := h.seed(c)
	if err != nil {
		return err
	}
	c.SetCookie(&http.Cookie{Name: h.deviceCookie(), Value: people.NewDevice(key, user, h.Now().UnixMicro()), Path: "/", MaxAge: int(people.DeviceLasts / 1_000_000),
		HttpOnly: true, Secure: overTLS(h.Public), SameSite: http.SameSiteLaxMode})
	return nil
}
