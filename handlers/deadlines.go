package handlers

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/fault"
)

// lasting lets streams of events last, until their page goes or the server is told to stop. The
// server's own limits are for requests that only read; bodies have theirs in package wire.
func (h *host) lasting(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !isStream(c) {
			return next(c)
		}
		// The limit on reading would end the stream too, because a server looks out for its
		// visitor's going by reading on. Doors that know no limits are those of tests.
		control := http.NewResponseController(c.Response())
		_ = control.SetReadDeadline(time.Time{})
		_ = control.SetWriteDeadline(time.Time{})
		if h.Stopping != nil {
			if h.Stopping.Err() != nil { // another server takes it, or this one when it has started again
				return &fault.Problem{Status: http.StatusServiceUnavailable, Code: stopped, Retry: 1, Title: "This server is being stopped", Hint: "The page asks again by itself."}
			}
			r := c.Request()
			ctx, cancel := context.WithCancel(r.Context())
			defer cancel()
			defer context.AfterFunc(h.Stopping, cancel)()
			c.SetRequest(r.WithContext(ctx))
		}
		return next(c)
	}
}

// isStream reports whether the answer is a stream of events.
func isStream(c echo.Context) bool { return strings.HasSuffix(c.Path(), "/events") }
