package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/lock"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/wholefile"
)

// Restoring is the folder below a reader's in which a restore puts together what it brings out. As
// long as it is there, the reader is not whole.
const Restoring = "restoring"

// RestoreOptions say what is restored, and where to.
type RestoreOptions struct {
	From string    // a folder, a manifest in one, a .tar or .tar.gz, "-"
	In   io.Reader // of "-"
	To   string    // a new or empty folder; "": only to prove it
	Temp string    // where the database is put to prove it; "" is that of the system
	Open Opener
	// Blobs takes attachments, in place of a folder in To. It keeps them also where the rest fails: they are
	// there under their hashes, and harm nobody.
	Blobs blob.Store
	// Into takes the store that was proven, in place of To, which is "" then.
	Into     func(ctx context.Context, proven store.Store) error
	Digest   string            // of the manifest, where somebody kept it; ""
	Heads    map[string]string // by the id or address of a workspace: a hash that its audit must hold
	Partial  bool              // attachments that are damaged or lost are left out
	Progress func(done, total int64)
}

// RestoreResult is what was proven of a backup.
type RestoreResult struct {
	*Manifest
	Schema             int        // of the database now, which is not older than it was
	AuditHashFoundIn   []string   // workspaces whose audit holds the hash that was given
	Skipped            []*Problem // with Partial
	MissingAttachments int        // attachments that were not in the backup from the beginning
}

// Restore brings a reader out of a backup and proves it; without a place to bring it to it only
// does that. It returns *DamagedError, *Problem, *store.NewerSchemaError, *NoRoomError, *NotBackupFolderError; then nothing is left
// in the folder. *blob.DamagedError says that Blobs doesn't return what it is given.
func Restore(ctx context.Context, o RestoreOptions) (*RestoreResult, error) {
	r := &restoring{RestoreOptions: o, got: map[string]File{}}
	if err := r.begin(); err != nil {
		if r.held != nil {
			r.held.Close()
		}
		return nil, err
	}
	defer r.undo()
	src, err := openSource(o.From, o.In)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	if err := r.run(ctx, src); err != nil {
		return nil, err
	}
	return &r.proof, nil
}

// restoring is one restore.
type restoring struct {
	RestoreOptions
	dir   string   // in which things are put together
	held  *os.File // the lock of dir; nil where the file system has none
	proof RestoreResult
	got   map[string]File
	bad   []*Problem
	done  int64
	total int64
}

// mostProblems is how many are told of one backup.
const mostProblems = 20

func (r *restoring) note(p *Problem) error {
	if r.bad = append(r.bad, p); len(r.bad) >= mostProblems && !r.Partial {
		return &DamagedError{r.bad}
	}
	return nil
}

func (r *restoring) step(n int) {
	if r.done += int64(n); r.Progress != nil {
		r.Progress(r.done, r.total)
	}
}

// begin makes the folder in which things are put together, and locks it. It removes what an interrupted restore left.
func (r *restoring) begin() (err error) {
	if r.To == "" {
		r.dir, err = os.MkdirTemp(r.Temp, "figs-web-verify-*")
		return err
	}
	interrupted, err := wasInterrupted(r.To)
	if err != nil {
		return err
	}
	r.dir = filepath.Join(r.To, Restoring)
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return err
	}
	if r.held, err = lock.Folder(r.dir); err != nil && (interrupted || !errors.Is(err, lock.ErrUnable)) {
		return err
	}
	if interrupted {
		err = errors.Join(os.RemoveAll(filepath.Join(r.To, "figs.db")), os.RemoveAll(filepath.Join(r.To, "blobs")), r.clear())
	}
	return err
}

// wasInterrupted reports whether a folder has what an interrupted restore left, and nothing else. The folder may be empty
// or absent; *NotBackupFolderError says that it has something else.
func wasInterrupted(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	interrupted, placed := false, false
	for _, e := range entries {
		switch e.Name() {
		case "lost+found":
		case Restoring:
			interrupted = true
		case "blobs", "figs.db":
			placed = true
		default:
			return false, &NotBackupFolderError{dir}
		}
	}
	if placed && !interrupted {
		return false, &NotBackupFolderError{dir}
	}
	return interrupted, nil
}

// clear removes what is in the folder in which things are put together, but for its lock.
func (r *restoring) clear() error {
	entries, err := os.ReadDir(r.dir)
	for _, e := range entries {
		if r.held == nil || filepath.Base(r.held.Name()) != e.Name() {
			err = errors.Join(err, os.RemoveAll(filepath.Join(r.dir, e.Name())))
		}
	}
	return err
}

// undo removes what was put together and not brought to its place. Windows removes no folder that is locked.
func (r *restoring) undo() {
	os.RemoveAll(r.dir)
	if r.held != nil {
		r.held.Close()
		os.RemoveAll(r.dir)
	}
}

func (r *restoring) run(ctx context.Context, src source) error {
	if m := src.manifest(); m != nil {
		r.total = m.Bytes()
		need := r.total
		if r.To == "" || r.Blobs != nil {
			need = wants(m, m.Database).Size
		}
		if has := free(r.dir); has >= 0 && has < need {
			return &NoRoomError{cmp.Or(r.To, filepath.Dir(r.dir)), need, has}
		}
	}
	err := src.each(func(name string, size int64, from io.Reader) error {
		return r.take(ctx, src, name, size, from)
	}, r.note)
	if err != nil {
		var p *Problem
		if errors.As(err, &p) && len(r.bad) > 0 {
			return &DamagedError{append(r.bad, p)}
		}
		return err
	}
	m := src.manifest()
	r.proof.Manifest = m
	r.compare(m)
	if err := r.judge(m); err != nil {
		return err
	}
	if err := r.prove(ctx, m); err != nil {
		return err
	}
	switch {
	case r.Into != nil:
		return r.hand(ctx)
	case r.To == "":
		return nil
	}
	return r.place()
}

// hand gives what was proven to whoever takes it.
func (r *restoring) hand(ctx context.Context) error {
	s, err := r.Open(ctx, r.dir)
	if err != nil {
		return err
	}
	return errors.Join(r.Into(ctx, s), s.Close())
}

// take copies one file, and holds it against its name or what the manifest says.
func (r *restoring) take(ctx context.Context, src source, name string, size int64, from io.Reader) error {
	hash, isBlob := blobHash(name)
	if !isBlob && !databaseName.MatchString(name) {
		return &Problem{name, "isn't part of a backup", "Use another copy; this one was changed."}
	}
	if isBlob && r.Blobs != nil {
		return r.keep(ctx, name, hash, from)
	}
	to := io.Writer(nil)
	var file *os.File
	if at := r.path(name, isBlob); at != "" {
		var err error
		if err = os.MkdirAll(filepath.Dir(at), 0o700); err == nil {
			file, err = os.OpenFile(at, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		}
		if err != nil {
			return err
		}
		defer file.Close()
		to = file
	}
	sum, n, err := hashed(to, &reader{ctx, from, r.step})
	if err == nil && file != nil {
		err = errors.Join(file.Sync(), file.Close())
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &Problem{name, "is truncated", "The copy is incomplete. Use another one."}
	case err != nil && file == nil:
		return r.note(&Problem{name, "can't be read: " + err.Error(), "Fix that first, or use another copy of the backup."})
	case err != nil:
		return err
	case isBlob && sum != hash:
		if file != nil {
			os.Remove(file.Name())
		}
		r.got[name] = File{} // it is told once
		return r.note(otherBytes(name))
	}
	r.got[name] = File{name, n, sum}
	if isBlob {
		return nil
	}
	return r.look(ctx, src.manifest(), r.got[name])
}

// keep gives an attachment to the place that takes them, which must return the same bytes.
func (r *restoring) keep(ctx context.Context, name, hash string, from io.Reader) error {
	content, err := readSome(&reader{ctx, from, r.step}, mostBlob)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &Problem{name, "is truncated", "The copy is incomplete. Use another one."}
	case err != nil:
		return r.note(&Problem{name, "can't be read: " + err.Error(), "Fix that first, or use another copy of the backup."})
	case sha(content) != hash:
		r.got[name] = File{} // it is told once
		return r.note(otherBytes(name))
	}
	if err := putBlob(ctx, r.Blobs, hash, content); err != nil {
		return err
	}
	r.got[name] = File{name, int64(len(content)), hash}
	return nil
}

func otherBytes(name string) *Problem {
	return &Problem{name, "has a hash that differs from its name", "It was damaged or replaced. Use another copy of the backup, or skip such attachments with --partial."}
}

// path is where a file is put; "" when only its bytes are looked at.
func (r *restoring) path(name string, isBlob bool) string {
	switch {
	case !isBlob:
		return filepath.Join(r.dir, "figs.db")
	case r.To == "":
		return ""
	}
	return filepath.Join(r.dir, filepath.FromSlash(name))
}

// look opens the database as soon as it is there, so that nobody waits for the attachments of a
// backup that this program cannot read.
func (r *restoring) look(ctx context.Context, m *Manifest, is File) error {
	if m != nil && wants(m, is.Name).SHA256 != is.SHA256 {
		return nil // it is damaged, which is told with everything else
	}
	s, err := r.Open(ctx, r.dir)
	var newer *store.NewerSchemaError
	switch {
	case errors.As(err, &newer), ctx.Err() != nil:
		return err
	case err != nil:
		return r.note(&Problem{is.Name, "can't be opened as a database: " + err.Error(), "It was damaged. Use another copy of the backup, or an older one."})
	}
	return s.Close()
}

func wants(m *Manifest, name string) File {
	for _, f := range m.Files {
		if f.Name == name {
			return f
		}
	}
	return File{}
}

// compare holds what was found against what the manifest lists.
func (r *restoring) compare(m *Manifest) {
	for _, f := range m.Files {
		got, there := r.got[f.Name]
		delete(r.got, f.Name)
		switch {
		case !there:
			if !slices.ContainsFunc(r.bad, func(p *Problem) bool { return p.File == f.Name }) {
				r.note(lost(f.Name))
			}
		case got.Name == "":
		case got.SHA256 != f.SHA256 || got.Size != f.Size:
			r.note(&Problem{f.Name, fmt.Sprintf("differs from what was backed up: it has %d bytes and the SHA-256 %s", got.Size, got.SHA256), "It was changed or damaged later. Use another copy of the backup, or an older one."})
		}
	}
	for _, f := range r.got {
		if f.Name != "" {
			r.note(&Problem{f.Name, "isn't listed in the manifest", "Someone added it. Use another copy of the backup."})
		}
	}
}

// judge says whether what was found lets it go on.
func (r *restoring) judge(m *Manifest) error {
	if r.Digest != "" && r.Digest != m.Digest {
		return &Problem{Name, "has the digest " + m.Digest + ", not the one that you gave", "This is a different backup, or its manifest was rewritten."}
	}
	if len(r.bad) == 0 {
		return nil
	}
	for _, p := range r.bad {
		if _, isBlob := blobHash(p.File); !isBlob || !r.Partial {
			return &DamagedError{r.bad}
		}
	}
	r.proof.Skipped = r.bad
	return nil
}

// place gives what was put together its names: the database last, without which there is no reader.
func (r *restoring) place() error {
	names := []string{"blobs", "figs.db"}
	if r.Blobs != nil {
		names = names[1:]
	} else if err := os.MkdirAll(filepath.Join(r.dir, "blobs"), 0o700); err != nil {
		return err
	}
	if err := filepath.WalkDir(filepath.Join(r.dir, "blobs"), func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			err = wholefile.FlushFolderPath(name)
		}
		return err
	}); err != nil && r.Blobs == nil {
		return err
	}
	for _, name := range names {
		if err := os.Rename(filepath.Join(r.dir, name), filepath.Join(r.To, name)); err != nil {
			return err
		}
		if err := wholefile.FlushFolderPath(r.To); err != nil {
			return err
		}
	}
	return nil
}
