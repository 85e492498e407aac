package cli

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
)

// keepBytes is up to which size the ledgers of a folder are kept in memory; larger ones are
// read with positions only, and looked up again on disk.
const keepBytes = 256 << 20

// source is what the argument DIR|ZIP|FILE leads to.
type source struct {
	name   string // as given
	base   string // its last part, which paths in reports begin with
	fsys   fs.FS
	agents []*folder.Contents
	notes  []string // what was not looked at, as sentences
	closer io.Closer
}

func (s *source) Close() error { return s.closer.Close() }

// path names one of the agents in reports: the same on every machine.
func (s *source) path(c *folder.Contents) string {
	if c.Alone {
		return s.base
	}
	return path.Join(s.base, c.Dir)
}

// open finds the .figs folders that name leads to; there is at least one.
func (a *app) open(name string) (*source, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, failureOf(err, name)
	}
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil, failureOf(err, name)
	}
	s := &source{name: name, base: filepath.Base(absolute)}
	p := a.progress("Looking for .figs folders in " + clean(s.base))
	defer p.stop()
	switch {
	case info.IsDir():
		err = s.openDir(name)
	case !info.Mode().IsRegular():
		return nil, fail(usage, quote(name)+" is neither a folder nor a file.", "Name a .figs folder, its parent, a zip of it, or one of its files.")
	default:
		err = s.openFile(name, info.Size())
	}
	if err != nil {
		return nil, failureOf(err, name)
	}
	if len(s.agents) == 0 {
		defer s.Close()
		f := fail(notFound, "There is no .figs folder in "+quote(name)+".", "Name a .figs folder, its parent, a zip of it, or one of its files. An agent's folder begins with a dot: ls -a shows it.")
		f.context = map[string]any{"path": name}
		if len(s.notes) > 0 {
			f.hint += " " + strings.Join(s.notes, " ")
		}
		return nil, f
	}
	return s, nil
}

// openDir opens a folder so that nothing in it leads out of it.
func (s *source) openDir(name string) error {
	root, err := os.OpenRoot(name)
	if err != nil {
		return err
	}
	s.closer, s.fsys = root, root.FS()
	s.find()
	if len(s.agents) == 0 && s.base == folder.Name {
		s.agents = append(s.agents, folder.Look(s.fsys, "."))
	}
	return nil
}

func (s *source) openFile(name string, size int64) error {
	if isZip(name) {
		return s.openZip(name, size)
	}
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return err
	}
	s.closer, s.fsys = root, root.FS()
	alone, ok := folder.LookFile(s.fsys, filepath.Base(name))
	if !ok {
		root.Close()
		return fail(badFormat, quote(name)+" is no file that the protocol names.", "Name it after what it holds, as in runs.jsonl, asks.jsonl, messages.jsonl or agent.json, or give the folder.")
	}
	s.agents = append(s.agents, alone)
	return nil
}

func (s *source) openZip(name string, size int64) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	fsys, aside, err := folder.OpenZip(f, size)
	if err != nil {
		f.Close()
		return err
	}
	s.closer, s.fsys = f, fsys
	for _, e := range aside {
		s.notes = append(s.notes, "Not read from the zip: "+quote(e.Name)+". "+e.Why)
	}
	s.find()
	return nil
}

func (s *source) find() {
	found, skipped := folder.Find(s.fsys)
	s.notes = append(s.notes, skipped.Sentences()...)
	for _, f := range found {
		c := folder.Look(s.fsys, f.Dir)
		s.agents = append(s.agents, c)
		s.notes = append(s.notes, c.Notes...)
	}
}

// isZip goes by the first bytes, and by the name for a file too broken to tell.
func isZip(name string) bool {
	var magic [4]byte
	if f, err := os.Open(name); err == nil {
		io.ReadFull(f, magic[:])
		f.Close()
	}
	return bytes.HasPrefix(magic[:], []byte("PK\x03\x04")) || bytes.HasPrefix(magic[:], []byte("PK\x05\x06")) ||
		strings.EqualFold(filepath.Ext(name), ".zip")
}

// read reads one agent's folder with a progress line.
func (a *app) read(s *source, c *folder.Contents, o figs.Options) (*figs.Folder, *figs.Report, error) {
	p := a.progress("Reading " + clean(s.path(c)))
	defer p.stop()
	return c.Read(a.ctx, o, p.set)
}
