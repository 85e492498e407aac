package hosted

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// ManifestPath is where browsers find what they need to install the server's pages as an app.
const ManifestPath = "/manifest.webmanifest"

// manifest is a web app manifest.
type manifest struct {
	ID         string         `json:"id"`
	Name       string         `json:"name"`
	ShortName  string         `json:"short_name"`
	StartURL   string         `json:"start_url"`
	Scope      string         `json:"scope"`
	Display    string         `json:"display"`
	Theme      string         `json:"theme_color"`
	Background string         `json:"background_color"`
	Icons      []manifestIcon `json:"icons"`
}

type manifestIcon struct {
	Src     string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose"`
}

// SendManifest sends the web app manifest. The app begins at "/", which redirects a signed-in person to their workspace. The
// colours are those of the light theme: a manifest has no others.
func (h *Host) SendManifest(c echo.Context) error {
	m := manifest{ID: "/", Name: "figs-web", ShortName: "figs-web", StartURL: "/", Scope: "/", Display: "standalone", Theme: "#f3f0ec", Background: "#faf8f5"}
	for _, size := range []string{"192", "512"} {
		m.Icons = append(m.Icons,
			manifestIcon{h.Assets.Address("icon-" + size + ".png"), size + "x" + size, "image/png", "any"},
			manifestIcon{h.Assets.Address("icon-maskable-" + size + ".png"), size + "x" + size, "image/png", "maskable"})
	}
	head := c.Response().Header()
	head.Set("Cache-Control", "no-cache")
	head.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	head.Set(echo.HeaderContentType, "application/manifest+json")
	return c.JSON(http.StatusOK, m)
}
