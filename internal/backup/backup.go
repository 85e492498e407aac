package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/wholefile"
)

// Opener opens the database in a folder, figs.db, as a server would.
type Opener func(ctx context.Context, dir string) (store.Store, error)

// Options say what is backed up, and where to.
type Options struct {
	Dir      string // where the database of a stream is put together: the reader's folder; "" is the system's for such
	Store    store.Store
	Blobs    blob.Store
	Open     Opener
	To       string    // a folder, which may be missing, or a file that ends in .tar, .tar.gz or .tgz
	Out      io.Writer // takes a tar in place of To
	Keep     int       // how many older databases stay in the folder
	Program  string    // version
	Now      func() time.Time
	Progress func(done, total int64) // in bytes; nil

	disk func(io.Writer) io.Writer // tests: what a file of the backup is written through
}

// Result is a backup that was made.
type Result struct {
	*Manifest
	New     int   // attachments that were written; the others were there
	Written int64 // bytes that were written
	Removed int   // files of older backups that no longer were to be kept
}

// Create makes a backup. After an error there is none, nor half of one: what was there before is
// there still.
func Create(ctx context.Context, o Options) (made *Result, err error) {
	if o.Out != nil || !IsFile(o.To) {
		return run(ctx, o)
	}
	o.Dir = filepath.Dir(o.To)
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, err
	}
	err = wholefile.WritePath(o.To, wholefile.Options{Replace: true, Mode: 0o600}, func(f *os.File) error {
		if err := f.Chmod(0o600); err != nil { // also when it replaces a file that others may read
			return err
		}
		o.Out = f
		made, err = run(ctx, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// run makes a backup in a folder, or as a stream.
func run(ctx context.Context, o Options) (*Result, error) {
	b := &making{Options: o, made: &Result{Manifest: &Manifest{Format: Format, Program: o.Program, Secrets: secrets}}}
	began := o.Now().UTC()
	b.made.Made = began.Format(time.RFC3339Nano)
	var err error
	if b.target, err = o.target(began.Format("20060102T150405.000000Z")); err != nil {
		return nil, err
	}
	defer b.abort()
	if err := b.run(ctx); err != nil {
		return nil, err
	}
	return b.made, nil
}

// target is where a backup goes to.
type target interface {
	staging() string // a folder on its disk
	room() string    // the folder whose disk takes it
	// kept reports whether the attachment with that hash is there and whole.
	kept(ctx context.Context, hash string, size int64, n func(int)) bool
	// small is kept without looking inside.
	small(hash string, size int64) bool
	database(ctx context.Context, file string, n func(int)) (File, error)
	blob(ctx context.Context, hash string, content []byte) error
	finish(ctx context.Context, manifest []byte) (removed int, err error)
	abort() // removes what is unfinished; after finish it does nothing
}

// making is one backup that is being made.
type making struct {
	Options
	target
	made        *Result
	blobs       []File // Name is the hash
	done, total int64
	lost        []string // hashes whose bytes are not there, or others
}

func (b *making) run(ctx context.Context) error {
	if err := b.fits(ctx); err != nil {
		return err
	}
	file := filepath.Join(b.staging(), "figs.db")
	if err := b.snapshot(ctx, file); err != nil {
		return err
	}
	db, err := b.database(ctx, file, b.step)
	if err != nil {
		return err
	}
	b.made.Database, b.made.Files, b.made.Written = db.Name, []File{db}, db.Size
	for _, f := range b.blobs {
		if err := b.copy(ctx, f.Name, f.Size); err != nil {
			return err
		}
	}
	if err := b.judgeLost(ctx); err != nil {
		return err
	}
	text, err := b.made.bytes()
	if err != nil {
		return err
	}
	b.made.Removed, err = b.finish(ctx, text)
	return err
}

func (b *making) step(n int) {
	if b.done += int64(n); b.Progress != nil {
		b.Progress(min(b.done, b.total), b.total)
	}
}

// fits compares what will be written with what the disk has free.
func (b *making) fits(ctx context.Context) error {
	var need int64
	if sized, ok := b.Store.(store.Copier); ok {
		var err error
		if need, err = sized.Bytes(ctx); err != nil {
			return err
		}
	}
	b.total = need
	if IsFile(b.To) { // the snapshot lies beside the file into which it is copied
		need *= 2
	}
	if err := b.Store.EachBlob(ctx, func(hash string, size int64) error {
		b.total += size
		if !b.small(hash, size) {
			need += size
		}
		return nil
	}); err != nil {
		return err
	}
	if has := free(b.room()); has >= 0 && has < need {
		return &NoRoomError{b.room(), need, has}
	}
	return nil
}

// snapshot copies the database, and reads from the copy what the manifest says of it.
func (b *making) snapshot(ctx context.Context, file string) error {
	if err := b.Store.Snapshot(ctx, file); err != nil {
		return err
	}
	if err := os.Chmod(file, 0o600); err != nil {
		return err
	}
	s, err := b.Open(ctx, filepath.Dir(file))
	if err != nil {
		return err
	}
	err = b.read(ctx, s)
	return errors.Join(err, s.Close()) // which leaves one file, without a log beside it
}

func (b *making) read(ctx context.Context, s store.Store) (err error) {
	if b.made.Schema, err = s.Schema(ctx); err != nil {
		return err
	}
	if b.made.State, err = s.StateHash(ctx); err != nil {
		return err
	}
	if b.made.Audit, err = chains(ctx, s); err != nil {
		return err
	}
	b.total = 0
	return s.EachBlob(ctx, func(hash string, size int64) error {
		b.total += size
		b.blobs = append(b.blobs, File{Name: hash, Size: size})
		return nil
	})
}

// chains goes through every audit.
func chains(ctx context.Context, s store.Store) ([]Chain, error) {
	all, err := s.ListWorkspaces(ctx)
	if err != nil {
		return nil, err
	}
	list := []Chain{{}}
	for _, w := range all {
		list = append(list, Chain{Workspace: w.ID, Slug: w.Slug})
	}
	for i := range list {
		c, err := s.VerifyAudit(ctx, list[i].Workspace)
		if err != nil {
			return nil, err
		}
		list[i].Rows, list[i].Head, list[i].Broken = c.Rows, c.Head, c.Broken
	}
	return list, nil
}

// copy brings one attachment into the backup, if it is not there.
func (b *making) copy(ctx context.Context, hash string, size int64) error {
	file := File{Name: blobName(hash), Size: size, SHA256: hash}
	if b.kept(ctx, hash, size, b.step) {
		b.made.Files = append(b.made.Files, file)
		return nil
	}
	content, err := b.content(ctx, hash)
	if err != nil {
		return err
	}
	if content == nil {
		b.lost = append(b.lost, hash)
		return nil
	}
	if err := b.blob(ctx, hash, content); err != nil {
		return err
	}
	file.Size = int64(len(content))
	b.made.Files = append(b.made.Files, file)
	b.made.New++
	b.made.Written += file.Size
	return nil
}

// mostBlob is more than an attachment may have.
const mostBlob = 64 << 20

// content reads an attachment; nil when it is not there or is not what its name says.
func (b *making) content(ctx context.Context, hash string) ([]byte, error) {
	r, _, err := b.Blobs.Open(ctx, hash)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	content, err := readSome(&reader{ctx, r, b.step}, mostBlob)
	var damaged *blob.DamagedError
	switch {
	case errors.As(err, &damaged):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading the attachment %s: %w", hash, err)
	}
	if sum := sha(content); sum != hash {
		return nil, nil
	}
	return content, nil
}

// judgeLost tells attachments that somebody erased after the snapshot from those that the disk lost.
func (b *making) judgeLost(ctx context.Context) error {
	if len(b.lost) == 0 {
		return nil
	}
	now := map[string]bool{}
	if err := b.Store.EachBlob(ctx, func(hash string, _ int64) error { now[hash] = true; return nil }); err != nil {
		return err
	}
	for _, hash := range b.lost {
		if now[hash] {
			b.made.Missing = append(b.made.Missing, hash)
		} else {
			b.made.Erased = append(b.made.Erased, hash)
		}
	}
	return nil
}
