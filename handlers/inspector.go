package handlers

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/web"
)

// New returns the routes of a server that has the inspector and the pages on rules alone.
func New(c web.Config) (http.Handler, error) {
	if c.Inspector == nil {
		return nil, errors.New("handlers: no inspector given")
	}
	assets, err := web.LoadAssets()
	if err != nil {
		return nil, err
	}
	s := &web.Server{Config: c, Assets: assets, Page: web.ReadPage(c.Inspector)}
	return inspectorRoutes(s), nil
}

func inspectorRoutes(s *web.Server) *echo.Echo {
	e := s.Echo()
	e.GET("/", s.ShowInspector)
	e.HEAD("/", s.ShowInspector)
	s.PublicRoutes(e)
	return e
}
