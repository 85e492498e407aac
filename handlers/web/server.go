// Package web is what every server of figs-web does: it sends pages, scripts and frames, sets their policies, reads forms,
// keeps streams of events open, and logs.
package web

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/viewer"
)

// Config is what a server is made of.
type Config struct {
	Inspector Inspector   // required
	Log       func(Event) // told of each request once it is answered; may be nil
	Gauges    *Gauges     // counts what is going on; may be nil
	Tracer    Tracer      // told when requests begin and end; may be nil
}

// Server holds what the handlers share.
type Server struct {
	Config
	Assets  *assets
	Page    func() page // the inspector
	Notice  string      // across the top of every page; "" is none
	Viewer  *viewer.Viewer
	Guesses *guesses
	Looked  func(c echo.Context, sha256, ext, how string) // told when a visitor was shown an attachment, or has it; may be nil
}

// PublicRoutes are what anybody may read: the inspector, the rules, and what pages are made of.
func (s *Server) PublicRoutes(e *echo.Echo) {
	e.GET("/inspect", s.ShowInspector)
	e.HEAD("/inspect", s.ShowInspector)
	e.GET("/rules", s.listRules)
	e.GET("/rules/:code", s.showRule)
	e.GET("/static/:hash/*", s.SendAsset)
}

// Echo is a router without routes; more runs before every handler.
func (s *Server) Echo(more ...echo.MiddlewareFunc) *echo.Echo {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.IPExtractor = echo.ExtractIPDirect()
	e.HTTPErrorHandler = s.showError
	e.Use(slices.Concat([]echo.MiddlewareFunc{s.Logged, headers, spoken}, more)...)
	return e
}

// headers sets what every answer carries, unless its handler knows better.
func headers(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Security-Policy", PagePolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		return next(c)
	}
}

// drain is how long open requests may last once the server is told to stop.
const drain = 9 * time.Second

// Serve answers on l until ctx ends, lets open requests finish, and returns nil then.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	return ServeLogged(ctx, l, h, nil)
}

// ServeLogged is Serve that tells errs of connections that failed before there was a request.
func ServeLogged(ctx context.Context, l net.Listener, h http.Handler, errs *log.Logger) error {
	server := &http.Server{
		ErrorLog:          errs,
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		WriteTimeout:      5 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
		defer cancel()
		stopped <- server.Shutdown(last)
	})
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		stop()
		return err
	}
	if err := <-stopped; err != nil {
		return server.Close() // somebody would not finish
	}
	return nil
}

// Stopped is the code of a server that was told to stop.
const Stopped = "stopping"
