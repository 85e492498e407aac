package account

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// ShowSecurity shows how the person can sign in, and where they are signed in.
func (h Handlers) ShowSecurity(c echo.Context) error {
	return h.sendSecurity(c, http.StatusOK, accountpages.Security{Done: c.QueryParam("notice"), KeyName: c.QueryParam("key"), Making: c.QueryParam("making") == "1"})
}

// sendSecurity fills in everything that m does not say.
func (h Handlers) sendSecurity(c echo.Context, status int, m accountpages.Security) error {
	v, ctx := web.SignedIn(c), c.Request().Context()
	sessions, err := h.Store.ListSessions(ctx, v.User.ID, h.Now().UnixMicro())
	if err != nil {
		return err
	}
	for i := range sessions {
		x := &sessions[i]
		if h.Sessions.Ended(x, h.Now().UnixMicro()) {
			continue
		}
		m.Sessions = append(m.Sessions, accountpages.SessionRow{Key: x.Hash, Agent: x.Agent, Address: x.Address, Way: string(x.Method), Created: x.Created, Used: x.Used, Here: x.Hash == v.Session})
	}
	if m.SessionList, err = h.ListRequest(c, "sessions"); err != nil {
		return err
	}
	m.SessionList.Here = "/settings/signing-in"
	if sent, err := hosted.SendListFile(c, m.SessionList, accountpages.SessionList(ctx), m.Sessions); sent || err != nil {
		return err
	}
	keys, err := h.Store.ListPasskeys(ctx, v.User.ID)
	if err != nil {
		return err
	}
	for _, x := range keys {
		m.Passkeys = append(m.Passkeys, accountpages.PasskeyRow{Key: x.ID, Called: x.Name, Created: x.Created, Used: x.Used})
	}
	left, err := h.Store.RecoveryCodes(ctx, v.User.ID)
	if err != nil {
		return err
	}
	if m.Identities, err = h.identitiesOf(ctx, v.User.ID); err != nil {
		return err
	}
	m.Email, m.Agent, m.Password = v.User.Email, c.Request().UserAgent(), v.User.Password != ""
	m.Works, m.Elsewhere = h.Passkeys != nil, h.elsewhere()
	m.Recovery = accountpages.RecoveryLeft{Left: left.Left, Of: left.Of, Made: left.Made}
	site := h.Person()
	site.Script = web.Script
	hosted.AllowKeys(c)
	return h.SendPerson(c, site, status, accountpages.SecurityPage(ctx, site, m))
}

// elsewhere is the same server under a name under which passkeys work, when it is reached by an
// address of this machine; "" otherwise.
func (h Handlers) elsewhere() string {
	if h.Passkeys != nil || h.Public.Hostname() != "127.0.0.1" {
		return ""
	}
	return "http://localhost:" + h.Public.Port()
}

// refuseSecurity shows the page again with what is wrong.
func (h Handlers) refuseSecurity(c echo.Context, m accountpages.Security, err error) error {
	web.RetryAfter(c, err)
	faults, status, err := web.FaultsOf(err)
	if err != nil {
		return err
	}
	m.Faults = faults
	return h.sendSecurity(c, status, m)
}

// secured leads back to the page, which says what was done.
func secured(c echo.Context, notice string) error {
	return c.Redirect(http.StatusSeeOther, "/settings/signing-in?notice="+notice)
}

// ChangePassword takes the old one first: an open browser on a desk is not enough. All other
// sessions end, and this one goes on under a new secret.
func (h Handlers) ChangePassword(c echo.Context) error {
	v := web.SignedIn(c)
	err := accounts.CheckOwnPassword(c.Request().Context(), h.Store, v.User, web.FormValue(c, "old"), h.Now().UnixMicro())
	web.GuessedIf(c, "password", err)
	if errors.Is(err, accounts.ErrNoMatch) {
		err = &accounts.ValidationError{Field: "old", Sentence: "That isn't your current password."}
	}
	if err != nil {
		return h.refuseSecurity(c, accountpages.Security{}, err)
	}
	return h.setPassword(c)
}

// SetFirstPassword is for those who have none yet; who has one gives it first.
func (h Handlers) SetFirstPassword(c echo.Context) error {
	if web.SignedIn(c).User.Password != "" {
		return h.refuseSecurity(c, accountpages.Security{}, &accounts.ValidationError{Field: "old", Sentence: "Your account has a password by now. Enter it to set a new one."})
	}
	return h.setPassword(c)
}

func (h Handlers) setPassword(c echo.Context) error {
	v, ctx, chosen := web.SignedIn(c), c.Request().Context(), web.FormValue(c, "password")
	if err := accounts.CheckPassword(chosen, v.User.Email); err != nil {
		return h.refuseSecurity(c, accountpages.Security{}, err)
	}
	encoded, err := accounts.HashPassword(ctx, chosen)
	if err != nil {
		return err
	}
	if err := h.Store.SetPassword(ctx, h.Actor(c), v.User.ID, encoded); err != nil {
		return err
	}
	way := v.Way
	if way == "" {
		way = store.MethodPassword
	}
	if _, err := h.Begin(c, v.User.ID, way, accounts.ParseSessionData(v.Data)); err != nil {
		return err
	}
	return secured(c, "password-changed")
}

// EndSession ends one of the person's sessions, or all but this one when none is named.
func (h Handlers) EndSession(c echo.Context) error {
	v, ctx, named := web.SignedIn(c), c.Request().Context(), web.FormValue(c, "session")
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
		return secured(c, "sessions-ended")
	}
	return secured(c, "session-ended")
}
