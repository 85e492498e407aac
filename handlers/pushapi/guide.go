package pushapi

import (
	_ "embed"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
)

//go:embed llms.txt
var guideText string

// guideFor is the guide for agents at a server's address.
func guideFor(public string) []byte {
	return []byte(strings.ReplaceAll(guideText, "{public}", public))
}

// showGuide shows it.
func (w *Wire) showGuide(c echo.Context) error {
	return c.Blob(http.StatusOK, "text/plain; charset=utf-8", w.guide)
}
