package local

import (
	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/web"
)

// sendNews tells a page that the open folder has changed, for as long as the page listens.
func (s *FolderServer) sendNews(c echo.Context) error {
	if c.Param("workspace") != s.opening.Workspace {
		return echo.ErrNotFound
	}
	seen, _ := web.SeenBefore(c)
	return s.Stream(c, &web.Stream{Seen: seen, Beat: web.Heartbeat}, web.Audience{Watch: func(tell func(int64)) func() { return s.replies.live.Watch(s.opening.Workspace, tell) }, Seats: s.replies.seats, Stopping: s.opening.Stopping}, nil)
}
