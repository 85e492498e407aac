package admin

import (
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/store"
)

type adminTokenCommand struct {
	Create tokenCreateCommand `cmd:"" help:"Create a token and print it once."`
	List   tokenListCommand   `cmd:"" help:"List tokens, without their secrets."`
}

type tokenCreateCommand struct {
	Email   string `required:"" placeholder:"ADDRESS" help:"Email address of the account that the token belongs to."`
	Name    string `required:"" placeholder:"NAME" help:"A name that says where the token is used, as in ci."`
	Scope   string `default:"push" placeholder:"push|read" help:"The scope: push (includes read) or read. Default: push."`
	Expires int    `placeholder:"DAYS" help:"Days until the token expires. Default: never."`
}

// tokenJSON is a token for programs.
type tokenJSON struct {
	Token   string `json:"token,omitempty"` // the secret, from create alone
	ID      string `json:"id"`
	Email   string `json:"email"`
	Name    string `json:"name"`
	Scope   string `json:"scope"`
	Created string `json:"created"`
	Expires string `json:"expires,omitempty"`
	Used    string `json:"used,omitempty"`
	Address string `json:"address,omitempty"` // where it was last used from
	Revoked string `json:"revoked,omitempty"`
}

// Run makes the token. Only its hash is kept.
func (c tokenCreateCommand) Run(a *cmd.App, admin *AdminCommand) error {
	name, err := accounts.CheckName("name", c.Name)
	if err != nil {
		return refused(err)
	}
	scope, err := accounts.CheckScope(c.Scope)
	if err != nil {
		return cmd.Fail(cmd.Usage, cmd.Quote(c.Scope)+" is not a scope.", "Use --scope push (includes read) or --scope read.")
	}
	if c.Expires < 0 || c.Expires > 3650 {
		return cmd.Fail(cmd.Usage, "A token expires after 1 to 3,650 days, or never.", "Use --expires 90, for example, or leave it out.")
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
	secret := accounts.NewToken()
	t := store.Token{ID: store.NewID(), User: u.ID, Name: name, Hash: store.Hash(secret), Scope: scope, Created: d.NowMicro()}
	if c.Expires > 0 {
		t.Expires = t.Created + int64(c.Expires)*24*3600*1_000_000
	}
	if err := d.Store.AddToken(a.Ctx, d.Act(), t); err != nil {
		return err
	}
	does := map[store.Scope]string{store.ScopePush: "pushes as them", store.ScopeRead: "can read what they can read"}[scope]
	return print(d, tokenOf(&t, u.Email, secret), "%s\nThis token of %s is shown only once. Anyone who has it %s.", secret, u.Email, does)
}

// tokenOf is a token for programs; secret is "" but for one that was just made.
func tokenOf(t *store.Token, email, secret string) tokenJSON {
	return tokenJSON{secret, t.ID, email, t.Name, string(t.Scope), date(t.Created), date(t.Expires), date(t.Used), t.Address, date(t.Revoked)}
}

// tokenStatus is the status of a token, for people.
func tokenStatus(t *store.Token, now int64) string {
	switch {
	case t.Revoked != 0:
		return "revoked"
	case accounts.IsExpired(t.Expires, now):
		return "expired"
	case accounts.ExpiresSoon(t.Expires, now):
		return "expires soon"
	}
	return "active"
}

type tokenListCommand struct {
	Email string `placeholder:"ADDRESS" help:"Only tokens of this account. Default: all accounts."`
}

// Run lists tokens by whose they are, newest first.
func (c tokenListCommand) Run(a *cmd.App, admin *AdminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	users, err := persons(d, c.Email)
	if err != nil {
		return err
	}
	objects, rows := []tokenJSON{}, [][]string{}
	for _, u := range users {
		tokens, err := d.Store.ListTokens(a.Ctx, u.ID)
		if err != nil {
			return err
		}
		for _, t := range tokens {
			objects = append(objects, tokenOf(&t, u.Email, ""))
			rows = append(rows, []string{u.Email, t.Name, string(t.Scope), day(t.Created), day(t.Expires), day(t.Used), t.Address, tokenStatus(&t, d.NowMicro()), t.ID})
		}
	}
	return list(d, "tokens", objects, "No tokens yet. figs login or figs-web admin token create creates one.", []string{"EMAIL", "NAME", "SCOPE", "CREATED", "EXPIRES", "LAST USED", "IP ADDRESS", "STATUS", "ID"}, rows)
}

// persons are the one who is named, or everybody.
func persons(d *datadir.Reader, email string) ([]store.User, error) {
	if email != "" {
		u, err := user(d, email)
		return []store.User{u}, err
	}
	return d.Store.ListUsers(d.Ctx)
}
