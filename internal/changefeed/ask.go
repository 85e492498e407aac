package changefeed

import (
	"context"
	"time"
)

// Listen tells of changes that any process makes, this one included, until ctx ends: see store.ChangeEvents.
// lost says that from now on changes are heard of, and that some before were not.
type Listen func(ctx context.Context, changed func(workspace string, seq int64), lost func()) error

// Listen hears of the changes of other processes as long as hints tells of them, and returns what it
// returned. Meanwhile the broker asks when something was lost, and now and then for safety; before and
// afterwards, and where there are no hints, it asks all the time.
func (b *Broker) Listen(ctx context.Context, hints Listen) error {
	defer b.listening(false)
	return hints(ctx, b.elsewhere, func() { b.listening(true) })
}

// elsewhere is told of a change by a hint.
func (b *Broker) elsewhere(workspace string, seq int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if t := b.watched[workspace]; t == nil || seq > t.seq {
		b.wakeLater()
	}
	b.tell(workspace, seq)
}

// listening notes whether changes are heard of from now on. Either way none was since some moment before.
func (b *Broker) listening(hints bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hints = hints
	for _, t := range b.watched {
		t.asked = false
	}
	b.wakeLater()
	b.askSoon()
}

// askSoon has everything asked about that was not yet; nobody does where nothing is watched.

func (b *Broker) askSoon() {
	select {
	case b.soon <- struct{}{}:
	default: // it is due already, or nothing is watched
	}
}

// ask looks for changes of other processes until ctx ends.
func (b *Broker) ask(ctx context.Context, soon <-chan struct{}) {
	last := time.Now()
	timer := time.NewTimer(b.every)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-soon:
			b.look(ctx, false)
		case <-timer.C:
			last = time.Now()
			b.look(ctx, true)
		}
		timer.Reset(time.Until(last.Add(b.pause())))
	}
}

// look asks about what is watched: all of it, or what was not asked about yet.
func (b *Broker) look(ctx context.Context, all bool) {
	within, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for workspace, t := range b.take(ctx, all) {
		seq, err := b.seq(within, workspace)
		b.mu.Lock()
		switch {
		case err != nil: // a store that does not answer now is asked again; pages keep what they show
			t.asked = false
		case b.tell(workspace, seq):
			b.wakeLater()
		}
		b.mu.Unlock()
	}
}

// take is what to ask about. It is noted as asked before it is, so that what is lost meanwhile is asked
// about once more.
func (b *Broker) take(ctx context.Context, all bool) map[string]*topic {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := map[string]*topic{}
	if ctx.Err() != nil { // what is watched now is another's to ask
		return taken
	}
	for name, t := range b.watched {
		if all || !t.asked {
			t.asked = true
			taken[name] = t
		}
	}
	return taken
}

// pause is how long it is between two looks at everything: long where changes are heard of, once all
// that is watched was asked about.
func (b *Broker) pause() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.watched {
		if !t.asked {
			return b.every
		}
	}
	if !b.hints {
		return b.every
	}
	return max(b.every, safety)
}
