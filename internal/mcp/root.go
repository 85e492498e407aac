package mcp

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/project"
)

// ofRoot names a folder of another kind than .figs.
type ofRoot struct {
	Path string `json:"path,omitempty" jsonschema:"path of the folder, from validate; optional if there is only one folder of this kind"`
}

// roots are the folders of other kinds.
func (s *server) roots(ctx context.Context) ([]*project.Root, error) {
	p, err := s.Project(ctx)
	if err != nil || p == nil {
		return nil, err
	}
	return p.Roots, nil
}

// root finds the folder of a kind that was named. There may be none of that kind at all, which is no error: whoever
// lists it finds nothing.
func (s *server) root(ctx context.Context, kind project.Kind, path string) (*project.Root, error) {
	all, err := s.roots(ctx)
	if err != nil {
		return nil, err
	}
	var found []*project.Root
	var paths []string
	for _, r := range all {
		if r.Kind == kind && (path == "" || r.Folder() == path) {
			found, paths = append(found, r), append(paths, r.Folder())
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, refusal("There are several of these here. Choose one by its path: " + briefly().text(strings.Join(paths, ", ")))
	case path != "":
		return nil, refusal("None of these has that path. validate returns the paths of all open folders.")
	}
	return nil, nil
}

// wrong are the findings of a root that were asked for.
func wrong(r *project.Root, in *findingsOf) (all []figs.Finding) {
	for _, f := range r.Report.Findings {
		if (in.Severity == "" || f.Severity.String() == in.Severity) && (in.Code == "" || f.Code.String() == in.Code) && (in.File == "" || f.File == in.File) {
			all = append(all, f)
		}
	}
	return all
}
