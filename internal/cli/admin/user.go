package admin

import (
	"bufio"
	"io"
	"strings"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/store"
)

type adminUserCommand struct {
	Create   userCreateCommand   `cmd:"" help:"Create an account."`
	Password userPasswordCommand `cmd:"" help:"Change an account's password and end its sessions."`
	Reset    userResetCommand    `cmd:"" help:"Create a link to set a new password."`
	Operator userOperatorCommand `cmd:"" help:"Make an account a server operator, or remove one."`
	List     userListCommand     `cmd:"" help:"List accounts."`
}

// passwordFlag is where a password comes from: never from the command line, which others see.
type passwordFlag struct {
	PasswordStdin bool `name:"password-stdin" help:"Read the password from standard input, one line."`
}

// longestInput is how many bytes of standard input are looked at for a password.
const longestInput = 4 << 10

// read reads the password, which is one line: at a terminal the return key ends it.
func (f passwordFlag) read(a *cmd.App, email string) (string, error) {
	if !f.PasswordStdin || a.Stdin == nil {
		return "", cmd.Fail(cmd.Usage, "The password is missing.", "Pass it on standard input, as in --password-stdin < FILE. Others could see an argument.")
	}
	line, err := bufio.NewReader(io.LimitReader(a.Stdin, longestInput)).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", cmd.Fail(cmd.General, "The password could not be read: "+cmd.Clean(err.Error())+".", "Pass it on standard input, as in --password-stdin < FILE.")
	}
	password := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
	if password == "" {
		return "", cmd.Fail(cmd.Usage, "The password is missing: standard input is empty.", "Pass it on standard input, as in --password-stdin < FILE.")
	}
	return password, refused(accounts.CheckPassword(password, email))
}

type userCreateCommand struct {
	Email string `required:"" placeholder:"ADDRESS" help:"Email address to sign in with. No email is sent."`
	Name  string `required:"" placeholder:"NAME" help:"The person's name, as others see it."`
	passwordFlag
}

// userJSON is a person for programs.
type userJSON struct {
	ID       string `json:"id"`
	Email    string `json:"email"`
	Name     string `json:"name"`
	Created  string `json:"created"`
	Operator bool   `json:"operator,omitempty"` // runs the whole server
}

func userObject(u store.User) userJSON {
	return userJSON{u.ID, u.Email, u.Name, date(u.Created), u.Operator}
}

// Run makes an account that belongs to no workspace.
func (c userCreateCommand) Run(a *cmd.App, admin *AdminCommand) error {
	email, err := accounts.CheckEmail(c.Email)
	if err != nil {
		return refused(err)
	}
	name, err := accounts.CheckName("name", c.Name)
	if err != nil {
		return refused(err)
	}
	password, err := c.read(a, email)
	if err != nil {
		return err
	}
	d, err := admin.open(a, true)
	if err != nil {
		return err
	}
	defer d.Close()
	encoded, err := accounts.HashPassword(a.Ctx, password)
	if err != nil {
		return err
	}
	u := store.User{ID: store.NewID(), Email: email, Name: name, Password: encoded, Created: d.NowMicro()}
	if err := d.Store.AddUser(a.Ctx, d.Act(), u); err != nil {
		return refused(err)
	}
	return print(d, userObject(u), "Created an account for %s <%s>. Add it to a workspace: figs-web admin member add.", u.Name, u.Email)
}

type userPasswordCommand struct {
	Email string `required:"" placeholder:"ADDRESS" help:"Email address of the account."`
	passwordFlag
}

// Run changes the password of an account.
func (c userPasswordCommand) Run(a *cmd.App, admin *AdminCommand) error {
	password, err := c.read(a, c.Email)
	if err != nil {
		return err
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
	encoded, err := accounts.HashPassword(a.Ctx, password)
	if err != nil {
		return err
	}
	if err := d.Store.SetPassword(a.Ctx, d.Act(), u.ID, encoded); err != nil {
		return err
	}
	return print(d, userObject(u), "Changed the password of %s <%s> and ended all their sessions. Their tokens still work.", u.Name, u.Email)
}

type userListCommand struct{}

// Run lists everybody.
func (userListCommand) Run(a *cmd.App, admin *AdminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	all, err := d.Store.ListUsers(a.Ctx)
	if err != nil {
		return err
	}
	objects, rows := []userJSON{}, [][]string{}
	for _, u := range all {
		objects = append(objects, userObject(u))
		rows = append(rows, []string{u.Email, u.Name, day(u.Created), u.ID})
	}
	return list(d, "users", objects, "No accounts yet. figs-web admin user create creates one.", []string{"EMAIL", "NAME", "CREATED", "ID"}, rows)
}
