package cli

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// createWhole makes a new file, with the usual rights of one. It gets its name only when fill has written all of it. When the name is taken, it fails and changes nothing.
func createWhole(to string, fill func(*os.File) error) error {
	part := unfinished(to)
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer os.Remove(part)
	defer f.Close()
	if err := fill(f); err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return giveName(os.Link, part, to)
}

// giveName gives a finished file its name by a link, which replaces nothing. Where the file system has none, the name is
// taken first, by an empty file that is then our own to replace.
func giveName(link func(from, to string) error, part, to string) error {
	err := link(part, to)
	if err == nil {
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		return occupied(to)
	}
	if err := reserve(to); err != nil {
		if _, there := os.Lstat(to); there == nil {
			return occupied(to)
		}
		return err
	}
	if err := os.Rename(part, to); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return nil
}

func occupied(to string) error {
	return fail(taken, quote(to)+" is there already.", "Name a file that is not, so that nothing is replaced.")
}

// unfinished is a new name beside one, for what is not yet all there.
func unfinished(to string) string {
	return filepath.Join(filepath.Dir(to), ".unfinished-"+rand.Text())
}
