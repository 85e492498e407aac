package admin

import (
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/store"
)

type adminMemberCommand struct {
	Add  memberAddCommand  `cmd:"" help:"Add a person to a workspace, or change their role."`
	List memberListCommand `cmd:"" help:"List members by workspace."`
}

type memberAddCommand struct {
	Workspace string `required:"" placeholder:"WORD" help:"The workspace: its name in the URL, or its id."`
	Email     string `required:"" placeholder:"ADDRESS" help:"Email address of the account."`
	Role      string `required:"" placeholder:"ROLE" help:"The role: owner, admin, member or viewer."`
}

// memberJSON is a member for programs.
type memberJSON struct {
	Workspace string `json:"workspace"`
	ID        string `json:"id"`
	Email     string `json:"email"`
	Name      string `json:"name"`
	Role      string `json:"role"`
	Since     string `json:"since,omitempty"`
}

// Run gives the role.
func (c memberAddCommand) Run(a *cmd.App, admin *AdminCommand) error {
	role, err := accounts.CheckRole(c.Role)
	if err != nil {
		return refused(err)
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
	u, err := user(d, c.Email)
	if err != nil {
		return err
	}
	if err := d.Store.SetMember(a.Ctx, d.Act(), w.ID, u.ID, role); err != nil {
		return refused(err)
	}
	return print(d, memberJSON{w.Slug, u.ID, u.Email, u.Name, string(role), ""}, "%s <%s> is now in %s, as "+string(role)+".", u.Name, u.Email, w.Name)
}

type memberListCommand struct {
	Workspace string `placeholder:"WORD" help:"Only this workspace. Default: all workspaces."`
}

// Run lists members by workspace and e-mail address.
func (c memberListCommand) Run(a *cmd.App, admin *AdminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	places, err := places(d, c.Workspace)
	if err != nil {
		return err
	}
	objects, rows := []memberJSON{}, [][]string{}
	for _, w := range places {
		members, err := d.Store.Members(a.Ctx, w.ID)
		if err != nil {
			return err
		}
		for _, m := range members {
			objects = append(objects, memberJSON{w.Slug, m.User.ID, m.User.Email, m.User.Name, string(m.Role), date(m.Since)})
			rows = append(rows, []string{w.Slug, m.User.Email, m.User.Name, string(m.Role), day(m.Since)})
		}
	}
	return list(d, "members", objects, "No members yet. figs-web admin member add adds a person.", []string{"WORKSPACE", "EMAIL", "NAME", "ROLE", "SINCE"}, rows)
}

// places are the workspace that is named, or all that are not deleted.
func places(d *datadir.Reader, name string) ([]store.Workspace, error) {
	if name != "" {
		w, err := d.Workspace(name)
		return []store.Workspace{w}, err
	}
	all, err := d.Store.ListWorkspaces(d.Ctx)
	var there []store.Workspace
	for _, w := range all {
		if w.Deleted == 0 {
			there = append(there, w)
		}
	}
	return there, err
}
