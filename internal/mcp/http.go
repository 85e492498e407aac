package mcp

import (
	"net/http"
	"net/url"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Server is a server over a folder, made by New.
type Server = sdk.Server

// NewHTTP answers clients over streamable HTTP. Each request is answered alone, as JSON, so that there are no sessions to
// keep and any node of a server can answer: GET and DELETE, which are about sessions, get 405. A request that a page of
// another origin sent is refused: own are the origins at which the server is reached. Who may ask is up to the caller.
// server gives the server for a request.
func NewHTTP(server func(*http.Request) *Server, own func(origin string) bool) http.Handler {
	inner := sdk.NewStreamableHTTPHandler(server, &sdk.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxLine, PropagateRequestCancellation: true,
		DisableLocalhostProtection: true, // the caller knows its hosts; behind a proxy they are not those of this machine
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, origin := range r.Header.Values("Origin") {
			if !own(origin) {
				http.Error(w, "Requests of pages at other origins are refused.", http.StatusForbidden)
				return
			}
		}
		if r.Header.Get("Accept") == "" { // all answers are JSON anyway
			r.Header.Set("Accept", "application/json, text/event-stream")
		}
		inner.ServeHTTP(w, r)
	})
}

// SameOrigin reports whether an origin is that of a URL.
func SameOrigin(origin string, u *url.URL) bool { return origin == u.Scheme+"://"+u.Host }
