package wholefile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/figs-web/figs-web/internal/lock"
)

// swept holds the folders that this process has looked through: one look is enough, and some folders are large.
var swept sync.Map

func sweepOnce(root *os.Root, dir string) {
	path := filepath.Join(root.Name(), dir)
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if _, done := swept.LoadOrStore(path, true); !done {
		Sweep(root, dir)
	}
}

// Sweep removes from a folder the temporary files and folders of programs that were killed. What a program is writing
// stays.
func Sweep(root *os.Root, dir string) {
	d, err := root.Open(dir)
	if err != nil {
		return
	}
	names, _ := d.Readdirnames(-1)
	d.Close()
	for _, name := range names {
		if IsTemporary(name) {
			removeLeftover(root, filepath.Join(dir, name))
		}
	}
}

func removeLeftover(root *os.Root, name string) {
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return
	}
	old := time.Since(info.ModTime()) > oldEnough
	if runtime.GOOS == "windows" { // where an open file cannot be removed, and a folder has no lock
		if old {
			root.RemoveAll(name)
		}
		return
	}
	flags := os.O_RDWR | openAtOnce
	if info.IsDir() {
		flags = os.O_RDONLY
	}
	f, err := root.OpenFile(name, flags, 0)
	if err != nil {
		return
	}
	defer f.Close()
	switch err := lock.Try(f); {
	case err == nil, errors.Is(err, lock.ErrUnable) && old:
	default:
		return
	}
	if is, err := f.Stat(); err == nil && os.SameFile(info, is) {
		root.RemoveAll(name)
	}
}

// Folder makes a folder through fill, which is given a path to write to. The folder appears under its name when fill has
// returned; an empty folder that has the name is replaced, and nothing else is.
func Folder(to string, fill func(dir string) error) error {
	parent, err := os.OpenRoot(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer parent.Close()
	sweepOnce(parent, ".")
	temp := tempName("")
	if err := parent.Mkdir(temp, 0o777); err != nil { // less the umask
		return err
	}
	path := filepath.Join(filepath.Dir(to), temp)
	var held *os.File
	if runtime.GOOS != "windows" {
		if held, err = parent.Open(temp); err != nil {
			return errors.Join(err, os.RemoveAll(path))
		}
		defer held.Close()
		if err := lock.Try(held); err != nil && !errors.Is(err, lock.ErrUnable) {
			return err
		}
		if above, err := parent.Stat("."); err == nil {
			chown(held, above)
		}
	}
	if err = fill(path); err == nil {
		err = parent.Rename(temp, filepath.Base(to))
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(path))
	}
	return FlushFolder(parent, ".")
}
