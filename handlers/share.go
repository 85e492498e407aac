package handlers

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/fault"
	"github.com/figs-web/figs-web/handlers/parcel"
	"github.com/figs-web/figs-web/internal/inspector"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/share"
	copies "github.com/figs-web/figs-web/internal/share/parcel"
)

// Shares gives the folders of which copies are made.
type Shares interface {
	// ShareFolder is the folder of the agent with that key, or journal.ErrNotFound.
	ShareFolder(ctx context.Context, agent string) (copies.Folder, error)
}

// sharer looks through folders for the page of a copy.
type sharer struct{ shares Shares }

// Share is what there is to replace.
func (s sharer) Share(ctx context.Context, agent, ask string, c *share.Choice) (*share.Found, error) {
	f, err := s.shares.ShareFolder(ctx, agent)
	if err != nil {
		return nil, err
	}
	sharing, err := copies.Take(ctx, f, ask, c)
	if err != nil {
		return nil, copyFailure(err)
	}
	return sharing.Found(c), nil
}

// copyFailure is why no copy can be made, as the answers say it.
func copyFailure(err error) error {
	switch {
	case errors.Is(err, copies.ErrNoAsk):
		return journal.ErrNotFound
	case errors.Is(err, copies.ErrChanged):
		return &fault.Problem{Status: http.StatusConflict, Code: "folder_changed", Title: "The folder was changed while it was read, so there is no copy",
			Hint: "Load the page again. While an agent is at work in the folder, wait until it is done."}
	}
	return err
}

// asksForCopy reports whether a form of the page of a copy wants the copy itself.
func asksForCopy(c echo.Context) bool {
	as := c.QueryParam("as")
	return c.Param("section") == "share" && (as == "zip" || as == "page") && c.QueryParam("at") == "" // of the past there is none
}

// sendCopy sends the copy that the page of the address has shown; ask is the id of the only ask in it, or "". What was
// chosen in the form holds for what was seen: of a folder that has changed since, the page is shown again. before is called
// when a copy will be sent, and before its first byte; it may be nil.
func (s *server) sendCopy(c echo.Context, f copies.Folder, ask string, sent url.Values, now time.Time, before func() error) error {
	ctx, choice := c.Request().Context(), share.ParseChoice(sent)
	sharing, err := copies.Take(ctx, f, ask, choice)
	if err != nil {
		return copyFailure(err)
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
			return &fault.Problem{Status: http.StatusServiceUnavailable, Code: "inspector_missing", Title: "This figs-web was built without its inspector",
				Hint: "Save the copy as .figs.zip, or run make build and start again."}
		}
	}
	if before != nil {
		if err := before(); err != nil {
			return err
		}
	}
	head := c.Response().Header()
	privately(head)
	head.Set("Content-Security-Policy", parcel.Policy)
	head.Set("Content-Disposition", parcel.Disposition(name))
	head.Set("Content-Type", kind)
	if err := write(ctx, late{c}, sharing, choice, now); err != nil {
		if !c.Response().Committed {
			head.Del("Content-Disposition") // it is that of the copy, and not of what is said of it
			return copyFailure(err)
		}
		panic(http.ErrAbortHandler) // the browser must not take a part for the whole
	}
	return nil
}

// late sends the head of an answer with its first byte, so that an error before it can still be told.
type late struct{ echo.Context }

func (w late) Write(b []byte) (int, error) { return w.Response().Write(b) }

var _ io.Writer = late{}

// openCopy sends a copy of an open folder.
func (s *folderServer) openCopy(c echo.Context) error {
	ask := ""
	if key := c.Param("key"); key != "" {
		path := "/" + url.PathEscape(c.Param("agent")) + "/asks/" + url.PathEscape(key)
		j, err := s.opening.Folder.Journal(c.Request().Context(), path)
		if err != nil {
			return err
		}
		found, err := j.Ask(c.Request().Context(), c.Param("agent"), key)
		if err != nil {
			return err
		}
		if ask = found.Ask.ID; ask == "" {
			return journal.ErrNotFound // a copy of no ask would be one of all
		}
	}
	f, err := s.opening.Shares.ShareFolder(c.Request().Context(), c.Param("agent"))
	if err != nil {
		return err
	}
	return s.sendCopy(c, f, ask, c.QueryParams(), s.opening.Now(), nil)
}
