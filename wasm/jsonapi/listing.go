package jsonapi

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs/folder"
)

// Entry is a file, or a folder that is to be known although it is empty.
type Entry struct {
	Path string `json:"path"` // slash-separated, below the folder that was named
	Size int64  `json:"size"` // in bytes
	Kind string `json:"kind"` // "" for a file; "folder"; "link" for a link that is not followed; "dangling"; "other"
}

// Listed is what there is to read.
type Listed struct {
	Agents []ListedAgent `json:"agents"`
	Notes  []string      `json:"notes"` // sentences: what is left out
}

// ListedAgent is an agent whose files the caller feeds, in this order.
type ListedAgent struct {
	Number int          `json:"number"`
	Path   string       `json:"path"`
	Dir    string       `json:"dir"` // its folder, below the one that was named
	Files  []ListedFile `json:"files"`
}

// ListedFile is a file to feed.
type ListedFile struct {
	Path   string `json:"path"`
	Name   string `json:"name"`
	Number int    `json:"number"` // for Feed
	Size   int64  `json:"size"`
}

var _ fs.ReadLinkFS = (*tree)(nil)

// list finds the agents among the entries, as the command line does, and begins to read them.
func (e *Engine) list(r *Request, side int) (*Listed, error) {
	tree := newTree(r.Entries)
	found, skipped := folder.Find(tree)
	out := &Listed{Agents: []ListedAgent{}, Notes: append([]string{}, skipped.Sentences()...)}
	if len(found) == 0 && r.Name == folder.Name {
		found = append(found, folder.FoundFolder{Dir: "."})
	}
	var contents []*folder.Contents
	var paths []string
	e.agents[side] = nil
	for _, f := range found {
		c := folder.List(tree, f.Dir)
		contents = append(contents, c)
		out.Notes = append(out.Notes, c.Notes...)
		a := listed{path: path.Join(r.Name, f.Dir), dir: f.Dir}
		e.agents[side] = append(e.agents[side], a)
		paths = append(paths, a.path)
	}
	op, first := "open", 0
	if side == 0 {
		e.now, e.agents[1] = r.Now, nil
	} else {
		op, first = "openOlder", len(e.agents[0])
	}
	if err := e.ask(op, "keep", true, "now", r.Now, "agents", paths); err != nil {
		return nil, err
	}
	for i, c := range contents {
		a := ListedAgent{Number: first + i, Path: paths[i], Dir: c.Dir, Files: []ListedFile{}}
		for _, f := range c.ReadingOrder() {
			a.Files = append(a.Files, ListedFile{f.Path, f.Kind.String(), int(f.Kind), f.Size})
		}
		out.Agents = append(out.Agents, a)
		if err := e.begin(first+i, c); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// begin tells the bridge what is known of an agent before its files are read.
func (e *Engine) begin(number int, c *folder.Contents) error {
	for _, p := range c.Problems {
		if err := e.ask("problem", "agent", number, "file", p.File, "code", p.Code.String(), "detail", p.Detail); err != nil {
			return err
		}
	}
	var names [][2]any
	for _, a := range c.Artifacts {
		names = append(names, [2]any{a.Name, a.Size})
	}
	if names == nil {
		return nil
	}
	return e.ask("attach", "agent", number, "files", names)
}

// tree is a file system of entries, without their bytes.
type tree struct {
	name     string
	entry    Entry
	children map[string]*tree // nil for what is no folder
}

func newTree(entries []Entry) *tree {
	root := &tree{name: ".", children: map[string]*tree{}}
	for _, e := range entries {
		e.Path = path.Clean("/" + e.Path)[1:]
		at := root
		parts := strings.Split(e.Path, "/")
		for i, part := range parts {
			if part == "" || at.children == nil {
				break
			}
			next := at.children[part]
			if next == nil {
				next = &tree{name: part}
				at.children[part] = next
				if i < len(parts)-1 || e.Kind == "folder" {
					next.children = map[string]*tree{}
				} else {
					next.entry = e
				}
			}
			at = next
		}
	}
	return root
}

func (t *tree) find(name string) (*tree, error) {
	at := t
	if name != "." {
		for _, part := range strings.Split(name, "/") {
			if at = at.children[part]; at == nil {
				return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
			}
		}
	}
	return at, nil
}

// Open implements fs.FS.
func (t *tree) Open(name string) (fs.File, error) {
	at, err := t.find(name)
	if err != nil {
		return nil, err
	}
	return &openTree{tree: at}, nil
}

// Stat implements fs.StatFS. Links lead nowhere.
func (t *tree) Stat(name string) (fs.FileInfo, error) {
	at, err := t.find(name)
	switch {
	case err != nil:
		return nil, err
	case at.entry.Kind == "link":
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrInvalid}
	case at.entry.Kind == "dangling":
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return info{at}, nil
}

// Lstat implements fs.ReadLinkFS.
func (t *tree) Lstat(name string) (fs.FileInfo, error) {
	at, err := t.find(name)
	if err != nil {
		return nil, err
	}
	return info{at}, nil
}

// ReadLink implements fs.ReadLinkFS.
func (t *tree) ReadLink(name string) (string, error) {
	return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
}

// openTree is an open file or folder.
type openTree struct {
	*tree
	read int // children
}

func (o *openTree) Stat() (fs.FileInfo, error) { return info{o.tree}, nil }
func (o *openTree) Read([]byte) (int, error)   { return 0, io.EOF }
func (o *openTree) Close() error               { return nil }

// ReadDir implements fs.ReadDirFile.
func (o *openTree) ReadDir(n int) ([]fs.DirEntry, error) {
	if o.children == nil {
		return nil, &fs.PathError{Op: "readdir", Path: o.name, Err: fs.ErrInvalid}
	}
	var all []fs.DirEntry
	for _, c := range o.children {
		all = append(all, fs.FileInfoToDirEntry(info{c}))
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	all = all[min(o.read, len(all)):]
	if n > 0 {
		if len(all) == 0 {
			return nil, io.EOF
		}
		all = all[:min(n, len(all))]
	}
	o.read += len(all)
	return all, nil
}

type info struct{ *tree }

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.entry.Size }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.children != nil }
func (i info) Sys() any           { return nil }

func (i info) Mode() fs.FileMode {
	switch {
	case i.children != nil:
		return fs.ModeDir
	case i.entry.Kind == "link" || i.entry.Kind == "dangling":
		return fs.ModeSymlink
	case i.entry.Kind != "":
		return fs.ModeIrregular
	}
	return 0
}
