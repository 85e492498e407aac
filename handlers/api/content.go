package api

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/parcel"
	"github.com/figs-web/figs-web/internal/blob"
)

// sendContent sends the bytes of an attachment, which nothing shows. That a program has them tells
// nothing of a person: no approval counts it as opened.
func sendContent(r *request) (any, error) {
	f, err := record(r, r.journal.File)
	if err != nil {
		return nil, err
	}
	if f.SHA256 == "" {
		return nil, &httperr.Problem{Status: http.StatusNotFound, Code: "file_not_arrived", Title: "This file has not arrived",
			Hint: "A push sends records first, then files. The file arrives with the agent's next push if the agent still has it."}
	}
	h, tag := r.c.Response().Header(), `"`+f.SHA256+`"`
	h.Set("ETag", tag)
	h.Set("X-Content-SHA256", f.SHA256)
	if unchanged(r.c.Request(), tag) {
		return nil, r.c.NoContent(http.StatusNotModified)
	}
	h.Set("Content-Security-Policy", parcel.Policy)
	h.Set(echo.HeaderContentType, echo.MIMEOctetStream)
	h.Set("Content-Disposition", parcel.Disposition(f.Name))
	h.Set(echo.HeaderContentLength, strconv.FormatInt(f.Size, 10))
	h.Set("Accept-Ranges", "none")
	if r.c.Request().Method == http.MethodHead {
		r.c.Response().WriteHeader(http.StatusOK)
		return nil, nil
	}
	said := func(err error) (any, error) {
		for _, name := range []string{"ETag", "X-Content-SHA256", "Content-Disposition", echo.HeaderContentLength} {
			h.Del(name) // they are those of the file, and not of what is said of it
		}
		return nil, err
	}
	body, _, err := r.Blobs.Open(r.c.Request().Context(), f.SHA256)
	if err != nil {
		return said(err)
	}
	defer body.Close()
	if err := parcel.Pass(r.c.Response(), body, f.SHA256); err != nil {
		if errors.Is(err, httperr.ErrChanged) {
			err = &blob.DamagedError{SHA256: f.SHA256}
		}
		if !r.c.Response().Committed { // it is short, and known before the first byte is sent
			return said(err)
		}
		if r.c.Request().Context().Err() == nil {
			r.c.Set("fault", err) // for the log, as in package handlers
		}
		panic(http.ErrAbortHandler) // nobody must take a part, or other bytes, for the file
	}
	return nil, nil
}
