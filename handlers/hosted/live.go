package hosted

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/changefeed"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// SendEvents tells a page which agents of its workspace have changed, for as long as the page listens. What
// changed the page asks for itself, with all that is checked then.
func (h *Host) SendEvents(c echo.Context) error {
	v, at := auth.Of(c), auth.At(c)
	var now []byte
	if known, ok := web.SeenBefore(c); ok && known < at.Workspace.Seq {
		seq, rows, err := h.ChangedRows(c.Request().Context(), at.Workspace.ID, known)
		if err != nil {
			return err
		}
		at.Workspace.Seq = max(at.Workspace.Seq, seq)
		now = changefeed.EventText(at.Workspace.Seq, rows)
	}
	// A stream lasts: it keeps these few words of what the request knows.
	session, person, workspace := strings.Clone(v.Session), strings.Clone(v.User.ID), strings.Clone(at.Workspace.ID)
	s := &web.Stream{Seen: at.Workspace.Seq, Beat: h.Streams.Beat, Still: func() bool { return h.stillMember(session, person, workspace) }}
	s.Text = func(seen, seq int64) []byte { return h.Rows.Text(workspace, seen, seq) }
	watch := func(tell func(int64)) func() { return h.Rows.Watch(workspace, s.Seen, tell) }
	return h.Stream(c, s, web.Audience{Watch: watch, Seats: h.Streams.Seats, Person: person, Stopping: h.Stopping}, now)
}

// NewRows asks the store which agents changed.
func (h *Host) NewRows() *changefeed.Rows {
	return changefeed.NewRows(h.Live, ui.MaxRows, h.ChangedRows)
}

// ChangedRows implements changefeed.Ask: rows are named as in the pages.
func (h *Host) ChangedRows(ctx context.Context, workspace string, since int64) (int64, []string, error) {
	changed, err := h.Store.Changes(ctx, workspace, since, ui.MaxRows)
	if err != nil || changed.All {
		return changed.Seq, nil, err
	}
	rows := make([]string, 0, len(changed.Agents))
	for _, id := range changed.Agents {
		rows = append(rows, ui.AgentRow(journal.Segment(id)))
	}
	return changed.Seq, rows, nil
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
