package handlers

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/parcel"
	"github.com/figs-web/figs-web/internal/journal"
)

// sendDownload sends an attachment, byte for byte what was hashed, never to be shown.
func (s *server) sendDownload(c echo.Context) error {
	h := c.Response().Header()
	privately(h)
	h.Set("Content-Security-Policy", parcel.Policy)
	name, ok := named(c.Param("name"))
	if !ok {
		return echo.ErrNotFound
	}
	a, err := s.viewer.files.Attachment(c.Request().Context(), c.Param("workspace"), c.Param("sha256"))
	if err != nil {
		return err
	}
	if !slices.Contains(a.Names, name) {
		return journal.ErrNotFound
	}
	body, err := a.Open(c.Request().Context())
	if err != nil {
		return err
	}
	defer body.Close()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", parcel.Disposition(name))
	h.Set("Content-Length", strconv.FormatInt(a.Size, 10))
	h.Set("Accept-Ranges", "none")
	if err := parcel.Pass(c.Response(), body, c.Param("sha256")); err != nil {
		if !c.Response().Committed { // it is short, and known before the first byte is sent
			for _, name := range []string{"Content-Type", "Content-Disposition", "Content-Length", "Accept-Ranges"} {
				h.Del(name) // they are those of the file, and not of what is said of it
			}
			return err
		}
		if c.Request().Context().Err() == nil {
			c.Set(faultKey, fmt.Errorf("the download of %q was cut off: %w", name, err))
		}
		panic(http.ErrAbortHandler) // the browser must not take a part, or other bytes, for the file
	}
	s.saw(c, c.Param("sha256"), extension(name), download)
	return nil
}
