package hosted

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/store"
)

// settleTimer is when the next decision counts that this process knows of, or when it has to look what others
// have made. It lets requests ask at no cost whether time has to pass in the store before they read.
type settleTimer struct {
	at atomic.Int64 // microseconds since 1970. 0, at first, is at once
	mu sync.Mutex   // held while the store settles
}

// Note says that a decision counts from then on.
func (d *settleTimer) Note(at int64) {
	d.mu.Lock() // what is settled at this moment may have looked before the decision was there
	defer d.mu.Unlock()
	d.at.Store(min(d.at.Load(), at))
}

// SettleFirst lets decisions count whose time has come, before anything is read: pages, inbox, API
// and syncs so say the same. What fails here stays as it was, and the operator is told; where the
// database does not answer, so is the visitor.
func (h *Host) SettleFirst(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if now := h.Now().UnixMicro(); now >= h.Due.at.Load() && tells(c.Path()) {
			switch err := h.Settle(c.Request().Context(), func() bool { return now >= h.Due.at.Load() }); {
			case down(err) && c.Request().Method != http.MethodPost: // whose handler keeps the form
				return err // what is asked next would wait for the same
			case err != nil:
				c.Set(web.FaultKey, err)
			}
		}
		return next(c)
	}
}

// down reports whether the database did not answer, or not in time.
func down(err error) bool {
	var down *store.UnavailableError
	return errors.As(err, &down) || errors.Is(err, context.DeadlineExceeded)
}

// tells reports whether answers at a route tell of what people decide. Probes and files do not,
// and wait for no store.
func tells(route string) bool {
	return strings.HasPrefix(route, web.Workspaces) || strings.HasPrefix(route, "/api/")
}

const (
	// retry is after which time a settlement that failed is tried again, in microseconds.
	retry = 1_000_000
	// believed is how long it is believed that nothing else is due, in microseconds: what another server
	// takes up meanwhile waits as long until it counts.
	believed = store.UndoWindow
)

// longestSettling is how long all others wait for one settlement at most.
const longestSettling = 10 * time.Second

// Settle lets decisions count, unless there is no need any more, and tells open pages. It goes on
// when its visitor leaves: others wait for it.
func (h *Host) Settle(ctx context.Context, needed func() bool) error {
	h.Due.mu.Lock()
	defer h.Due.mu.Unlock()
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
	case err != nil: // by the time of now: those who waited for this go on
		h.Due.at.Store(h.Now().UnixMicro() + retry)
	case done.Next == 0:
		h.Due.at.Store(now + believed)
	default:
		h.Due.at.Store(min(done.Next, now+believed))
	}
	return err
}
