// Package wholefile writes files on this machine. A file appears under its name when all of it is on the disk, and
// not before; what is appended to a ledger is whole lines, or nothing. A program may be killed, and a disk may be full,
// at any point.
package wholefile

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/figs-web/figs-web/internal/lock"
)

// Options say how a file gets its name and its rights.
type Options struct {
	Replace bool        // Replace a file that has the name. Its mode and owner stay.
	Mode    fs.FileMode // Mode of a new file, less the umask. 0: what the folder's own mode allows.
	Like    string      // Like names a file in the same root whose mode and owner a new file gets, when there is one.

	// Check runs when all of the file is on the disk and before it gets its name. Its error stops the writing.
	Check func() error
}

// Write writes a file through fill. Without Replace, a name that is taken is fs.ErrExist, and what has it is not
// touched. After an error nothing is left behind. What an earlier program left in the folder when it was killed is
// removed on the way.
func Write(root *os.Root, name string, o Options, fill func(*os.File) error) error {
	f, err := Create(root, name, o, fill)
	if err != nil {
		return err
	}
	return f.Close()
}

// WritePath is Write for a path of the system. It follows links to the folder, and never one that has the name itself.
func WritePath(path string, o Options, fill func(*os.File) error) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer root.Close()
	return Write(root, filepath.Base(path), o, fill)
}

// Bytes is a fill for content that is in memory.
func Bytes(content []byte) func(*os.File) error {
	return func(f *os.File) error {
		_, err := f.Write(content)
		return err
	}
}

// Create is Write, and leaves the file open. Until it is closed, this process holds the file's lock (package lock)
// where the system has such locks.
func Create(root *os.Root, name string, o Options, fill func(*os.File) error) (*os.File, error) {
	dir := filepath.Dir(name)
	sweepOnce(root, dir)
	mode, model := o.rights(root, name)
	f, temp, err := createTemp(root, dir, mode)
	if err != nil {
		return nil, err
	}
	if err = f.adopt(model, o.Replace); err == nil {
		err = fill(f.File)
	}
	if err == nil {
		err = f.Sync()
	}
	if err == nil && o.Check != nil {
		err = o.Check()
	}
	if err == nil {
		err = rename(root, root.Link, temp, name, o.Replace)
	}
	if err != nil {
		f.Close()
		root.Remove(temp)
		return nil, err
	}
	if err := FlushFolder(root, dir); err != nil {
		f.Close()
		return nil, err
	}
	return f.File, nil
}

// rename gives a finished file its name. A hard link never takes another file's place. File systems without hard links
// get a rename after a look, which could replace only what appears between the two.
func rename(root *os.Root, link func(from, to string) error, temp, name string, replace bool) error {
	if replace {
		if info, err := root.Lstat(name); err == nil && !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0 {
			return &fs.PathError{Op: "replace", Path: name, Err: errors.New("it is not a regular file")} // a device, a pipe, a folder
		}
		return root.Rename(temp, name)
	}
	err := link(temp, name)
	if err == nil {
		root.Remove(temp) // a second name of the file; the next writer removes it otherwise
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	switch _, there := root.Lstat(name); {
	case there == nil:
		return &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	case !errors.Is(there, fs.ErrNotExist):
		return there
	}
	return root.Rename(temp, name)
}

// rights are the mode of a new file, and the file or folder whose owner it gets; of a file, the exact mode too.
func (o Options) rights(root *os.Root, name string) (mode fs.FileMode, model fs.FileInfo) {
	if o.Replace {
		if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() {
			return info.Mode().Perm(), info
		}
	}
	if o.Like != "" {
		if info, err := root.Lstat(o.Like); err == nil && info.Mode().IsRegular() {
			return info.Mode().Perm()&0o666 | 0o600, info
		}
	}
	folder, err := root.Stat(filepath.Dir(name))
	switch {
	case o.Mode != 0:
		return o.Mode, folder
	case err != nil:
		return 0o600, nil
	}
	return folder.Mode().Perm()&0o666 | 0o600, folder
}

// temporary is a file that has no name of its own yet.
type temporary struct{ *os.File }

// adopt gives the file the mode of a model that is a file, and the model's owner where this user may do so.
func (f temporary) adopt(model fs.FileInfo, replace bool) error {
	if model == nil || runtime.GOOS == "windows" {
		return nil
	}
	chown(f.File, model)
	if !model.Mode().IsRegular() {
		return nil
	}
	mode := model.Mode().Perm()
	if !replace {
		mode = mode&0o666 | 0o600
	}
	return f.Chmod(mode) // the umask does not apply to what is a copy
}

// The names of temporary files and folders: prefix, 26 random characters, suffix.
const (
	prefix = ".figs-web-"
	suffix = ".part"
)

func tempName(dir string) string { return filepath.Join(dir, prefix+rand.Text()+suffix) }

// IsTemporary reports whether a name is one of a file or folder that this package has not finished.
func IsTemporary(name string) bool {
	return len(name) == len(prefix)+26+len(suffix) && strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix)
}

// createTemp makes a temporary file and takes its lock, which tells other programs that somebody is writing it.
func createTemp(root *os.Root, dir string, mode fs.FileMode) (f temporary, name string, err error) {
	for range 100 {
		name = tempName(dir)
		file, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return f, "", err
		}
		locked := lock.Try(file)
		if locked == nil || errors.Is(locked, lock.ErrUnable) {
			named, one := root.Lstat(name)
			is, two := file.Stat()
			if one == nil && two == nil && os.SameFile(named, is) {
				return temporary{file}, name, nil
			}
		}
		file.Close() // another program took it for a leftover, before it was locked
		root.Remove(name)
	}
	return f, "", errors.New("temporary files are removed as soon as they are made")
}

// FlushFolder waits until the disk has the entries of a folder, where the system knows how.
func FlushFolder(root *os.Root, dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := root.Open(dir)
	if errors.Is(err, fs.ErrPermission) { // a folder that may be written and not read
		return nil
	}
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !unsupported(err) {
		return err
	}
	return nil
}

// FlushFolderPath is FlushFolder for a path of the system.
func FlushFolderPath(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return FlushFolder(root, ".")
}

// oldEnough is the age at which a temporary file is a leftover where there are no locks to tell.
const oldEnough = 24 * time.Hour
