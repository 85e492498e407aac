package folder

import (
	"errors"
	"io/fs"
	"path"
	"strconv"

	"github.com/figs-web/figs-web/figs"
)

// Contents is what lies in one .figs folder, before any of it is read.
type Contents struct {
	Dir       string // path in the file system
	Files     []File // files of the protocol that are there, in the order of figs.File
	Artifacts []Artifact
	Bytes     int64    // of all Files
	Notes     []string // sentences: what was left out, and why
	Alone     bool     // a single file given without its folder

	Problems []Problem // unreadable files, to be passed to figs.Folder.Problem

	fsys fs.FS
}

// File is a file that the protocol names.
type File struct {
	Kind figs.File
	Path string // in the file system
	Size int64  // bytes
}

// Artifact is one file of artifacts/, by name.
type Artifact struct {
	Name string
	Size int64 // bytes
}

// Problem is something that figs reports about a file.
type Problem struct {
	File   string // inside the folder
	Code   figs.Code
	Detail string // a few words
}

// List lists the .figs folder dir of fsys. What cannot be read becomes a finding of Read.
func List(fsys fs.FS, dir string) *Contents {
	c := &Contents{Dir: dir, fsys: fsys}
	for f := figs.File(0); f < figs.NoFile; f++ {
		c.look(f, path.Join(dir, f.String()))
	}
	c.lookArtifacts(path.Join(dir, "artifacts"))
	return c
}

// ListFile takes the single file name of fsys for a folder that holds nothing else. It
// reports false when the name says nothing about which file of the protocol it is.
func ListFile(fsys fs.FS, name string) (*Contents, bool) {
	kind := kindOf(path.Base(name))
	if kind == figs.NoFile {
		return nil, false
	}
	c := &Contents{Dir: path.Dir(name), fsys: fsys, Alone: true}
	c.look(kind, name)
	return c, true
}

// PathOf returns where the file with that name inside .figs lies in the file system.
func (c *Contents) PathOf(file string) string {
	for _, f := range c.Files {
		if f.Kind.String() == file {
			return f.Path
		}
	}
	return path.Join(c.Dir, file)
}

func (c *Contents) look(kind figs.File, name string) {
	info, err := fs.Stat(c.fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if info, err := fs.Lstat(c.fsys, name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			c.unreadable(kind.String(), "it is a symbolic link to something that is not there")
		}
	case err != nil:
		c.unreadable(kind.String(), c.why(name, err))
	case !info.Mode().IsRegular():
		c.unreadable(kind.String(), "it is "+kindOfMode(info.Mode())+", not a file")
	default:
		c.Files = append(c.Files, File{kind, name, info.Size()})
		c.Bytes += info.Size()
	}
}

// lookArtifacts lists artifacts/, which is flat (§2): folders in it are said and left out.
func (c *Contents) lookArtifacts(dir string) {
	entries, err := readDir(c.fsys, dir, MaxEntries+1)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.unreadable("artifacts", c.why(dir, err))
	}
	if len(entries) > MaxEntries {
		entries = entries[:MaxEntries]
		c.Notes = append(c.Notes, "artifacts holds more than "+itoa(MaxEntries)+" files; the rest was left out.")
	}
	for _, e := range entries {
		c.lookArtifact(dir, e)
	}
}

func (c *Contents) lookArtifact(dir string, e fs.DirEntry) {
	name := path.Join(dir, e.Name())
	info, err := e.Info()
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		info, err = fs.Stat(c.fsys, name)
	}
	switch {
	case err != nil:
		c.unreadable("artifacts/"+e.Name(), c.why(name, err))
	case info.IsDir():
		c.Notes = append(c.Notes, "artifacts/"+e.Name()+" is a folder; artifacts is flat, so nothing in it can be attached.")
	case !info.Mode().IsRegular():
		c.unreadable("artifacts/"+e.Name(), "it is "+kindOfMode(info.Mode())+", not a file")
	default:
		c.Artifacts = append(c.Artifacts, Artifact{e.Name(), info.Size()})
	}
}

func (c *Contents) unreadable(file, detail string) {
	c.Problems = append(c.Problems, Problem{file, figs.FileUnreadable, detail})
}

// why says in a few words what kept name from being read.
func (c *Contents) why(name string, err error) string {
	var cause *fs.PathError
	if info, lerr := fs.Lstat(c.fsys, name); lerr == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "it is a symbolic link that leads out of the folder given, and such links are not followed"
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.As(err, &cause):
		return cause.Err.Error()
	}
	return err.Error()
}

func kindOfMode(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "something special"
}

// kindOf tells which file of the protocol a lone file is, also when a browser or a person
// has renamed a copy: "asks (1).jsonl", "runs-2026.jsonl".
func kindOf(base string) figs.File {
	for f := figs.File(0); f < figs.NoFile; f++ {
		name := f.String()
		stem, ext := name[:len(name)-len(path.Ext(name))], path.Ext(name)
		if len(base) >= len(name) && base[:len(stem)] == stem && path.Ext(base) == ext {
			return f
		}
	}
	return figs.NoFile
}

// readDir lists at most max entries in the order of their names, without listing a folder of
// millions first.
func readDir(fsys fs.FS, dir string, max int) ([]fs.DirEntry, error) {
	f, err := fsys.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, ok := f.(fs.ReadDirFile)
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: dir, Err: errors.New("it is not a folder")}
	}
	entries, err := d.ReadDir(max)
	sortEntries(entries)
	if isEOF(err) {
		err = nil
	}
	return entries, err
}

func itoa(n int) string     { return strconv.Itoa(n) }
func quote(s string) string { return strconv.Quote(s) }
