package web

import (
	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/words"
	"github.com/figs-web/figs-web/handlers/auth"
)

// spoken lets pages be in the language that the browser asks for.
func spoken(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		speak(c, words.Choose(c.Request().Header.Values("Accept-Language")))
		return next(c)
	}
}

// WithLanguage lets the pages of a person who has chosen a language be in that.
func WithLanguage(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if v := auth.Of(c); v != nil && v.User.Language != "" {
			speak(c, v.User.Language)
		}
		return next(c)
	}
}

// speak sets the language of what answers a request.
func speak(c echo.Context, code string) {
	r := c.Request()
	if ctx := i18n.WithLanguage(r.Context(), code); ctx != r.Context() {
		c.SetRequest(r.WithContext(ctx))
	}
}
