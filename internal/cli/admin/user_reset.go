package admin

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/cli/serve"
	"github.com/figs-web/figs-web/internal/store"
)

type userResetCommand struct {
	Email          string `required:"" placeholder:"ADDRESS" help:"Email address of the account."`
	PublicURL      string `placeholder:"URL" help:"The URL under which people reach the server. Default: what its settings say (FIGS_WEB_PUBLIC_URL, or the file that FIGS_WEB_CONFIG names)."`
	RemovePasskeys bool   `help:"Also remove the account's passkeys and recovery codes now, as when a device was stolen."`
	EndSessions    bool   `default:"true" negatable:"" help:"Sign the account out everywhere now. Default: true."`
	RevokeTokens   bool   `help:"Also revoke the account's tokens now, as when a machine was stolen. Clients that use them must sign in again."`
}

// Help is what `user reset --help` adds.
func (userResetCommand) Help() string {
	return `Prints a link to set a new password, for a person who can no longer sign in. The link works once, within an hour, and replaces earlier links. Send it privately: anyone who opens it can take over the account.

The server can be running. The audit log records the reset.
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
func (c userResetCommand) Run(a *cmd.App, admin *AdminCommand) error {
	origin := ""
	if c.PublicURL == "" {
		set, err := serve.LoadConfig(a, "")
		if err != nil {
			return err
		}
		if s := set.Setting("public-url"); s != nil {
			c.PublicURL = s.Value
		}
	}
	if c.PublicURL != "" {
		public, err := serve.ParseOrigin(c.PublicURL)
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
	u, err := user(d, c.Email)
	if err != nil {
		return err
	}
	secret, expires, err := accounts.CreateReset(a.Ctx, d.Store, d.Act(), u.ID, store.Reset{Passkeys: c.RemovePasskeys, Sessions: c.EndSessions})
	if err != nil {
		return err
	}
	revoked := 0
	if c.RevokeTokens {
		if revoked, err = revokeTokens(a.Ctx, d, u.ID); err != nil {
			return err
		}
	}
	link := origin + "/reset?" + url.Values{"key": {secret}}.Encode()
	var done strings.Builder
	if origin == "" {
		done.WriteString("\nAdd your server's URL in front, as in http://localhost:8080/reset?…, or use --public-url.")
	}
	if c.EndSessions {
		done.WriteString("\nThey are signed out everywhere.")
	}
	switch {
	case c.RevokeTokens:
		fmt.Fprintf(&done, "\nTokens revoked: %d.", revoked)
	default:
		done.WriteString("\nTheir tokens still work; --revoke-tokens ends them.")
	}
	if c.RemovePasskeys {
		done.WriteString("\nTheir passkeys and recovery codes are removed.")
	}
	return print(d, resetJSON{u.ID, u.Email, link, date(expires)}, "Link for %s <%s> to set a new password. It works once, within an hour:\n%s"+done.String(), u.Name, u.Email, link)
}

// revokeTokens revokes what tokens a person has that still work, and counts them.
func revokeTokens(ctx context.Context, d *datadir.Reader, user string) (n int, err error) {
	tokens, err := d.Store.ListTokens(ctx, user)
	for _, t := range tokens {
		if t.Revoked != 0 {
			continue
		}
		if err := d.Store.RevokeToken(ctx, d.Act(), user, t.ID); err != nil {
			return n, err
		}
		n++
	}
	return n, err
}

type userOperatorCommand struct {
	Email  string `required:"" placeholder:"ADDRESS" help:"Email address of the account."`
	Remove bool   `help:"Remove the account from the server's operators."`
}

// Run makes an account an operator of the server, or removes one.
func (c userOperatorCommand) Run(a *cmd.App, admin *AdminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	u, err := user(d, c.Email)
	if err != nil {
		return err
	}
	if err := d.Store.SetOperator(a.Ctx, d.Act(), u.ID, !c.Remove); err != nil {
		return err
	}
	u.Operator = !c.Remove
	if c.Remove {
		return print(d, userObject(u), "%s <%s> is no longer an operator of this server.", u.Name, u.Email)
	}
	return print(d, userObject(u), "%s <%s> is now an operator of this server. They see the server's admin page, but no workspaces that they are not in.", u.Name, u.Email)
}
