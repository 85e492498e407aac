package notify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/figs-web/figs-web/internal/mail"
	"github.com/figs-web/figs-web/internal/safedial"
	"github.com/figs-web/figs-web/internal/store"
)

// backoff is how long to wait after each failed try, in microseconds. After the last one the notification has failed,
// unless its person resends it.
var backoff = []int64{hour / 60, hour / 12, hour / 2, 2 * hour, 8 * hour, 24 * hour}

// final is an error that retrying can't fix.
type final struct{ says string }

func (f *final) Error() string { return f.says }

// errGone means that a browser has unsubscribed.
var errGone = &final{"the browser has unsubscribed"}

// send sends everything that is due.
func (w *Worker) send(ctx context.Context) error {
	if w.lease == "" {
		w.lease = store.NewID()
	}
	var failed error
	for ctx.Err() == nil {
		until := w.now() + leased
		due, err := w.Store.ClaimNotifications(ctx, w.lease, until-leased, until, batch)
		if err != nil || len(due) == 0 {
			return errors.Join(failed, err)
		}
		for _, part := range together(due) {
			// If the lease could expire while sending, leave the rest to the next claim, so that nothing is sent twice. The
			// process may also have been suspended for a while.
			if w.now() > until-longest {
				break
			}
			if until := w.paused[part[0].Destination]; until > w.now() {
				failed = errors.Join(failed, w.postpone(ctx, part, until))
				continue
			}
			failed = errors.Join(failed, w.sendPart(ctx, part))
		}
	}
	return failed
}

// together groups notifications with the same Batch; every other one, and one that is Over, is a part alone.
func together(due []store.DueNotification) (parts [][]store.DueNotification) {
	batches := map[string]int{}
	for _, d := range due {
		if d.Over || d.Batch == "" {
			parts = append(parts, []store.DueNotification{d})
			continue
		}
		at, had := batches[d.Batch]
		if !had {
			at = len(parts)
			batches[d.Batch] = at
			parts = append(parts, nil)
		}
		parts[at] = append(parts[at], d)
	}
	return parts
}

// sendPart sends a part and stores the result. If ctx ends first, the part is sent again after the lease has expired.
func (w *Worker) sendPart(ctx context.Context, part []store.DueNotification) error {
	state, answer := store.SendDropped, "no longer needed: it was settled, or is no longer wanted here"
	var err error
	if !part[0].Over {
		answer, err = w.deliver(ctx, part)
		if ctx.Err() != nil && err != nil {
			return nil
		}
		state = store.SendSent
	}
	if errors.Is(err, errGone) {
		w.tried(&part[0], store.SendDead)
		act := store.Act{By: part[0].Person, At: w.now()}
		if err := w.Store.RemoveDestination(ctx, act, part[0].Person, part[0].Destination); !errors.Is(err, store.ErrNotFound) {
			return err
		}
		return nil
	}
	w.pauseFor(part[0].Destination, err)
	w.grouped = w.grouped || part[0].Batch != ""
	results := make([]store.QueuedNotification, len(part))
	for i := range part {
		x := part[i].QueuedNotification
		x.State, x.Answer, x.Ended, x.Next = state, answer, w.now(), 0
		if state != store.SendDropped {
			x.Tries++
		}
		if err != nil {
			x.State, x.Next = after(&x, err)
			x.Answer = reason(err)
		}
		w.tried(&part[i], x.State)
		results[i] = x
	}
	return w.finish(ctx, results)
}

// finish stores what became of a part. Notifications that were removed meanwhile are skipped.
func (w *Worker) finish(ctx context.Context, results []store.QueuedNotification) error {
	if err := w.Store.FinishNotification(context.WithoutCancel(ctx), w.lease, results...); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return nil
}

// tried reports a try to Worker.Tried, except for dropped notifications, which weren't tried.
func (w *Worker) tried(d *store.DueNotification, state store.SendState) {
	if w.Tried != nil && state != store.SendDropped {
		w.Tried(d.To.Kind, state)
	}
}

// after returns the state and the next try of a notification after a failed try, which x.Tries includes.
func after(x *store.QueuedNotification, err error) (store.SendState, int64) {
	var never *final
	var refused *mail.RefusedError
	if errors.As(err, &never) || errors.As(err, &refused) || x.Tries > len(backoff) {
		return store.SendDead, 0
	}
	wait := backoff[x.Tries-1]
	var later *laterError
	if errors.As(err, &later) {
		wait = max(wait, later.wait.Microseconds())
	}
	return store.SendWaiting, x.Ended + wait
}

// laterError is a response that asks to wait.
type laterError struct {
	says string
	wait time.Duration
}

func (e *laterError) Error() string { return e.says }

// pauseFor pauses a destination whose service asks to wait.
func (w *Worker) pauseFor(destination string, err error) {
	var later *laterError
	if !errors.As(err, &later) {
		return
	}
	if w.paused == nil {
		w.paused = map[string]int64{}
	}
	for id, until := range w.paused {
		if until <= w.now() {
			delete(w.paused, id)
		}
	}
	w.paused[destination] = w.now() + later.wait.Microseconds()
}

// postpone sends nothing to a destination that is paused; it isn't a try.
func (w *Worker) postpone(ctx context.Context, part []store.DueNotification, until int64) error {
	results := make([]store.QueuedNotification, len(part))
	for i := range part {
		x := part[i].QueuedNotification
		x.Next, x.Ended, x.Answer = until, w.now(), "the service asked to wait"
		results[i] = x
	}
	return w.finish(ctx, results)
}

// reason describes an error for the person: without internal addresses, and without URLs, which may contain secrets.
func reason(err error) string {
	var refused *safedial.RefusedError
	if errors.As(err, &refused) {
		return "this URL isn't allowed: " + refused.Why
	}
	return plainly(err)
}

// deliver sends one part and returns the response in short.
func (w *Worker) deliver(ctx context.Context, part []store.DueNotification) (answer string, err error) {
	d := &part[0]
	switch d.To.Kind {
	case store.DestinationEmail:
		return w.byEmail(ctx, part)
	case store.DestinationPush:
		return w.byPush(ctx, part)
	case store.DestinationNtfy:
		return w.byNtfy(ctx, d)
	case store.DestinationWebhook:
		return w.byWebhook(ctx, d)
	case store.DestinationChat:
		return w.byChat(ctx, part)
	}
	return "", &final{fmt.Sprintf("unknown kind of destination: %q", d.To.Kind)}
}
