package handlers

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/internal/live"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

const (
	maxStreams = 8                // a person's, over all tabs and browsers; with one more the oldest ends
	heartbeat  = 20 * time.Second // so that proxies do not take a quiet stream for a dead one
	recheck    = 3                // heartbeats after which the session and the role are looked at again
	slowest    = 10 * time.Second // how long one event may take to be sent
)

// streams is what the streams of events share.
type streams struct {
	seats *live.Seats
	beat  time.Duration
}

func newStreams() streams { return streams{live.NewSeats(maxStreams), heartbeat} }

// sendEvents tells a page that its workspace has changed, for as long as the page listens. What
// changed the page asks for itself, with all that is checked then.
func (h *host) sendEvents(c echo.Context) error {
	v, at, ctx := visitor.Of(c), visitor.At(c), c.Request().Context()
	changes, cancel := h.Live.Subscribe(at.Workspace.ID)
	defer cancel()
	lost, leave := h.streams.seats.Take(v.User.ID)
	defer leave()
	defer h.server.Gauges.stream()()

	head := c.Response().Header()
	head.Set("Content-Type", "text/event-stream")
	head.Set("X-Accel-Buffering", "no") // nginx would hold events back until it has enough of them
	out := &events{c.Response(), http.NewResponseController(c.Response().Writer)}
	seen := at.Workspace.Seq
	if known, ok := seenBefore(c); ok {
		seen = min(seen, known)
	}
	if out.send("retry: 3000\n\n") != nil {
		return nil // the page is gone, here and below: nobody is left to be told
	}
	if seen < at.Workspace.Seq {
		seen = at.Workspace.Seq
		if out.changed(seen) != nil {
			return nil
		}
	}

	beat := time.NewTicker(h.streams.beat)
	defer beat.Stop()
	for beats := 0; ; {
		select {
		case <-ctx.Done():
			return nil // the page is gone, or the server drains
		case <-lost:
			// Said, because a page that only lost its stream would take another one's at once.
			out.send("event: enough\ndata:\n\n")
			return nil
		case seq := <-changes:
			if seq > seen && out.changed(seq) != nil {
				return nil
			}
			seen = max(seen, seq)
		case <-beat.C:
			beats++
			if beats%recheck == 0 && !h.stillMember(ctx, v, at) || out.send(":\n\n") != nil {
				return nil
			}
		}
	}
}

// seenBefore is the number that the page knows: the browser says it when it connects again, the
// page when it connects.
func seenBefore(c echo.Context) (seq int64, ok bool) {
	for _, text := range []string{c.Request().Header.Get("Last-Event-ID"), c.QueryParam("seen")} {
		if seq, err := strconv.ParseInt(text, 10, 64); err == nil && seq >= 0 {
			return seq, true
		}
	}
	return 0, false
}

// stillMember reports whether the session has not ended and the role was not taken since the
// stream began. A store that does not answer takes nothing away.
func (h *host) stillMember(ctx context.Context, v *visitor.Visitor, at *visitor.Place) bool {
	if _, err := h.Store.Session(ctx, v.Session, h.Now().UnixMicro()); errors.Is(err, store.ErrNotFound) {
		return false
	}
	role, err := h.Store.Role(ctx, at.Workspace.ID, v.User.ID)
	if err != nil {
		return !errors.Is(err, store.ErrNotFound)
	}
	return people.May(role, people.Stands{}, people.ReadWorkspace)
}

// events writes server-sent events.
type events struct {
	to      *echo.Response
	control *http.ResponseController
}

// send sends at once, and gives up on a page that does not take it.
func (e *events) send(text string) error {
	e.control.SetWriteDeadline(time.Now().Add(slowest))
	if _, err := e.to.Write([]byte(text)); err != nil {
		return err
	}
	if err := e.control.Flush(); err != nil {
		return err
	}
	e.control.SetWriteDeadline(time.Time{})
	return nil
}

func (e *events) changed(seq int64) error {
	n := strconv.FormatInt(seq, 10)
	return e.send("id: " + n + "\nevent: change\ndata: " + n + "\n\n")
}
