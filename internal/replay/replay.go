// Package replay keeps agents of a store that were read whole, as the folders that their exports are, so that going back in
// time, counting waits and looking for mended findings do not read them anew for each page.
//
// What is kept is found under the workspace, the agent and the number of the agent's last change, which every push, reply,
// upload and erasure raises in its own transaction: nothing is shown that is not so any more.
package replay

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// Limits are how much is read and kept, in bytes of agents' lines; in memory an agent takes several times as much.
type Limits struct {
	Agent int64 // one agent may have
	Total int64 // all that are kept, of which one may have more when it is the only one
}

// Usual are the limits of a server.
var Usual = Limits{Agent: storejournal.MaxWhole, Total: 2 * storejournal.MaxWhole}

const (
	mostKept = 64 // agents, however small
	atOnce   = 2  // are read at a time
	smallest = 16 << 10
	keptFor  = time.Hour // what rules say of times that lie ahead holds for about as long
)

// Folders keeps agents. It may be used from several goroutines.
type Folders struct {
	s       storejournal.WholeSource
	now     func() time.Time
	limits  Limits
	reading chan struct{}

	mutex sync.Mutex
	kept  []*kept // what was used last stands first
	reads int     // how many agents were read, for tests
}

// key names an agent as it stood until its next change.
type key struct {
	workspace, agent string
	seq              int64
	hour             int64
}

// kept is one agent. Who holds the token has it for themselves.
type kept struct {
	key
	token chan struct{}
	whole *storejournal.Whole
	large bool
	size  int64 // of its lines, once they are read; under the mutex
}

// New returns a keeper of nothing yet.
func New(s storejournal.WholeSource, now func() time.Time, limits Limits) *Folders {
	return &Folders{s: s, now: now, limits: limits, reading: make(chan struct{}, atOnce)}
}

var _ storejournal.Folders = (*Folders)(nil)

// Use implements storejournal.Folders.
func (f *Folders) Use(ctx context.Context, a *store.Agent, do func(*storejournal.Whole) error) error {
	k := f.find(key{a.Workspace, a.ID, a.Seq, f.now().UnixNano() / int64(keptFor)})
	if err := take(ctx, k.token); err != nil {
		return err
	}
	defer func() { <-k.token }()
	if k.whole == nil && !k.large {
		if err := f.read(ctx, a, k); err != nil {
			return err
		}
	}
	if k.large {
		return storejournal.TooLarge()
	}
	return do(k.whole)
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

// find returns what is kept under a key, or room for it. What is kept of the agent as it stood before is let go.
func (f *Folders) find(k key) *kept {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	at := slices.IndexFunc(f.kept, func(x *kept) bool { return x.workspace == k.workspace && x.agent == k.agent })
	var found *kept
	if at >= 0 {
		found = f.kept[at]
		f.kept = slices.Delete(f.kept, at, at+1)
	}
	if found == nil || found.key != k {
		found = &kept{key: k, token: make(chan struct{}, 1)}
	}
	f.kept = slices.Insert(f.kept, 0, found)
	f.trim()
	return found
}

// trim lets go of what was used longest ago. Whoever uses it still has it until they are done.
func (f *Folders) trim() {
	total := int64(0)
	for i, k := range f.kept {
		total += k.size
		if i > 0 && (total > f.limits.Total || i >= mostKept) {
			clear(f.kept[i:])
			f.kept = f.kept[:i]
			return
		}
	}
}

// read reads an agent. An error is nobody else's: the next one reads again.
func (f *Folders) read(ctx context.Context, a *store.Agent, k *kept) error {
	if err := take(ctx, f.reading); err != nil {
		return err
	}
	defer func() { <-f.reading }()
	size, err := f.s.ExportSize(ctx, a.Workspace, a.ID)
	if err != nil {
		return err
	}
	bytes := int64(0)
	if k.large = size.LineBytes > f.limits.Agent; !k.large {
		if k.whole, err = storejournal.ReadWhole(ctx, f.s, a, f.now()); err != nil {
			return err
		}
		bytes = size.LineBytes
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.reads++
	k.size = max(bytes, smallest)
	f.trim()
	return nil
}
