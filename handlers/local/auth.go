package local

import (
	"crypto/rand"
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/web"
)

// localAuth lets one person in: whoever holds the address that was printed. The key in it works
// once and becomes a session; the session ends with the program.
type localAuth struct {
	hosts   map[string]bool // Host headers of this server; others come from a name that was bent to it
	Cookie  string          // its name
	Session string          // its value

	mutex sync.Mutex
	key   string // "" once it was used
}

// newLocalAuth is for a server that listens on an address of this machine. Cookies do not know
// ports, so that the port is part of the cookie's name: two folders may be open at once.
func newLocalAuth(listen string) (*localAuth, error) {
	_, port, err := net.SplitHostPort(listen)
	if err != nil {
		return nil, err
	}
	return &localAuth{hosts: web.Hosts(listen, port), Cookie: "figs-" + port, Session: rand.Text(), key: rand.Text()}, nil
}

// known refuses requests for any other name: a page elsewhere may let its own name lead to this
// machine, and would then be of the same origin as the folder (DNS rebinding).
func known(hosts map[string]bool) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if !hosts[strings.ToLower(c.Request().Host)] {
				return &httperr.Problem{Status: http.StatusForbidden, Title: "This server answers only at its own URL", Hint: "Open the exact URL that figs-web open printed."}
			}
			return next(c)
		}
	}
}

// enter changes the key for a session.
func (s *FolderServer) enter(c echo.Context) error {
	inside := s.Door.inside(c.Request())
	if !inside {
		if err := s.Door.turn(c.Request()); err != nil {
			return err
		}
		c.SetCookie(&http.Cookie{Name: s.Door.Cookie, Value: s.Door.Session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	}
	if web.SameServer(c.Request()) {
		return s.showStart(c)
	}
	// A browser that comes here from a link elsewhere would not send the cookie after a redirect.
	on := &httperr.Problem{Title: "The folder is open", Hint: "Continue to view it."}
	ctx := c.Request().Context()
	return s.Send(c, http.StatusOK, web.TitleOf(ctx, on), web.HTMLOf(ctx, on))
}

// turn uses the key up, or says why it does not turn.
func (d *localAuth) turn(r *http.Request) error {
	if web.IsPrefetch(r) {
		return &httperr.Problem{Status: http.StatusForbidden, Title: "This page can't be prefetched", Hint: "Open the URL directly."}
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	switch {
	case d.key == "":
		return &httperr.Problem{Status: http.StatusForbidden, Title: "This URL was already used", Hint: "The key in the URL works once. If you didn't use it, someone else has seen it: stop figs-web open. To use another browser, start figs-web open again."}
	case subtle.ConstantTimeCompare([]byte(r.URL.Query().Get("key")), []byte(d.key)) != 1:
		return &httperr.Problem{Status: http.StatusForbidden, Title: "This key is wrong", Hint: "Copy the whole URL that figs-web open printed."}
	}
	d.key = ""
	return nil
}

// guard lets nobody pass without the session.
func (d *localAuth) guard(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !web.SameServer(c.Request()) {
			return &httperr.Problem{Status: http.StatusForbidden, Title: "Another site opened this page", Hint: "Continue if you want to view the folder that figs-web open shows."}
		}
		if !d.inside(c.Request()) {
			return &httperr.Problem{Status: http.StatusForbidden, Title: "This browser doesn't have access to the folder", Hint: "Open the URL that figs-web open printed, including its key. The key works once, in one browser."}
		}
		return next(c)
	}
}

func (d *localAuth) inside(r *http.Request) bool {
	for _, cookie := range r.CookiesNamed(d.Cookie) {
		if subtle.ConstantTimeCompare([]byte(cookie.Value), []byte(d.Session)) == 1 {
			return true
		}
	}
	return false
}
