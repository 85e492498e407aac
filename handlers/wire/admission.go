package wire

import (
	"context"
	"net/http"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/figs-web/figs-web/handlers/fault"
)

const (
	mediumPush = 1 << 20  // bytes of a body from which on few are processed at a time
	largePush  = inMemory // bytes of a body from which on one is processed at a time
	maxWaiting = 32       // bodies that wait, each in a file of its own
	// storeTime is how long a push may take once its body is there: while it waits for its turn, and again
	// while it is stored.
	storeTime = 5 * time.Minute
	// largeGC is how much a heap with a large push may grow between two collections, in percent.
	largeGC = 25
)

// admission bounds what pushes take at a time. A large body is processed alone; smaller ones need not wait for it.
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
	usual := collectOften()
	return sync.OnceFunc(func() {
		go func() { // whoever waits for the answer need not wait for this
			usual()
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
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return pushBusy
	}
}

// pushBusy is the answer to a push whose turn did not come.
var pushBusy = &fault.Problem{Status: http.StatusServiceUnavailable, Code: "push_busy", Title: "Other large pushes are being stored; nothing of this one was stored", Retry: 60,
	Hint: "What is recorded locally is safe. Push again in a few minutes."}

// collectOften has garbage collected sooner until usual is called, unless whoever runs the server wants that anyway.
func collectOften() (usual func()) {
	before := debug.SetGCPercent(largeGC)
	if before >= 0 && before < largeGC {
		debug.SetGCPercent(before)
	}
	return func() { debug.SetGCPercent(before) }
}

// detached is the context of a request for what its body says, once that is there whole: it is done even when the
// client does not wait for the answer. The client's next try then finds it stored.
func detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), storeTime)
}
