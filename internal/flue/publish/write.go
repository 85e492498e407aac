package publish

import (
	"errors"
	"io/fs"
	"os"
	"path"

	"github.com/figs-web/figs-web/internal/flue"
)

// write puts a record in its place, whole or not at all. The error is fs.ErrExist when its id is taken.
//
// The text goes to a file of its own first, hidden and without the ending of records, so that no reader takes it for
// one; a hard link then gives it its name, which never takes the place of another file. Creating the record itself
// and removing it on failure would not do: who is killed in between removes nothing. File systems without hard links
// get a rename, which could only take the place of a record that has the same 80 random bits.
func (w *Workspace) write(p *Published, a *Artifact) error {
	if err := w.root.MkdirAll(flue.Dir, 0o755); err != nil {
		return err
	}
	temporary := path.Join(flue.Dir, "."+p.ID+".tmp")
	f, err := w.root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(p.Record)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil && a.written != nil {
		a.written()
	}
	if err == nil {
		err = w.name(temporary, p.RecordPath)
	}
	w.root.Remove(temporary) // what is left beside records, nobody reads
	if err == nil {
		w.flush()
	}
	return err
}

// name gives a file that was written its name.
func (w *Workspace) name(temporary, record string) error {
	err := w.root.Link(temporary, record)
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, taken := w.root.Lstat(record); !errors.Is(taken, fs.ErrNotExist) {
		return fs.ErrExist
	}
	return w.root.Rename(temporary, record)
}

// flush waits until the disk has the folder's entry of the record. What a file system does not know how to do is no
// failure: the record stands.
func (w *Workspace) flush() {
	if d, err := w.root.Open(flue.Dir); err == nil {
		d.Sync()
		d.Close()
	}
}
