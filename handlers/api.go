package handlers

import (
	"context"
	"log"
	"net"
	"net/http"
	"net/url"

	"github.com/figs-web/figs-web/handlers/account"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/local"
	"github.com/figs-web/figs-web/handlers/web"
)

// What a program needs to start a server is named here; the packages below say what each of it means.
type (
	Config  = web.Config
	Serving = web.Serving
	Event   = web.Event
	Gauges  = web.Gauges
	Tracer  = web.Tracer
	Trace   = web.Trace
	Guess   = web.Guess

	Hosting   = hosted.Options
	Running   = hosted.ProgramInfo
	Setting   = hosted.Setting
	Telling   = hosted.NotificationOptions
	Header    = hosted.Header
	OIDC      = hosted.OIDC
	GroupRole = hosted.GroupRole

	Opening = local.Options
	Opened  = local.Routes
)

// CallbackPath is where a provider sends people back to; it is told that address.
const CallbackPath = account.CallbackPath

// ErrOrigin says that an origin is none.
var ErrOrigin = web.ErrOrigin

// Open returns the routes that show a folder to the one who holds its address.
func Open(o Opening) (*Opened, error) { return local.Open(o) }

// CookieName is that of the session's cookie at the address that people use.
func CookieName(public *url.URL) string { return hosted.CookieName(public) }

// ParseProxies reads addresses and ranges, "10.0.0.0/8" or "192.0.2.7". It returns the first one that is neither.
func ParseProxies(list []string) (proxies []*net.IPNet, wrong string) { return web.ParseProxies(list) }

// Serve answers on l until ctx ends, lets open requests finish, and returns nil then.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error { return web.Serve(ctx, l, h) }

// ServeLogged is Serve that tells errs of connections that failed before there was a request.
func ServeLogged(ctx context.Context, l net.Listener, h http.Handler, errs *log.Logger) error {
	return web.ServeLogged(ctx, l, h, errs)
}
