package handlers

import (
	"context"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"
)

// due is when the next decision counts that this process knows of. It lets requests ask at no
// cost whether time has to pass in the store before they read.
type due struct {
	at atomic.Int64 // microseconds since 1970; never is math.MaxInt64. 0, at first, is at once
	mu sync.Mutex   // held while the store settles
}

// note says that a decision counts from then on.
func (d *due) note(at int64) {
	d.mu.Lock() // what is settled at this moment may have looked before the decision was there
	defer d.mu.Unlock()
	d.at.Store(min(d.at.Load(), at))
}

// settled lets decisions count whose time has come, before anything is read: pages, inbox, API
// and syncs so say the same. What fails here stays as it was, and the operator is told.
func (h *host) settled(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if now := h.Now().UnixMicro(); now >= h.due.at.Load() && tells(c.Path()) {
			if err := h.settle(c.Request().Context(), func() bool { return now >= h.due.at.Load() }); err != nil {
				c.Set(faultKey, err)
			}
		}
		return next(c)
	}
}

// tells reports whether answers at a route tell of what people decide. Probes and files do not,
// and wait for no store.
func tells(route string) bool {
	return strings.HasPrefix(route, workspaces) || strings.HasPrefix(route, "/api/")
}

// retry is after which time a settlement that failed is tried again, in microseconds.
const retry = 1_000_000

// longestSettling is how long all others wait for one settlement at most.
const longestSettling = 10 * time.Second

// settle lets decisions count, unless there is no need any more, and tells open pages. It goes on
// when its visitor leaves: others wait for it.
func (h *host) settle(ctx context.Context, needed func() bool) error {
	h.due.mu.Lock()
	defer h.due.mu.Unlock()
	if !needed() {
		return nil
	}
	now := h.Now().UnixMicro()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longestSettling)
	defer cancel()
	done, err := h.Store.Settle(ctx, now)
	for workspace, seq := range done.Workspaces {
		h.Live.Changed(workspace, seq)
	}
	switch {
	case err != nil:
		h.due.at.Store(now + retry)
	case done.Next == 0:
		h.due.at.Store(math.MaxInt64)
	default:
		h.due.at.Store(done.Next)
	}
	return err
}

// keepSettling settles each second until the server stops: what other processes have decided
// counts here, too, and pages that only wait are told.
func (h *host) keepSettling(stopping context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if err := h.settle(stopping, func() bool { return true }); err != nil && h.Hosting.Log != nil && stopping.Err() == nil {
			h.Hosting.Log(Event{Route: "settle", Err: err})
		}
		h.guesses.catchUp()
		select {
		case <-stopping.Done():
			return
		case <-tick.C:
		}
	}
}
