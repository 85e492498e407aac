package cli

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/project"
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
	files  []string        // every file there is, where other kinds were looked for
	places []project.Place // of these, what is of another kind than .figs
	notes  []string        // what was not looked at, as sentences
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
	s, err := a.lookAt(name)
	if err != nil || len(s.agents) > 0 {
		return s, err
	}
	defer s.Close()
	if s.findKinds(a.ctx); len(s.places) > 0 {
		f := fail(notFound, "There is no .figs folder in "+quote(name)+", only "+placesIn(s.places)+".", "doctor and open read these; this command reads what an agent keeps in .figs.")
		f.context = map[string]any{"path": name}
		return nil, f
	}
	return nil, s.nothing()
}

// openAny finds what agents keep for people in name, in .figs folders and others; there is something.
func (a *app) openAny(name string) (*source, error) {
	s, err := a.lookAt(name)
	if err != nil {
		return nil, err
	}
	if err := s.findKinds(a.ctx); err != nil {
		s.Close()
		return nil, err
	}
	if len(s.agents)+len(s.places) == 0 {
		defer s.Close()
		return nil, s.nothing()
	}
	return s, nil
}

// lookAt opens name and finds the .figs folders in it.
func (a *app) lookAt(name string) (*source, error) {
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
	return s, nil
}

// nothing is the failure for a source in which there is nothing of agents.
func (s *source) nothing() *failure {
	f := fail(notFound, "There is no .figs folder in "+quote(s.name)+".", "Name a .figs folder, its parent, a zip of it, or one of its files. An agent's folder begins with a dot: ls -a shows it.")
	f.context = map[string]any{"path": s.name}
	if len(s.notes) > 0 {
		f.hint += " " + strings.Join(s.notes, " ")
	}
	return f
}

// holdsKinds reports whether folders of other kinds may lie in it: in one file, or in an agent's own folder, none do.
func (s *source) holdsKinds() bool {
	return s.base != folder.Name && (len(s.agents) == 0 || !s.agents[0].Alone)
}

// findKinds finds the folders of other kinds than .figs.
func (s *source) findKinds(ctx context.Context) error {
	if !s.holdsKinds() {
		return nil
	}
	files, notes, err := project.Files(ctx, s.fsys)
	s.files, s.places, s.notes = files, project.Detect(files), append(s.notes, notes...)
	return err
}

// placesIn is "2 finding registries and a workflow project".
func placesIn(places []project.Place) string {
	var parts []string
	for _, k := range []project.Kind{project.Channels, project.Registry, project.Workflows} {
		n := 0
		for _, p := range places {
			if p.Kind == k {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, counted(n, kindNames[k]))
		}
	}
	return listed(parts)
}

// kindNames are what one folder of a kind is called, and several.
var kindNames = map[project.Kind][2]string{
	project.Channels:  {"folder of artifact channels", "folders of artifact channels"},
	project.Registry:  {"finding registry", "finding registries"},
	project.Workflows: {"Agentfile project", "Agentfile projects"},
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
