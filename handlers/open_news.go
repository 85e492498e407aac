package handlers

import (
	"github.com/labstack/echo/v4"
)

// sendNews tells a page that the open folder has changed, for as long as the page listens.
func (s *folderServer) sendNews(c echo.Context) error {
	if c.Param("workspace") != s.opening.Workspace {
		return echo.ErrNotFound
	}
	seen, _ := seenBefore(c)
	return s.stream(c, &stream{seen: seen, beat: heartbeat}, audience{s.replies.live, s.opening.Workspace, s.replies.seats, "", s.opening.Stopping}, 0)
}
