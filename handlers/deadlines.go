package handlers

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/fault"
)

const (
	// grace is how long a body may take before it is held to a pace, and pace the bytes a
	// second that it must make from then on, on the whole: a slow line is served, one byte a
	// second is not.
	grace = time.Minute
	pace  = 4 << 10
	// answering is how long an answer may take to be taken, once its request is read.
	answering = 5 * time.Minute
)

// paced gives each kind of request the time that it needs. The server's own limits are for
// those that only read.
func (h *host) paced(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		control := http.NewResponseController(c.Response())
		switch {
		case isStream(c):
			// The limit on reading would end the stream too, because a server looks out for its
			// visitor's going by reading on.
			control.SetReadDeadline(time.Time{})
			control.SetWriteDeadline(time.Time{})
			if h.Stopping != nil {
				ctx, cancel := context.WithCancel(r.Context())
				defer cancel()
				defer context.AfterFunc(h.Stopping, cancel)()
				c.SetRequest(r.WithContext(ctx))
			}
		case r.Method == http.MethodPost && strings.HasPrefix(c.Path(), "/api/"):
			body := &pacedBody{body: r.Body, control: control, begun: time.Now()}
			body.allow(body.begun)
			r.Body = body
		}
		return next(c)
	}
}

// isStream reports whether the answer is a stream of events.
func isStream(c echo.Context) bool { return strings.HasSuffix(c.Path(), "/events") }

// pacedBody is a body whose time grows with what has come of it.
type pacedBody struct {
	body    io.ReadCloser
	control *http.ResponseController
	begun   time.Time
	allowed time.Time // when time was last allowed
	read    int64
}

// allow sets how long the rest of the body may take. Where the connection knows no limits, as in
// tests, there is none.
func (p *pacedBody) allow(now time.Time) {
	p.allowed = now
	until := p.begun.Add(grace + time.Duration(p.read)*time.Second/pace)
	p.control.SetReadDeadline(until)
	p.control.SetWriteDeadline(until.Add(answering))
}

// Read implements io.Reader.
func (p *pacedBody) Read(b []byte) (int, error) {
	n, err := p.body.Read(b)
	p.read += int64(n)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, &fault.Problem{Status: http.StatusRequestTimeout, Code: "body_too_slow", Title: "The body came too slowly, and nothing of it was kept",
			Hint: "After a minute it must make 4 KiB a second on the whole. Push again over a better line.", Cause: err}
	case err != nil:
		// It is whole: however long the work on it takes, its end is not the line's.
		p.control.SetReadDeadline(time.Time{})
		p.control.SetWriteDeadline(time.Now().Add(answering))
	default:
		if now := time.Now(); now.Sub(p.allowed) > time.Second {
			p.allow(now)
		}
	}
	return n, err
}

// Close implements io.Closer.
func (p *pacedBody) Close() error { return p.body.Close() }
