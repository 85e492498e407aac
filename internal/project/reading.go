package project

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/agentfile"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/kind"
)

// Reader reads what NewReader has found, from whoever has the files: Wanted tells whose content is needed, Give and
// AddProblem bring it, Targets tells what else to look at, InspectTarget tells what was there, Finish judges.
type Reader struct {
	name  string
	roots []*reading
	stats map[string]kind.Target // what InspectTarget told
	extra map[string]bool        // targets of which the size is enough
}

// reading is the reading of one root.
type reading struct {
	Location
	reader kind.Reader
	paths  []string // of the files below the root, relative to it, sorted
	wanted map[string]bool
}

// mostBelow is how many files of an artifact that is a folder the viewer offers.
const mostBelow = 200

// NewReader finds the kinds among the paths of files below what was opened, which people call name. Paths have slashes
// and are relative to it; folders are not among them. They are sorted in place.
func NewReader(name string, paths []string) *Reader {
	slices.Sort(paths)
	r := &Reader{name: name, stats: map[string]kind.Target{}, extra: map[string]bool{}}
	for _, p := range Detect(paths) {
		one := &reading{Location: p, paths: below(paths, p.Path), wanted: map[string]bool{}}
		switch p.Kind {
		case Channels:
			one.reader = artifacts.New()
		case Registry:
			one.reader = findings.New()
		default:
			one.reader = agentfile.New()
		}
		for _, p := range one.paths {
			if one.reader.See(p) {
				one.wanted[p] = true
			}
		}
		r.roots = append(r.roots, one)
	}
	return r
}

// below are the paths inside of a folder, relative to it.
func below(paths []string, dir string) []string {
	if dir == "." {
		return paths
	}
	prefix := dir + "/"
	from := sort.SearchStrings(paths, prefix)
	var inside []string
	for _, p := range paths[from:] {
		rest, ok := strings.CutPrefix(p, prefix)
		if !ok {
			break
		}
		inside = append(inside, rest)
	}
	return inside
}

// Found reports whether there is any.
func (r *Reader) Found() bool { return len(r.roots) > 0 }

// in is a path of a root as seen from what was opened.
func (one *reading) in(p string) string {
	if one.Path == "." {
		return p
	}
	return one.Path + "/" + p
}

// of is the inverse of in.
func (one *reading) of(p string) (rest string, ok bool) {
	if one.Path == "." {
		return p, true
	}
	return strings.CutPrefix(p, one.Path+"/")
}

// Wanted lists the files whose content is needed, each once, in the order of their paths.
func (r *Reader) Wanted() (paths []string) {
	for _, one := range r.roots {
		for p := range one.wanted {
			paths = append(paths, one.in(p))
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// MaxBytes is how many bytes a wanted file may have; a larger one is a Problem, ProjectFileTooLarge.
func (r *Reader) MaxBytes(path string) int64 {
	if _, ok := rootOf(path, findings.File); ok {
		return kind.MaxRegistry
	}
	return kind.MaxContent
}

// AddFile brings the content of a wanted file; it is the reading's from then on.
func (r *Reader) AddFile(path string, content []byte) {
	r.each(path, func(one *reading, p string) { one.reader.Give(p, content) })
}

// AddProblem says why a wanted file cannot be read: ProjectFileUnreadable or ProjectFileTooLarge, with the machine's word.
func (r *Reader) AddProblem(path string, code figs.Code, detail string) {
	r.each(path, func(one *reading, p string) { one.reader.Problem(p, code, detail) })
}

// each calls do for every root that wants the file: roots may lie inside of each other.
func (r *Reader) each(path string, do func(one *reading, p string)) {
	for _, one := range r.roots {
		if p, ok := one.of(path); ok && one.wanted[p] {
			do(one, p)
		}
	}
}

// Targets lists what must be looked at, each once, sorted, when all content was given.
func (r *Reader) Targets() (paths []string) {
	for _, one := range r.roots {
		for _, p := range one.reader.Targets() {
			paths = append(paths, one.in(p))
		}
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	needed := len(paths)
	for _, one := range r.roots {
		for _, p := range one.shown(true) {
			if at := one.in(p); !has(paths[:needed], at) {
				r.extra[at] = true
				paths = append(paths, at)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// NeedsDigest reports whether the SHA-256 of a target is wanted; of the others only the size is.
func (r *Reader) NeedsDigest(path string) bool { return !r.extra[path] }

// InspectTarget tells what stands at the path of a target.
func (r *Reader) AddTarget(path string, t kind.Target) {
	r.stats[path] = t
	if r.extra[path] {
		return
	}
	for _, one := range r.roots {
		if p, ok := one.of(path); ok {
			one.reader.Look(p, t)
		}
	}
}

// shown lists the files of a root that the viewer can show. Those that wait is true for are the ones that are known
// before the verdict.
func (one *reading) shown(before bool) (paths []string) {
	switch reader := one.reader.(type) {
	case *artifacts.Reader:
		for _, p := range reader.Targets() {
			if has(one.paths, p) {
				paths = append(paths, p)
			} else {
				paths = append(paths, firsts(below(one.paths, p), p)...)
			}
		}
	case *agentfile.Reader:
		if before {
			return reader.Files()
		}
		paths = append(paths, reader.State().Files...)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// firsts are the first files of a folder, by their paths below the root.
func firsts(inside []string, dir string) (paths []string) {
	for _, p := range inside[:min(len(inside), mostBelow)] {
		paths = append(paths, dir+"/"+p)
	}
	return paths
}

func has(sorted []string, s string) bool {
	_, ok := slices.BinarySearch(sorted, s)
	return ok
}

// Finish judges everything. Now is RFC 3339; with "" the rules about time are silent.
func (r *Reader) Finish(now string) *Project {
	p := &Project{}
	for i, one := range r.roots {
		root := &Root{No: i + 1, Kind: one.Kind, Path: one.Path, Name: r.called(one.Path), Report: one.reader.Finish(now)}
		switch reader := one.reader.(type) {
		case *artifacts.Reader:
			root.Channels = reader.State()
		case *findings.Reader:
			root.Registry = reader.State()
		case *agentfile.Reader:
			root.Workflows = reader.State()
		}
		for n, name := range one.shown(false) {
			f := journal.File{Key: strconv.Itoa(n + 1), Name: name, Size: -1, Class: figs.ClassOf(name)}
			if t := r.stats[one.in(name)]; t.State == kind.TargetAvailable && !t.Dir {
				f.Size = t.Size
			}
			root.Files = append(root.Files, f)
		}
		p.Roots = append(p.Roots, root)
	}
	return p
}

// called is how people call a folder below what was opened.
func (r *Reader) called(path string) string {
	switch {
	case path == ".":
		return r.name
	case r.name == "":
		return path
	}
	return r.name + "/" + path
}
