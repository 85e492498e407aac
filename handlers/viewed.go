package handlers

import (
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/fault"
	"github.com/figs-web/figs-web/internal/receipt"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/sandbox/report"
)

// shownFor is how long an attachment must have been on somebody's page before they can have viewed it.
const shownFor = time.Second

// sentWays are the ways in which an attachment was sent to a page. None of them says that anybody has looked.
var sentWays = []string{string(report.Rendered), string(report.Source), string(report.Text)}

var (
	errViewedOther = &fault.Problem{Status: http.StatusConflict, Code: "not_shown", Title: "This page is out of date, so nothing was recorded as viewed",
		Hint: "The ask or its attachments have changed since. Load the page again."}
	errViewedEarly = &fault.Problem{Status: http.StatusConflict, Code: "too_early", Title: "This file was not on your page long enough to count as viewed", Hint: "Look at it for at least a second."}
)

// markViewed records that the visitor has read an attachment of an ask to its end, or which part of it was on
// their screen. Their page must show the ask as it is now, and the file must have been sent to it.
func (h *host) markViewed(c echo.Context) error {
	t, err := h.tried(c, false)
	if t == nil {
		return err
	}
	i, how := viewedFile(&t.form, &t.x.gate), viewedHow(c)
	if t.form.Revision != t.x.Revision || i < 0 || how == "" {
		return errViewedOther
	}
	if !slices.ContainsFunc(t.x.opened[i], func(o store.Opened) bool { return slices.Contains(sentWays, o.How) && longAgo(o.At, t.now) }) {
		return errViewedEarly
	}
	file := &t.x.gate.Files[i]
	o := store.Opened{Workspace: t.at.Workspace.ID, Person: t.user.ID, SHA256: file.SHA256, Ext: extension(file.Name), How: how, At: t.now}
	if err := h.Store.Open(c.Request().Context(), o); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// markViewed is that of an open folder.
func (s *folderServer) markViewed(c echo.Context) error {
	t, err := s.openTried(c)
	if t == nil {
		return err
	}
	i, how := viewedFile(&t.form, &t.gate), viewedHow(c)
	if t.form.Revision != s.opening.Replies.Revision(t.ask) || i < 0 || how == "" {
		return errViewedOther
	}
	file, now := &t.gate.Files[i], s.opening.Now().UnixMicro()
	if !s.replies.sentBefore(file.SHA256, extension(file.Name), now) {
		return errViewedEarly
	}
	s.replies.view(file.SHA256, extension(file.Name), how)
	return c.NoContent(http.StatusNoContent)
}

// longAgo reports whether what was sent at a time can have been viewed by now. A clock that was set back since
// makes it later than now.
func longAgo(at, now int64) bool { return now-at >= shownFor.Microseconds() || at > now }

// viewedFile is the index of the one attachment that a form names, as it is now; -1 when there is none.
func viewedFile(f *reply.Form, g *reply.Gate) int {
	if len(f.Files) != 1 {
		return -1
	}
	return slices.IndexFunc(g.Files, func(file reply.Gated) bool { return file.File == f.Files[0] && !file.Absent() })
}

// viewedHow is the way that a page reports; "" is none.
func viewedHow(c echo.Context) string {
	how := typed(c, "part")
	switch {
	case how == "":
		return receipt.OnScreen
	case receipt.PartOf(how) == 0:
		return ""
	}
	return how
}

// openedAlone reports whether a person has opened the page of one file to view it for an ask: by the link
// of the ask's page, and on no other site.
func openedAlone(c echo.Context) bool {
	r := c.Request()
	return r.Method == http.MethodGet && c.Param("section") == "files" && c.QueryParam("for") != "" && ours(r) && !ahead(r)
}

// noteAlone notes that.
func (h *host) noteAlone(c echo.Context) func(document) {
	if !openedAlone(c) {
		return nil
	}
	return func(d document) { h.noteLooked(c, d.sha256, d.ext, receipt.Alone) }
}

func (s *folderServer) noteAlone(c echo.Context) func(document) {
	if s.replies == nil || !openedAlone(c) {
		return nil
	}
	return func(d document) { s.replies.view(d.sha256, d.ext, receipt.Alone) }
}
