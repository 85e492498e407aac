// Package clock gives all programs on one database one time: the database's. A machine whose clock is
// wrong so behaves like the others.
package clock

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Source is the clock that all go by, in microseconds since 1970 UTC, such as a store.Clock.
type Source interface {
	Time(ctx context.Context) (int64, error)
}

const (
	samples  = 3               // the source is asked so often at a time; the quickest answer counts
	patience = 5 * time.Second // for all of them
	again    = 2 * time.Second // when it is asked anew after it did not answer
	wrong    = 5 * time.Second // how far this machine's clock may be off without a word
)

// Clock shows the source's time without asking it each time. Between two measurements it goes by this
// machine's monotonic clock, so that nobody who sets this machine's clock sets it.
type Clock struct {
	source Source
	local  func() time.Time
	log    *slog.Logger

	mu    sync.Mutex
	at    time.Time     // by the local clock, when it showed base
	base  time.Time     // what it showed then
	ahead time.Duration // how much that was too late by then
	last  time.Time     // the latest that it has shown
	told  bool          // that the local clock is wrong
}

// Of measures the source, and again once in the given time until ctx ends. As long as the source has not
// answered, the local clock counts. log is told once when that one is wrong; it may be nil.
func Of(ctx context.Context, source Source, local func() time.Time, every time.Duration, log *slog.Logger) *Clock {
	now := local()
	c := &Clock{source: source, local: local, log: log, at: now, base: now.Round(0)}
	at, is, ok := c.measure(ctx)
	if ok {
		c.at, c.base = at, is // nobody has been shown another time yet
		c.tell(at.Round(0).Sub(is))
	}
	go c.keep(ctx, every, ok)
	return c
}

// Now is the time. It never goes back: where it turns out to be ahead it goes at half its speed until
// it is right, and where it is behind it goes forward at once.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.show(c.local()); now.After(c.last) {
		c.last = now
	}
	return c.last
}

// show is the time at a moment of the local clock.
func (c *Clock) show(local time.Time) time.Time {
	passed := max(local.Sub(c.at), 0)
	return c.base.Add(passed - min(c.ahead, passed/2))
}

// keep measures again and again.
func (c *Clock) keep(ctx context.Context, every time.Duration, ok bool) {
	for {
		wait := every
		if !ok {
			wait = min(again, every)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		var at, is time.Time
		if at, is, ok = c.measure(ctx); ok {
			c.take(at, is)
		}
	}
}

// measure asks the source: at the moment at of the local clock it is is. An answer is taken for the time
// in the middle between it and the question, so that what is measured is wrong by half of the quickest
// round trip at most.
func (c *Clock) measure(ctx context.Context) (at, is time.Time, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var quickest time.Duration
	for range samples {
		asked := c.local()
		micros, err := c.source.Time(ctx)
		answered := c.local()
		if trip := answered.Sub(asked); err == nil && (!ok || trip < quickest) {
			quickest, at, is, ok = trip, answered, time.UnixMicro(micros).Add(trip/2), true
		}
	}
	return at, is, ok
}

// take goes by a measurement from now on.
func (c *Clock) take(at, is time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	shown := c.show(at)
	c.ahead = max(shown.Sub(is), 0)
	if is.After(shown) {
		shown = is
	}
	c.at, c.base = at, shown
	c.tell(at.Round(0).Sub(is))
}

// tell says once that the local clock is wrong.
func (c *Clock) tell(off time.Duration) {
	if c.log == nil || c.told || off.Abs() < wrong {
		return
	}
	c.told = true
	way := "ahead of"
	if off < 0 {
		way = "behind"
	}
	c.log.Warn("the clock of this machine is "+way+" the database's; times come from the database", "by", off.Abs().Round(time.Second).String())
}
