package admin

import (
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/store"
)

type adminWorkspaceCommand struct {
	Create  workspaceCreateCommand  `cmd:"" help:"Create a workspace."`
	List    workspaceListCommand    `cmd:"" help:"List workspaces."`
	Delete  workspaceDeleteCommand  `cmd:"" help:"Delete a workspace. It can be restored for 30 days."`
	Restore workspaceRestoreCommand `cmd:"" help:"Restore a deleted workspace."`
	Purge   workspacePurgeCommand   `cmd:"" help:"Permanently remove a deleted workspace and its data."`
}

type workspaceCreateCommand struct {
	Name string `required:"" placeholder:"NAME" help:"The workspace's name."`
	Slug string `placeholder:"WORD" help:"The workspace's name in the URL, as in acme. Default: made from the name."`
}

// workspaceJSON is a workspace for programs.
type workspaceJSON struct {
	ID      string `json:"id"`
	Slug    string `json:"slug"`
	Name    string `json:"name"`
	Created string `json:"created"`
	Deleted string `json:"deleted,omitempty"`
	Purged  bool   `json:"purged,omitempty"`
}

func workspaceObject(w store.Workspace) workspaceJSON {
	return workspaceJSON{w.ID, w.Slug, w.Name, date(w.Created), date(w.Deleted), w.Purged()}
}

// Run creates a workspace without members.
func (c workspaceCreateCommand) Run(a *cmd.App, admin *AdminCommand) error {
	w, err := accounts.NewWorkspace(c.Name, c.Slug, 0)
	if err != nil {
		return refused(err)
	}
	d, err := admin.open(a, true)
	if err != nil {
		return err
	}
	defer d.Close()
	w.Created = d.NowMicro()
	if err := d.Store.AddWorkspace(a.Ctx, d.Act(), w, ""); err != nil {
		return refused(err)
	}
	return print(d, workspaceObject(w), "Created the workspace %s at /w/%s. Add a person: figs-web admin member add.", w.Name, w.Slug)
}

type workspaceListCommand struct {
	Deleted bool `help:"List deleted workspaces instead."`
}

// Run lists the workspaces that are there, or those that were deleted.
func (c workspaceListCommand) Run(a *cmd.App, admin *AdminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	all, err := d.Store.ListWorkspaces(a.Ctx)
	if err != nil {
		return err
	}
	objects, rows := []workspaceJSON{}, [][]string{}
	for _, w := range all {
		if (w.Deleted != 0) == c.Deleted {
			objects = append(objects, workspaceObject(w))
			at := w.Created
			if c.Deleted {
				at = w.Deleted
			}
			rows = append(rows, []string{w.Slug, w.Name, day(at), w.ID})
		}
	}
	if c.Deleted {
		return list(d, "workspaces", objects, "No deleted workspaces.", []string{"WORKSPACE", "NAME", "DELETED", "ID"}, rows)
	}
	return list(d, "workspaces", objects, "No workspaces yet. figs-web admin workspace create creates one.", []string{"WORKSPACE", "NAME", "CREATED", "ID"}, rows)
}
