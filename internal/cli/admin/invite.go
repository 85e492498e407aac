package admin

import (
	"cmp"
	"errors"
	"net/url"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/cli/serve"
	"github.com/figs-web/figs-web/internal/store"
)

type adminInviteCommand struct {
	Create inviteCreateCommand `cmd:"" help:"Create an invitation link. It works once."`
	List   inviteListCommand   `cmd:"" help:"List open invitations."`
	Revoke inviteRevokeCommand `cmd:"" help:"Revoke an invitation, so that its link stops working."`
}

type inviteCreateCommand struct {
	Workspace string `required:"" placeholder:"WORD" help:"The workspace: its name in the URL, or its id."`
	Role      string `required:"" placeholder:"ROLE" help:"The person's role: owner, admin, member or viewer."`
	Email     string `placeholder:"ADDRESS" help:"Only the account with this email address can use the link. No email is sent. Default: anyone with the link."`
	PublicURL string `placeholder:"URL" help:"The server's public URL, as in https://figs.example.com, which the link starts with. Default: the link starts with /invite."`
}

// inviteJSON is an invite for programs.
type inviteJSON struct {
	ID        string `json:"id"`
	Workspace string `json:"workspace"`
	Role      string `json:"role"`
	Email     string `json:"email,omitempty"`
	By        string `json:"by,omitempty"` // e-mail address; "" is the terminal
	Created   string `json:"created"`
	Expires   string `json:"expires"`
	Link      string `json:"link,omitempty"` // shown once
}

func inviteObject(w store.Workspace, i store.Invite, by string) inviteJSON {
	return inviteJSON{ID: i.ID, Workspace: w.Slug, Role: string(i.Role), Email: i.Email, By: by, Created: date(i.Created), Expires: date(i.Expires)}
}

// Run makes the invite and prints its link, this once.
func (c inviteCreateCommand) Run(a *cmd.App, admin *AdminCommand) error {
	role, err := accounts.CheckRole(c.Role)
	if err != nil {
		return refused(err)
	}
	email := ""
	if c.Email != "" {
		if email, err = accounts.CheckEmail(c.Email); err != nil {
			return refused(err)
		}
	}
	public := ""
	if c.PublicURL != "" {
		origin, err := serve.ParseOrigin(c.PublicURL)
		if err != nil {
			return err
		}
		public = origin.String()
	}
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	w, err := d.Workspace(c.Workspace)
	if err != nil {
		return err
	}
	i, key := accounts.NewInvite(w.ID, role, email, "", d.NowMicro())
	if err := d.Store.AddInvite(a.Ctx, d.Act(), i); err != nil {
		return err
	}
	object := inviteObject(w, i, "")
	object.Link = public + "/invite?" + url.Values{"key": {key}}.Encode()
	whom := "one person"
	if email != "" {
		whom = email
	}
	return print(d, object, "This link invites %s to %s as "+string(role)+", once, within "+accounts.InviteLength()+". It is shown only once; the server stores its hash.\n%s", whom, w.Name, object.Link)
}

type inviteListCommand struct {
	Workspace string `placeholder:"WORD" help:"Only this workspace. Default: all workspaces."`
}

// Run lists open invites, newest first, without their links, which can't be shown again.
func (c inviteListCommand) Run(a *cmd.App, admin *AdminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	places, err := places(d, c.Workspace)
	if err != nil {
		return err
	}
	objects, rows := []inviteJSON{}, [][]string{}
	for _, w := range places {
		all, err := d.Store.ListInvites(a.Ctx, w.ID, d.NowMicro())
		if err != nil {
			return err
		}
		for _, i := range all {
			by, err := maker(d, i.By)
			if err != nil {
				return err
			}
			objects = append(objects, inviteObject(w, i, by))
			rows = append(rows, []string{i.ID, w.Slug, string(i.Role), cmp.Or(i.Email, "anyone with the link"), cmp.Or(by, "the terminal"), day(i.Expires)})
		}
	}
	return list(d, "invites", objects, "No open invitations. figs-web admin invite create creates one.", []string{"ID", "WORKSPACE", "ROLE", "FOR", "BY", "EXPIRES"}, rows)
}

// maker is the e-mail address of who made an invite; "" is the terminal.
func maker(d *datadir.Reader, id string) (string, error) {
	if id == "" {
		return "", nil
	}
	u, err := d.Store.User(d.Ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return id, nil
	}
	return u.Email, err
}

type inviteRevokeCommand struct {
	Workspace string `required:"" placeholder:"WORD" help:"The workspace: its name in the URL, or its id."`
	ID        string `required:"" placeholder:"ID" help:"The invitation's id, from admin invite list."`
}

// Run takes an invite back.
func (c inviteRevokeCommand) Run(a *cmd.App, admin *AdminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	w, err := d.Workspace(c.Workspace)
	if err != nil {
		return err
	}
	err = d.Store.RevokeInvite(a.Ctx, d.Act(), w.ID, c.ID)
	if errors.Is(err, store.ErrNotFound) {
		return cmd.Fail(cmd.NotFound, "There is no open invitation "+cmd.Quote(c.ID)+" to "+cmd.Quote(w.Slug)+".", "figs-web admin invite list shows open invitations.")
	}
	if err != nil {
		return err
	}
	return print(d, map[string]string{"id": c.ID, "workspace": w.Slug}, "Revoked. The link no longer works.")
}
