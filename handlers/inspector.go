package handlers

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/web"
)

// New returns the routes.
func New(c web.Config) (http.Handler, error) {
	if c.Inspector == nil {
		return nil, errors.New("handlers: no inspector given")
	}
	assets, err := web.LoadAssets()
	if err != nil {
		return nil, err
	}
	s := &web.Server{Config: c, Assets: assets, Page: web.ReadPage(c.Inspector)}
	return newPages(s).routes(), nil
}

func (s pages) routes() *echo.Echo {
	e := s.Echo()
	e.GET("/", s.ShowInspector)
	e.HEAD("/", s.ShowInspector)
	s.PublicRoutes(e)
	return e
}

// pages registers the routes of a server that only has the inspector.
type pages struct{ *web.Server }

// newPages returns the routes of x.
func newPages(x *web.Server) pages { return pages{x} }
