// Package handlers is the web server: routes that parse a request, ask, and show. It serves the
// inspector, which needs nothing of the server once it is loaded, the pages on rules, and a
// folder that is open on this machine, with what is attached in it.
package handlers

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/fault"
)

// Config is what a server is made of.
type Config struct {
	Inspector Inspector   // required
	Log       func(Event) // told of each request once it is answered; may be nil
}

// Event is one answered request.
type Event struct {
	Method   string
	Path     string // without the query
	Status   int
	Duration time.Duration
	Err      error // what went wrong, for the operator; nil when nothing did
}

// server holds what the handlers share.
type server struct {
	Config
	assets  *assets
	page    page    // the inspector
	opening Opening // what Open shows, behind its door
	door    *door
	viewer  *viewer
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
	e.GET("/inspect", s.showInspector)
	e.HEAD("/inspect", s.showInspector)
	e.GET("/rules", s.listRules)
	e.GET("/rules/:code", s.showRule)
	e.GET("/static/:hash/:name", s.sendAsset)
	return e
}

// echo is a router without routes; more runs before every handler.
func (s *server) echo(more ...echo.MiddlewareFunc) *echo.Echo {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.IPExtractor = echo.ExtractIPDirect()
	e.HTTPErrorHandler = s.showError
	e.Use(slices.Concat([]echo.MiddlewareFunc{s.logged, headers}, more)...)
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

// faultKey is where a handler that could answer all the same leaves what the operator must know.
const faultKey = "fault"

// logged tells Log of every answer, errors included.
func (s *server) logged(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		begun := time.Now()
		var p *fault.Problem
		defer func() { // also when a handler cuts the connection
			e := Event{c.Request().Method, c.Request().URL.Path, c.Response().Status, time.Since(begun), p.ForOperator()}
			if err, ok := c.Get(faultKey).(error); ok && e.Err == nil {
				e.Err = err
			}
			if s.Log != nil {
				s.Log(e)
			}
		}()
		if err := next(c); err != nil {
			p = fault.Of(err)
			c.Error(p) // the page on it is written here, so that its status is known
		}
		return nil
	}
}

// drain is how long open requests may last once the server is told to stop.
const drain = 5 * time.Second

// Serve answers on l until ctx ends, lets open requests finish, and returns nil then.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{
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
