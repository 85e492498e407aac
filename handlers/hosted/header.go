package hosted

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// Header is how a proxy in front of the server says who somebody is. It is believed only from
// connections of the proxy itself, whatever X-Forwarded-For says.
type Header struct {
	User  string // name of the header that names the person: "X-Forwarded-User"
	Email string // of the one with their e-mail address; "": User's is one, or there is none
	Name  string // of the one with what they are called; "": none
	From  []*net.IPNet
	// Provision lets strangers in: whoever the proxy names gets an account.
	Provision bool
}

// Recognise finds out who asks: by the session of their browser, or because the proxy says so.
func (h *Host) Recognise(next echo.HandlerFunc) echo.HandlerFunc {
	if h.Header == nil {
		return h.Auth.Session(next)
	}
	return h.Auth.Session(func(c echo.Context) error {
		if err := h.hearProxy(c); err != nil {
			return err
		}
		return next(c)
	})
}

// strangerKey is where hearProxy leaves the name of somebody whom the proxy knows and nobody here.
const strangerKey = "stranger"

// hearProxy begins, keeps or ends a session as the proxy's header says.
func (h *Host) hearProxy(c echo.Context) error {
	named, err := h.Header.read(c.Request())
	if err != nil {
		auth.Guessed(c, "header", true)
		return err
	}
	v := auth.Of(c)
	if v != nil && v.Way != store.MethodProxy {
		return nil // who signed in otherwise stays so
	}
	ctx := c.Request().Context()
	if named.subject == "" {
		return h.forgetProxied(c, v)
	}
	user, err := h.proxiedPerson(ctx, named)
	if errors.Is(err, store.ErrNotFound) {
		c.Set(strangerKey, named.subject)
		return h.forgetProxied(c, v)
	}
	if err != nil {
		return err
	}
	if v == nil || v.User.ID != user.ID {
		if v, err = h.beginProxied(c, user); err != nil {
			return err
		}
	}
	if v.User.Password == "" { // the proxy's word is the only proof there can be, and it is fresh
		v.Proved = h.Now().UnixMicro()
	}
	return nil
}

// UnknownHere says on the sign-in page that the proxy knows somebody whom nobody here does.
func (h *Host) UnknownHere(c echo.Context, m accountpages.SignIn) accountpages.SignIn {
	if c.Get(strangerKey) != nil {
		m.Faults = ui.Faults{"": {Sentence: "You don't have an account on this server yet. Ask an owner or admin of a workspace for an invite, or ask the server's administrator."}}
	}
	return m
}

// forgetProxied ends the session of somebody whom the proxy names no longer.
func (h *Host) forgetProxied(c echo.Context, v *auth.Visitor) error {
	if v == nil {
		return nil
	}
	if err := h.Store.EndSession(c.Request().Context(), v.Session); err != nil {
		return err
	}
	auth.Set(c, nil)
	h.SetCookie(c, "", -1)
	return nil
}

func (h *Host) beginProxied(c echo.Context, user store.User) (*auth.Visitor, error) {
	hash, err := h.Begin(c, user.ID, store.MethodProxy, accounts.SessionData{})
	if err != nil {
		return nil, err
	}
	s, err := h.Store.Session(c.Request().Context(), hash, h.Now().UnixMicro())
	if err != nil {
		return nil, err
	}
	v := auth.OfSession(user, s)
	auth.Set(c, v)
	return v, nil
}

// proxied is whom the proxy names.
type proxied struct{ issuer, subject, email, name string }

// read takes the headers of a request. One that does not come from the proxy and has them all the
// same is refused: somebody tries to be whom they name.
func (x *Header) read(r *http.Request) (p proxied, err error) {
	values := r.Header.Values(x.User)
	if len(values) == 0 {
		return p, nil
	}
	switch {
	case !x.believes(r.RemoteAddr):
		return p, &httperr.Problem{Status: http.StatusForbidden, Code: "header_not_believed", Title: "This request sets the proxy's user header itself",
			Hint: "The header {0} is accepted only from the proxy in front of this server. Connect through the proxy; the server's administrator can check that --sign-in-header-from names its address.", Args: []any{x.User}}
	case len(values) > 1 || !nameable(values[0]):
		return p, &httperr.Problem{Status: http.StatusForbidden, Code: "header_unclear", Title: "The proxy doesn't say clearly who sent this request",
			Hint: "The header {0} must appear once, with one name. The proxy must remove any value that visitors send in it; ask its administrator.", Args: []any{x.User}}
	}
	p = proxied{issuer: "header:" + http.CanonicalHeaderKey(x.User), subject: strings.TrimSpace(values[0])}
	if p.subject == "" {
		return proxied{}, nil
	}
	p.email, p.name = p.subject, p.subject
	if x.Email != "" {
		p.email = r.Header.Get(x.Email)
	}
	if x.Name != "" {
		p.name = r.Header.Get(x.Name)
	}
	return p, nil
}

// nameable reports whether a name can be one: of printed characters, and not too long.
func nameable(s string) bool {
	return len(s) <= 255 && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// believes reports whether a connection comes from the proxy.
func (x *Header) believes(peer string) bool {
	at, err := netip.ParseAddrPort(peer)
	if err != nil {
		return false
	}
	ip := net.IP(at.Addr().Unmap().AsSlice())
	for _, n := range x.From {
		if n.Contains(ip) {
			return true
		}
	}
	return false
}

// proxiedPerson is the account of whom the proxy names; store.ErrNotFound when there is none and
// strangers are not let in. An account that is there with the address is theirs: whoever trusts
// the proxy with who somebody is trusts it with that too.
func (h *Host) proxiedPerson(ctx context.Context, p proxied) (store.User, error) {
	now := h.Now().UnixMicro()
	known, err := h.Store.Identity(ctx, p.issuer, p.subject)
	if err == nil {
		return h.Store.User(ctx, known.Person)
	}
	if !errors.Is(err, store.ErrNotFound) {
		return store.User{}, err
	}
	email, wrong := accounts.CheckEmail(p.email)
	if wrong != nil {
		return store.User{}, store.ErrNotFound
	}
	act, i := store.Act{By: byProxy, At: now}, store.Identity{Issuer: p.issuer, Subject: p.subject, Email: email, Created: now, Used: now}
	u, err := h.Store.UserByEmail(ctx, email)
	switch {
	case err == nil:
		i.Person = u.ID
		err = h.Store.AddIdentity(ctx, act, i)
	case errors.Is(err, store.ErrNotFound) && h.Header.Provision:
		u = store.User{ID: store.NewID(), Email: email, Name: CalledAs(p.name, email), Created: now}
		i.Person = u.ID
		err = h.Store.AddProvisioned(ctx, act, u, i)
	}
	var taken *store.TakenError
	if errors.As(err, &taken) { // another of their requests was quicker
		if known, err = h.Store.Identity(ctx, p.issuer, p.subject); err == nil {
			return h.Store.User(ctx, known.Person)
		}
	}
	return u, err
}
