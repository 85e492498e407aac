package folder

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// zipFS is the tree of the entries that OpenZip let pass. archive/zip has one too, but it
// quietly turns "../x" into "x".
type zipFS struct{ root *zipDir }

type zipDir struct {
	name    string
	dirs    map[string]*zipDir
	files   map[string]zipFile
	entries []fs.DirEntry // sorted; complete after sort
}

// zipFile is one entry; refused says why it is not unpacked, "" when it is.
type zipFile struct {
	*zip.File
	refused string
}

// tree is a zipDir that grows while entries are added to it. One entry names up to 2,048
// folders, so they are counted too.
type tree struct {
	root *zipDir
	dirs int
}

// put adds an entry, or says why it cannot have that name. Twice reports that a file with the name is there already.
func (t *tree) put(name string, f zipFile, dir bool) (why string, twice bool) {
	parts := strings.Split(name, "/")
	last := parts[len(parts)-1]
	if !dir {
		parts = parts[:len(parts)-1]
	}
	d := t.root
	for _, part := range parts {
		if _, ok := d.files[part]; ok {
			return "Its name needs a folder where another entry is a file.", false
		}
		child := d.dirs[part]
		if child == nil {
			if t.dirs++; t.dirs > MaxEntries {
				return "The zip has more than " + itoa(MaxEntries) + " folders.", false
			}
			child = &zipDir{name: part}
			d.dirs = with(d.dirs, part, child)
		}
		d = child
	}
	if dir {
		return "", false
	}
	if _, ok := d.files[last]; ok {
		return "Another file has the same name.", true
	}
	if d.dirs[last] != nil {
		return "Another entry needs a folder of the same name.", false
	}
	d.files = with(d.files, last, f)
	return "", false
}

func with[V any](m map[string]V, key string, value V) map[string]V {
	if m == nil {
		m = map[string]V{}
	}
	m[key] = value
	return m
}

func (d *zipDir) sort() {
	for _, child := range d.dirs {
		child.sort()
		d.entries = append(d.entries, fs.FileInfoToDirEntry(dirInfo{child}))
	}
	for name, f := range d.files {
		d.entries = append(d.entries, fs.FileInfoToDirEntry(fileInfo{f, name}))
	}
	sortEntries(d.entries)
}

// Open implements fs.FS.
func (z *zipFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	d := z.root
	for rest := name; rest != "."; {
		head, tail, deeper := strings.Cut(rest, "/")
		if f, ok := d.files[head]; ok && !deeper {
			return openEntry(f, head)
		}
		if d = d.dirs[head]; d == nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		if rest = tail; !deeper {
			break
		}
	}
	return &openDir{dir: d}, nil
}

// openEntry unpacks as it is read; archive/zip fails once an entry gives more bytes than it
// declares, so the limits of OpenZip hold here too.
func openEntry(f zipFile, name string) (fs.File, error) {
	if f.refused != "" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New(f.refused)}
	}
	r, err := f.Open()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &openFile{r, fileInfo{f, name}}, nil
}

type openFile struct {
	io.ReadCloser
	info fileInfo
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }

type openDir struct {
	dir *zipDir
	at  int
}

func (d *openDir) Stat() (fs.FileInfo, error) { return dirInfo{d.dir}, nil }
func (d *openDir) Close() error               { return nil }
func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.dir.name, Err: fs.ErrInvalid}
}

// ReadDir implements fs.ReadDirFile.
func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	left := d.dir.entries[d.at:]
	if n > 0 {
		if len(left) == 0 {
			return nil, io.EOF
		}
		left = left[:min(n, len(left))]
	}
	d.at += len(left)
	return slices.Clone(left), nil
}

type fileInfo struct {
	f    zipFile
	name string
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return int64(i.f.UncompressedSize64) }
func (i fileInfo) Mode() fs.FileMode  { return 0o444 }
func (i fileInfo) ModTime() time.Time { return i.f.Modified }
func (i fileInfo) IsDir() bool        { return false }
func (i fileInfo) Sys() any           { return nil }

type dirInfo struct{ d *zipDir }

func (i dirInfo) Name() string       { return path.Base(i.d.name) }
func (i dirInfo) Size() int64        { return 0 }
func (i dirInfo) Mode() fs.FileMode  { return fs.ModeDir | 0o555 }
func (i dirInfo) ModTime() time.Time { return time.Time{} }
func (i dirInfo) IsDir() bool        { return true }
func (i dirInfo) Sys() any           { return nil }
