package handlers

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cache"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/lens"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/sandbox/report"
)

// ownFiles opens an agent's own files.
type ownFiles interface {
	Open(ctx context.Context, agent string, file figs.File) (io.ReadCloser, error)
}

// openLens looks for hidden text in the own files of the agents of an open folder.
type openLens struct{ files ownFiles }

// recordLens is nil where a folder cannot be looked through.
func recordLens(f Folder) components.RecordLens {
	if files, ok := f.(ownFiles); ok {
		return openLens{files}
	}
	return nil
}

// Records looks through every file that the agent has.
func (l openLens) Records(ctx context.Context, agent string) ([]report.Reading, error) {
	var all []report.Reading
	for file := range figs.NoFile {
		r, err := l.files.Open(ctx, agent, file)
		switch {
		case errors.Is(err, journal.ErrNotFound):
			return nil, err
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			all = append(all, report.Reading{Name: file.String(), Unread: "It could not be read."})
			continue
		}
		reading, err := readOwn(&untilGone{ctx, r}, file)
		r.Close()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err != nil {
			reading = &report.Reading{Name: file.String(), Unread: "It could not be read to its end."}
		}
		all = append(all, *reading)
	}
	return all, nil
}

// readOwn looks through one file.
func readOwn(r io.Reader, file figs.File) (*report.Reading, error) {
	if file < figs.Ledgers {
		return lens.Read(file, r)
	}
	content, err := io.ReadAll(io.LimitReader(r, 10<<20))
	if err != nil {
		return nil, err
	}
	return lens.Small(file, content), nil
}

// untilGone reads until its context ends.
type untilGone struct {
	ctx context.Context
	r   io.Reader
}

func (p *untilGone) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.r.Read(b)
}

// hostedLens looks for hidden text in the lines that agents of a workspace sent.
type hostedLens struct {
	store     lensStore
	workspace string
	kept      lensCache
}

// lensStore is what the lens reads.
type lensStore interface {
	store.Exports
	Agent(ctx context.Context, id string) (store.Agent, error)
}

// lensBytes is how much of an agent's lines is looked through while a person waits.
const lensBytes = 64 << 20

// lensCache caches what was found in agents, by the number of each agent's last change, which every push, reply and erasure
// raises.
type lensCache struct {
	*cache.Cache[lensKey, int64, []report.Reading]
	looking chan struct{} // how many look at a time
}

type lensKey struct{ workspace, agent string }

const (
	lensAtOnce = 2
	lensMost   = 64 // agents; of each a few hundred passages at most are kept
)

func newLensCache() lensCache {
	return lensCache{cache.New[lensKey, int64, []report.Reading](lensMost, nil), make(chan struct{}, lensAtOnce)}
}

// of returns what is cached of an agent, or what look finds.
func (k lensCache) of(ctx context.Context, a *store.Agent, look func() ([]report.Reading, error)) ([]report.Reading, error) {
	return k.Get(ctx, lensKey{a.Workspace, a.ID}, a.Seq, func() ([]report.Reading, error) {
		select {
		case k.looking <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		defer func() { <-k.looking }()
		return look()
	})
}

// Records looks through the agent's lines as they came, unless it did since they last changed.
func (l hostedLens) Records(ctx context.Context, agent string) ([]report.Reading, error) {
	a, err := l.store.Agent(ctx, agent) // before the lines are read: what comes meanwhile is found under a later number
	if err == nil && a.Workspace != l.workspace {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	readings, err := l.kept.of(ctx, &a, func() ([]report.Reading, error) { return l.look(ctx, a.ID) })
	return slices.Clone(readings), err
}

func (l hostedLens) look(ctx context.Context, agent string) ([]report.Reading, error) {
	size, err := l.store.ExportSize(ctx, l.workspace, agent)
	if err != nil {
		return nil, err
	}
	if size.LineBytes > lensBytes {
		return []report.Reading{{Name: figs.Runs.String(), Size: size.LineBytes,
			Unread: "The lines of this agent are more than a page looks through: export the agent, and open the folder in the inspector or with figs-web lens."}}, nil
	}
	t := &lensTaker{ctx: ctx}
	for file := range figs.File(figs.Ledgers) {
		t.ledgers[file] = lens.NewLedger(file, 0)
	}
	if err := l.store.Export(ctx, l.workspace, agent, t); err != nil {
		return nil, err
	}
	all := make([]report.Reading, 0, figs.Ledgers+1)
	for _, ledger := range t.ledgers {
		reading := *ledger.End()
		for i := range reading.Passages {
			reading.Passages[i].Line = 0 // lines are counted as they came here, not as they stand in a file
		}
		all = append(all, reading)
	}
	if len(t.charter) > 0 {
		all = append(all, *lens.Small(figs.AgentJSON, t.charter))
	}
	return all, nil
}

// lensTaker gives the lines of an export to the lens.
type lensTaker struct {
	ctx     context.Context
	ledgers [figs.Ledgers]*lens.Ledger
	charter []byte
}

func (t *lensTaker) Agent(_, _ string, charter []byte) error {
	t.charter = append([]byte(nil), charter...)
	return nil
}

func (t *lensTaker) Line(file figs.File, _ string, v figs.Version) error {
	t.ledgers[file].Write(bytes.ReplaceAll(v.Line, []byte{'\n'}, []byte{' '})) // a client may have written it over several lines
	t.ledgers[file].Write([]byte{'\n'})
	return t.ctx.Err()
}

func (t *lensTaker) Attachment(store.Attachment) error { return nil }
func (t *lensTaker) Erased(store.ErasedName) error     { return nil }
