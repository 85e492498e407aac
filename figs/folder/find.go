// Package folder finds .figs folders (§2) in a file system or a zip and feeds them to figs.
// It only reads: nothing is written to disk, nothing is followed outside the root it was given.
package folder

import (
	"io/fs"
	"path"
	"strings"

	"github.com/figs-web/figs-web/figs"
)

// MaxEntries is how many directory entries a walk, a zip or an artifacts folder may have
// before the rest is left out and said to be.
const MaxEntries = 200_000

// Name is the name of the folder that an agent keeps (§2).
const Name = ".figs"

// FoundFolder is one .figs folder.
type FoundFolder struct {
	Dir string // its slash-separated path in the file system; "." when the root is one
}

// Skipped says what Find did not look into.
type Skipped struct {
	Folders    []string // .git, node_modules and __MACOSX, by name
	Links      []string // symbolic links, which a walk never follows
	Unreadable []string // folders that could not be listed
	Truncated  bool     // there were more than MaxEntries entries
}

// skippedNames are folders that never hold an agent's own .figs, and hold very many files;
// __MACOSX is the shadow copy that one system's zips carry.
var skippedNames = map[string]bool{".git": true, "node_modules": true, "__MACOSX": true}

// Find lists the .figs folders of fsys, those nearer to the root first: the root itself when it looks
// like one, else every folder named .figs below it. It visits at most MaxEntries entries.
func Find(fsys fs.FS) ([]FoundFolder, Skipped) {
	w := walk{fsys: fsys}
	if !isDir(fsys, Name) && IsFolder(fsys, ".") {
		return []FoundFolder{{Dir: "."}}, w.skipped
	}
	w.todo = []string{"."}
	for len(w.todo) > 0 && !w.skipped.Truncated {
		dir := w.todo[0]
		w.todo = w.todo[1:]
		w.visit(dir)
	}
	w.followFigsLinks()
	return w.found, w.skipped
}

// IsFolder reports whether dir holds files of the protocol: a ledger, or a charter next to a
// configuration.
func IsFolder(fsys fs.FS, dir string) bool {
	for f := figs.File(0); f < figs.Ledgers; f++ {
		if isFile(fsys, path.Join(dir, f.String())) {
			return true
		}
	}
	return isFile(fsys, path.Join(dir, figs.AgentJSON.String())) && isFile(fsys, path.Join(dir, figs.ConfigJSON.String()))
}

type walk struct {
	fsys    fs.FS
	todo    []string // breadth first: agents near the root are found before the bound is reached
	seen    int
	found   []FoundFolder
	links   []string // symbolic links named .figs
	skipped Skipped
}

func (w *walk) visit(dir string) {
	entries, err := fs.ReadDir(w.fsys, dir)
	if err != nil {
		w.skipped.Unreadable = append(w.skipped.Unreadable, dir)
	}
	for _, e := range entries {
		if w.seen++; w.seen > MaxEntries {
			w.skipped.Truncated = true
			return
		}
		w.enter(path.Join(dir, e.Name()), e)
	}
}

func (w *walk) enter(name string, e fs.DirEntry) {
	switch {
	case e.Type()&fs.ModeSymlink != 0 && e.Name() == Name:
		w.links = append(w.links, name)
	case e.Type()&fs.ModeSymlink != 0:
		w.skipped.Links = append(w.skipped.Links, name)
	case !e.IsDir():
	case e.Name() == Name:
		w.found = append(w.found, FoundFolder{Dir: name})
	case skippedNames[e.Name()]:
		w.skipped.Folders = append(w.skipped.Folders, name)
	default:
		w.todo = append(w.todo, name)
	}
}

// followFigsLinks takes a link named .figs for a folder of its own when it leads to a folder
// inside the root that the walk has not found by its own name.
func (w *walk) followFigsLinks() {
	for _, link := range w.links {
		target, err := fs.ReadLink(w.fsys, link)
		if err != nil || !isDir(w.fsys, link) {
			w.skipped.Links = append(w.skipped.Links, link)
			continue
		}
		if !w.has(path.Join(path.Dir(link), target)) {
			w.found = append(w.found, FoundFolder{Dir: link})
		}
	}
}

func (w *walk) has(dir string) bool {
	for _, f := range w.found {
		if f.Dir == dir {
			return true
		}
	}
	return false
}

// Sentences tells a person what was not looked into; nil when everything was.
func (s *Skipped) Sentences() []string {
	var said []string
	say := func(what string, names []string) {
		if len(names) > 3 {
			said = append(said, what+" "+quoteAll(names[:3])+" and "+itoa(len(names)-3)+" more.")
		} else if len(names) > 0 {
			said = append(said, what+" "+quoteAll(names)+".")
		}
	}
	say("Not searched, by name:", s.Folders)
	say("Symbolic links not followed:", s.Links)
	say("Could not be opened:", s.Unreadable)
	if s.Truncated {
		said = append(said, "The search stopped after "+itoa(MaxEntries)+" entries; name a folder nearer to the .figs folder to see the rest.")
	}
	return said
}

func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quote(n)
	}
	return strings.Join(quoted, ", ")
}

func isDir(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && info.IsDir()
}

func isFile(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && info.Mode().IsRegular()
}
