package handlers

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// securityRoutes are those of the page on how one signs in, and of what leads back in.
func (h *host) securityRoutes(browser, mine *routing) {
	browser.GET("/sign-in/recovery", h.showRecovery, h.keepsCookies)
	browser.POST("/sign-in/recovery", h.recover, h.keepsCookies)
	browser.GET("/reset", h.showReset, h.keepsCookies)
	browser.POST("/reset", h.reset, h.keepsCookies)
	mine.GET("/settings/signing-in", h.showSecurity)
	mine.POST("/settings/password", h.changePassword)
	mine.POST("/settings/password/first", h.setFirstPassword, h.proves(people.SetPassword))
	mine.POST("/settings/sessions/end", h.endSession)
	mine.POST("/settings/recovery", h.makeRecovery, h.proves(people.MakeRecovery))
}

// showSecurity shows how the person can sign in, and where they are signed in.
func (h *host) showSecurity(c echo.Context) error {
	return h.sendSecurity(c, http.StatusOK, components.Security{Done: c.QueryParam("done"), KeyName: c.QueryParam("key"), Making: c.QueryParam("making") == "1"})
}

// sendSecurity fills in everything that m does not say.
func (h *host) sendSecurity(c echo.Context, status int, m components.Security) error {
	v, ctx := me(c), c.Request().Context()
	sessions, err := h.Store.ListSessions(ctx, v.User.ID, h.Now().UnixMicro())
	if err != nil {
		return err
	}
	for i := range sessions {
		x := &sessions[i]
		if h.Sessions.Ended(x, h.Now().UnixMicro()) {
			continue
		}
		m.Sessions = append(m.Sessions, components.MySession{Key: x.Hash, Agent: x.Agent, Address: x.Address, Way: string(x.Way), Created: x.Created, Used: x.Used, Here: x.Hash == v.Session})
	}
	keys, err := h.Store.ListPasskeys(ctx, v.User.ID)
	if err != nil {
		return err
	}
	for _, x := range keys {
		m.Passkeys = append(m.Passkeys, components.MyPasskey{Key: x.ID, Called: x.Name, Created: x.Created, Used: x.Used})
	}
	left, err := h.Store.RecoveryCodes(ctx, v.User.ID)
	if err != nil {
		return err
	}
	if m.Identities, err = h.identitiesOf(ctx, v.User.ID); err != nil {
		return err
	}
	m.Email, m.Agent, m.Password = v.User.Email, c.Request().UserAgent(), v.User.Password != ""
	m.Works, m.Elsewhere = h.passkeys != nil, h.elsewhere()
	m.Recovery = components.RecoveryLeft{Left: left.Left, Of: left.Of, Made: left.Made}
	site := h.person()
	site.Script = script
	allowKeys(c)
	return h.sendPerson(c, site, status, components.SecurityPage(ctx, site, m))
}

// elsewhere is the same server under a name under which passkeys work, when it is reached by an
// address of this machine; "" otherwise.
func (h *host) elsewhere() string {
	if h.passkeys != nil || h.Public.Hostname() != "127.0.0.1" {
		return ""
	}
	return "http://localhost:" + h.Public.Port()
}

// refuseSecurity shows the page again with what is wrong.
func (h *host) refuseSecurity(c echo.Context, m components.Security, err error) error {
	wait(c, err)
	faults, status, err := faultsOf(err)
	if err != nil {
		return err
	}
	m.Faults = faults
	return h.sendSecurity(c, status, m)
}

// secured leads back to the page, which says what was done.
func secured(c echo.Context, done string) error {
	return c.Redirect(http.StatusSeeOther, "/settings/signing-in?done="+done)
}

// changePassword takes the old one first: an open browser on a desk is not enough. All other
// sessions end, and this one goes on under a new secret.
func (h *host) changePassword(c echo.Context) error {
	v := me(c)
	err := people.CheckOwn(c.Request().Context(), h.Store, v.User, typed(c, "old"), h.Now().UnixMicro())
	guessedIf(c, "password", err)
	if errors.Is(err, people.ErrNoMatch) {
		err = &people.Wrong{Field: "old", Sentence: "This is not the password that you have."}
	}
	if err != nil {
		return h.refuseSecurity(c, components.Security{}, err)
	}
	return h.setPassword(c)
}

// setFirstPassword is for those who have none yet; who has one gives it first.
func (h *host) setFirstPassword(c echo.Context) error {
	if me(c).User.Password != "" {
		return h.refuseSecurity(c, components.Security{}, &people.Wrong{Field: "old", Sentence: "You have a password by now. Give it, to set another."})
	}
	return h.setPassword(c)
}

func (h *host) setPassword(c echo.Context) error {
	v, ctx, chosen := me(c), c.Request().Context(), typed(c, "password")
	if err := people.CheckPassword(chosen, v.User.Email); err != nil {
		return h.refuseSecurity(c, components.Security{}, err)
	}
	encoded, err := people.HashPassword(ctx, chosen)
	if err != nil {
		return err
	}
	if err := h.Store.SetPassword(ctx, h.act(c), v.User.ID, encoded); err != nil {
		return err
	}
	way := v.Way
	if way == "" {
		way = store.ByPassword
	}
	if _, err := h.begin(c, v.User.ID, way, people.ReadKept(v.Data)); err != nil {
		return err
	}
	return secured(c, "password")
}

// endSession ends one of the person's sessions, or all but this one when none is named.
func (h *host) endSession(c echo.Context) error {
	v, ctx, named := me(c), c.Request().Context(), typed(c, "session")
	mine, err := h.Store.ListSessions(ctx, v.User.ID, h.Now().UnixMicro())
	if err != nil {
		return err
	}
	for _, s := range mine {
		if s.Hash == v.Session || named != "" && s.Hash != named {
			continue
		}
		if err := h.Store.EndSession(ctx, s.Hash); err != nil {
			return err
		}
	}
	if named == "" {
		return secured(c, "sessions")
	}
	return secured(c, "session")
}
