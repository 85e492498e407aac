// Package auth identifies the visitor of a request: the person of a session or the owner of a token, with their role in the
// workspace of the address. Handlers take permissions from here and from nowhere else.
package auth

import (
	"errors"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// Visitor is who asks.
type Visitor struct {
	User    store.User
	Session string             // hash of the session's cookie; "" for a token
	Token   string             // id of the token; "" for a session. Who holds one decides nothing
	Scope   store.Scope        // of the token
	Expires int64              // end of the session
	Data    []byte             // what the session keeps
	Way     store.SignInMethod // how the person signed in
	Proved  int64              // when the person last proved who they are; 0 for a token
	Began   int64              // when the session began
	Used    int64              // its last use, as it was noted
}

// Place is the workspace of the address, as the visitor may see it.
type Place struct {
	Workspace store.Workspace
	Role      store.Role
}

// Source is what must be known of people.
type Source interface {
	store.Users
	store.Workspaces
	store.Tokens
	store.Sessions
	store.RateLimits
}

const visitorKey, placeKey = "visitor", "place"

// Of is who asks; nil when nobody has said.
func Of(c echo.Context) *Visitor {
	v, _ := c.Get(visitorKey).(*Visitor)
	return v
}

// At is the workspace of the address; nil outside of workspaces.
func At(c echo.Context) *Place {
	p, _ := c.Get(placeKey).(*Place)
	return p
}

// Set says who asks, for doors of other kinds.
func Set(c echo.Context, v *Visitor) { c.Set(visitorKey, v) }

// OfSession is a person in one of their sessions.
func OfSession(user store.User, s store.Session) *Visitor {
	return &Visitor{User: user, Session: s.Hash, Expires: s.Expires, Data: s.Data, Way: s.Method, Proved: s.Proved, Began: s.Created, Used: s.Used}
}

// Authenticator finds out who asks.
type Authenticator struct {
	Source Source
	Cookie string // name of the session's cookie
	Now    func() time.Time
	Limits accounts.SessionLimits
}

// mostCookies is how many cookies of one request are looked up. A browser sends one; a second may
// have been planted under another path; thousands are there to keep the store busy.
const mostCookies = 4

// Session recognises the session of a browser. It lets everybody pass.
func (d *Authenticator) Session(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		cookies := c.Request().CookiesNamed(d.Cookie)
		for _, cookie := range cookies[:min(len(cookies), mostCookies)] {
			hash := store.Hash(cookie.Value)
			s, err := d.Source.Session(c.Request().Context(), hash, d.Now().UnixMicro())
			if errors.Is(err, store.ErrNotFound) || err == nil && d.Limits.Ended(&s, d.Now().UnixMicro()) {
				continue
			}
			if err != nil {
				return err
			}
			user, err := d.Source.User(c.Request().Context(), s.User)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			if err == nil {
				Set(c, OfSession(user, s))
				break
			}
		}
		return next(c)
	}
}

// Member lets those pass who are members of the workspace that the address names with
// ":workspace", by id or slug. For everybody else the workspace does not exist. What they may do
// there says package accounts.
func (d *Authenticator) Member(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		v, ctx := Of(c), c.Request().Context()
		if v == nil {
			return store.ErrNotFound
		}
		w, err := d.Source.Workspace(ctx, c.Param("workspace"))
		if err == nil && w.Deleted != 0 {
			err = store.ErrNotFound
		}
		if err != nil {
			return err
		}
		role, err := d.Source.Role(ctx, w.ID, v.User.ID)
		if err == nil && !accounts.Can(role, accounts.AgentRelation{}, accounts.ReadWorkspace) {
			err = store.ErrNotFound
		}
		if err != nil {
			return err
		}
		c.Set(placeKey, &Place{w, role})
		return next(c)
	}
}
