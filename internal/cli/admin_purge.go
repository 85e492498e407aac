package cli

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/figs-web/figs-web/internal/store"
)

// bringBack is for how long a deleted workspace is kept to be brought back.
const bringBack = 30 * 24 * time.Hour

type workspaceDeleteCommand struct {
	Workspace string `arg:"" name:"WORKSPACE" help:"The workspace, by the word in its address or by its id."`
}

// Run marks a workspace as deleted.
func (c workspaceDeleteCommand) Run(a *app, admin *adminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	w, err := d.workspace(c.Workspace)
	if err != nil {
		return err
	}
	if err := d.Store.DeleteWorkspace(a.ctx, d.act(), w.ID); err != nil {
		return err
	}
	return d.print(workspaceObject(w), "Deleted the workspace %s. figs-web admin workspace restore %s brings it back.", w.Slug, w.Slug)
}

type workspaceRestoreCommand struct {
	Workspace string `arg:"" name:"WORKSPACE" help:"A deleted workspace, by the word in its address or by its id."`
}

// Run takes the mark from a deleted workspace.
func (c workspaceRestoreCommand) Run(a *app, admin *adminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	w, err := d.deleted(c.Workspace)
	if err != nil {
		return err
	}
	if err := d.Store.RestoreWorkspace(a.ctx, d.act(), w.ID); err != nil {
		return err
	}
	return d.print(workspaceObject(w), "The workspace %s is back, with everything in it.", w.Slug)
}

// deleted finds a workspace that is deleted and not purged.
func (d *desk) deleted(name string) (store.Workspace, error) {
	w, err := d.Store.Workspace(d.ctx, name)
	const hint = "figs-web admin workspace list --deleted shows those that were deleted."
	switch {
	case errors.Is(err, store.ErrNotFound):
		return w, fail(notFound, "There is no workspace "+quote(name)+".", hint)
	case err != nil:
		return w, err
	case w.Deleted == 0:
		return w, fail(usage, "The workspace "+quote(name)+" is not deleted.", hint)
	case w.Purged():
		return w, fail(notFound, "Nothing is left of the workspace "+quote(name)+".", "It was removed for good. A backup may still have it: figs-web restore into another folder.")
	}
	return w, nil
}

type workspacePurgeCommand struct {
	Workspace string `arg:"" name:"WORKSPACE" help:"A deleted workspace, by the word in its address or by its id."`
	Early     bool   `help:"Also before the 30 days are over in which it can be brought back."`
}

// Help is what admin workspace purge --help adds.
func (workspacePurgeCommand) Help() string {
	return `Removes everything of a deleted workspace for good: agents, records, replies, decisions, members, and attachments that no other workspace has. What stays is its id, when it was deleted, and its audit. Older backups still hold it.

Examples:

  figs-web admin --data figs-data workspace purge acme
  figs-web admin --data figs-data workspace purge acme --early
`
}

// Run removes a deleted workspace for good.
func (c workspacePurgeCommand) Run(a *app, admin *adminCommand) error {
	d, err := admin.open(a, false)
	if err != nil {
		return err
	}
	defer d.Close()
	w, err := d.deleted(c.Workspace)
	if err != nil {
		return err
	}
	if until := time.UnixMicro(w.Deleted).Add(bringBack); !c.Early && a.Now().Before(until) {
		return fail(denied, "The workspace "+quote(c.Workspace)+" can be brought back until "+day(until.UnixMicro())+".", "Purge it after that, or now with --early.")
	}
	if err := d.Store.PurgeWorkspace(a.ctx, d.act(), w.ID); err != nil {
		return err
	}
	removed, waiting, err := d.removeBytes(a.ctx, w.ID)
	if waiting > 0 {
		return fail(general, "Removed the workspace "+quote(w.Slug)+" for good, but "+plural(waiting, "attachment")+" could not be removed from storage yet: "+clean(err.Error())+".",
			"A running server tries again every minute. Without one, figs-web serve tries as soon as it starts.")
	}
	return errors.Join(err, d.print(map[string]any{"id": w.ID, "attachments": removed}, "Removed the workspace %s for good, and %s.", w.Slug, plural(removed, "attachment")))
}

// purgeDeleted removes every workspace whose time to be brought back is over, now and every hour.
func purgeDeleted(ctx context.Context, data *Data, now func() time.Time, log *slog.Logger) {
	hour := time.NewTicker(time.Hour)
	defer hour.Stop()
	for {
		purgeDue(ctx, data, now(), log)
		select {
		case <-hour.C:
		case <-ctx.Done():
			return
		}
	}
}

func purgeDue(ctx context.Context, data *Data, now time.Time, log *slog.Logger) {
	all, err := data.Store.ListWorkspaces(ctx)
	for i := range all {
		w := &all[i]
		if w.Deleted == 0 || w.Purged() || now.Before(time.UnixMicro(w.Deleted).Add(bringBack)) {
			continue
		}
		failed := data.Store.PurgeWorkspace(ctx, store.Act{At: now.UnixMicro()}, w.ID)
		if errors.Is(failed, store.ErrNotFound) {
			continue // another server has just done it
		}
		if err = errors.Join(err, failed); failed == nil {
			log.Info("a workspace that was deleted 30 days ago is removed for good", "workspace", w.ID)
		}
	}
	if err != nil && ctx.Err() == nil {
		log.Error("deleted workspaces could not be removed", "error", err)
	}
}
