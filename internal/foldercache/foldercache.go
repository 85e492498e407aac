// Package foldercache keeps agents of a store that were read whole, as the folders that their exports are, so that going back in
// time, counting waits and looking for mended findings do not read them anew for each page.
//
// What is kept is found under the workspace, the agent and the number of the agent's last change, which every push, reply,
// upload and erasure raises in its own transaction: nothing is shown that is not so any more.
package foldercache

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/figs-web/figs-web/internal/cache"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// Limits are how much is read and kept, in bytes of agents' lines; in memory an agent takes several times as much.
type Limits struct {
	Agent int64 // one agent may have
	Total int64 // all that are kept, of which one may have more when it is the only one
}

// DefaultLimits are the limits of a server.
var DefaultLimits = Limits{Agent: storejournal.MaxLoadBytes, Total: 2 * storejournal.MaxLoadBytes}

const (
	mostKept = 64 // agents, however small
	atOnce   = 2  // are read at a time
	smallest = 16 << 10
	keptFor  = time.Hour // what rules say of times that lie ahead holds for about as long
)

// Folders keeps agents. It may be used from several goroutines.
type Folders struct {
	s       storejournal.LoadSource
	now     func() time.Time
	limits  Limits
	reading chan struct{}

	kept  *cache.Cache[key, version, *kept]
	reads atomic.Int64 // how many agents were read, for tests
}

type key struct{ workspace, agent string }

// version is an agent until its next change, or the next hour.
type version struct{ seq, hour int64 }

// kept is one agent. Only the holder of the token may use it.
type kept struct {
	token chan struct{}
	whole *storejournal.LoadedAgent // nil: it is too large
	size  int64                     // of its lines
}

// New returns an empty cache.
func New(s storejournal.LoadSource, now func() time.Time, limits Limits) *Folders {
	size := func(k *kept) int { return int(max(k.size, smallest, limits.Total/mostKept)) }
	return &Folders{s: s, now: now, limits: limits, reading: make(chan struct{}, atOnce), kept: cache.New[key, version](int(limits.Total), size)}
}

var _ storejournal.FolderCache = (*Folders)(nil)

// Use implements storejournal.FolderCache.
func (f *Folders) Use(ctx context.Context, a *store.Agent, do func(*storejournal.LoadedAgent) error) error {
	k, err := f.kept.Get(ctx, key{a.Workspace, a.ID}, version{a.Seq, f.now().UnixNano() / int64(keptFor)}, func() (*kept, error) { return f.read(ctx, a) })
	if err != nil {
		return err
	}
	if k.whole == nil {
		return storejournal.NewTooLargeError()
	}
	if err := take(ctx, k.token); err != nil {
		return err
	}
	defer func() { <-k.token }()
	return do(k.whole)
}

// Forget drops an agent. Whoever uses it has it until they are done.
func (f *Folders) Forget(agent string) {
	f.kept.Drop(func(k key, _ *kept) bool { return k.agent == agent })
}

// take waits for a token.
func take(ctx context.Context, token chan<- struct{}) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case token <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// read reads an agent.
func (f *Folders) read(ctx context.Context, a *store.Agent) (*kept, error) {
	if err := take(ctx, f.reading); err != nil {
		return nil, err
	}
	defer func() { <-f.reading }()
	f.reads.Add(1)
	size, err := f.s.ExportSize(ctx, a.Workspace, a.ID)
	if err != nil || size.LineBytes > f.limits.Agent {
		return &kept{}, err
	}
	whole, err := storejournal.LoadAgent(ctx, f.s, a, f.now())
	return &kept{token: make(chan struct{}, 1), whole: whole, size: size.LineBytes}, err
}
