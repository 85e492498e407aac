package storejournal

import (
	"context"
	"slices"
	"sync"

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
// It is safe for concurrent use; the zero value is ready to use.
type Pasts struct {
	reading sync.Mutex // one agent is read at a time
	mutex   sync.Mutex
	kept    []keptPast // the one used last comes first
}

type keptPast struct {
	pastKey
	size int64
	then *then
}

// pastKey names an agent until its next change, at an instant.
type pastKey struct {
	workspace, agent string
	seq, at          int64
}

// Remembering is the journal that keeps what it reads of agents at an instant.
func (j *Journal) Remembering(p *Pasts) *Journal {
	with := *j
	with.pasts = p
	return &with
}

// use returns an agent as it was at an instant. It reads the agent only if that instant isn't kept.
func (k *Pasts) use(ctx context.Context, p *past, a *store.Agent) (*then, error) {
	key := pastKey{a.Workspace, a.ID, a.Seq, p.at}
	if t := k.find(key); t != nil {
		return t, nil
	}
	size, err := sizeOf(ctx, p.Source, a)
	if err != nil {
		return nil, err
	}
	k.reading.Lock()
	defer k.reading.Unlock()
	if t := k.find(key); t != nil { // another request read it while this one waited
		return t, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t, err := p.read(ctx, a.ID)
	if err == nil {
		k.keep(keptPast{key, size, t})
	}
	return t, err
}

func (k *Pasts) find(key pastKey) *then {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	at := slices.IndexFunc(k.kept, func(x keptPast) bool { return x.pastKey == key })
	if at < 0 {
		return nil
	}
	found := k.kept[at]
	k.kept = slices.Insert(slices.Delete(k.kept, at, at+1), 0, found)
	return found.then
}

// keep adds one, and drops the least recently used beyond the limits.
func (k *Pasts) keep(x keptPast) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.kept = slices.Insert(k.kept, 0, x)
	total := int64(0)
	for i := range k.kept {
		if total += k.kept[i].size; i > 0 && (total > keptPastBytes || i >= keptPasts) {
			clear(k.kept[i:])
			k.kept = k.kept[:i]
			return
		}
	}
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
