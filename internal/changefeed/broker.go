// Package changefeed tells subscribers that a workspace has changed. An event carries only a sequence number, and may be lost
// or repeated; subscribers read what changed from the store.
package changefeed

import (
	"context"
	"sync"
	"time"
)

// Seq answers the number of a workspace's last change, by the workspace's id.
type Seq func(ctx context.Context, workspace string) (int64, error)

// Broker passes on changes. Those of this process come through Changed; those of others it finds
// by asking, about workspaces that somebody watches and about no others, or it hears of them (Listen).
type Broker struct {
	seq   Seq
	every time.Duration

	mu      sync.Mutex
	heard   chan struct{} // holds a token when something has changed; nil: nobody listens
	later   *time.Timer   // until a token for what another process has changed; nil: none is due
	watched map[string]*topic
	asking  context.CancelFunc // stops the goroutine that asks; nil: nobody watches
	soon    chan struct{}      // holds a token when that one has something to ask before its time
	hints   bool               // changes of other processes are heard of
}

// topic is a workspace that somebody watches.
type topic struct {
	seq   int64 // the highest that was seen; 0: none yet
	asked bool  // it was or is being asked about, since it is watched and since anything was lost
	tells map[*func(int64)]struct{}
}

const (
	safety   = 30 * time.Second // between two looks at everything that is watched, where changes are heard of
	patience = 10 * time.Second // for the answers of one look
	joined   = 3 * time.Second  // until Hear tells of what another process changed, which tells its own listener at once
)

// New returns a broker that asks seq once in the given time.
func New(seq Seq, every time.Duration) *Broker {
	return &Broker{seq: seq, every: every, watched: map[string]*topic{}}
}

// Subscribe watches a workspace until cancel is called, which may be done more than once. The
// channel is never closed and holds the newest number only, however many came since it was last
// read. The first number comes by itself: a subscriber who knows it already passes over it.
func (b *Broker) Subscribe(workspace string) (changes <-chan int64, cancel func()) {
	stream := make(chan int64, 1)
	return stream, b.Watch(workspace, func(seq int64) {
		select {
		case <-stream: // an older number that was not read
		default:
		}
		stream <- seq // has room: all telling is done under the lock
	})
}

// Watch is Subscribe for whoever is called instead: with ever higher numbers, one call at a time, which
// must neither wait nor call the broker.
func (b *Broker) Watch(workspace string, tell func(seq int64)) (cancel func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.watched[workspace]
	if t == nil {
		t = &topic{tells: map[*func(int64)]struct{}{}}
		b.watched[workspace] = t
		if b.asking == nil {
			var ctx context.Context
			ctx, b.asking = context.WithCancel(context.Background())
			b.soon = make(chan struct{}, 1)
			go b.ask(ctx, b.soon)
		}
		b.askSoon() // what changed right before was heard by nobody
	}
	t.tells[&tell] = struct{}{}
	if t.seq > 0 {
		tell(t.seq)
	}
	return func() { b.leave(workspace, &tell) }
}

// Hear tells one listener that something has changed, in whichever workspace: at once what this
// process did, and some seconds later what another did. The channel is never closed, and holds one
// token however many changes came since it was last read.
func (b *Broker) Hear() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.heard == nil {
		b.heard = make(chan struct{}, 1)
	}
	return b.heard
}

func (b *Broker) leave(workspace string, tell *func(int64)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.watched[workspace]
	if t == nil {
		return
	}
	delete(t.tells, tell)
	if len(t.tells) == 0 {
		delete(b.watched, workspace)
	}
	if len(b.watched) == 0 && b.asking != nil {
		b.asking()
		b.asking = nil
	}
}

// Changed tells everybody who watches the workspace of a change that this process made. It never
// waits for any of them.
func (b *Broker) Changed(workspace string, seq int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wake()
	b.tell(workspace, seq)
}

// wake gives the one who hears of everything a token.
func (b *Broker) wake() {
	select {
	case b.heard <- struct{}{}:
	default: // nobody listens, or they know
	}
}

// wakeLater does it when the process that made the change has had its time to do what follows.
func (b *Broker) wakeLater() {
	if b.heard == nil || b.later != nil {
		return
	}
	b.later = time.AfterFunc(joined, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.later = nil
		b.wake()
	})
}

// tell passes a number on, and reports whether it was news to those who watch.
func (b *Broker) tell(workspace string, seq int64) bool {
	t := b.watched[workspace]
	if t == nil || seq <= t.seq {
		return false
	}
	t.seq = seq
	for tell := range t.tells {
		(*tell)(seq)
	}
	return true
}
