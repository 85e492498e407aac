package demo

import (
	"bytes"
	"io/fs"
	"time"
)

const config = "config.json"

// renamed is a folder with another config.json, which says who the agent is.
type renamed struct {
	fs.FS
	config []byte
}

// Open implements fs.FS.
func (r renamed) Open(name string) (fs.File, error) {
	if name != config {
		return r.FS.Open(name)
	}
	return &file{bytes.NewReader(r.config)}, nil
}

// ReadFile implements fs.ReadFileFS.
func (r renamed) ReadFile(name string) ([]byte, error) {
	if name != config {
		return fs.ReadFile(r.FS, name)
	}
	return bytes.Clone(r.config), nil
}

// ReadDir implements fs.ReadDirFS. The samples have a config.json too, of which only the size is
// another.
func (r renamed) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(r.FS, name) }

// Stat implements fs.StatFS.
func (r renamed) Stat(name string) (fs.FileInfo, error) {
	if name != config {
		return fs.Stat(r.FS, name)
	}
	return info(len(r.config)), nil
}

// file is the other config.json, open.
type file struct{ *bytes.Reader }

func (f *file) Stat() (fs.FileInfo, error) { return info(f.Size()), nil }
func (*file) Close() error                 { return nil }

// info describes it by its size.
type info int64

func (info) Name() string       { return config }
func (i info) Size() int64      { return int64(i) }
func (info) Mode() fs.FileMode  { return 0o444 }
func (info) ModTime() time.Time { return time.Time{} }
func (info) IsDir() bool        { return false }
func (info) Sys() any           { return nil }
