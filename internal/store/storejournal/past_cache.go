package storejournal

import (
	"context"

	"github.com/figs-web/figs-web/internal/cache"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// MaxLoadBytes is the size of the largest agent that is read as a whole for one request, in bytes of its lines. It takes
// several times that in memory.
const MaxLoadBytes = 32 << 20

const (
	maxPasts     = 16           // maximum number of cached agents
	maxPastBytes = MaxLoadBytes // maximum size of their lines in all
)

// NewTooLargeError returns the error for an agent over MaxLoadBytes.
func NewTooLargeError() error {
	return &journal.Missing{TooLarge: true, Sentence: "This agent has too many records to show this view on the server.",
		Hint: "Export the agent and open the folder with figs-web open or in the inspector, which have no such limit."}
}

// PastCache caches agents as they were at a point in time, so that each page of a list doesn't read the whole agent again.
// It is safe for concurrent use.
type PastCache struct {
	cache *cache.Cache[pastKey, int64, pastAgentSize] // by the Seq of the agent's last change
	sem   chan struct{}                               // semaphore: one agent is read at a time
}

type pastKey struct {
	workspace, agent string
	at               int64
}

type pastAgentSize struct {
	size  int64
	agent *pastAgent
}

// NewPastCache returns an empty cache.
func NewPastCache() *PastCache {
	return &PastCache{sem: make(chan struct{}, 1), cache: cache.New[pastKey, int64](maxPastBytes, func(x pastAgentSize) int {
		return max(int(x.size), maxPastBytes/maxPasts)
	})}
}

// Forget removes an agent from the cache.
func (k *PastCache) Forget(agent string) {
	k.cache.Drop(func(key pastKey, _ pastAgentSize) bool { return key.agent == agent })
}

// WithPastCache returns a journal that caches in p the agents it reads for AsOf.
func (j *Journal) WithPastCache(p *PastCache) *Journal {
	with := *j
	with.pastCache = p
	return &with
}

// load returns an agent as it was at p.at, from the cache if possible. A time in the future isn't cached, because the
// answer can change without a change of the agent.
func (k *PastCache) load(ctx context.Context, p *pastSource, a *store.Agent) (*pastAgent, error) {
	if p.at >= p.now {
		found, err := k.read(ctx, p, a)
		return found.agent, err
	}
	found, err := k.cache.Get(ctx, pastKey{a.Workspace, a.ID, p.at}, a.Seq, func() (pastAgentSize, error) { return k.read(ctx, p, a) })
	return found.agent, err
}

// read reads an agent, after any other agent that is being read.
func (k *PastCache) read(ctx context.Context, p *pastSource, a *store.Agent) (x pastAgentSize, err error) {
	if IsLong(a) {
		return x, newPastError(a)
	}
	if x.size, err = loadSize(ctx, p.Source, a); err != nil {
		return x, err
	}
	select {
	case k.sem <- struct{}{}:
	case <-ctx.Done():
		return x, ctx.Err()
	}
	defer func() { <-k.sem }()
	x.agent, err = p.read(ctx, a.ID)
	return x, err
}

// loadSize returns the size of an agent's lines in bytes. The error is a *journal.Missing if that is over MaxLoadBytes.
func loadSize(ctx context.Context, s Source, a *store.Agent) (int64, error) {
	sized, ok := s.(LoadSource)
	if !ok {
		return 0, nil
	}
	size, err := sized.ExportSize(ctx, a.Workspace, a.ID)
	if err == nil && size.LineBytes > MaxLoadBytes {
		err = NewTooLargeError()
	}
	return size.LineBytes, err
}
