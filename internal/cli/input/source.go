// Package input opens what a command line names to be read: folders, zip files and single ledgers.
package input

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"fmt"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/project"
)

// KeepBytes is up to which size the ledgers of a folder are kept in memory; larger ones are
// read with positions only, and looked up again on disk.
const KeepBytes = 256 << 20

// Source is what the argument DIR|ZIP|FILE leads to.
type Source struct {
	Name   string // as given
	Base   string // its last part, which paths in reports begin with
	FS     fs.FS
	Agents []*folder.Contents
	Files  []string           // every file there is, where other kinds were looked for
	Places []project.Location // of these, what is of another kind than .figs
	Notes  []string           // what was not looked at, as sentences
	ByName []string           // of these, what only says that folders such as .git are never searched
	Closer io.Closer
}

func (s *Source) Close() error { return s.Closer.Close() }

// Path names one of the agents in reports: the same on every machine.
func (s *Source) Path(c *folder.Contents) string {
	if c.Alone {
		return s.Base
	}
	return path.Join(s.Base, c.Dir)
}

// Open finds the .figs folders that name leads to; there is at least one.
func Open(a *cmd.App, name string) (*Source, error) {
	s, err := LookAt(a, name)
	if err != nil || len(s.Agents) > 0 {
		return s, err
	}
	defer s.Close()
	if s.findKinds(a.Ctx); len(s.Places) > 0 {
		f := cmd.Fail(cmd.NotFound, "There is no .figs folder in "+cmd.Quote(name)+", only "+PlacesIn(s.Places)+".", "doctor and open read these; this command reads only .figs folders.")
		f.Context = map[string]any{"path": name}
		return nil, f
	}
	return nil, s.nothing()
}

// OpenAny finds what agents keep for people in name, in .figs folders and others; there is something.
func OpenAny(a *cmd.App, name string) (*Source, error) {
	s, err := OpenWhatever(a, name)
	if err != nil {
		return nil, err
	}
	if len(s.Agents)+len(s.Places) == 0 {
		defer s.Close()
		return nil, s.nothing()
	}
	return s, nil
}

// OpenWhatever is OpenAny, also where there is nothing.
func OpenWhatever(a *cmd.App, name string) (*Source, error) {
	s, err := LookAt(a, name)
	if err != nil {
		return nil, err
	}
	if err := s.findKinds(a.Ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// FromHere is the path of the folder that the source is, or that its file is in, from the current folder and with
// slashes; its last part if it is elsewhere.
func (s *Source) FromHere() string {
	name, alone := s.Base, len(s.Agents) == 1 && s.Agents[0].Alone
	absolute, err := filepath.Abs(s.Name)
	if here, wrong := os.Getwd(); err == nil && wrong == nil {
		if inside, err := filepath.Rel(here, absolute); err == nil && filepath.IsLocal(inside) {
			name = filepath.ToSlash(inside)
		}
	}
	if alone {
		return path.Dir(name)
	}
	return name
}

// FromZip is the source of a zip that is in memory, which takes the place of another source.
func (s *Source) FromZip(z []byte) (*Source, error) {
	fsys, _, err := folder.OpenZip(bytes.NewReader(z), int64(len(z)))
	if err != nil {
		return nil, err
	}
	other := &Source{Name: s.Name, Base: s.Base, FS: fsys, Closer: io.NopCloser(nil)}
	other.find()
	if len(other.Agents) == 0 && s.Base == folder.Name {
		other.Agents = append(other.Agents, folder.List(fsys, "."))
	}
	return other, nil
}

// LookAt opens name and finds the .figs folders in it.
func LookAt(a *cmd.App, name string) (*Source, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, cmd.FailureOf(err, name)
	}
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil, cmd.FailureOf(err, name)
	}
	s := &Source{Name: name, Base: filepath.Base(absolute)}
	p := a.Progress("Looking for .figs folders in " + cmd.Clean(s.Base))
	defer p.Stop()
	switch {
	case info.IsDir():
		err = s.openDir(name)
	case !info.Mode().IsRegular():
		return nil, cmd.Fail(cmd.Usage, cmd.Quote(name)+" is neither a folder nor a file.", "Use a .figs folder, its parent, a zip of it, or one of its files.")
	default:
		err = s.openFile(name, info.Size())
	}
	if err != nil {
		return nil, cmd.FailureOf(err, name)
	}
	return s, nil
}

// nothing is the failure for a source in which there is nothing of agents.
func (s *Source) nothing() *cmd.Failure {
	f := cmd.Fail(cmd.NotFound, "There is no .figs folder in "+cmd.Quote(s.Name)+".", "Use a .figs folder, its parent, a zip of it, or one of its files. The name begins with a dot: ls -a shows it.")
	f.Context = map[string]any{"path": s.Name}
	if len(s.Notes) > 0 {
		f.Hint += " " + strings.Join(s.Notes, " ")
	}
	return f
}

// holdsKinds reports whether folders of other kinds may lie in it: in one file, or in an agent's own folder, none do.
func (s *Source) holdsKinds() bool {
	return s.Base != folder.Name && (len(s.Agents) == 0 || !s.Agents[0].Alone)
}

// findKinds finds the folders of other kinds than .figs.
func (s *Source) findKinds(ctx context.Context) error {
	if !s.holdsKinds() {
		return nil
	}
	files, notes, err := project.Files(ctx, s.FS)
	s.Files, s.Places, s.Notes = files, project.Detect(files), append(s.Notes, notes...)
	return err
}

// PlacesIn is "2 finding registries and a workflow project".
func PlacesIn(places []project.Location) string {
	var parts []string
	for _, k := range []project.Kind{project.Channels, project.Registry, project.Workflows} {
		n := 0
		for _, p := range places {
			if p.Kind == k {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, cmd.Counted(n, kindNames[k]))
		}
	}
	return cmd.Listed(parts)
}

// kindNames are what one folder of a kind is called, and several.
var kindNames = map[project.Kind][2]string{
	project.Channels:  {"folder of artifact channels", "folders of artifact channels"},
	project.Registry:  {"finding registry", "finding registries"},
	project.Workflows: {"Agentfile project", "Agentfile projects"},
}

// openDir opens a folder so that nothing in it leads out of it.
func (s *Source) openDir(name string) error {
	root, err := os.OpenRoot(name)
	if err != nil {
		return err
	}
	s.Closer, s.FS = root, root.FS()
	s.find()
	if len(s.Agents) == 0 && s.Base == folder.Name {
		s.Agents = append(s.Agents, folder.List(s.FS, "."))
	}
	return nil
}

func (s *Source) openFile(name string, size int64) error {
	if isZip(name) {
		return s.openZip(name, size)
	}
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return err
	}
	s.Closer, s.FS = root, root.FS()
	alone, ok := folder.ListFile(s.FS, filepath.Base(name))
	if !ok {
		root.Close()
		return cmd.Fail(cmd.BadFormat, cmd.Quote(name)+" is not a file of the protocol.", "Rename it to runs.jsonl, asks.jsonl, messages.jsonl or agent.json, or use the folder.")
	}
	s.Agents = append(s.Agents, alone)
	return nil
}

func (s *Source) openZip(name string, size int64) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	fsys, aside, err := folder.OpenZip(f, size)
	if err != nil {
		f.Close()
		return err
	}
	s.Closer, s.FS = f, fsys
	for _, e := range aside {
		s.Notes = append(s.Notes, "Not read from the zip: "+cmd.Quote(e.Name)+". "+e.Why)
	}
	s.find()
	return nil
}

func (s *Source) find() {
	found, skipped := folder.Find(s.FS)
	s.Notes = append(s.Notes, skipped.Sentences()...)
	s.ByName = (&folder.Skipped{Folders: skipped.Folders}).Sentences()
	for _, f := range found {
		c := folder.List(s.FS, f.Dir)
		s.Agents = append(s.Agents, c)
		s.Notes = append(s.Notes, c.Notes...)
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

// Read reads one agent's folder with a progress line.
func Read(a *cmd.App, s *Source, c *folder.Contents, o figs.Options) (*figs.Folder, *figs.Report, error) {
	p := a.Progress("Reading " + cmd.Clean(s.Path(c)))
	defer p.Stop()
	return c.Read(a.Ctx, o, p.Set)
}

// Unreadable is the failure for a ledger that is there and could not be read.
func Unreadable(r *figs.Report, ledger figs.File) error {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Code == figs.FileUnreadable && f.File == ledger.String() {
			return cmd.Fail(cmd.General, cmd.Clean(f.Message), cmd.Clean(f.Hint))
		}
	}
	return nil
}

// PlaceOf is "asks.jsonl:3:14", as far as it is known.
func PlaceOf(file string, line, column int) string {
	switch {
	case line == 0:
		return file
	case column == 0:
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column)
}

// ReadUpTo reads a file, and one byte more than most of a larger one.
func ReadUpTo(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}
