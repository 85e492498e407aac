package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/figs-web/figs-web/internal/lock"
)

// scratchName begins the names of folders in which a server keeps what it is reading; inUse is the file in
// each that its server holds locked.
const (
	scratchName = "figs-web-reading-"
	inUse       = "in-use.lock"
)

// scratch makes a folder of this process's own in dir; "" is the system's folder for such. What servers left
// there that were killed is removed first: no living one holds its lock.
func scratch(dir string) (name string, remove func(), err error) {
	if dir == "" {
		dir = os.TempDir()
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", nil, err
	}
	left, _ := filepath.Glob(filepath.Join(dir, scratchName+"*"))
	for _, old := range left {
		forget(old)
	}
	for range 10 { // another start may take a new folder for one that was left, before it is locked
		if name, err = os.MkdirTemp(dir, scratchName); err != nil {
			return "", nil, err
		}
		var held *os.File
		held, err = lock.Create(filepath.Join(name, inUse))
		if err == nil {
			return name, func() {
				os.RemoveAll(name)
				held.Close()
				os.RemoveAll(name) // where a file that is open cannot be removed
			}, nil
		}
		os.RemoveAll(name)
		if !errors.Is(err, lock.ErrHeld) && !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return "", nil, err
}

// forget removes a folder whose server is gone. That of another user cannot be locked, and stays.
func forget(name string) {
	held, err := lock.Create(filepath.Join(name, inUse))
	if err != nil {
		return
	}
	os.RemoveAll(name)
	held.Close()
}
