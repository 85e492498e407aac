package datadir

import (
	"errors"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/store"
)

// Reader is an open reader and what a command prints with.
type Reader struct {
	*cmd.App
	*cmd.Data
	JSON bool
}

// Act is a change made on the server's machine, without an account.
func (d *Reader) Act() store.Act { return store.Act{At: d.NowMicro()} }

// NowMicro is the time in microseconds since 1970.
func (d *Reader) NowMicro() int64 { return d.Now().UnixMicro() }

// Workspace finds a workspace by its address or id.
func (d *Reader) Workspace(name string) (store.Workspace, error) {
	w, err := d.Store.Workspace(d.Ctx, name)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return w, cmd.Fail(cmd.NotFound, "There is no workspace "+cmd.Quote(name)+".", "figs-web admin workspace list shows the workspaces. Use the name in the URL.")
	case err == nil && w.Deleted != 0:
		return w, cmd.Fail(cmd.NotFound, "The workspace "+cmd.Quote(name)+" was deleted.", "figs-web admin workspace list shows the workspaces.")
	}
	return w, err
}
