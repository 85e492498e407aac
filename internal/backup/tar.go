package backup

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// tarred is a backup in a stream, which may be one file.
type tarred struct {
	stamp, stage string
	zip          *gzip.Writer
	tar          *tar.Writer
	at           time.Time
}

func newTar(o *Options, stamp string) (*tarred, error) {
	t := &tarred{stamp: stamp, at: o.Now()}
	out, dir := o.Out, cmp.Or(o.Dir, os.TempDir())
	sweepOld(dir, o.Now())
	var err error
	if t.stage, err = os.MkdirTemp(dir, unfinished+"*"); err != nil {
		return nil, err
	}
	if o.disk != nil {
		out = o.disk(out)
	}
	if isZipped(o.To) {
		t.zip = gzip.NewWriter(out)
		out = t.zip
	}
	t.tar = tar.NewWriter(out)
	return t, nil
}

// sweepOld removes what backups left that were killed a day ago: others may be running.
func sweepOld(dir string, now time.Time) {
	left, _ := filepath.Glob(filepath.Join(dir, unfinished+"*"))
	for _, name := range left {
		if info, err := os.Lstat(name); err == nil && now.Sub(info.ModTime()) > 24*time.Hour {
			os.RemoveAll(name)
		}
	}
}

func (t *tarred) staging() string { return t.stage }
func (t *tarred) room() string    { return filepath.Dir(t.stage) }

func (t *tarred) small(string, int64) bool                            { return false }
func (t *tarred) kept(context.Context, string, int64, func(int)) bool { return false }

func (t *tarred) head(name string, size int64) error {
	return t.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: t.at, Format: tar.FormatPAX})
}

func (t *tarred) database(ctx context.Context, file string, n func(int)) (File, error) {
	f, err := os.Open(file)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return File{}, err
	}
	name := "database/" + t.stamp + ".db"
	if err := t.head(name, info.Size()); err != nil {
		return File{}, err
	}
	sum, size, err := hashed(t.tar, &reader{ctx, f, n})
	return File{name, size, sum}, err
}

func (t *tarred) blob(_ context.Context, hash string, content []byte) error {
	if err := t.head(blobName(hash), int64(len(content))); err != nil {
		return err
	}
	_, err := t.tar.Write(content)
	return err
}

// finish ends the stream with the manifest.
func (t *tarred) finish(ctx context.Context, manifest []byte) (int, error) {
	err := t.head(Name, int64(len(manifest)))
	if err == nil {
		_, err = t.tar.Write(manifest)
	}
	if err == nil {
		err = t.tar.Close()
	}
	if err == nil && t.zip != nil {
		err = t.zip.Close()
	}
	return 0, errors.Join(err, ctx.Err())
}

// abort removes what is unfinished.
func (t *tarred) abort() {
	if t.stage != "" {
		os.RemoveAll(t.stage)
		t.stage = ""
	}
}
