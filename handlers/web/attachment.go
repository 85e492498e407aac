package web

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/parcel"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/internal/journal"
)

// laidOut has all blocks of a long text laid out at once, so that a frame as tall as its document and a hidden copy of it
// agree on where each line is. static/js/remarks/passage-mode.js has the same for the inspector.
const laidOut = "<style>.f-block{content-visibility:visible!important}</style>"

// ShowFrame sends an attachment's document, or the difference of two.
func (s *Server) ShowFrame(c echo.Context) error {
	s.Viewer.Headers(c.Response().Header())
	if err := s.Viewer.Admit(c.Request()); err != nil {
		return err
	}
	measuring := s.Viewer.Signer == nil && c.QueryParams().Has("measure")
	if measuring {
		c.Response().Header().Set("Content-Security-Policy", measuringPolicy(s.Viewer.Ancestors))
	}
	ctx, workspace, view := c.Request().Context(), c.Param("workspace"), c.QueryParam("view")
	d, ok := documentOf(c.Param("file"), view)
	if !ok {
		return echo.ErrNotFound
	}
	var body []byte
	if c.Param("other") == "" {
		result, err := s.Viewer.Result(ctx, workspace, d)
		if err != nil {
			return err
		}
		body = result.Document
		if len(body) > 0 && !measuring {
			s.ViewedBy(c, d.SHA256, d.Ext, string(d.View))
		}
	} else {
		other, ok := documentOf(c.Param("other"), "")
		if !ok || view != "" {
			return echo.ErrNotFound
		}
		comparison, err := s.Viewer.Comparison(ctx, workspace, d, other)
		if err != nil {
			return err
		}
		body = comparison.Document
	}
	if c.QueryParams().Has("whole") {
		body = bytes.Replace(body, []byte("</head>"), []byte(laidOut+"</head>"), 1) // in a style sheet of the attachment, '<' is escaped
	}
	if measuring && c.QueryParam("measure") == "twin" {
		body = []byte("<!doctype html><title>figs-web</title>") // the page's script fills it with a copy
	}
	if len(body) == 0 {
		return &httperr.Problem{Status: http.StatusNotFound, Title: "Preview not available", Hint: "Files of this type can't be previewed. Download the file instead."}
	}
	return c.Blob(http.StatusOK, "text/html; charset=utf-8", body)
}

// frameOf is what a reader sees in the place of a document: a sentence and a hint.
func frameOf(ctx context.Context, p *httperr.Problem) []byte {
	return []byte(`<!DOCTYPE html><html lang="` + i18n.Language(ctx) + `"><head><meta charset="utf-8"><title>figs-web</title><style>body{margin:2rem;font:16px/1.5 system-ui,sans-serif;color:#222;background:#fff}</style></head><body><p><strong>` +
		html.EscapeString(TitleOf(ctx, p)) + `.</strong> ` + html.EscapeString(ui.Message(ctx, p.Hint, p.Args)) + `</p></body></html>`)
}

// SendDownload sends an attachment, byte for byte what was hashed, never to be shown.
func (s *Server) SendDownload(c echo.Context) error {
	h := c.Response().Header()
	viewer.Privately(h)
	h.Set("Content-Security-Policy", parcel.Policy)
	name, ok := journal.ParseSegment(c.Param("name"))
	if !ok {
		return echo.ErrNotFound
	}
	a, err := s.Viewer.Files.Attachment(c.Request().Context(), c.Param("workspace"), c.Param("sha256"))
	if err != nil {
		return err
	}
	if !slices.Contains(a.Names, name) {
		return journal.ErrNotFound
	}
	body, err := a.Open(c.Request().Context())
	if err != nil {
		return err
	}
	defer body.Close()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", parcel.Disposition(name))
	h.Set("Content-Length", strconv.FormatInt(a.Size, 10))
	h.Set("Accept-Ranges", "none")
	if err := parcel.Pass(c.Response(), body, c.Param("sha256")); err != nil {
		if !c.Response().Committed { // it is short, and known before the first byte is sent
			for _, name := range []string{"Content-Type", "Content-Disposition", "Content-Length", "Accept-Ranges"} {
				h.Del(name) // they are those of the file, and not of what is said of it
			}
			return err
		}
		if c.Request().Context().Err() == nil {
			c.Set(FaultKey, fmt.Errorf("the download of %q was cut off: %w", name, err))
		}
		panic(http.ErrAbortHandler) // the browser must not take a part, or other bytes, for the file
	}
	s.ViewedBy(c, c.Param("sha256"), viewer.Extension(name), Download)
	return nil
}
