// Package live tells whoever watches a workspace that it has changed. An event is a hint and
// carries a number only: what changed, the one who is told asks for.
package live

import (
	"context"
	"sync"
	"time"
)

// Seq answers the number of a workspace's last change, by the workspace's id.
type Seq func(ctx context.Context, workspace string) (int64, error)

// Broker passes on changes. Those of this process come through Changed; those that another
// process made, such as a command at the terminal, it finds by asking, and it asks about
// workspaces that somebody watches and about no others.
type Broker struct {
	seq   Seq
	every time.Duration

	mu      sync.Mutex
	heard   chan struct{} // holds a token when this process has changed something; nil: nobody listens
	watched map[string]*topic
	asking  context.CancelFunc // stops the goroutine that asks; nil: nobody watches
}

// topic is a workspace that somebody watches.
type topic struct {
	seq     int64 // the highest that was seen; 0: none yet
	streams map[chan int64]struct{}
}

// New returns a broker that asks seq once in the given time.
func New(seq Seq, every time.Duration) *Broker {
	return &Broker{seq: seq, every: every, watched: map[string]*topic{}}
}

// Subscribe watches a workspace until cancel is called, which may be done more than once. The
// channel is never closed and holds the newest number only, however many came since it was last
// read. The first number comes by itself: a subscriber who knows it already passes over it.
func (b *Broker) Subscribe(workspace string) (changes <-chan int64, cancel func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	stream := make(chan int64, 1)
	t := b.watched[workspace]
	if t == nil {
		t = &topic{streams: map[chan int64]struct{}{}}
		b.watched[workspace] = t
	}
	t.streams[stream] = struct{}{}
	if t.seq > 0 {
		stream <- t.seq
	}
	if b.asking == nil {
		ctx, stop := context.WithCancel(context.Background())
		b.asking = stop
		go b.ask(ctx)
	}
	return stream, func() { b.leave(workspace, stream) }
}

// Hear tells one listener that something has changed in this process, in whichever workspace. The
// channel is never closed, and holds one token however many changes came since it was last read.
func (b *Broker) Hear() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.heard == nil {
		b.heard = make(chan struct{}, 1)
	}
	return b.heard
}

func (b *Broker) leave(workspace string, stream chan int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.watched[workspace]
	if t == nil {
		return
	}
	delete(t.streams, stream)
	if len(t.streams) == 0 {
		delete(b.watched, workspace)
	}
	if len(b.watched) == 0 && b.asking != nil {
		b.asking()
		b.asking = nil
	}
}

// Changed tells everybody who watches the workspace. It never waits for any of them.
func (b *Broker) Changed(workspace string, seq int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case b.heard <- struct{}{}:
	default: // nobody listens, or they know
	}
	t := b.watched[workspace]
	if t == nil || seq <= t.seq {
		return
	}
	t.seq = seq
	for stream := range t.streams {
		select {
		case <-stream: // an older number that was not read
		default:
		}
		stream <- seq // has room: all sending is done under the lock
	}
}

// ask looks for changes of other processes until ctx ends.
func (b *Broker) ask(ctx context.Context) {
	tick := time.NewTicker(b.every)
	defer tick.Stop()
	for {
		for _, workspace := range b.names() {
			// A store that does not answer now is asked again; pages keep what they show.
			if seq, err := b.seq(ctx, workspace); err == nil {
				b.Changed(workspace, seq)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (b *Broker) names() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	names := make([]string, 0, len(b.watched))
	for name := range b.watched {
		names = append(names, name)
	}
	return names
}
