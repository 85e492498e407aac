package hosted

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// SendEvents tells a page that its workspace has changed, for as long as the page listens. What
// changed the page asks for itself, with all that is checked then.
func (h *Host) SendEvents(c echo.Context) error {
	v, at := auth.Of(c), auth.At(c)
	now := int64(0)
	if known, ok := web.SeenBefore(c); ok && known < at.Workspace.Seq {
		now = at.Workspace.Seq
	}
	// A stream lasts: it keeps these few words of what the request knows.
	session, person, workspace := strings.Clone(v.Session), strings.Clone(v.User.ID), strings.Clone(at.Workspace.ID)
	s := &web.Stream{Seen: at.Workspace.Seq, Beat: h.Streams.Beat, Still: func() bool { return h.stillMember(session, person, workspace) }}
	return h.Stream(c, s, web.Audience{Changes: h.Live, Workspace: workspace, Seats: h.Streams.Seats, Person: person, Stopping: h.Stopping}, now)
}

// stillMember reports whether the session has not ended and the role was not taken since the
// stream began. A store that does not answer takes nothing away.
func (h *Host) stillMember(session, person, workspace string) bool {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
	defer stop()
	if _, err := h.Store.Session(ctx, session, h.Now().UnixMicro()); errors.Is(err, store.ErrNotFound) {
		return false
	}
	role, err := h.Store.Role(ctx, workspace, person)
	if err != nil {
		return !errors.Is(err, store.ErrNotFound)
	}
	return accounts.Can(role, accounts.AgentRelation{}, accounts.ReadWorkspace)
}
