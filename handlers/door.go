package handlers

import (
	"crypto/rand"
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/fault"
)

// door lets one person in: whoever holds the address that was printed. The key in it works
// once and becomes a session; the session ends with the program.
type door struct {
	hosts   map[string]bool // Host headers of this server; others come from a name that was bent to it
	cookie  string          // its name
	session string          // its value

	mutex sync.Mutex
	key   string // "" once it was used
}

// newDoor is for a server that listens on an address of this machine. Cookies do not know
// ports, so that the port is part of the cookie's name: two folders may be open at once.
func newDoor(listen string) (*door, error) {
	_, port, err := net.SplitHostPort(listen)
	if err != nil {
		return nil, err
	}
	return &door{hosts: hosts(listen, port), cookie: "figs-" + port, session: rand.Text(), key: rand.Text()}, nil
}

// hosts are the names under which a browser on this machine reaches a port.
func hosts(listen, port string) map[string]bool {
	names := map[string]bool{listen: true, net.JoinHostPort("localhost", port): true}
	if port == "80" { // which browsers leave out
		names[strings.TrimSuffix(listen, ":80")], names["localhost"] = true, true
	}
	return names
}

// known refuses requests for any other name: a page elsewhere may let its own name lead to this
// machine, and would then be of the same origin as the folder (DNS rebinding).
func known(hosts map[string]bool) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if !hosts[strings.ToLower(c.Request().Host)] {
				return &fault.Problem{Status: http.StatusForbidden, Title: "This server answers to its own address only", Hint: "Open the address that figs-web open printed, as it stands there."}
			}
			return next(c)
		}
	}
}

// enter changes the key for a session.
func (s *folderServer) enter(c echo.Context) error {
	inside := s.door.inside(c.Request())
	if !inside {
		if err := s.door.turn(c.Request()); err != nil {
			return err
		}
		c.SetCookie(&http.Cookie{Name: s.door.cookie, Value: s.door.session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	}
	if ours(c.Request()) {
		return s.showStart(c)
	}
	// A browser that comes here from a link elsewhere would not send the cookie after a redirect.
	on := &fault.Problem{Title: "The folder is open", Hint: "Go on to look at it."}
	ctx := c.Request().Context()
	return s.send(c, http.StatusOK, components.Say(ctx, on.Title), htmlOf(ctx, on))
}

// turn uses the key up, or says why it does not turn.
func (d *door) turn(r *http.Request) error {
	if ahead(r) {
		return &fault.Problem{Status: http.StatusForbidden, Title: "This page cannot be fetched ahead", Hint: "Open the address itself."}
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	switch {
	case d.key == "":
		return &fault.Problem{Status: http.StatusForbidden, Title: "This address was opened before", Hint: "Its key works once. If that was not you, somebody else has seen the address: stop figs-web open. To look at the folder in another browser, start figs-web open again."}
	case subtle.ConstantTimeCompare([]byte(r.URL.Query().Get("key")), []byte(d.key)) != 1:
		return &fault.Problem{Status: http.StatusForbidden, Title: "This key is not the right one", Hint: "Copy the whole address that figs-web open printed."}
	}
	d.key = ""
	return nil
}

// guard lets nobody pass without the session.
func (d *door) guard(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !ours(c.Request()) {
			return &fault.Problem{Status: http.StatusForbidden, Title: "Another page led here", Hint: "Go on if you meant to look at the folder that figs-web open shows."}
		}
		if !d.inside(c.Request()) {
			return &fault.Problem{Status: http.StatusForbidden, Title: "This folder is open for somebody else", Hint: "Open the address that figs-web open printed, with its key. The key works once, in one browser."}
		}
		return next(c)
	}
}

func (d *door) inside(r *http.Request) bool {
	for _, cookie := range r.CookiesNamed(d.cookie) {
		if subtle.ConstantTimeCompare([]byte(cookie.Value), []byte(d.session)) == 1 {
			return true
		}
	}
	return false
}

// ours reports whether a person or a page of this server asks, and no page of another port or
// another site.
func ours(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	}
	return false
}
