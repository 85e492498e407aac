package export

import (
	"archive/tar"
	"archive/zip"
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/figs-web/figs-web/internal/blob"
)

// Zip writes it as a zip, without ever going back in it.
func (e *Export) Zip(ctx context.Context, w io.Writer, blobs blob.Store) error {
	z := zip.NewWriter(w)
	if err := e.write(ctx, blobs, zipped{z, e.at}); err != nil {
		return err
	}
	return z.Close()
}

type zipped struct {
	*zip.Writer
	at time.Time
}

// packed are the endings of files that no zip makes smaller.
var packed = []string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".xlsx", ".docx"}

func (z zipped) put(name string, _ int64, r io.Reader) error {
	head := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: z.at}
	if slices.Contains(packed, path.Ext(name)) {
		head.Method = zip.Store
	}
	head.SetMode(0o600)
	w, err := z.CreateHeader(head)
	if err == nil {
		_, err = io.Copy(w, r)
	}
	return err
}

// Tar writes it as a tar.
func (e *Export) Tar(ctx context.Context, w io.Writer, blobs blob.Store) error {
	t := tar.NewWriter(w)
	if err := e.write(ctx, blobs, tarred{t, e.at}); err != nil {
		return err
	}
	return t.Close()
}

type tarred struct {
	*tar.Writer
	at time.Time
}

func (t tarred) put(name string, size int64, r io.Reader) error {
	err := t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: t.at, Format: tar.FormatPAX})
	if err == nil {
		_, err = io.Copy(t, r)
	}
	return err
}

// Folder writes it into a folder, in which no file is replaced.
func (e *Export) Folder(ctx context.Context, dir string, blobs blob.Store) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return e.write(ctx, blobs, folder{root})
}

type folder struct{ root *os.Root }

func (f folder) put(name string, _ int64, r io.Reader) error {
	name = filepath.FromSlash(name)
	if err := f.root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	file, err := f.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, r)
	return errors.Join(err, file.Sync(), file.Close()) // the folder around them gets its name when all of them are there
}
