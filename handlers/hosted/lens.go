package hosted

import (
	"bytes"
	"context"
	"io"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/cache"
	"github.com/figs-web/figs-web/internal/hiddentext"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/storejournal"
	"github.com/figs-web/figs-web/sandbox/report"
)

// OwnFiles opens an agent's own files.
type OwnFiles interface {
	Open(ctx context.Context, agent string, file figs.File) (io.ReadCloser, error)
}

// ReadOwn looks through one file.
func ReadOwn(r io.Reader, file figs.File) (*report.Reading, error) {
	if file < figs.Ledgers {
		return hiddentext.Read(file, r)
	}
	content, err := io.ReadAll(io.LimitReader(r, 10<<20))
	if err != nil {
		return nil, err
	}
	return hiddentext.Small(file, content), nil
}

// ContextReader reads until its context ends.
type ContextReader struct {
	Ctx context.Context
	R   io.Reader
}

func (p *ContextReader) Read(b []byte) (int, error) {
	if err := p.Ctx.Err(); err != nil {
		return 0, err
	}
	return p.R.Read(b)
}

// HiddenTextReader looks for hidden text in the lines that agents of a workspace sent.
type HiddenTextReader struct {
	Store     lensStore
	Workspace string
	Kept      lensCache
}

// lensStore is what the lens reads.
type lensStore interface {
	store.Exports
	Agent(ctx context.Context, id string) (store.Agent, error)
	NewestLines(ctx context.Context, workspace, agent string, file figs.File, n int) ([][]byte, error)
}

// lensBytes is how much of an agent's lines is looked through while a person waits.
const lensBytes = 64 << 20

// lensCache caches what was found in agents, by the number of each agent's last change, which every push, reply and erasure
// raises.
type lensCache struct {
	*cache.Cache[HiddenTextKey, int64, []report.Reading]
	looking chan struct{} // how many look at a time
}

type HiddenTextKey struct{ workspace, Agent string }

const (
	lensAtOnce = 2
	lensMost   = 64 // agents; of each a few hundred passages at most are kept
)

// NewHiddenTextCache returns an empty one.
func NewHiddenTextCache() lensCache {
	return lensCache{cache.New[HiddenTextKey, int64, []report.Reading](lensMost, nil), make(chan struct{}, lensAtOnce)}
}

// of returns what is cached of an agent, or what look finds.
func (k lensCache) of(ctx context.Context, a *store.Agent, look func() ([]report.Reading, error)) ([]report.Reading, error) {
	return k.Get(ctx, HiddenTextKey{a.Workspace, a.ID}, a.Seq, func() ([]report.Reading, error) {
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
func (l HiddenTextReader) Records(ctx context.Context, agent string) ([]report.Reading, error) {
	a, err := l.Store.Agent(ctx, agent) // before the lines are read: what comes meanwhile is found under a later number
	if err == nil && a.Workspace != l.Workspace {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	readings, err := l.Kept.of(ctx, &a, func() ([]report.Reading, error) { return l.look(ctx, &a) })
	return slices.Clone(readings), err
}

// newestLines is how many lines of each ledger are looked through of an agent that is long; its notice has the number.
const newestLines = 1000

// lookAtNewest looks through the newest lines of an agent.
func (l HiddenTextReader) lookAtNewest(ctx context.Context, a *store.Agent) ([]report.Reading, error) {
	var all []report.Reading
	for file := range figs.File(figs.Ledgers) {
		lines, err := l.Store.NewestLines(ctx, l.Workspace, a.ID, file, newestLines)
		if err != nil {
			return nil, err
		}
		ledger := hiddentext.NewLedger(file, 0)
		for _, line := range lines {
			writeLine(ledger, line)
		}
		reading := endOf(ledger)
		if len(lines) == newestLines {
			reading.Unread = "Only the newest 1,000 lines were checked, because this agent has so many: export it, and open the folder in the inspector or with figs-web hidden-text to check all."
		}
		all = append(all, reading)
	}
	if len(a.Charter) > 0 {
		all = append(all, *hiddentext.Small(figs.AgentJSON, a.Charter))
	}
	return all, nil
}

// endOf returns what a ledger's lines hide.
func endOf(ledger *hiddentext.Ledger) report.Reading {
	reading := *ledger.End()
	for i := range reading.Passages {
		reading.Passages[i].Line = 0 // lines are counted as they came here, not as they stand in a file
	}
	return reading
}

// writeLine adds a line, which a client may have written over several lines.
func writeLine(ledger *hiddentext.Ledger, line []byte) {
	ledger.Write(bytes.ReplaceAll(line, []byte{'\n'}, []byte{' '}))
	ledger.Write([]byte{'\n'})
}

func (l HiddenTextReader) look(ctx context.Context, a *store.Agent) ([]report.Reading, error) {
	if storejournal.IsLong(a) {
		return l.lookAtNewest(ctx, a)
	}
	agent := a.ID
	size, err := l.Store.ExportSize(ctx, l.Workspace, agent)
	if err != nil {
		return nil, err
	}
	if size.LineBytes > lensBytes {
		return []report.Reading{{Name: figs.Runs.String(), Size: size.LineBytes,
			Unread: "The lines of this agent are more than a page looks through: export the agent, and open the folder in the inspector or with figs-web hidden-text."}}, nil
	}
	t := &lensTaker{ctx: ctx}
	for file := range figs.File(figs.Ledgers) {
		t.ledgers[file] = hiddentext.NewLedger(file, 0)
	}
	if err := l.Store.Export(ctx, l.Workspace, agent, t); err != nil {
		return nil, err
	}
	all := make([]report.Reading, 0, figs.Ledgers+1)
	for _, ledger := range t.ledgers {
		all = append(all, endOf(ledger))
	}
	if len(t.charter) > 0 {
		all = append(all, *hiddentext.Small(figs.AgentJSON, t.charter))
	}
	return all, nil
}

// lensTaker gives the lines of an export to the lens.
type lensTaker struct {
	ctx     context.Context
	ledgers [figs.Ledgers]*hiddentext.Ledger
	charter []byte
}

func (t *lensTaker) Agent(_, _ string, charter []byte) error {
	t.charter = append([]byte(nil), charter...)
	return nil
}

func (t *lensTaker) Line(file figs.File, _ string, v figs.Version) error {
	writeLine(t.ledgers[file], v.Line)
	return t.ctx.Err()
}

func (t *lensTaker) Attachment(store.Attachment) error  { return nil }
func (t *lensTaker) Erased(store.ExportedErasure) error { return nil }
