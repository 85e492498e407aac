package bridge

import "github.com/figs-web/figs-web/figs"

// ReadFolder is a folder that was read outside the engine, where there is a file system.
type ReadFolder struct {
	Path   string
	Folder *figs.Folder
	Report *figs.Report
}

// NewWithFolders returns an engine with folders that are read to their end. keep says whether they keep
// their bytes; when they do not, "slices" lists what is to be read again.
func NewWithFolders(keep bool, folders ...ReadFolder) *Engine {
	e := &Engine{keep: keep}
	for _, r := range folders {
		a := &agent{path: r.Path, f: r.Folder, report: r.Report}
		a.describe(nil)
		e.agents = append(e.agents, a)
	}
	return e
}
