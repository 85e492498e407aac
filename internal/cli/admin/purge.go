package admin

import (
	"errors"
	"time"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/store"
)

type workspaceDeleteCommand struct {
	Workspace string `arg:"" name:"WORKSPACE" help:"The workspace: its name in the URL, or its id."`
}

// Run marks a workspace as deleted.
func (c workspaceDeleteCommand) Run(a *cmd.App, admin *AdminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	w, err := d.Workspace(c.Workspace)
	if err != nil {
		return err
	}
	if err := d.Store.DeleteWorkspace(a.Ctx, d.Act(), w.ID); err != nil {
		return err
	}
	return print(d, workspaceObject(w), "Deleted the workspace %s. figs-web admin workspace restore %s restores it.", w.Slug, w.Slug)
}

type workspaceRestoreCommand struct {
	Workspace string `arg:"" name:"WORKSPACE" help:"A deleted workspace: its name in the URL, or its id."`
}

// Run takes the mark from a deleted workspace.
func (c workspaceRestoreCommand) Run(a *cmd.App, admin *AdminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	w, err := deleted(d, c.Workspace)
	if err != nil {
		return err
	}
	if err := d.Store.RestoreWorkspace(a.Ctx, d.Act(), w.ID); err != nil {
		return err
	}
	return print(d, workspaceObject(w), "Restored the workspace %s with everything in it.", w.Slug)
}

// deleted finds a workspace that is deleted and not purged.
func deleted(d *datadir.Reader, name string) (store.Workspace, error) {
	w, err := d.Store.Workspace(d.Ctx, name)
	const hint = "figs-web admin workspace list --deleted shows deleted workspaces."
	switch {
	case errors.Is(err, store.ErrNotFound):
		return w, cmd.Fail(cmd.NotFound, "There is no workspace "+cmd.Quote(name)+".", hint)
	case err != nil:
		return w, err
	case w.Deleted == 0:
		return w, cmd.Fail(cmd.Usage, "The workspace "+cmd.Quote(name)+" is not deleted.", hint)
	case w.Purged():
		return w, cmd.Fail(cmd.NotFound, "The workspace was permanently removed: "+cmd.Quote(name)+".", "A backup may still contain it: run figs-web restore with another folder.")
	}
	return w, nil
}

type workspacePurgeCommand struct {
	Workspace string `arg:"" name:"WORKSPACE" help:"A deleted workspace: its name in the URL, or its id."`
	Force     bool   `aliases:"early" help:"Remove it before the 30 days are over in which it can be restored."`
}

// Help is what admin workspace purge --help adds.
func (workspacePurgeCommand) Help() string {
	return `Permanently removes a deleted workspace: agents, records, replies, decisions, members, and attachments that no other workspace has. Only its id, the time it was deleted and its audit log remain. Older backups still contain it.

Examples:

  figs-web admin --data figs-data workspace purge acme
  figs-web admin --data figs-data workspace purge acme --force
`
}

// Run removes a deleted workspace for good.
func (c workspacePurgeCommand) Run(a *cmd.App, admin *AdminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	w, err := deleted(d, c.Workspace)
	if err != nil {
		return err
	}
	if until := time.UnixMicro(w.Deleted).Add(datadir.BringBack); !c.Force && a.Now().Before(until) {
		return cmd.Fail(cmd.Denied, "The workspace "+cmd.Quote(c.Workspace)+" can be restored until "+day(until.UnixMicro())+".", "Purge it after that, or use --force.")
	}
	if err := d.Store.PurgeWorkspace(a.Ctx, d.Act(), w.ID); err != nil {
		return err
	}
	removed, waiting, err := d.RemoveBytes(a.Ctx, w.ID)
	if waiting > 0 {
		return cmd.Fail(cmd.General, "Removed the workspace "+cmd.Quote(w.Slug)+" permanently, but "+cmd.Plural(waiting, "attachment")+" could not be removed from storage yet: "+cmd.Clean(err.Error())+".",
			"A running server tries again every minute. Otherwise, figs-web serve tries when it starts.")
	}
	return errors.Join(err, print(d, map[string]any{"id": w.ID, "attachments": removed}, "Permanently removed the workspace %s, and %s.", w.Slug, cmd.Plural(removed, "attachment")))
}
