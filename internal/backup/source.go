package backup

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// source is a backup that is read.
type source interface {
	// manifest is what is known before the files are read; nil when it comes last.
	manifest() *Manifest
	// each gives every file in its order; one that cannot be read is a Problem given to bad, which
	// returns an error to end it all. At the end the manifest is known.
	each(file func(name string, size int64, r io.Reader) error, bad func(*Problem) error) error
	Close() error
}

// mostManifest is how large a manifest may be.
const mostManifest = 1 << 30

// openSource opens a folder, one of its manifests, a tar, or with "-" a stream.
func openSource(name string, in io.Reader) (source, error) {
	if name == "-" {
		return newStream("the stream", in, func() error { return nil })
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return openFolder(name, Name)
	}
	if strings.HasSuffix(name, ".json") {
		return openFolder(filepath.Dir(name), filepath.Base(name))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	s, err := newStream(filepath.Base(name), f, f.Close)
	if err != nil {
		f.Close()
		return nil, err
	}
	return s, nil
}

// files is a backup in a folder.
type files struct {
	root *os.Root
	m    *Manifest
}

func openFolder(dir, name string) (source, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	f, err := root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		root.Close()
		return nil, &Problem{name, "is missing: this backup is incomplete", "Name a folder that figs-web backup has finished, or another copy of it."}
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	defer f.Close()
	text, err := readSome(f, mostManifest)
	var m *Manifest
	if err == nil {
		m, err = readManifest(name, text)
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return &files{root, m}, nil
}

func (f *files) manifest() *Manifest { return f.m }
func (f *files) Close() error        { return f.root.Close() }

func (f *files) each(file func(string, int64, io.Reader) error, bad func(*Problem) error) error {
	for _, is := range f.m.Files {
		if err := f.give(is, file, bad); err != nil {
			return err
		}
	}
	return nil
}

func (f *files) give(is File, file func(string, int64, io.Reader) error, bad func(*Problem) error) error {
	r, err := f.root.Open(filepath.FromSlash(is.Name))
	if errors.Is(err, fs.ErrNotExist) {
		return bad(lost(is.Name))
	}
	if err != nil {
		return bad(&Problem{is.Name, "can't be read: " + err.Error(), "Fix that first, or use another copy of the backup."})
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return bad(&Problem{is.Name, "isn't a file", "Use another copy of the backup."})
	}
	return file(is.Name, info.Size(), r)
}

// lost is a file that the manifest lists and nobody finds.
func lost(name string) *Problem {
	return &Problem{name, "is missing", "Use another copy of the backup, or an older one."}
}

// stream is a backup as a tar.
type stream struct {
	name  string
	tar   *tar.Reader
	rest  io.Reader // what comes behind the tar: its check, where it is compressed
	m     *Manifest
	close func() error
}

func newStream(name string, in io.Reader, close func() error) (source, error) {
	b := bufio.NewReaderSize(in, 1<<20)
	var r io.Reader = b
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		zip, err := gzip.NewReader(b)
		if err != nil {
			return nil, &Problem{name, "isn't valid gzip: " + err.Error(), "Use another copy of the backup."}
		}
		r = zip
	}
	return &stream{name: name, tar: tar.NewReader(r), rest: r, close: close}, nil
}

func (s *stream) manifest() *Manifest { return s.m }
func (s *stream) Close() error        { return s.close() }

func (s *stream) each(file func(string, int64, io.Reader) error, _ func(*Problem) error) error {
	seen := map[string]bool{}
	for {
		head, err := s.tar.Next()
		if err == io.EOF {
			if _, err = io.Copy(io.Discard, s.rest); err == nil {
				break
			}
		}
		if err != nil {
			return &Problem{s.name, "is truncated or damaged: " + err.Error(), "The copy is incomplete. Use another one."}
		}
		if s.m != nil || seen[head.Name] || head.Typeflag != tar.TypeReg {
			return &Problem{s.name, "contains an unexpected file: " + head.Name, "Use another copy; this one was changed."}
		}
		seen[head.Name] = true
		if head.Name == Name {
			text, err := readSome(s.tar, mostManifest)
			if err != nil {
				return &Problem{Name, "is truncated", "The copy is incomplete. Use another one."}
			}
			if s.m, err = readManifest(Name, text); err != nil {
				return err
			}
			continue
		}
		if err := file(head.Name, head.Size, s.tar); err != nil {
			return err
		}
	}
	if s.m == nil {
		return &Problem{s.name, "has no " + Name + " at its end: it was cut off", "The backup was never finished, or its copy is incomplete. Use another one."}
	}
	return nil
}
