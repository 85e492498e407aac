package backup

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/figs-web/figs-web/internal/backup"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/store"
)

// RestoreTarget is the database and the attachment storage that a backup is restored to. It is empty when the backup is
// restored to a new folder.
type RestoreTarget struct {
	Where cmd.Where
	ends  []func() error // called in this order by close
}

// openTarget opens what --database and --blobs name, and sets o to write there.
func (c RestoreCommand) openTarget(a *cmd.App, o *backup.RestoreOptions, bar *cmd.Progress) (*RestoreTarget, error) {
	t := &RestoreTarget{}
	if c.Verify || !c.Set() {
		return t, nil
	}
	var err error
	if t.Where, err = c.Where(c.Data); err != nil {
		return nil, err
	}
	if c.Data != "" && c.Database != "" { // the folder has attachments at most
		if err := datadir.CheckFolder(c.Data, true); err != nil {
			return nil, err
		}
	}
	release := func() error { return nil }
	if t.Where.Database != "" && !t.Where.Postgres() {
		if err := datadir.CheckFile(t.Where, true); err != nil {
			return nil, err
		}
		if release, err = datadir.LockServer(filepath.Dir(t.Where.File())); err != nil {
			return nil, err
		}
	}
	err = c.open(a, t, o, bar)
	t.ends = append(t.ends, release)
	if err != nil {
		t.close()
		return nil, stoppedOr(a.Ctx, err)
	}
	return t, nil
}

func (c RestoreCommand) open(a *cmd.App, t *RestoreTarget, o *backup.RestoreOptions, bar *cmd.Progress) (err error) {
	place := t.Where
	if place.Blobs != "" {
		place.Dir = "" // it must stay empty until the database is put there
	}
	if o.Blobs, err = t.openBlobs(a, place); err != nil || t.Where.Database == "" {
		return err
	}
	o.To = ""
	to, err := t.openDatabase(a)
	if err != nil {
		return err
	}
	if takes, ok := to.(store.Copier); ok && !c.Restart {
		if err := takes.CheckEmpty(a.Ctx); err != nil { // before all of the backup is read
			return t.Failure(err)
		}
	}
	o.Into = func(ctx context.Context, proven store.Store) error {
		if c, ok := proven.(closing); ok {
			proven = c.Store
		}
		bar.Turn("Copying rows", true)
		if err := backup.Copy(ctx, proven, to, store.CopyOptions{Restart: c.Restart, Progress: bar.Set}); err != nil {
			return stoppedOr(ctx, t.Failure(err))
		}
		return nil
	}
	return nil
}

// openDatabase opens the database. It fails while servers are connected to it.
func (t *RestoreTarget) openDatabase(a *cmd.App) (store.Store, error) {
	t.Where.Unfinished = true
	s, err := a.OpenStore(a.Ctx, withApplicationName(t.Where, store.CopierAppName))
	if err != nil {
		return nil, datadir.WhereFailure(err, t.Where)
	}
	t.ends = append(t.ends, s.Close)
	if c, ok := s.(store.Copier); ok {
		if n, err := c.OtherConnections(a.Ctx); err == nil && n > 0 {
			return nil, cmd.Fail(cmd.General, fmt.Sprintf("Servers are using %s: they have %s to it.", cmd.Quote(t.Where.Name()), cmd.Plural(n, "connection")), "Stop them, or use an empty database.")
		}
	}
	return s, nil
}

// withApplicationName sets the application name of PostgreSQL connections, unless the address has one.
func withApplicationName(w cmd.Where, name string) cmd.Where {
	if w.Postgres() && !strings.Contains(w.Database, "application_name=") {
		mark := "?"
		if strings.Contains(w.Database, "?") {
			mark = "&"
		}
		w.Database += mark + "application_name=" + name
	}
	return w
}

func (t *RestoreTarget) openBlobs(a *cmd.App, w cmd.Where) (blob.Store, error) {
	blobs, end, err := a.OpenBlobs(a.Ctx, w)
	if err != nil {
		return nil, datadir.WhereFailure(err, w)
	}
	t.ends = append(t.ends, end)
	return blobs, nil
}

func (t *RestoreTarget) close() {
	for _, end := range t.ends {
		end()
	}
}
