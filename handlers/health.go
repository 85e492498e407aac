package handlers

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/fault"
)

// readiness is how long the store and the disk have to answer.
const readiness = 3 * time.Second

// alive answers as long as the program does.
func (h *host) alive(c echo.Context) error { return say(c, "alive") }

// ready answers when a visitor would be served: the store answers, and the disk takes bytes.
func (h *host) ready(c echo.Context) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), readiness)
	defer cancel()
	if err := h.Store.Ready(ctx); err != nil {
		return notReady("The store does not answer", err)
	}
	if h.Writable != nil {
		if err := h.Writable(ctx); err != nil {
			return notReady("The disk takes no bytes", err)
		}
	}
	return say(c, "ready")
}

func notReady(title string, cause error) error {
	return &fault.Problem{Status: http.StatusServiceUnavailable, Code: "not_ready", Title: title, Hint: "The server's log says why. Ask again in a few seconds.", Retry: 5, Cause: cause}
}

// say answers a probe, whose answer no cache may keep.
func say(c echo.Context, word string) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.String(http.StatusOK, word+"\n")
}
