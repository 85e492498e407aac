// Package notify notifies people about what needs them: it plans notifications from what has changed, and sends them.
// A planned notification is stored under a name that is unique within its destination before it is sent, so a crash or a
// second server neither loses it nor plans it twice.
package notify

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/figs-web/figs-web/internal/mail"
	"github.com/figs-web/figs-web/internal/store"
)

// Store is the part of the store that a Worker needs.
type Store interface {
	store.Notifications
	Memberships(ctx context.Context, user string) ([]store.Membership, error)
	Inbox(ctx context.Context, q store.InboxQuery) (*store.Inbox, error)
	DecisionFacts(ctx context.Context, workspace string, from, to int64) ([]store.DecisionFacts, error)
	OpenAskFacts(ctx context.Context, workspace string, now int64) ([]store.OpenAskFacts, error)
}

// Worker plans and sends notifications. Each server runs one.
type Worker struct {
	Store  Store
	Mail   mail.Sender  // nil: no mail server
	HTTP   *http.Client // limited to allowed addresses
	Near   bool         // the operator allows address ranges, also over plain HTTP
	Public *url.URL     // of the server, for links
	Now    func() time.Time
	Log    *slog.Logger
	Tried  func(by store.DestinationKind, state store.SendState) // called after each try with the new state; may be nil

	lease   string
	swept   int64
	grouped bool             // something was sent that others may have to wait for; Run looks again after store.GroupWindow
	paused  map[string]int64 // until when nothing is sent to a destination whose service asked to wait
}

const (
	tick    = time.Minute        // between two rounds if nothing wakes the worker
	pause   = 2 * time.Second    // after a change, to collect others
	leased  = int64(120_000_000) // microseconds; how long a worker may hold what it claimed
	longest = int64(45_000_000)  // microseconds that sending one part may take at most
	batch   = 10                 // claimed at a time
	kept    = 30 * 24 * int64(3_600_000_000)
)

// Run works until ctx ends: every minute, soon after each signal on wake, and when what waited for others is due.
func (w *Worker) Run(ctx context.Context, wake <-chan struct{}) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	var next time.Time // when it works again if nothing wakes it
	for {
		all := true
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-wake:
			all = false
			select {
			case <-ctx.Done():
				return
			case <-time.After(pause):
			}
		}
		if err := w.Step(ctx, all); err != nil && ctx.Err() == nil {
			w.Log.Error("some notifications could not be planned or sent; they will be retried", "error", err)
		}
		if all {
			next = time.Now().Add(tick)
		}
		switch {
		case w.grouped:
			w.grouped = false
			timer.Reset(min(store.GroupWindow*time.Microsecond, time.Until(next)))
		case all:
			timer.Reset(tick)
		}
	}
}

// Step plans and sends what is due. If all is set, it plans for every workspace, otherwise for those that have changed.
// An error in one workspace doesn't stop the others.
func (w *Worker) Step(ctx context.Context, all bool) error {
	err := errors.Join(w.plan(ctx, all), w.send(ctx))
	now := w.now()
	if all && now-w.swept > int64(3_600_000_000) {
		w.swept = now
		err = errors.Join(err, w.Store.SweepNotifications(ctx, now-kept))
	}
	return err
}

func (w *Worker) now() int64 { return w.Now().UnixMicro() }

// plan plans notifications about what has changed.
func (w *Worker) plan(ctx context.Context, all bool) error {
	workspaces, err := w.Store.WorkspacesToPlan(ctx, !all)
	if err != nil {
		return err
	}
	for _, id := range workspaces {
		x, e := w.Store.PlanInput(ctx, id, w.now())
		if e == nil && x.From != x.To {
			_, e = w.Store.PlanNotifications(ctx, id, x.From, x.To, Plan(x, w.Now()))
		}
		if !errors.Is(e, store.ErrNotFound) { // the workspace was deleted meanwhile, or another server planned it
			err = errors.Join(err, e)
		}
	}
	return err
}
