package handlers

import (
	"context"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// sendNews tells a page that the open folder has changed, for as long as the page listens.
func (s *server) sendNews(c echo.Context) error {
	if c.Param("workspace") != s.opening.Workspace {
		return echo.ErrNotFound
	}
	changes, cancel := s.replies.live.Subscribe(s.opening.Workspace)
	defer cancel()
	lost, leave := s.replies.seats.Take("")
	defer leave()
	ctx, stop := context.WithCancel(c.Request().Context())
	defer stop()
	if s.opening.Stopping != nil {
		defer context.AfterFunc(s.opening.Stopping, stop)()
	}
	out := &events{c.Response(), http.NewResponseController(c.Response().Writer)}
	_ = out.control.SetReadDeadline(time.Time{}) // the server's limit on reading would end the stream
	c.Response().Header().Set("Content-Type", "text/event-stream")
	if out.send("retry: 3000\n\n") != nil {
		return nil // the page is gone, here and below: nobody is left to be told
	}
	seen, _ := seenBefore(c)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-lost:
			out.send("event: enough\ndata:\n\n")
			return nil
		case seq := <-changes:
			if seq > seen && out.changed(seq) != nil {
				return nil
			}
			seen = max(seen, seq)
		case <-beat.C:
			if out.send(":\n\n") != nil {
				return nil
			}
		}
	}
}
