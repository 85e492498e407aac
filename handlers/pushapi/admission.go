package pushapi

import (
	"context"
	"net/http"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/figs-web/figs-web/handlers/httperr"
)

const (
	mediumPush = 1 << 20         // bytes of a body from which on few are processed at a time
	largePush  = inMemory        // bytes of a body from which on one is processed at a time
	maxWaiting = 32              // bodies that may wait at once; each is kept in a temporary file
	waitTime   = 5 * time.Minute // how long a body waits at most before it is processed
	storeTime  = 5 * time.Minute // how long processing a large body may take
	// largeGC is how much a heap with a large push may grow between two collections, in percent.
	largeGC = 25
)

// admission bounds how many pushes are processed at a time. Large bodies are processed one by one; smaller ones don't
// wait for them.
type admission struct {
	medium, large chan struct{} // a place for each body that is processed
	waiting       atomic.Int32
}

func newAdmission() *admission {
	return &admission{medium: make(chan struct{}, max(2, runtime.GOMAXPROCS(0))), large: make(chan struct{}, 1)}
}

// enter waits until a body of so many bytes may be processed. Call done afterwards; waited says that others were
// processed meanwhile.
func (a *admission) enter(ctx context.Context, size int64) (done func(), waited bool, err error) {
	places := a.medium
	switch {
	case size < mediumPush:
		return func() {}, false, nil
	case size >= largePush:
		places = a.large
	}
	select {
	case places <- struct{}{}:
	default:
		if err := a.wait(ctx, places); err != nil {
			return nil, true, err
		}
		waited = true
	}
	if size < largePush {
		return func() { <-places }, waited, nil
	}
	restore := lowerGCPercent()
	return sync.OnceFunc(func() {
		go func() { // FreeOSMemory takes a while, and the client waits for its answer
			restore()
			debug.FreeOSMemory()
			<-places
		}()
	}), waited, nil
}

func (a *admission) wait(ctx context.Context, places chan struct{}) error {
	defer a.waiting.Add(-1)
	if a.waiting.Add(1) > maxWaiting {
		return pushBusy
	}
	ctx, cancel := context.WithTimeout(ctx, waitTime)
	defer cancel()
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return pushBusy
	}
}

// pushBusy is the answer to a push that waited too long, or that finds too many waiting.
var pushBusy = &httperr.Problem{Status: http.StatusServiceUnavailable, Code: "push_busy", Title: "The server is busy with other large pushes; nothing was stored", Retry: 60,
	Hint: "Your local records are safe. Push again in a few minutes."}

// lowerGCPercent makes the garbage collector run more often until restore is called. A lower GOGC that was set for the
// server stays.
func lowerGCPercent() (restore func()) {
	before := debug.SetGCPercent(largeGC)
	if before >= 0 && before < largeGC {
		debug.SetGCPercent(before)
	}
	return func() { debug.SetGCPercent(before) }
}
