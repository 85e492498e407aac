package storejournal

import (
	"context"

	"github.com/figs-web/figs-web/internal/cache"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// MaxWhole is the size of the largest agent that is read as a whole for one request, in bytes of its lines. In memory it
// takes several times that.
const MaxWhole = 32 << 20

const (
	keptPasts     = 16       // instants of agents that are kept at most
	keptPastBytes = MaxWhole // of their agents' lines together
)

// TooLarge is the error for an agent over MaxWhole.
func TooLarge() error {
	return &journal.Missing{TooLarge: true, Sentence: "This agent has written too much to be looked at as a whole here.",
		Hint: "Export the agent, and open the folder with figs-web open or in the inspector: both look back and count waits in folders of any length."}
}

// Pasts caches what agents had pushed by an instant, so that each page of a list doesn't read the whole agent again.
// It is safe for concurrent use.
type Pasts struct {
	kept    *cache.Cache[pastKey, int64, sizedPast] // by the number of the agent's last change
	reading chan struct{}                           // one agent is read at a time
}

type pastKey struct {
	workspace, agent string
	at               int64
}

type sizedPast struct {
	size int64
	then *then
}

// NewPasts returns an empty cache.
func NewPasts() *Pasts {
	return &Pasts{reading: make(chan struct{}, 1), kept: cache.New[pastKey, int64](keptPastBytes, func(x sizedPast) int {
		return max(int(x.size), keptPastBytes/keptPasts)
	})}
}

// Forget drops an agent.
func (k *Pasts) Forget(agent string) {
	k.kept.Drop(func(key pastKey, _ sizedPast) bool { return key.agent == agent })
}

// Remembering is the journal that keeps what it reads of agents at an instant.
func (j *Journal) Remembering(p *Pasts) *Journal {
	with := *j
	with.pasts = p
	return &with
}

// use returns an agent as it was at an instant. It reads the agent only if that instant isn't kept. An instant that lies ahead
// is never kept, since it may change without a change of the agent.
func (k *Pasts) use(ctx context.Context, p *past, a *store.Agent) (*then, error) {
	if p.at >= p.now {
		found, err := k.read(ctx, p, a)
		return found.then, err
	}
	found, err := k.kept.Get(ctx, pastKey{a.Workspace, a.ID, p.at}, a.Seq, func() (sizedPast, error) { return k.read(ctx, p, a) })
	return found.then, err
}

// read reads an agent once no other one is being read.
func (k *Pasts) read(ctx context.Context, p *past, a *store.Agent) (x sizedPast, err error) {
	if x.size, err = sizeOf(ctx, p.Source, a); err != nil {
		return x, err
	}
	select {
	case k.reading <- struct{}{}:
	case <-ctx.Done():
		return x, ctx.Err()
	}
	defer func() { <-k.reading }()
	x.then, err = p.read(ctx, a.ID)
	return x, err
}

// sizeOf is the size of an agent's lines in bytes. The error is a *journal.Missing if that is over MaxWhole.
func sizeOf(ctx context.Context, s Source, a *store.Agent) (int64, error) {
	sized, ok := s.(WholeSource)
	if !ok {
		return 0, nil
	}
	size, err := sized.ExportSize(ctx, a.Workspace, a.ID)
	if err == nil && size.LineBytes > MaxWhole {
		err = TooLarge()
	}
	return size.LineBytes, err
}
