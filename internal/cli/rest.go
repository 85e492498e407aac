package cli

import (
	"context"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/figs-web/figs-web/handlers"
)

// rest gives memory back to the system whenever the server has been idle for a while after it
// was busy: hashing a password alone takes 19 MiB, which the runtime would keep for minutes.
type rest struct{ busy atomic.Int64 } // when a request was last answered, in nanoseconds; 0: rested since

// after notes each request.
func (r *rest) after(log func(handlers.Event)) func(handlers.Event) {
	return func(e handlers.Event) {
		r.busy.Store(time.Now().UnixNano())
		log(e)
	}
}

// idle is how long no request was answered before the server rests.
const idle = 3 * time.Second

// keep looks after it until ctx ends. What starting took is given back first.
func (r *rest) keep(ctx context.Context) {
	r.busy.Store(1)
	tick := time.NewTicker(idle / 3)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if at := r.busy.Load(); at != 0 && time.Since(time.Unix(0, at)) > idle && r.busy.CompareAndSwap(at, 0) {
			debug.FreeOSMemory()
		}
	}
}
