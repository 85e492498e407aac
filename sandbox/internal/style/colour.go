package style

import "github.com/figs-web/figs-web/sandbox/internal/colour"

// Colour returns an opaque colour as "#rrggbb", or "" when s is none.
func Colour(s string) string {
	c, ok := colour.Parse(s)
	if !ok || c.Alpha < 1 {
		return ""
	}
	return c.Hex()
}
