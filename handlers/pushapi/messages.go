package pushapi

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/store"
)

// unknownAgent answers alike for agents that are not there and those of others.
var unknownAgent = &httperr.Problem{Status: http.StatusNotFound, Code: "agent_unknown", Title: "This agent isn't registered on this server, or you don't have access to it",
	Hint: "If it is yours, run figs push to register it. figs status shows where it is linked."}

// unmodified answers an agent that knows the newest tag with one question to the store; whatever
// else comes, and what must be noted, takes the long way.
func (w *Wire) unmodified(next echo.HandlerFunc) echo.HandlerFunc {
	const noted = int64(time.Minute / time.Microsecond) // how fresh the last use of a token must be
	return func(c echo.Context) error {
		known := c.Request().Header.Values("If-None-Match")
		if len(known) == 0 {
			return next(c)
		}
		seq, used, err := w.Store.SyncSeq(c.Request().Context(), store.Hash(auth.Secret(c.Request().Header)), agentOf(c), w.now())
		if errors.Is(err, store.ErrNotFound) || err == nil && (!has(known, tagOf(seq)) || w.now() >= used+noted) {
			return next(c)
		}
		if err != nil {
			return err
		}
		c.Response().Header().Set("ETag", tagOf(seq))
		return c.NoContent(http.StatusNotModified)
	}
}

func tagOf(seq int64) string { return `"m` + strconv.FormatInt(seq, 10) + `"` }

func agentOf(c echo.Context) string { return strings.ToLower(c.QueryParam("agent")) }

// listMessages lists what humans replied to an agent, oldest first. Clients append each to their
// ledger as it is and check it from then on, so that only what they accept is sent. That it was
// handed out is noted before it is sent: who knows a tag later needs no more noting.
func (w *Wire) listMessages(c echo.Context) error {
	ctx, agent := c.Request().Context(), agentOf(c)
	workspace, seq, err := w.Store.MessagesSeq(ctx, agent)
	sees := err == nil
	if sees {
		sees, err = w.sees(ctx, auth.Of(c), workspace)
	}
	switch {
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return err
	case !sees:
		return unknownAgent
	}
	about(c, workspace, agent)
	tag := tagOf(seq)
	if w.hand(c, workspace, agent, seq) {
		c.Response().Header().Set("ETag", tag)
	}
	if has(c.Request().Header.Values("If-None-Match"), tag) {
		return c.NoContent(http.StatusNotModified)
	}
	list, err := w.Store.Messages(ctx, agent)
	if err != nil {
		return err
	}
	return c.JSONBlob(http.StatusOK, synced(list))
}

// hand notes that the replies under a tag are handed out, and tells open pages. What could not be
// noted is sent all the same, without a tag, so that the next call tries again.
func (w *Wire) hand(c echo.Context, workspace, agent string, tag int64) (noted bool) {
	seq, err := w.Store.MarkPickedUp(c.Request().Context(), agent, tag, w.now())
	if err != nil {
		c.Set("fault", fmt.Errorf("a sync was not noted: %w", err)) // for the log, as in package handlers
		return false
	}
	if seq > 0 {
		w.tell(workspace, seq)
	}
	return true
}

// synced writes the events that clients accept.
func synced(list []store.Message) []byte {
	var b bytes.Buffer
	b.WriteString(`{"messages":[`)
	first := true
	for i := range list {
		if !figs.IsSyncable(figs.Fold([][]byte{list[i].Line})) {
			continue
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		b.Write(list[i].Line)
	}
	b.WriteString(`],"truncated":false}`)
	return b.Bytes()
}

// has reports whether one of the tags that a client knows is the present one.
func has(known []string, tag string) bool {
	for _, list := range known {
		for t := range strings.SplitSeq(list, ",") {
			if t = strings.TrimPrefix(strings.TrimSpace(t), "W/"); t == tag || t == "*" {
				return true
			}
		}
	}
	return false
}
