package cli

import (
	"net/url"
	"strings"

	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

type userResetCommand struct {
	Email          string `required:"" placeholder:"ADDRESS" help:"E-mail address of the account."`
	PublicURL      string `placeholder:"URL" help:"The address under which people reach the server: the link then begins with it."`
	RemovePasskeys bool   `help:"Remove the account's passkeys and recovery codes at once, as when a device was stolen."`
	EndSessions    bool   `default:"true" negatable:"" help:"Sign the account out everywhere at once. Default: true."`
}

// Help is what `user reset --help` adds.
func (userResetCommand) Help() string {
	return `Prints a link with which somebody who has lost every way to sign in sets a new password. It works once, for an hour, and ends any link that was made before it. Hand it over so that nobody else sees it: whoever opens it first is let in.

It works beside a running server, and is in the audit.
`
}

// resetJSON is a reset link for programs.
type resetJSON struct {
	User    string `json:"user"`
	Email   string `json:"email"`
	Link    string `json:"link"`
	Expires string `json:"expires"`
}

// Run makes the link.
func (c userResetCommand) Run(a *app, admin *adminCommand) error {
	origin := ""
	if c.PublicURL != "" {
		public, err := parseOrigin(c.PublicURL)
		if err != nil {
			return err
		}
		origin = public.String()
	}
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	u, err := d.user(c.Email)
	if err != nil {
		return err
	}
	secret, expires, err := people.OfferReset(a.ctx, d.Store, d.act(), u.ID, store.Reset{Passkeys: c.RemovePasskeys, Sessions: c.EndSessions})
	if err != nil {
		return err
	}
	link := origin + "/reset?" + url.Values{"key": {secret}}.Encode()
	var done strings.Builder
	if origin == "" {
		done.WriteString("\nIt stands behind the address under which people reach the server.")
	}
	if c.EndSessions {
		done.WriteString("\nThey are signed out everywhere. Their tokens stay.")
	}
	if c.RemovePasskeys {
		done.WriteString("\nTheir passkeys and recovery codes are removed.")
	}
	return d.print(resetJSON{u.ID, u.Email, link, date(expires)}, "A link for %s <%s>, with which they set a new password, once, within an hour:\n%s"+done.String(), u.Name, u.Email, link)
}

type userOperatorCommand struct {
	Email  string `required:"" placeholder:"ADDRESS" help:"E-mail address of the account."`
	Remove bool   `help:"They do not run the server any more."`
}

// Run says whether somebody runs the whole server.
func (c userOperatorCommand) Run(a *app, admin *adminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	u, err := d.user(c.Email)
	if err != nil {
		return err
	}
	if err := d.Store.SetOperator(a.ctx, d.act(), u.ID, !c.Remove); err != nil {
		return err
	}
	u.Operator = !c.Remove
	if c.Remove {
		return d.print(userObject(u), "%s <%s> does not see the page on the whole server any more.", u.Name, u.Email)
	}
	return d.print(userObject(u), "%s <%s> runs this server: they see the page on the whole of it, and nothing of workspaces that they do not belong to.", u.Name, u.Email)
}
