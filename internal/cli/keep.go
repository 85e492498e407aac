package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/figs-web/figs-web/internal/clock"
	"github.com/figs-web/figs-web/internal/lock"
)

// openWhere opens a hosted reader as openReader does. From then on its database's clock is the program's.
func (a *app) openWhere(w Where, make bool) (*Data, error) {
	data, err := a.openReader(w, make)
	if err == nil && w.Postgres() {
		a.Now = clock.Of(a.ctx, data.Store, a.Now, time.Minute, nil).Now
	}
	return data, err
}

// openReader opens a hosted reader. make says whether a folder that is missing or empty is made into one;
// a database always is.
func (a *app) openReader(w Where, make bool) (*Data, error) {
	if w.Dir != "" {
		if err := checkFolder(w.Dir, make || w.Postgres()); err != nil {
			return nil, err
		}
	}
	if err := w.checkFile(make); err != nil {
		return nil, err
	}
	data, err := a.OpenData(a.ctx, w)
	if stopped := a.ctx.Err(); err != nil && errors.Is(stopped, context.Canceled) {
		return nil, stopped // a database that was waited for tells only why it did not answer
	}
	if err != nil {
		return nil, whereFailure(err, w)
	}
	return data, nil
}

// checkFile holds the file of sqlite:// to what a folder is held to.
func (w Where) checkFile(make bool) error {
	if w.Database == "" || w.Postgres() {
		return nil
	}
	_, err := os.Stat(w.File())
	switch {
	case errors.Is(err, fs.ErrNotExist) && !make:
		return fail(notFound, "There is no "+quote(w.File())+".", "Name the database that a server was started with.")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return dataFailure(err, w.File())
	}
	dir := filepath.Dir(w.File())
	info, err := os.Stat(dir)
	if err != nil {
		return dataFailure(err, dir)
	}
	return closeToOthers(dir, info, false)
}

// checkFolder holds a folder to what it is for: passwords' hashes and what agents say of a
// company lie in it, so that nobody else on the machine may look inside.
func checkFolder(dir string, make bool) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) && make {
		if err = os.MkdirAll(dir, 0o700); err == nil {
			info, err = os.Stat(dir)
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fail(notFound, "There is no "+quote(dir)+".", "Name the folder that a server was started with; figs-web serve --data "+shellWord(dir)+" makes it.")
	case err != nil:
		return dataFailure(err, dir)
	case !info.IsDir():
		return fail(usage, quote(dir)+" is no folder.", "Name a folder, which may be missing or empty, as in --data figs-data.")
	}
	if err := unfinishedRestore(dir); err != nil {
		return err
	}
	empty, err := isEmpty(dir)
	if err != nil {
		return dataFailure(err, dir)
	}
	if empty && !make {
		return fail(notFound, quote(dir)+" is empty.", "Name the folder that a server was started with; figs-web serve --data "+shellWord(dir)+" makes it one.")
	}
	return closeToOthers(dir, info, empty)
}

// closeToOthers refuses a folder that everybody on this machine may look into. An empty one has
// told nobody anything yet and is closed without a word.
func closeToOthers(dir string, info fs.FileInfo, empty bool) error {
	if runtime.GOOS == "windows" || info.Mode().Perm()&0o007 == 0 {
		return nil // rights are no part of a mode there
	}
	if empty && os.Chmod(dir, 0o700) == nil {
		return nil
	}
	return fail(denied, "Everybody on this machine can look into "+quote(dir)+".",
		"It holds passwords' hashes and what your agents report. Close it to others: chmod 700 "+shellWord(dir))
}

// isEmpty also takes the folder that a fresh disk brings for nothing.
func isEmpty(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != "lost+found" {
			return false, err
		}
	}
	return true, err
}

func dataFailure(err error, dir string) error {
	if errors.Is(err, fs.ErrPermission) {
		return fail(denied, "You may not write to "+quote(dir)+".", "Run as the user that owns it, or name another folder with --data.")
	}
	return fail(general, quote(dir)+" cannot be opened: "+clean(err.Error())+".", "Check that it is the folder of a figs-web server, and that its disk has room.")
}

// lockName is the file whose lock says that a server runs. It stays empty and is never removed:
// a removed file could be locked twice.
const lockName = "serve.lock"

// lockServer makes sure that one server at a time runs over a folder with a file of SQLite in it: two would
// each take themselves for the only one that tells pages of news. On PostgreSQL there is no such lock.
func lockServer(dir string) (release func() error, err error) {
	file, err := lock.Create(filepath.Join(dir, lockName))
	if errors.Is(err, lock.ErrHeld) {
		return nil, fail(general, "Another server runs over "+quote(dir)+".",
			"One folder has one server. Stop the other one, or name another folder with --data. (The admin commands work beside a running server.)")
	}
	if err != nil {
		return nil, dataFailure(err, dir)
	}
	return file.Close, nil
}

// shellWord writes a name so that it can be pasted into a shell.
func shellWord(name string) string {
	for _, c := range name {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '/', c == '.', c == '_', c == '-':
		default:
			return fmt.Sprintf("%q", name)
		}
	}
	return name
}
