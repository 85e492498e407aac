// Package handlers is the web server: routes that parse a request, ask, and show. It serves the
// inspector, which needs nothing of the server once it is loaded, the pages on rules, and a
// folder that is open on this machine, with what is attached in it.
package handlers

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"
)

// Config is what a server is made of.
type Config struct {
	Inspector Inspector   // required
	Log       func(Event) // told of each request once it is answered; may be nil
	Gauges    *Gauges     // counts what is going on; may be nil
	Tracer    Tracer      // told when requests begin and end; may be nil
}

// server holds what the handlers share.
type server struct {
	Config
	assets  *assets
	page    func() page // the inspector
	notice  string      // across the top of every page; "" is none
	viewer  *viewer
	guesses *guesses
	looked  func(c echo.Context, sha256, ext, how string) // told when a visitor was shown an attachment, or has it; may be nil
}

// New returns the routes.
func New(c Config) (http.Handler, error) {
	if c.Inspector == nil {
		return nil, errors.New("handlers: no inspector given")
	}
	assets, err := loadAssets()
	if err != nil {
		return nil, err
	}
	s := &server{Config: c, assets: assets, page: readPage(c.Inspector)}
	return s.routes(), nil
}

func (s *server) routes() *echo.Echo {
	e := s.echo()
	e.GET("/", s.showInspector)
	e.HEAD("/", s.showInspector)
	s.publicRoutes(e)
	return e
}

// publicRoutes are what anybody may read: the inspector, the rules, and what pages are made of.
func (s *server) publicRoutes(e *echo.Echo) {
	e.GET("/inspect", s.showInspector)
	e.HEAD("/inspect", s.showInspector)
	e.GET("/rules", s.listRules)
	e.GET("/rules/:code", s.showRule)
	e.GET("/static/:hash/*", s.sendAsset)
}

// echo is a router without routes; more runs before every handler.
func (s *server) echo(more ...echo.MiddlewareFunc) *echo.Echo {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.IPExtractor = echo.ExtractIPDirect()
	e.HTTPErrorHandler = s.showError
	e.Use(slices.Concat([]echo.MiddlewareFunc{s.logged, headers, spoken}, more)...)
	return e
}

// headers sets what every answer carries, unless its handler knows better.
func headers(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Security-Policy", pagePolicy)
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
