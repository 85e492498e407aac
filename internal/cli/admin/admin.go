// Package admin has the commands that look after a hosted reader: workspaces, people, roles, tokens, agents, the audit log.
package admin

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/store"
)

// AdminCommand is what an administrator with access to a server's folder or database may do, also
// while servers run over it: no sign-in, because who can write there can do everything.
type AdminCommand struct {
	cmd.ReaderFlags
	Workspace adminWorkspaceCommand `cmd:"" help:"Create, list, delete and restore workspaces."`
	User      adminUserCommand      `cmd:"" help:"Create and list accounts, reset passwords."`
	Member    adminMemberCommand    `cmd:"" help:"Add people to workspaces and change their roles."`
	Invite    adminInviteCommand    `cmd:"" help:"Create, list and revoke invitation links."`
	Token     adminTokenCommand     `cmd:"" help:"Create and list tokens for clients and scripts."`
	Audit     adminAuditCommand     `cmd:"" help:"Verify and export the audit log."`
	Mail      adminMailCommand      `cmd:"" help:"Test the mail server."`
	OIDC      adminOIDCCommand      `cmd:"" name:"oidc" help:"Test sign-in with a provider."`
	Agents    adminAgentCommand     `cmd:"" name:"agent" help:"Manage agents: managers, names, archive, move, erase."`
}

// Help is what `admin --help` adds.
func (AdminCommand) Help() string {
	return `Manages a server from the command line: workspaces, people, tokens and agents. The server can be running; its pages show changes at once.

Examples (each begins with figs-web admin --data figs-data):

  workspace create --name Acme --slug acme
  user create --email ada@acme.example --name Ada --password-stdin < password
  member add --workspace acme --email ada@acme.example --role owner
  invite create --workspace acme --role member
  token create --email ada@acme.example --name ci --json
  agent assign --workspace acme --agent ID --manager ada@acme.example
  user list
`
}

// open opens the reader. A command that begins something may make its folder: scripts set a reader
// up before its server starts for the first time.
func (c *AdminCommand) open(a *cmd.App, make bool) (*datadir.Reader, error) {
	w, err := c.At()
	if err != nil {
		return nil, err
	}
	data, err := datadir.Open(a, w, make)
	if err != nil {
		return nil, err
	}
	return &datadir.Reader{App: a, Data: data, JSON: a.PrintsJSON()}, nil
}

// print prints one object for programs, else a sentence for people.
func print(d *datadir.Reader, object any, sentence string, names ...any) error {
	if d.JSON {
		return cmd.WriteJSON(d.Stdout, object)
	}
	for i, n := range names {
		if s, ok := n.(string); ok {
			names[i] = cmd.Clean(s)
		}
	}
	_, err := fmt.Fprintf(d.Stdout, sentence+"\n", names...)
	return err
}

// list prints a list: in machine mode an object a line, with --json one object whose member key holds
// them all, else rows under a head; nothing says that there are none.
func list[T any](d *datadir.Reader, key string, objects []T, nothing string, head []string, rows [][]string) error {
	switch {
	case d.Agent:
		for i := range objects {
			if err := cmd.WriteJSON(d.Stdout, objects[i]); err != nil {
				return err
			}
		}
		return nil
	case d.JSON:
		return cmd.WriteJSON(d.Stdout, map[string][]T{key: objects})
	}
	if len(rows) == 0 {
		_, err := fmt.Fprintln(d.Stdout, nothing)
		return err
	}
	for _, row := range rows {
		for i := range row {
			row[i] = cmd.Clean(row[i])
		}
	}
	_, err := fmt.Fprint(d.Stdout, d.App.List(head, rows))
	return err
}

// date is a time as programs read it; "" is never.
func date(at int64) string {
	if at == 0 {
		return ""
	}
	return time.UnixMicro(at).UTC().Format(time.RFC3339)
}

// day is a time as people read it in a table.
func day(at int64) string {
	if at == 0 {
		return "never"
	}
	return time.UnixMicro(at).UTC().Format("2006-01-02 15:04")
}

// user finds a person by e-mail address.
func user(d *datadir.Reader, email string) (store.User, error) {
	u, err := d.Store.UserByEmail(d.Ctx, email)
	if errors.Is(err, store.ErrNotFound) {
		return u, cmd.Fail(cmd.NotFound, "No account has the email address "+cmd.Quote(email)+".", "figs-web admin user list shows the accounts; figs-web admin user create creates one.")
	}
	return u, err
}

// refused makes what must be typed otherwise a failure: its first sentence, and the rest as hint.
func refused(err error) error {
	var wrong *accounts.ValidationError
	var wrongs accounts.ValidationErrors
	var in *store.TakenError
	if errors.As(err, &wrongs) {
		err = wrongs[0]
	}
	switch {
	case errors.As(err, &wrong):
		first, rest, more := strings.Cut(wrong.Error(), ". ")
		if !more {
			return cmd.Fail(cmd.Usage, wrong.Error(), "figs-web admin --help shows examples.")
		}
		return cmd.Fail(cmd.Usage, first+".", rest)
	case errors.As(err, &in):
		f := cmd.Fail(cmd.AlreadyExists, "The "+strings.Replace(in.What, "e-mail", "email", 1)+" "+cmd.Quote(in.Name)+" is already in use.", "Choose another name, or use the existing one. The list command shows it.")
		f.Context = map[string]any{"taken": in.Name}
		return f
	case errors.Is(err, store.ErrLastOwner):
		return cmd.Fail(cmd.Denied, "The workspace would have no owner.", "Give another person the role owner first.")
	}
	return err
}
