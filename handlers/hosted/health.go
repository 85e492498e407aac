package hosted

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/web"
)

const (
	readiness   = 3 * time.Second  // how long the store and the disk have to answer
	Judged      = time.Second      // how long an answer is good for, however many ask
	probed      = 10 * time.Second // how long a disk that took bytes is believed to take more
	clockSlack  = 5 * time.Minute  // how far clocks may be apart
	retryProbes = "5"              // seconds
)

// HealthReason is why the server is not ready, or soon may not be.
type HealthReason struct {
	Code    string `json:"code"` // "disk_full"
	Says    string `json:"says"` // a sentence without names of files
	Warning bool   `json:"warning,omitempty"`
	cause   error  // for the log
}

// health finds out whether a visitor would be served.
type health struct {
	mu      sync.Mutex
	Passed  func() time.Duration // since the server started, by a clock that nobody sets
	Started time.Time            // by the clock that people set
	asked   time.Duration        // when the reasons were found
	Reasons []HealthReason
	known   bool
	wrote   time.Duration // when the disk last took bytes
	took    bool
	full    atomic.Pointer[fullDisk] // the last one that no check has followed; nil: none
	reach   reaching
	Schema  int // step of the database that this program knows, as it was when it started; 0: not asked yet
}

// fullDisk is a request that could not be stored, because there was no room.
type fullDisk struct {
	at    time.Duration
	cause error
}

// LogFaults notes requests that met a full disk, and passes all on; next may be nil.
func (x *health) LogFaults(next func(web.Event)) func(web.Event) {
	return func(e web.Event) {
		if e.Status == http.StatusInsufficientStorage {
			x.full.Store(&fullDisk{x.Passed(), e.Err})
		}
		if next != nil {
			next(e)
		}
	}
}

// NewHealth begins to watch a server that started at now.
func NewHealth(now time.Time) *health {
	begun := time.Now()
	return &health{Passed: func() time.Duration { return time.Since(begun) }, Started: now.Round(0)}
}

// Alive answers as long as the program does.
func (h *Host) Alive(c echo.Context) error { return answerProbe(c, http.StatusOK, "alive\n") }

// Ready answers 200 while a visitor would be served. Warnings are told, and change nothing.
func (h *Host) Ready(c echo.Context) error {
	reasons := h.ReadinessNow(c.Request().Context())
	status, word := http.StatusOK, "ready"
	for _, r := range reasons {
		if r.Warning {
			continue
		}
		status, word = http.StatusServiceUnavailable, "not ready"
		c.Response().Header().Set("Retry-After", retryProbes)
		if r.Code == web.Stopped { // as it was told to
			continue
		}
		c.Set(web.FaultKey, fmt.Errorf("not ready: %s: %w", r.Code, errors.Join(errors.New(r.Says), r.cause)))
	}
	if media, _, _ := mime.ParseMediaType(c.Request().Header.Get("Accept")); media == "application/json" {
		c.Response().Header().Set("Cache-Control", "no-store")
		return c.JSON(status, struct {
			Ready   bool           `json:"ready"`
			Reasons []HealthReason `json:"reasons"`
		}{status == http.StatusOK, reasons})
	}
	text := word + "\n"
	for _, r := range reasons {
		text += r.Code + ": " + r.Says + "\n"
	}
	return answerProbe(c, status, text)
}

// answerProbe answers what asks all day; no cache may keep it.
func answerProbe(c echo.Context, status int, text string) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.String(status, text)
}

// ReadinessNow is what stands against serving a visitor. It is found at most once a second; who
// goes away meanwhile does not stop it for the others.
func (h *Host) ReadinessNow(ctx context.Context) []HealthReason {
	if h.Stopping != nil && h.Stopping.Err() != nil {
		return []HealthReason{{Code: web.Stopped, Says: "The server is being stopped."}}
	}
	x := h.Health
	x.mu.Lock()
	defer x.mu.Unlock()
	now, full := x.Passed(), x.full.Load()
	if full != nil && now-full.at < Judged { // which is newer than any check of the disk
		x.took, x.known = false, false
		return []HealthReason{{Code: "disk_full", Says: "There is no room left: a request could not be stored.", cause: full.cause}}
	}
	if full != nil && x.full.CompareAndSwap(full, nil) {
		x.took, x.known = false, false
	}
	if x.known && now-x.asked < Judged {
		return x.Reasons
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readiness)
	defer cancel()
	x.Reasons = []HealthReason{}
	for _, ask := range []func(context.Context) *HealthReason{h.askDatabase, h.askDisk, h.askRoom, h.askAttachments, h.askClock} {
		if r := ask(ctx); r != nil {
			x.Reasons = append(x.Reasons, *r)
		}
	}
	x.asked, x.known = x.Passed(), true
	return x.Reasons
}

// askDatabase: it answers, and needs no program newer than this one. While several servers are upgraded one
// by one, the newer take steps of the schema with which the older can go on.
func (h *Host) askDatabase(ctx context.Context) *HealthReason {
	down := func(err error) *HealthReason {
		return &HealthReason{Code: "database_down", Says: "The database does not answer.", cause: err}
	}
	if err := h.Store.Ready(ctx); err != nil {
		return down(err)
	}
	if h.Health.Schema == 0 {
		step, err := h.Store.Schema(ctx)
		if err != nil {
			return down(err)
		}
		h.Health.Schema = step
	}
	needs, err := h.Store.RequiredSchema(ctx)
	switch {
	case err != nil:
		return down(err)
	case needs > h.Health.Schema:
		return &HealthReason{Code: "migrations", Says: fmt.Sprintf("The database was taken to a step that needs a program which knows step %d; this one knows step %d. Start the newer program.", needs, h.Health.Schema)}
	}
	return nil
}

// askDisk writes a little, but not every time: a disk that wears out by being asked helps nobody.
// One that took nothing is asked again at once.
func (h *Host) askDisk(ctx context.Context) *HealthReason {
	x := h.Health
	if now := x.Passed(); h.Writable == nil || x.took && now-x.wrote < probed {
		return nil
	}
	err := h.Writable(ctx)
	x.took, x.wrote = err == nil, x.Passed()
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &HealthReason{Code: "disk_full", Says: "The disk takes no bytes: it is full.", cause: err}
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return &HealthReason{Code: "disk_readonly", Says: "The disk takes no bytes: the folder cannot be written to.", cause: err}
	}
	return &HealthReason{Code: "disk_failed", Says: "The disk takes no bytes.", cause: err}
}

// reaching is what is known of the place of attachments.
type reaching struct {
	mu    sync.Mutex
	asked bool
	at    time.Duration // when the answer came
	err   error
	done  chan struct{} // is closed with the answer; nil: nobody is asking
}

// promptly is for how long a probe waits for attachments: who asks may wait for a second itself, and takes every server
// away whose answer comes later.
const promptly = 300 * time.Millisecond

// askAttachments warns where the bytes of attachments cannot be reached: pages, pushes of records and
// decisions go on without them, and they are as far from every other server. A place that takes its time
// is waited for by nobody: until it has answered, what it said before holds.
func (h *Host) askAttachments(ctx context.Context) *HealthReason {
	if h.Reach == nil {
		return nil
	}
	x, passed := &h.Health.reach, h.Health.Passed
	x.mu.Lock()
	if x.done == nil && (!x.asked || passed()-x.at >= probed || x.err != nil && passed()-x.at >= Judged) {
		done := make(chan struct{})
		x.done = done
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readiness)
		go func() {
			defer cancel()
			err := h.Reach(ctx)
			x.mu.Lock()
			defer x.mu.Unlock()
			x.asked, x.at, x.err, x.done = true, passed(), err, nil
			close(done)
		}()
	}
	if done := x.done; done != nil {
		x.mu.Unlock()
		timer := time.NewTimer(promptly)
		select {
		case <-done:
		case <-timer.C:
		}
		timer.Stop()
		x.mu.Lock()
	}
	defer x.mu.Unlock()
	if x.err == nil {
		return nil
	}
	return &HealthReason{Code: "attachments_down", Warning: true, Says: "Attachments can't be read: their storage isn't responding.", cause: x.err}
}

// askRoom warns before the disk is full.
func (h *Host) askRoom(context.Context) *HealthReason {
	if h.Free == nil || h.MinFree <= 0 {
		return nil
	}
	free, err := h.Free()
	if err != nil || free >= h.MinFree {
		return nil // where nobody can tell, the disk itself is asked
	}
	return &HealthReason{Code: "disk_low", Warning: true, Says: "The disk has " + accountpages.ByteSize(free) + " left, less than " + accountpages.ByteSize(h.MinFree) + "."}
}

// askClock holds the clock against one that nobody sets, and against the newest change. A clock
// that is behind what was written is a warning only: it may have been ahead then, and no new start
// would mend that.
func (h *Host) askClock(ctx context.Context) *HealthReason {
	now := h.Now().Round(0)
	if back := h.Health.Passed() - now.Sub(h.Health.Started); back > clockSlack {
		return &HealthReason{Code: "clock_skewed", Says: fmt.Sprintf("The clock was set back by %s since the server started. Set the clock, or restart the server if the time is right now.", back.Round(time.Second))}
	}
	last, err := h.Store.LastChange(ctx)
	if ahead := time.UnixMicro(last).Sub(now); err == nil && ahead > clockSlack {
		return &HealthReason{Code: "clock_behind", Warning: true, Says: fmt.Sprintf("The newest change is %s ahead of the clock: one of the two is wrong.", ahead.Round(time.Second))}
	}
	return nil
}

// ReasonCodes are the codes of reasons in words, for whoever writes them into a list.
func ReasonCodes(reasons []HealthReason) string {
	codes := make([]string, len(reasons))
	for i := range reasons {
		codes[i] = reasons[i].Code
	}
	return strings.Join(codes, ", ")
}
