package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/figs-web/figs-web/internal/backup"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
)

// restoreTarget is the database and the attachment storage that a backup is restored to. It is empty when the backup is
// restored to a new folder.
type restoreTarget struct {
	where Where
	ends  []func() error // called in this order by close
}

// openTarget opens what --database and --blobs name, and sets o to write there.
func (c restoreCommand) openTarget(a *app, o *backup.RestoreOptions, bar *progress) (*restoreTarget, error) {
	t := &restoreTarget{}
	if c.Verify || !c.set() {
		return t, nil
	}
	var err error
	if t.where, err = c.where(c.Data); err != nil {
		return nil, err
	}
	if c.Data != "" && c.Database != "" { // the folder has attachments at most
		if err := checkFolder(c.Data, true); err != nil {
			return nil, err
		}
	}
	release := func() error { return nil }
	if t.where.Database != "" && !t.where.Postgres() {
		if err := t.where.checkFile(true); err != nil {
			return nil, err
		}
		if release, err = lockServer(filepath.Dir(t.where.File())); err != nil {
			return nil, err
		}
	}
	err = c.open(a, t, o, bar)
	t.ends = append(t.ends, release)
	if err != nil {
		t.close()
		return nil, stoppedOr(a.ctx, err)
	}
	return t, nil
}

func (c restoreCommand) open(a *app, t *restoreTarget, o *backup.RestoreOptions, bar *progress) (err error) {
	place := t.where
	if place.Blobs != "" {
		place.Dir = "" // it must stay empty until the database is put there
	}
	if o.Blobs, err = t.openBlobs(a, place); err != nil || t.where.Database == "" {
		return err
	}
	o.To = ""
	to, err := t.openDatabase(a)
	if err != nil {
		return err
	}
	if takes, ok := to.(store.Copier); ok && !c.Again {
		if err := takes.TakesCopy(a.ctx); err != nil { // before all of the backup is read
			return t.failure(err)
		}
	}
	o.Into = func(ctx context.Context, proven store.Store) error {
		if c, ok := proven.(closing); ok {
			proven = c.Store
		}
		bar.turn("Copying rows", true)
		if err := backup.Copy(ctx, proven, to, store.CopyOptions{Again: c.Again, Progress: bar.set}); err != nil {
			return stoppedOr(ctx, t.failure(err))
		}
		return nil
	}
	return nil
}

// openDatabase opens the database. It fails while servers are connected to it.
func (t *restoreTarget) openDatabase(a *app) (store.Store, error) {
	t.where.Unfinished = true
	s, err := a.OpenStore(a.ctx, t.where.withApplicationName(store.CopierName))
	if err != nil {
		return nil, whereFailure(err, t.where)
	}
	t.ends = append(t.ends, s.Close)
	if c, ok := s.(store.Copier); ok {
		if n, err := c.Others(a.ctx); err == nil && n > 0 {
			return nil, fail(general, fmt.Sprintf("Servers work on %s: they have %s to it.", quote(t.where.Name()), plural(n, "connection")), "Stop them, or name an empty database.")
		}
	}
	return s, nil
}

// withApplicationName sets the application name of PostgreSQL connections, unless the address has one.
func (w Where) withApplicationName(name string) Where {
	if w.Postgres() && !strings.Contains(w.Database, "application_name=") {
		mark := "?"
		if strings.Contains(w.Database, "?") {
			mark = "&"
		}
		w.Database += mark + "application_name=" + name
	}
	return w
}

func (t *restoreTarget) openBlobs(a *app, w Where) (blob.Store, error) {
	blobs, end, err := a.OpenBlobs(a.ctx, w)
	if err != nil {
		return nil, whereFailure(err, w)
	}
	t.ends = append(t.ends, end)
	return blobs, nil
}

func (t *restoreTarget) close() {
	for _, end := range t.ends {
		end()
	}
}
