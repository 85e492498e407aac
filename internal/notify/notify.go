// Package notify tells people of what needs them: it plans from what has changed whom to tell
// where, and sends that. What was planned is a row of the store before anything leaves, under a
// name that is there once at each place: a program that ends, or another that does the same beside
// it, neither loses news nor tells them twice.
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

// Store is what a worker needs of one.
type Store interface {
	store.Notifications
}

// Worker plans and sends. One runs in each server.
type Worker struct {
	Store  Store
	Mail   mail.Sender  // nil: no mail server
	HTTP   *http.Client // which reaches what may be reached
	Public *url.URL     // of the server, for links
	Now    func() time.Time
	Log    *slog.Logger
	Tried  func(by store.DestinationKind, state store.SendState) // told of each piece of news that a try ended for: sent, waiting for the next try, or dead; may be nil

	lease string
	swept int64
}

const (
	tick    = time.Minute        // between two looks when nothing wakes the worker
	pause   = 2 * time.Second    // after a change, which others may join
	leased  = int64(120_000_000) // microseconds for which a worker has what it claimed
	longest = int64(45_000_000)  // microseconds that one of them may take at most, to connect and to be answered
	batch   = 10                 // claimed at a time
	kept    = 30 * 24 * int64(3_600_000_000)
)

// Run works until ctx ends, a minute at a time, and at once when wake says that something has changed.
func (w *Worker) Run(ctx context.Context, wake <-chan struct{}) {
	timer := time.NewTimer(0)
	defer timer.Stop()
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
			w.Log.Error("news could not be told; they are tried again", "error", err)
		}
		if all {
			timer.Reset(tick)
		}
	}
}

// Step plans and sends what is due once. With all, it looks at every workspace, since time has
// passed; else at those that have changed. An error of one leaves the others done.
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

// plan turns what has changed into news.
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
		if !errors.Is(e, store.ErrNotFound) { // deleted meanwhile, or planned by another
			err = errors.Join(err, e)
		}
	}
	return err
}
