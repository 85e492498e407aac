package web

import (
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/httperr"
)

// SameOrigin lets a form decide something only with a proof that a page of ours has sent it: the
// browser says that it came from the same origin, or, one that says nothing of that, names the
// origin. A link, a prefetch, a program that reads mail and a page elsewhere have neither. It is
// stricter than what guards other forms, which take a request that says nothing.
func SameOrigin(origins ...string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if isOurs(c.Request(), origins) {
				return next(c)
			}
			return &httperr.Problem{Status: http.StatusForbidden, Code: "not_same_origin", Title: "The form wasn't sent from a page of this server, so nothing was changed",
				Hint: "Open the ask and reply there. If you did, a proxy between your browser and the server removes the Sec-Fetch-Site and Origin headers; ask its administrator to pass them on."}
		}
	}
}

func isOurs(r *http.Request, origins []string) bool {
	if r.Method != http.MethodPost || IsPrefetch(r) {
		return false
	}
	if site := r.Header.Values("Sec-Fetch-Site"); len(site) > 0 {
		return len(site) == 1 && site[0] == "same-origin"
	}
	origin := r.Header.Values("Origin")
	return len(origin) == 1 && slices.Contains(origins, origin[0])
}

// Hosts are the names under which a browser on this machine reaches a port.
func Hosts(listen, port string) map[string]bool {
	names := map[string]bool{listen: true, net.JoinHostPort("localhost", port): true}
	if port == "80" { // which browsers leave out
		names[strings.TrimSuffix(listen, ":80")], names["localhost"] = true, true
	}
	return names
}

// SameServer reports whether a person or a page of this server asks, and no page of another port or
// another site.
func SameServer(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	}
	return false
}
