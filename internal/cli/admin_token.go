package cli

import (
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

type adminTokenCommand struct {
	Create tokenCreateCommand `cmd:"" help:"Make a token, and print it this once."`
	List   tokenListCommand   `cmd:"" help:"List tokens, never their secrets."`
}

type tokenCreateCommand struct {
	Email string `required:"" placeholder:"ADDRESS" help:"Whose: what is pushed with it is pushed by them."`
	Name  string `required:"" placeholder:"NAME" help:"Where it will be used, as in ci."`
}

// tokenJSON is a token for programs.
type tokenJSON struct {
	Token   string `json:"token,omitempty"` // the secret, from create alone
	ID      string `json:"id"`
	Email   string `json:"email"`
	Name    string `json:"name"`
	Created string `json:"created"`
	Used    string `json:"used,omitempty"`
	Revoked string `json:"revoked,omitempty"`
}

// Run makes the token. Only its hash is kept.
func (c tokenCreateCommand) Run(a *app, admin *adminCommand) error {
	name, err := people.CheckName("name", c.Name)
	if err != nil {
		return refused(err)
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
	secret := people.NewToken()
	t := store.Token{ID: store.NewID(), User: u.ID, Name: name, Hash: store.Hash(secret), Created: d.now()}
	if err := d.Store.AddToken(a.ctx, d.act(), t); err != nil {
		return err
	}
	return d.print(tokenJSON{secret, t.ID, u.Email, t.Name, date(t.Created), "", ""}, "%s\nThis token of %s is shown this once. Whoever holds it pushes as them.", secret, u.Email)
}

type tokenListCommand struct {
	Email string `placeholder:"ADDRESS" help:"Only of this person. Default: of everybody."`
}

// Run lists tokens by whose they are, newest first.
func (c tokenListCommand) Run(a *app, admin *adminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	users, err := d.persons(c.Email)
	if err != nil {
		return err
	}
	objects, rows := []tokenJSON{}, [][]string{}
	for _, u := range users {
		tokens, err := d.Store.ListTokens(a.ctx, u.ID)
		if err != nil {
			return err
		}
		for _, t := range tokens {
			objects = append(objects, tokenJSON{"", t.ID, u.Email, t.Name, date(t.Created), date(t.Used), date(t.Revoked)})
			standing := "good"
			if t.Revoked != 0 {
				standing = "revoked"
			}
			rows = append(rows, []string{u.Email, t.Name, day(t.Created), day(t.Used), standing, t.ID})
		}
	}
	return list(d, "tokens", objects, "There is no token yet. figs login makes one, and so does figs-web admin token create.", []string{"E-MAIL", "NAME", "MADE", "USED", "STANDS", "ID"}, rows)
}

// persons are the one who is named, or everybody.
func (d *desk) persons(email string) ([]store.User, error) {
	if email != "" {
		u, err := d.user(email)
		return []store.User{u}, err
	}
	return d.Store.ListUsers(d.ctx)
}
