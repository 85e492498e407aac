package cmd

import (
	"context"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/figs-web/figs-web/handlers"
)

// IdleTimer gives memory back to the system whenever the server has been idle for a while after it
// was busy: hashing a password alone takes 19 MiB, which the runtime would keep for minutes.
type IdleTimer struct{ busy atomic.Int64 } // when a request was last answered, in nanoseconds; 0: rested since

// After notes each request.
func (r *IdleTimer) After(log func(handlers.Event)) func(handlers.Event) {
	return func(e handlers.Event) {
		r.busy.Store(time.Now().UnixNano())
		log(e)
	}
}

// IdleAfter is how long no request was answered before the server rests.
const IdleAfter = 3 * time.Second

// Keep looks after it until ctx ends. What starting took is given back first.
func (r *IdleTimer) Keep(ctx context.Context) {
	r.busy.Store(1)
	tick := time.NewTicker(IdleAfter / 3)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if at := r.busy.Load(); at != 0 && time.Since(time.Unix(0, at)) > IdleAfter && r.busy.CompareAndSwap(at, 0) {
			debug.FreeOSMemory()
		}
	}
}
