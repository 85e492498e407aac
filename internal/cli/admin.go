package cli

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// adminCommand is what whoever holds the folder or the database of a hosted reader may do with it, also
// while servers run over it: no sign-in, because who can write there can do everything.
type adminCommand struct {
	readerFlags
	JSON      bool                  `help:"Print one JSON object."`
	Workspace adminWorkspaceCommand `cmd:"" help:"Workspaces, which teams share."`
	User      adminUserCommand      `cmd:"" help:"People who may sign in."`
	Member    adminMemberCommand    `cmd:"" help:"Who belongs to which workspace, as what."`
	Invite    adminInviteCommand    `cmd:"" help:"Links that let one person into a workspace, once."`
	Token     adminTokenCommand     `cmd:"" help:"Tokens, with which clients and scripts push."`
	Audit     adminAuditCommand     `cmd:"" help:"The log of what was done, a chain of hashes."`
	Mail      adminMailCommand      `cmd:"" help:"The mail server that letters go out by."`
	Agents    adminAgentCommand     `cmd:"" name:"agent" help:"Agents that have pushed, and who answers for them."`
}

// Help is what `admin --help` adds.
func (adminCommand) Help() string {
	return `Looks after a hosted reader at the terminal: its workspaces, people, roles, tokens and agents. It works beside a running server, whose pages show the change at once.

Examples:

  figs-web admin --data figs-data workspace create --name Acme --slug acme
  figs-web admin --data figs-data user create --email ada@acme.example --name Ada --password-stdin < password
  figs-web admin --data figs-data member add --workspace acme --email ada@acme.example --role owner
  figs-web admin --data figs-data invite create --workspace acme --role member --public-url https://figs.acme.example
  figs-web admin --data figs-data token create --email ada@acme.example --name ci --json
  figs-web admin --data figs-data agent assign --workspace acme --agent ID --manager ada@acme.example
  figs-web admin --data figs-data user list
`
}

// desk is an open reader and what a command prints with.
type desk struct {
	*app
	*Data
	json bool
}

// open opens the reader. A command that begins something may make its folder: scripts set a reader
// up before its server starts for the first time.
func (c *adminCommand) open(a *app, make bool) (*desk, error) {
	w, err := c.at()
	if err != nil {
		return nil, err
	}
	data, err := a.openWhere(w, make)
	if err != nil {
		return nil, err
	}
	return &desk{a, data, c.JSON || a.agent}, nil
}

// act is a change that whoever holds the folder makes.
func (d *desk) act() store.Act { return store.Act{At: d.now()} }

func (d *desk) now() int64 { return d.Now().UnixMicro() }

// print prints one object for programs, else a sentence for people.
func (d *desk) print(object any, sentence string, names ...any) error {
	if d.json {
		return writeJSON(d.Stdout, object)
	}
	for i, n := range names {
		if s, ok := n.(string); ok {
			names[i] = clean(s)
		}
	}
	_, err := fmt.Fprintf(d.Stdout, sentence+"\n", names...)
	return err
}

// list prints a list: in machine mode an object a line, with --json one object whose member key holds
// them all, else rows under a head; nothing says that there are none.
func list[T any](d *desk, key string, objects []T, nothing string, head []string, rows [][]string) error {
	switch {
	case d.agent:
		for i := range objects {
			if err := writeJSON(d.Stdout, objects[i]); err != nil {
				return err
			}
		}
		return nil
	case d.json:
		return writeJSON(d.Stdout, map[string][]T{key: objects})
	}
	if len(rows) == 0 {
		_, err := fmt.Fprintln(d.Stdout, nothing)
		return err
	}
	w := tabwriter.NewWriter(d.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(head, "\t"))
	for _, row := range rows {
		for i := range row {
			row[i] = clean(row[i])
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
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

// workspace finds a workspace by its address or id.
func (d *desk) workspace(name string) (store.Workspace, error) {
	w, err := d.Store.Workspace(d.ctx, name)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return w, fail(notFound, "There is no workspace "+quote(name)+".", "figs-web admin workspace list shows them; name one by the word in its address.")
	case err == nil && w.Deleted != 0:
		return w, fail(notFound, "The workspace "+quote(name)+" was deleted.", "figs-web admin workspace list shows those that are there.")
	}
	return w, err
}

// user finds a person by e-mail address.
func (d *desk) user(email string) (store.User, error) {
	u, err := d.Store.UserByEmail(d.ctx, email)
	if errors.Is(err, store.ErrNotFound) {
		return u, fail(notFound, "Nobody has the e-mail address "+quote(email)+".", "figs-web admin user list shows who is there; figs-web admin user create makes an account.")
	}
	return u, err
}

// refused makes what must be typed otherwise a failure: its first sentence, and the rest as hint.
func refused(err error) error {
	var wrong *people.Wrong
	var wrongs people.Wrongs
	var in *store.Taken
	if errors.As(err, &wrongs) {
		err = wrongs[0]
	}
	switch {
	case errors.As(err, &wrong):
		first, rest, more := strings.Cut(wrong.Sentence, ". ")
		if !more {
			return fail(usage, wrong.Sentence, "figs-web admin --help has examples.")
		}
		return fail(usage, first+".", rest)
	case errors.As(err, &in):
		f := fail(taken, "The "+in.What+" "+quote(in.Name)+" is taken.", "Choose another, or use what is there; the list command shows it.")
		f.context = map[string]any{"taken": in.Name}
		return f
	case errors.Is(err, store.ErrLastOwner):
		return fail(denied, "The workspace would be left without an owner.", "Give somebody else the role owner first.")
	}
	return err
}
