package export

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// Read reads an agent of a workspace into memory, as the folder that its export is, with the names and sizes of attachments. What findings
// would only say because other files are missing is left out. It returns store.ErrNotFound.
func Read(ctx context.Context, s store.Exports, workspace, agent string, o figs.Options) (*figs.Folder, error) {
	o.Loose = true
	r := &reading{folder: figs.New(o)}
	r.as.asks = map[string]*asked{}
	if err := s.Export(ctx, workspace, agent, r); err != nil {
		return nil, err
	}
	if err := r.order.flush(r.write); err != nil {
		return nil, err
	}
	for file := range figs.File(figs.Ledgers) {
		r.folder.Feed(file, r.lines[file].Bytes())
	}
	r.folder.Finish()
	return r.folder, nil
}

// reading is a store.ExportWriter: it gathers ledgers in memory.
type reading struct {
	folder *figs.Folder
	as     agent
	order  order
	lines  [figs.Ledgers]bytes.Buffer
}

func (r *reading) Agent(_, _ string, charter []byte) error {
	r.folder.Feed(figs.AgentJSON, bytes.Clone(charter))
	return nil
}

func (r *reading) Line(file figs.File, id string, v figs.Version) error {
	return r.order.add(file, id, v, r.write)
}

func (r *reading) write(file figs.File, id string, v figs.Version) error {
	line := r.as.line(file, id, v)
	b := &r.lines[file]
	if !bytes.ContainsAny(line, "\r\n") {
		b.Write(line)
	} else if err := json.Compact(b, line); err != nil { // a client may have written it over several lines
		return err
	}
	b.WriteByte('\n')
	return nil
}

func (r *reading) Attachment(a store.Attachment) error {
	if figs.IsBareName(a.Name) { // no folder may hold a file of another
		r.folder.Attach(a.Name, a.Size)
	}
	return nil
}

func (r *reading) Erased(store.ExportedErasure) error { return nil }
