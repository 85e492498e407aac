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
	return s.Stream(c, &web.Stream{Seen: seen, Beat: web.Heartbeat}, web.Audience{Changes: s.replies.live, Workspace: s.opening.Workspace, Seats: s.replies.seats, Person: "", Stopping: s.opening.Stopping}, 0)
}
