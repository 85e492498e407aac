package web

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/parcel"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/internal/inspector"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/share"
	copies "github.com/figs-web/figs-web/internal/share/parcel"
)

// CopyFailure is why no copy can be made, as the answers say it.
func CopyFailure(err error) error {
	switch {
	case errors.Is(err, copies.ErrNoAsk):
		return journal.ErrNotFound
	case errors.Is(err, copies.ErrChanged):
		return &httperr.Problem{Status: http.StatusConflict, Code: "folder_changed", Title: "The folder changed while it was being read, so no copy was made",
			Hint: "Reload the page. If an agent is working in the folder, wait until it is done."}
	}
	return err
}

// AsksForCopy reports whether a form of the page of a copy wants the copy itself.
func AsksForCopy(c echo.Context) bool {
	as := c.QueryParam("as")
	return c.Param("section") == "share" && (as == "zip" || as == "page") && c.QueryParam("at") == "" // of the past there is none
}

// SendCopy sends the copy that the page of the address has shown; ask is the id of the only ask in it, or "". What was
// chosen in the form holds for what was seen: of a folder that has changed since, the page is shown again. before is called
// when a copy will be sent, and before its first byte; it may be nil.
func (s *Server) SendCopy(c echo.Context, f copies.Folder, ask string, sent url.Values, now time.Time, before func() error) error {
	ctx, choice := c.Request().Context(), share.ParseOptions(sent)
	sharing, err := copies.Open(ctx, f, ask, choice)
	if err != nil {
		return CopyFailure(err)
	}
	if choice.Seen != sharing.Seen() {
		form := choice.Form()
		form.Set("seen", "another") // nobody looked at what is there now
		return c.Redirect(http.StatusSeeOther, c.Request().URL.EscapedPath()+"?"+form.Encode())
	}
	name, kind, write := sharing.FileName()+".figs.zip", "application/zip", f.Zip
	if sent.Get("as") == "page" {
		name, kind, write = sharing.FileName()+".html", "application/octet-stream", f.Page
		if _, err := inspector.File(); err != nil {
			return &httperr.Problem{Status: http.StatusServiceUnavailable, Code: "inspector_missing", Title: "This figs-web was built without its inspector",
				Hint: "Save the copy as .figs.zip, or run make build and start again."}
		}
	}
	if before != nil {
		if err := before(); err != nil {
			return err
		}
	}
	head := c.Response().Header()
	viewer.Privately(head)
	head.Set("Content-Security-Policy", parcel.Policy)
	head.Set("Content-Disposition", parcel.Disposition(name))
	head.Set("Content-Type", kind)
	if err := write(ctx, late{c}, sharing, choice, now); err != nil {
		if !c.Response().Committed {
			head.Del("Content-Disposition") // it is that of the copy, and not of what is said of it
			return CopyFailure(err)
		}
		panic(http.ErrAbortHandler) // the browser must not take a part for the whole
	}
	return nil
}

// late sends the head of an answer with its first byte, so that an error before it can still be told.
type late struct{ echo.Context }

func (w late) Write(b []byte) (int, error) { return w.Response().Write(b) }

var _ io.Writer = late{}
