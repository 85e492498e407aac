package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/figs-web/figs-web/internal/wholefile"
)

// Folder keeps each blob as one file, 4f/4f53….
type Folder struct{ root *os.Root }

var _ Store = (*Folder)(nil)

// unfinished is the folder of files that are being written; what a crash leaves there is swept.
const unfinished = "unfinished"

// OpenFolder opens a folder, or makes it, and sweeps what was left unfinished an hour ago.
func OpenFolder(dir string) (*Folder, error) {
	if err := os.MkdirAll(filepath.Join(dir, unfinished), 0o700); err != nil {
		return nil, fmt.Errorf("blob: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("blob: %w", err)
	}
	f := &Folder{root}
	if err := f.sweep(time.Now().Add(-time.Hour)); err != nil {
		root.Close()
		return nil, err
	}
	return f, nil
}

// Close lets go of the folder.
func (f *Folder) Close() error { return f.root.Close() }

// sweep removes unfinished files that nobody has written to since.
func (f *Folder) sweep(since time.Time) error {
	entries, err := fs.ReadDir(f.root.FS(), unfinished)
	if err != nil {
		return fmt.Errorf("blob: %w", err)
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.ModTime().Before(since) {
			f.root.Remove(filepath.Join(unfinished, entry.Name()))
		}
	}
	return nil
}

func path(hash string) string { return filepath.Join(hash[:2], hash) }

// Put implements Store: a temporary name, its bytes on disk, then the name that is the hash. So
// under a hash there is all of it or nothing, whenever the machine stops.
func (f *Folder) Put(ctx context.Context, r io.Reader, most int64) (string, int64, error) {
	file, err := f.create()
	if err != nil {
		return "", 0, fmt.Errorf("blob: %w", err)
	}
	name := file.Name()
	kept := false
	defer func() {
		file.Close()
		if !kept {
			f.root.Remove(filepath.Join(unfinished, filepath.Base(name)))
		}
	}()
	h := sha256.New()
	size, err := io.Copy(io.MultiWriter(file, h), io.LimitReader(reader{ctx, r}, max(most, most+1)))
	if err != nil {
		return "", 0, fmt.Errorf("blob: %w", err)
	}
	if size > most {
		return "", 0, ErrTooLarge
	}
	hash := hex.EncodeToString(h.Sum(nil))
	if info, err := f.root.Stat(path(hash)); err == nil && info.Size() == size {
		return hash, size, nil
	}
	if err := f.finish(file, hash); err != nil {
		return "", 0, fmt.Errorf("blob: %w", err)
	}
	kept = true
	return hash, size, nil
}

// create makes a file of a name that nobody has.
func (f *Folder) create() (*os.File, error) {
	for {
		name := filepath.Join(unfinished, fmt.Sprintf("%d-%d", os.Getpid(), time.Now().UnixNano()))
		file, err := f.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// finish gives a whole file its name. Both the bytes and the folder's entry are synced before
// anybody is told.
func (f *Folder) finish(file *os.File, hash string) error {
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := f.root.Mkdir(hash[:2], 0o700); err == nil {
		if err := wholefile.FlushFolder(f.root, "."); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := f.root.Rename(filepath.Join(unfinished, filepath.Base(file.Name())), path(hash)); err != nil {
		return err
	}
	return wholefile.FlushFolder(f.root, hash[:2])
}

// Open implements Store.
func (f *Folder) Open(_ context.Context, hash string) (io.ReadSeekCloser, int64, error) {
	if !Valid(hash) {
		return nil, 0, ErrNotFound
	}
	file, err := f.root.Open(path(hash))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, ErrNotFound
	}
	if err != nil {
		return nil, 0, fmt.Errorf("blob: %w", err)
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, 0, fmt.Errorf("blob: %w", err)
	}
	return file, info.Size(), nil
}

// reader ends with its context.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}

// Remove implements Store.
func (f *Folder) Remove(_ context.Context, hash string) error {
	if !Valid(hash) {
		return nil
	}
	err := f.root.Remove(path(hash))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("blob: %w", err)
	}
	return wholefile.FlushFolder(f.root, hash[:2])
}
