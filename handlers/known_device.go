package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/internal/people"
)

// deviceCookie is the name of the cookie that marks a browser in which someone has signed in before.
func (h *host) deviceCookie() string { return h.desk.Cookie + "-device" }

// from describes where a sign-in attempt comes from: its address, and the device cookie if there is one.
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

// rememberDevice sets the device cookie after a person has signed in.
func (h *host) rememberDevice(c echo.Context, user string) error {
	key, _, err := h.seed(c)
	if err != nil {
		return err
	}
	c.SetCookie(&http.Cookie{Name: h.deviceCookie(), Value: people.NewDevice(key, user, h.Now().UnixMicro()), Path: "/", MaxAge: int(people.DeviceLasts / 1_000_000),
		HttpOnly: true, Secure: overTLS(h.Public), SameSite: http.SameSiteLaxMode})
	return nil
}
