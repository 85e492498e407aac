package account

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/emails"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/mail"
	"github.com/figs-web/figs-web/internal/store"
)

// mailTimeout is how long a page waits for the mail server.
const mailTimeout = 15 * time.Second

// MakeInvite creates an invite and shows its link, which can't be shown again.
func (h Handlers) MakeInvite(c echo.Context) error {
	again := accountpages.Members{Invited: web.FormValue(c, "invited"), InvitedRole: web.FormValue(c, "role")}
	i, key, err := h.newInvite(c)
	if err != nil {
		web.RetryAfter(c, err)
		return h.RefuseMembers(c, again, err)
	}
	fresh := &accountpages.FreshInvite{Link: h.Public.String() + inviteLink(key), Role: string(i.Role), Email: i.Email, Until: i.Expires}
	if h.Mail != nil && i.Email != "" {
		if err := h.mailInvite(c, fresh); err != nil {
			c.Set(web.FaultKey, fmt.Errorf("send the email of an invite: %w", err))
			fresh.Unsent = true
		}
		fresh.Sent = !fresh.Unsent
	}
	return h.SendMembers(c, http.StatusOK, accountpages.Members{Fresh: fresh})
}

// newInvite reads the form and adds the invite, if the visitor may give its role.
func (h Handlers) newInvite(c echo.Context) (i store.Invite, key string, err error) {
	ctx, at, act := c.Request().Context(), auth.At(c), h.Actor(c)
	role, err := accounts.CheckRole(web.FormValue(c, "role"))
	if err != nil {
		return i, "", err
	}
	if err := accounts.CheckRoleChange(at.Role, "", role, false); err != nil {
		return i, "", err
	}
	email := strings.TrimSpace(web.FormValue(c, "invited"))
	if email != "" {
		if email, err = accounts.CheckEmail(email); err != nil {
			return i, "", &accounts.ValidationError{Field: "invited", Sentence: err.Error()}
		}
		if err := h.noMember(ctx, at.Workspace.ID, email); err != nil {
			return i, "", err
		}
	}
	if err := accounts.LimitInviting(ctx, h.Store, act.By, act.At); err != nil {
		return i, "", err
	}
	i, key = accounts.NewInvite(at.Workspace.ID, role, email, act.By, act.At)
	return i, key, h.Store.AddInvite(ctx, act, i)
}

// noMember refuses an address whose owner is already a member of the workspace.
func (h Handlers) noMember(ctx context.Context, workspace, email string) error {
	members, err := h.Store.Members(ctx, workspace)
	if err != nil {
		return err
	}
	for _, m := range members {
		if accounts.NormaliseEmail(m.User.Email) == email {
			return &accounts.ValidationError{Field: "invited", Sentence: "This person is already a member. You can change their role in the list above."}
		}
	}
	return nil
}

// mailInvite emails the link of an invite, in the language of the recipient's account if there is one, otherwise in the
// language of who invites.
func (h Handlers) mailInvite(c echo.Context, fresh *accountpages.FreshInvite) error {
	ctx, cancel := context.WithTimeout(c.Request().Context(), mailTimeout)
	defer cancel()
	if u, err := h.Store.UserByEmail(ctx, fresh.Email); err == nil && u.Language != "" {
		ctx = i18n.WithLanguage(ctx, u.Language)
	}
	subject, content := emails.Invite{
		Link: fresh.Link, Host: h.Public.Host, By: web.SignedIn(c).User.Name, Workspace: auth.At(c).Workspace.Name, Role: ui.RoleWord(ctx, fresh.Role), Days: accounts.InviteDays,
	}.Message(ctx)
	text, html, err := content.Render(ctx)
	if err != nil {
		return err
	}
	return h.Mail.Send(ctx, mail.Message{To: fresh.Email, Subject: subject, Text: text, HTML: html})
}

// RevokeInvite revokes an open invite.
func (h Handlers) RevokeInvite(c echo.Context) error {
	err := h.Store.RevokeInvite(c.Request().Context(), h.Actor(c), auth.At(c).Workspace.ID, web.FormValue(c, "id"))
	if lost(err) {
		return h.RefuseMembers(c, accountpages.Members{}, &accounts.ValidationError{Sentence: "This invite is no longer open: it was used, was revoked, or has expired."})
	}
	if err != nil {
		return err
	}
	return hosted.SettledIn(c, "invite-revoked")
}
