package cli

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/remote"
)

// sections are the first words of paths.
var sections = []string{"agents", "channels", "registry", "workflows", "tokens", "w"}

// place is what an argument names: a tree, and a path in it.
type place struct {
	source string   // folder or zip; "" of a hosted reader
	origin *url.URL // of a hosted reader
	name   string   // under which it was configured; ""
	parts  []string // decoded
}

var remoteName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{1,31}$`)

// placeOf reads an argument: [SOURCE]/agents/…, where SOURCE is a folder or a zip (nothing is the
// folder here), https://reader.example, or the name of a configured reader and a colon. A colon
// behind a folder marks where the path begins in case of doubt.
func (a *app) placeOf(arg string) (*place, error) {
	if strings.Contains(arg, "://") {
		origin, path, err := remote.Origin(arg)
		if err != nil {
			f := failureOf(err, arg)
			f.kind = usage
			return nil, f
		}
		p := &place{origin: origin}
		return p, p.read(path, arg)
	}
	if name, path, ok := strings.Cut(arg, ":/"); ok && len(name) > 1 { // one letter is a drive
		return a.namedPlace(name, "/"+path, arg)
	}
	if name, ok := strings.CutSuffix(arg, ":"); ok && len(name) > 1 {
		return a.namedPlace(name, "/", arg)
	}
	source, path := divide(arg)
	p := &place{source: source}
	return p, p.read(path, arg)
}

// namedPlace is what stands before and behind a colon.
func (a *app) namedPlace(name, path, arg string) (*place, error) {
	if exists(name) && !remoteName.MatchString(name) {
		p := &place{source: name}
		return p, p.read(path, arg)
	}
	r, err := a.remoteNamed(name)
	if errors.Is(err, fs.ErrNotExist) && exists(name) {
		p := &place{source: name}
		return p, p.read(path, arg)
	}
	if errors.Is(err, fs.ErrNotExist) {
		f := fail(notFound, "No reader is called "+quote(name)+", and there is no such folder.", "figs-web remote list shows the names; figs-web remote add NAME URL gives one.")
		f.context = map[string]any{"name": name}
		return nil, f
	}
	if err != nil {
		return nil, err
	}
	origin, before, err := remote.Origin(r.URL)
	if err != nil {
		return nil, err
	}
	p := &place{origin: origin, name: name}
	return p, p.read(strings.TrimSuffix(before, "/")+path, arg)
}

// divide cuts an argument into a source and a path: before the longest beginning that is there and
// is followed by a section. A path that begins with a section is one in the folder here.
func divide(arg string) (source, path string) {
	slashed := filepath.ToSlash(arg)
	first, _, _ := strings.Cut(strings.TrimPrefix(slashed, "/"), "/")
	if arg == "" || arg == "/" || strings.HasPrefix(slashed, "/") && slices.Contains(sections, first) {
		return ".", slashed
	}
	if exists(arg) {
		return arg, "/"
	}
	words := strings.Split(slashed, "/")
	for i := len(words) - 1; i > 0; i-- {
		before := strings.Join(words[:i], "/")
		if slices.Contains(sections, words[i]) && before != "" && exists(before) {
			return before, "/" + strings.Join(words[i:], "/")
		}
	}
	if slices.Contains(sections, words[0]) {
		return ".", "/" + slashed
	}
	return arg, "/"
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// read takes a path apart.
func (p *place) read(path, arg string) error {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "" {
			continue
		}
		part, ok := journal.Named(segment)
		if !ok {
			return fail(usage, quote(arg)+" has a part that is none of a path: "+quote(segment)+".", "Take paths as figs-web ls prints them: an id that is not plain stands there as ~ and its base64url.")
		}
		p.parts = append(p.parts, part)
	}
	if len(p.parts) > 0 && !slices.Contains(sections, p.parts[0]) {
		f := missing(p.parts[:1], sections)
		f.message = "No path begins with /" + clean(p.parts[0]) + "."
		return f
	}
	return nil
}

// isPath reports whether an argument of cp names a path in a tree, not a file here.
func (a *app) isPath(arg string) bool {
	if strings.Contains(arg, "://") || strings.Contains(arg, ":/") && !exists(arg) {
		return true
	}
	_, path := divide(arg)
	return path != "/" && !exists(arg)
}

// isNewFile reports whether an argument that isPath takes for a path can just as well be a new file here.
func isNewFile(arg string) bool {
	if strings.Contains(arg, "://") || strings.Contains(arg, ":/") {
		return false
	}
	_, path := divide(arg)
	return isFolder(filepath.Dir(arg)) || filepath.IsAbs(arg) && !isAttachmentPath(path)
}

// isAttachmentPath reports whether a path in a tree is one that cp knows.
func isAttachmentPath(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case parts[0] != "agents":
		return false
	case len(parts) == 4:
		return parts[2] == "files"
	}
	return len(parts) == 6 && parts[2] == "asks" && parts[4] == "drafts"
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// openPlace opens the tree of an argument, and gives the path in it.
func (a *app) openPlace(arg string) (tree, []string, error) {
	p, err := a.placeOf(arg)
	if err != nil {
		return nil, nil, err
	}
	if p.origin != nil {
		t, err := a.openRemote(p)
		if err != nil {
			return nil, nil, err
		}
		parts, err := t.enter(a.ctx, p.parts)
		return t, parts, err
	}
	s, err := a.openFor(p)
	if err != nil {
		return nil, nil, err
	}
	return &localTree{app: a, source: s}, p.parts, nil
}

// openFor opens the folder of a path. Below agents/, other kinds of folders need not be looked for.
func (a *app) openFor(p *place) (*source, error) {
	if len(p.parts) > 0 && p.parts[0] == "agents" {
		return a.open(p.source)
	}
	return a.openAny(p.source)
}
