package backup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/lock"
	"github.com/figs-web/figs-web/internal/wholefile"
)

func sha(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// target opens where the backup goes to.
func (o *Options) target(stamp string) (target, error) {
	if o.Out != nil {
		return newTar(o, stamp)
	}
	return newFolder(o, stamp)
}

// IsFile reports whether a backup of that name is one file.
func IsFile(name string) bool { return strings.HasSuffix(name, ".tar") || isZipped(name) }

func isZipped(name string) bool {
	return strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".tgz")
}

// lockName is a file whose lock says that a backup is being made: two would clear away each
// other's files. It stays.
const lockName = "backup.lock"

// folder is a backup in a folder.
type folder struct {
	dir, stamp, stage string
	keep              int
	lock              *os.File
	blobs             blob.Store
	close             func() error
	written           []string // files that only a manifest makes part of a backup
}

func newFolder(o *Options, stamp string) (*folder, error) {
	if err := ours(o.To); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.To, 0o700); err != nil {
		return nil, err
	}
	// The lock comes before everything else: by it the next run recognizes what a killed one left.
	held, err := lock.Create(filepath.Join(o.To, lockName))
	if err != nil {
		return nil, err
	}
	f := &folder{dir: o.To, stamp: stamp, keep: o.Keep, lock: held}
	for _, name := range []string{"database", "blobs"} {
		if err := os.MkdirAll(filepath.Join(o.To, name), 0o700); err != nil {
			f.abort()
			return nil, err
		}
	}
	blobs, err := blob.OpenFolder(filepath.Join(o.To, "blobs"))
	if err != nil {
		f.abort()
		return nil, err
	}
	f.blobs, f.close = throughDisk{blobs, o.disk}, blobs.Close
	f.sweep()
	if f.stage, err = os.MkdirTemp(o.To, unfinished+"*"); err != nil {
		f.abort()
		return nil, err
	}
	return f, nil
}

// unfinished begins the names of what a backup that was broken off leaves behind.
const unfinished = ".unfinished-"

// sweep removes what backups before this one were writing when they were killed.
func (f *folder) sweep() {
	left, _ := filepath.Glob(filepath.Join(f.dir, unfinished+"*"))
	for _, name := range left {
		os.RemoveAll(name)
	}
}

// ours reports by nil that a folder is missing, empty or holds backups.
func ours(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	others := 0
	for _, e := range entries {
		switch e.Name() {
		case lockName:
			return nil
		case "lost+found":
		default:
			others++
		}
	}
	if others > 0 {
		return &NotBackupFolderError{dir}
	}
	return nil
}

// throughDisk writes attachments through what tests put in between.
type throughDisk struct {
	blob.Store
	disk func(io.Writer) io.Writer
}

func (t throughDisk) Put(ctx context.Context, r io.Reader, max int64) (string, int64, error) {
	if t.disk != nil {
		r = io.TeeReader(r, t.disk(io.Discard))
	}
	return t.Store.Put(ctx, r, max)
}

func (f *folder) staging() string { return f.stage }
func (f *folder) room() string    { return f.dir }

func (f *folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f *folder) small(hash string, size int64) bool {
	info, err := os.Stat(f.path(blobName(hash)))
	return err == nil && info.Size() == size
}

func (f *folder) kept(ctx context.Context, hash string, size int64, n func(int)) bool {
	if !f.small(hash, size) {
		return false
	}
	sum, _, err := hashFile(ctx, f.path(blobName(hash)), n)
	if err == nil && sum == hash {
		return true
	}
	if err == nil {
		os.Remove(f.path(blobName(hash))) // it was damaged, and is written again
	}
	return false
}

// database puts the snapshot in its place.
func (f *folder) database(ctx context.Context, file string, n func(int)) (File, error) {
	if err := flushFile(file); err != nil {
		return File{}, err
	}
	sum, size, err := hashFile(ctx, file, n)
	if err != nil {
		return File{}, err
	}
	name := "database/" + f.stamp + ".db"
	if _, err := os.Lstat(f.path(name)); err == nil {
		return File{}, fmt.Errorf("%s is there already", name)
	}
	f.written = append(f.written, f.path(name))
	if err := os.Rename(file, f.path(name)); err != nil {
		return File{}, err
	}
	return File{name, size, sum}, wholefile.FlushFolderPath(f.path("database"))
}

func (f *folder) blob(ctx context.Context, _ string, content []byte) error {
	_, _, err := f.blobs.Put(ctx, bytes.NewReader(content), mostBlob)
	return err
}

// finish writes the manifest, first under the name that stays and then under the one that is
// looked for: from then on it is a backup.
func (f *folder) finish(ctx context.Context, manifest []byte) (removed int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	own := f.path("manifest-" + f.stamp + ".json")
	f.written = append(f.written, own)
	for _, name := range []string{own, f.path(Name)} {
		if err := wholefile.WritePath(name, wholefile.Options{Replace: true, Mode: 0o600}, wholefile.Bytes(manifest)); err != nil {
			return 0, err
		}
	}
	f.written = nil
	removed = f.prune()
	f.abort()
	return removed, nil
}

// abort removes what no manifest names, but for attachments: the next backup wants them.
func (f *folder) abort() {
	for _, name := range f.written {
		os.Remove(name)
	}
	f.written = nil
	if f.stage != "" {
		os.RemoveAll(f.stage)
		f.stage = ""
	}
	if f.close != nil {
		f.close()
		f.close = nil
	}
	if f.lock != nil {
		f.lock.Close()
		f.lock = nil
	}
}

// prune removes older backups than are to be kept, and attachments that only they had. Where one
// that stays cannot be read, nothing is removed: nobody knows what it needs.
func (f *folder) prune() (removed int) {
	manifests, _ := filepath.Glob(f.path("manifest-*.json"))
	slices.Sort(manifests)
	slices.Reverse(manifests)
	stay := manifests[:min(len(manifests), f.keep+1)]
	wanted := map[string]bool{}
	for _, name := range stay {
		text, err := os.ReadFile(name)
		if err != nil {
			return 0
		}
		m, err := readManifest(filepath.Base(name), text)
		if err != nil {
			return 0
		}
		for _, file := range m.Files {
			wanted[file.Name] = true
		}
	}
	for _, name := range manifests[len(stay):] {
		if os.Remove(name) == nil {
			removed++
		}
	}
	return removed + f.removeBut(wanted)
}

// removeBut removes databases and attachments that no manifest wants.
func (f *folder) removeBut(wanted map[string]bool) (removed int) {
	for _, below := range []string{"database", "blobs"} {
		filepath.WalkDir(f.path(below), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return nil
			}
			name, err := filepath.Rel(f.dir, path)
			if name = filepath.ToSlash(name); err == nil && !wanted[name] && os.Remove(path) == nil {
				removed++
			}
			return nil
		})
	}
	return removed
}
