package tree

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/input"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/remote"
)

// sections are the first words of paths.
var sections = []string{"agents", "channels", "registry", "workflows", "tokens", "w"}

// Place is what an argument names: a tree, and a path in it.
type Place struct {
	source string   // folder or zip; "" of a hosted reader
	origin *url.URL // of a hosted reader
	name   string   // under which it was configured; ""
	Parts  []string // decoded
}

var remoteName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{1,31}$`)

// placeOf reads an argument: [SOURCE]/agents/…, where SOURCE is a folder or a zip (nothing is the
// folder here), https://reader.example, or the name of a configured reader and a colon. A colon
// behind a folder marks where the path begins in case of doubt.
func placeOf(a *cmd.App, arg string) (*Place, error) {
	if strings.Contains(arg, "://") {
		origin, path, err := remote.Origin(arg)
		if err != nil {
			f := cmd.FailureOf(err, arg)
			f.Kind = cmd.Usage
			return nil, f
		}
		p := &Place{origin: origin}
		return p, p.Read(path, arg)
	}
	if name, path, ok := strings.Cut(arg, ":/"); ok && len(name) > 1 { // one letter is a drive
		return namedPlace(a, name, "/"+path, arg)
	}
	if name, ok := strings.CutSuffix(arg, ":"); ok && len(name) > 1 {
		return namedPlace(a, name, "/", arg)
	}
	source, path := divide(arg)
	p := &Place{source: source}
	return p, p.Read(path, arg)
}

// namedPlace is what stands before and behind a colon.
func namedPlace(a *cmd.App, name, path, arg string) (*Place, error) {
	if cmd.Exists(name) && !remoteName.MatchString(name) {
		p := &Place{source: name}
		return p, p.Read(path, arg)
	}
	r, err := remoteNamed(a, name)
	if errors.Is(err, fs.ErrNotExist) && cmd.Exists(name) {
		p := &Place{source: name}
		return p, p.Read(path, arg)
	}
	if errors.Is(err, fs.ErrNotExist) {
		f := cmd.Fail(cmd.NotFound, "There is no remote named "+cmd.Quote(name)+", and there is no such folder.", "figs-web remote list shows the names; figs-web remote add NAME URL adds one.")
		f.Context = map[string]any{"name": name}
		return nil, f
	}
	if err != nil {
		return nil, err
	}
	origin, before, err := remote.Origin(r.URL)
	if err != nil {
		return nil, err
	}
	p := &Place{origin: origin, name: name}
	return p, p.Read(strings.TrimSuffix(before, "/")+path, arg)
}

// divide cuts an argument into a source and a path: before the longest beginning that is there and
// is followed by a section. A path that begins with a section is one in the folder here.
func divide(arg string) (source, path string) {
	slashed := filepath.ToSlash(arg)
	first, _, _ := strings.Cut(strings.TrimPrefix(slashed, "/"), "/")
	if arg == "" || arg == "/" || strings.HasPrefix(slashed, "/") && slices.Contains(sections, first) {
		return ".", slashed
	}
	if cmd.Exists(arg) {
		return arg, "/"
	}
	words := strings.Split(slashed, "/")
	for i := len(words) - 1; i > 0; i-- {
		before := strings.Join(words[:i], "/")
		if slices.Contains(sections, words[i]) && before != "" && cmd.Exists(before) {
			return before, "/" + strings.Join(words[i:], "/")
		}
	}
	if slices.Contains(sections, words[0]) {
		return ".", "/" + slashed
	}
	return arg, "/"
}

// Read takes a path apart.
func (p *Place) Read(path, arg string) error {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "" {
			continue
		}
		part, ok := journal.ParseSegment(segment)
		if !ok {
			return cmd.Fail(cmd.Usage, cmd.Quote(arg)+" contains an invalid part: "+cmd.Quote(segment)+".", "Copy paths from the output of figs-web ls: an id with special characters is written as ~ and its base64url.")
		}
		p.Parts = append(p.Parts, part)
	}
	if len(p.Parts) > 0 && !slices.Contains(sections, p.Parts[0]) {
		f := missing(p.Parts[:1], sections)
		f.Message = "No path begins with /" + cmd.Clean(p.Parts[0]) + "."
		return f
	}
	return nil
}

// isPath reports whether an argument of cp names a path in a tree, not a file here.
func isPath(a *cmd.App, arg string) bool {
	if strings.Contains(arg, "://") || strings.Contains(arg, ":/") && !cmd.Exists(arg) {
		return true
	}
	_, path := divide(arg)
	return path != "/" && !cmd.Exists(arg)
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
func openPlace(a *cmd.App, arg string) (Tree, []string, error) {
	p, err := placeOf(a, arg)
	if err != nil {
		return nil, nil, err
	}
	if p.origin != nil {
		t, err := openRemote(a, p)
		if err != nil {
			return nil, nil, err
		}
		parts, err := t.enter(a.Ctx, p.Parts)
		return t, parts, err
	}
	s, err := openFor(a, p)
	if err != nil {
		return nil, nil, err
	}
	return &LocalTree{App: a, Source: s}, p.Parts, nil
}

// openFor opens the folder of a path. Below agents/, other kinds of folders need not be looked for.
func openFor(a *cmd.App, p *Place) (*input.Source, error) {
	if len(p.Parts) > 0 && p.Parts[0] == "agents" {
		return input.Open(a, p.source)
	}
	return input.OpenAny(a, p.source)
}
