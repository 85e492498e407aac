package account

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// invited is an invite as its link shows it to the visitor.
type invited struct {
	store.Invite
	page      accountpages.Invite
	workspace store.Workspace
	status    int
}

// inviteOf looks the invite of a key up. page.State says what can be done with it.
func (h Handlers) inviteOf(c echo.Context, key string) (*invited, error) {
	ctx, now := c.Request().Context(), h.Now().UnixMicro()
	x := &invited{page: accountpages.Invite{Key: key, State: "unknown"}, status: http.StatusNotFound}
	v := auth.Of(c)
	if v != nil {
		x.page.Person, x.page.Email = v.User.Name, v.User.Email
	}
	if err := accounts.LimitInvite(ctx, h.Store, c.RealIP(), now); err != nil {
		auth.Guessed(c, "invite", true)
		return nil, err
	}
	var err error
	if x.Invite, err = h.Store.Invite(ctx, store.Hash(key)); errors.Is(err, store.ErrNotFound) {
		auth.Guessed(c, "invite", false)
		return x, nil
	}
	if err != nil {
		return nil, err
	}
	x.status = http.StatusGone
	switch {
	case x.Used != 0:
		x.page.State = "used"
	case x.Revoked != 0:
		x.page.State = "revoked"
	case !x.Open(now):
		x.page.State = "expired"
	default:
		err = h.openInvite(c, x, v)
	}
	return x, err
}

// openInvite says what the visitor can do with an invite that is open.
func (h Handlers) openInvite(c echo.Context, x *invited, v *auth.Visitor) error {
	ctx := c.Request().Context()
	var err error
	if x.workspace, err = h.Store.Workspace(ctx, x.Workspace); err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	may, err := accounts.InviterStillAllowed(ctx, h.Store, &x.Invite)
	if err != nil {
		return err
	}
	if !may || x.workspace.ID == "" || x.workspace.Deleted != 0 {
		x.page.State = "gone"
		return nil
	}
	p := &x.page
	p.Workspace, p.Role, p.For, p.Until = ui.PageLocation{Slug: x.workspace.Slug, Name: x.workspace.Name}, string(x.Role), x.Email, x.Expires
	if x.By != "" {
		u, err := h.Store.User(ctx, x.By)
		if err != nil {
			return err
		}
		p.By = u.Name
	}
	p.State, x.status = "join", http.StatusOK
	if v == nil {
		p.Provider = h.providerName()
		return nil
	}
	_, err = h.Store.Role(ctx, x.Workspace, v.User.ID)
	switch {
	case err == nil:
		p.State = "member"
	case !errors.Is(err, store.ErrNotFound):
		return err
	case x.Email != "" && x.Email != accounts.NormaliseEmail(v.User.Email):
		p.State, x.status = "other", http.StatusForbidden
	default:
		p.State = "accept"
	}
	return nil
}

func (h Handlers) sendInvite(c echo.Context, status int, m accountpages.Invite) error {
	site := h.Person()
	return h.SendPerson(c, site, status, accountpages.InvitePage(c.Request().Context(), site, m))
}

// ShowInvite shows what an invite is, and changes nothing.
func (h Handlers) ShowInvite(c echo.Context) error {
	x, err := h.inviteOf(c, c.QueryParam("key"))
	if err != nil {
		return h.slowInvite(c, err)
	}
	return h.sendInvite(c, x.status, x.page)
}

// slowInvite tells who tried too many links to wait.
func (h Handlers) slowInvite(c echo.Context, err error) error {
	web.RetryAfter(c, err)
	faults, status, err := web.FaultsOf(err)
	if err != nil {
		return err
	}
	return h.SendPerson(c, h.Person(), status, accountpages.SlowInvitePage(c.Request().Context(), faults))
}

// AcceptInvite lets in who is signed in.
func (h Handlers) AcceptInvite(c echo.Context) error {
	ctx, key, v := c.Request().Context(), web.FormValue(c, "key"), auth.Of(c)
	if v == nil {
		return c.Redirect(http.StatusSeeOther, "/sign-in?"+url.Values{"next": {inviteLink(key)}}.Encode())
	}
	x, err := h.inviteOf(c, key)
	if err != nil {
		return h.slowInvite(c, err)
	}
	if x.page.State != "accept" {
		return h.sendInvite(c, x.status, x.page)
	}
	err = h.Store.AcceptInvite(ctx, h.Actor(c), x.Hash, store.InviteAcceptance{User: v.User})
	if lost(err) { // somebody was quicker
		return h.againInvite(c, key)
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(x.workspace.Slug)+"/inbox")
}

// lost reports whether an invite was used or taken back while it was looked at.
func lost(err error) bool {
	var taken *store.TakenError
	return errors.Is(err, store.ErrNotFound) || errors.As(err, &taken) && taken.What == "membership"
}

// againInvite shows what has become of an invite in the meantime.
func (h Handlers) againInvite(c echo.Context, key string) error {
	x, err := h.inviteOf(c, key)
	if err != nil {
		return h.slowInvite(c, err)
	}
	return h.sendInvite(c, http.StatusConflict, x.page)
}

// JoinByInvite makes the account of a newcomer and signs them in.
func (h Handlers) JoinByInvite(c echo.Context) error {
	ctx, key, now := c.Request().Context(), web.FormValue(c, "key"), h.Now().UnixMicro()
	x, err := h.inviteOf(c, key)
	if err != nil {
		return h.slowInvite(c, err)
	}
	if x.page.State != "join" {
		return h.sendInvite(c, x.status, x.page)
	}
	n := accounts.NewAccount{Name: web.FormValue(c, "name"), Email: web.FormValue(c, "email"), Password: web.FormValue(c, "password")}
	if x.Email != "" {
		n.Email = x.Email
	}
	user, err := store.User{}, accounts.LimitJoin(ctx, h.Store, c.RealIP(), now)
	if err == nil {
		err = h.mayChooseAddress(x, n.Email)
	}
	if err == nil {
		user, err = accounts.AcceptInvite(ctx, h.Store, x.Hash, n, now)
	}
	if err == nil {
		if _, err := h.Begin(c, user.ID, store.MethodInvite, accounts.SessionData{Workspace: x.workspace.ID}); err != nil {
			return err
		}
		return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(x.workspace.Slug)+"/inbox")
	}
	if lost(err) {
		return h.againInvite(c, key)
	}
	web.RetryAfter(c, err)
	faults, status, err := web.FaultsOf(accountTaken(err))
	if err != nil {
		return err
	}
	x.page.Name, x.page.Email, x.page.Faults = n.Name, n.Email, faults
	return h.sendInvite(c, status, x.page)
}

// accountTaken says to who has an account already how to come in with it.
func accountTaken(err error) error {
	var taken *store.TakenError
	if !errors.As(err, &taken) {
		return err
	}
	return &accounts.ValidationError{Field: "email", Sentence: "This email address already has an account. Sign in with the button above to accept the invite."}
}

// inviteLink is the address of an invite on this server.
func inviteLink(key string) string { return "/invite?" + url.Values{"key": {key}}.Encode() }
