// Package datadir opens what a hosted reader keeps, locks it, and removes what its time is over for.
package datadir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/figs-web/figs-web/internal/backup"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/clock"
	"github.com/figs-web/figs-web/internal/lock"
)

// Open opens a hosted reader as OpenReader does. From then on its database's clock is the program's.
func Open(a *cmd.App, w cmd.Where, make bool) (*cmd.Data, error) {
	data, err := OpenReader(a, w, make)
	if err == nil && w.Postgres() {
		a.Now = clock.Of(a.Ctx, data.Store, a.Now, time.Minute, nil).Now
	}
	return data, err
}

// OpenReader opens a hosted reader. make says whether a folder that is missing or empty is made into one;
// a database always is.
func OpenReader(a *cmd.App, w cmd.Where, make bool) (*cmd.Data, error) {
	if w.Dir != "" {
		if err := CheckFolder(w.Dir, make || w.Postgres()); err != nil {
			return nil, err
		}
	}
	if err := CheckFile(w, make); err != nil {
		return nil, err
	}
	data, err := a.OpenData(a.Ctx, w)
	if stopped := a.Ctx.Err(); err != nil && errors.Is(stopped, context.Canceled) {
		return nil, stopped // a database that was waited for tells only why it did not answer
	}
	if err != nil {
		return nil, WhereFailure(err, w)
	}
	return data, nil
}

// CheckFile holds the file of sqlite:// to what a folder is held to.
func CheckFile(w cmd.Where, make bool) error {
	if w.Database == "" || w.Postgres() {
		return nil
	}
	_, err := os.Stat(w.File())
	switch {
	case errors.Is(err, fs.ErrNotExist) && !make:
		return cmd.Fail(cmd.NotFound, "There is no "+cmd.Quote(w.File())+".", "Use the database that a server was started with.")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return DataFailure(err, w.File())
	}
	dir := filepath.Dir(w.File())
	info, err := os.Stat(dir)
	if err != nil {
		return DataFailure(err, dir)
	}
	return CloseToOthers(dir, info, false)
}

// CheckFolder holds a folder to what it is for: passwords' hashes and what agents say of a
// company lie in it, so that nobody else on the machine may look inside.
func CheckFolder(dir string, make bool) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) && make {
		if err = os.MkdirAll(dir, 0o700); err == nil {
			info, err = os.Stat(dir)
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return cmd.Fail(cmd.NotFound, "There is no "+cmd.Quote(dir)+".", "Use the folder that a server was started with, or create one: figs-web serve --data "+cmd.ShellWord(dir)+".")
	case err != nil:
		return DataFailure(err, dir)
	case !info.IsDir():
		return cmd.Fail(cmd.Usage, cmd.Quote(dir)+" is not a folder.", "Use a folder that is empty or doesn't exist, as in --data figs-data.")
	}
	if err := unfinishedRestore(dir); err != nil {
		return err
	}
	empty, err := IsEmpty(dir)
	if err != nil {
		return DataFailure(err, dir)
	}
	if empty && !make {
		return cmd.Fail(cmd.NotFound, cmd.Quote(dir)+" is empty.", "Use the folder that a server was started with, or create one: figs-web serve --data "+cmd.ShellWord(dir)+".")
	}
	return CloseToOthers(dir, info, empty)
}

// CloseToOthers refuses a folder that everybody on this machine may look into. An empty one has
// told nobody anything yet and is closed without a word.
func CloseToOthers(dir string, info fs.FileInfo, empty bool) error {
	if runtime.GOOS == "windows" || info.Mode().Perm()&0o007 == 0 {
		return nil // rights are no part of a mode there
	}
	if empty && os.Chmod(dir, 0o700) == nil {
		return nil
	}
	return cmd.Fail(cmd.Denied, "Other users of this machine can read "+cmd.Quote(dir)+".",
		"It contains password hashes and everything your agents report. Make it private: chmod 700 "+cmd.ShellWord(dir))
}

// IsEmpty also takes the folder that a fresh disk brings for nothing.
func IsEmpty(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != "lost+found" {
			return false, err
		}
	}
	return true, err
}

// DataFailure tells why the folder with a reader's data could not be opened.
func DataFailure(err error, dir string) error {
	if errors.Is(err, fs.ErrPermission) {
		return cmd.Fail(cmd.Denied, "No permission to write to "+cmd.Quote(dir)+".", "Run as the user that owns it, or use another folder with --data.")
	}
	return cmd.Fail(cmd.General, cmd.Quote(dir)+" can't be opened: "+cmd.Clean(err.Error())+".", "Check that it is a figs-web data folder and that its disk has free space.")
}

// lockName is the file whose lock says that a server runs. It stays empty and is never removed:
// a removed file could be locked twice.
const lockName = "serve.lock"

// LockServer makes sure that one server at a time runs over a folder with a file of SQLite in it: two would
// each take themselves for the only one that tells pages of news. On PostgreSQL there is no such lock.
func LockServer(dir string) (release func() error, err error) {
	file, err := lock.Create(filepath.Join(dir, lockName))
	if errors.Is(err, lock.ErrHeld) {
		return nil, cmd.Fail(cmd.General, "Another server is using "+cmd.Quote(dir)+".",
			"A data folder can have one server. Stop the other one, or use another folder with --data. (Admin commands work while a server runs.)")
	}
	if err != nil {
		return nil, DataFailure(err, dir)
	}
	return file.Close, nil
}

// unfinishedRestore refuses a folder into which a restore was broken off.
func unfinishedRestore(dir string) error {
	if _, err := os.Stat(dir + string(os.PathSeparator) + backup.Restoring); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return cmd.Fail(cmd.General, "A restore to "+cmd.Quote(dir)+" is incomplete.", "Run the same figs-web restore again.")
}

// unfinishedCopy refuses a database into which a restore was not finished.
func unfinishedCopy(name string) *cmd.Failure {
	return cmd.Fail(cmd.General, "A restore to "+cmd.Quote(name)+" is incomplete.",
		"Run the same figs-web restore again to continue. To give up, drop the database and create an empty one.")
}
