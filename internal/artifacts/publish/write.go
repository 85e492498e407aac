package publish

import (
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/wholefile"
)

// write puts a record in its place, whole or not at all. The error is fs.ErrExist when its id is taken. Its temporary
// file is hidden and has not the ending of records, so that no reader takes it for one.
func (w *Workspace) write(p *Result, a *Artifact) error {
	if err := w.root.MkdirAll(artifacts.Dir, 0o755); err != nil {
		return err
	}
	o := wholefile.Options{}
	if a.written != nil {
		o.Check = func() error { return a.written(p.ID) }
	}
	return wholefile.Write(w.root, p.RecordPath, o, wholefile.Bytes(p.Record))
}
