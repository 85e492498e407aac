package handlers

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/internal/journal"
)

// problem is an error with the words that the visitor reads. The cause stays with the
// operator.
type problem struct {
	status int
	title  string
	hint   string
	retry  int // seconds after which to ask again; 0: not at all
	cause  error
}

func (p *problem) Error() string {
	if p.cause != nil {
		return p.title + ": " + p.cause.Error()
	}
	return p.title
}

func (p *problem) Unwrap() error { return p.cause }

// forOperator is what whoever runs the server must know; nil when the visitor erred.
func (p *problem) forOperator() error {
	if p == nil || p.status < http.StatusInternalServerError {
		return nil
	}
	return p
}

// problemOf is the one place where an error becomes a status and public words.
func problemOf(err error) *problem {
	var p *problem
	var h *echo.HTTPError
	var m *journal.Missing
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &m):
		return &problem{status: http.StatusNotFound, title: strings.TrimSuffix(m.Sentence, "."), hint: m.Hint}
	case errors.Is(err, errChanged):
		return &problem{status: http.StatusNotFound, title: "This file has changed since the page was made", hint: "Load the page again to see what it holds now."}
	case errors.Is(err, journal.ErrNotFound):
		return &problem{status: http.StatusNotFound, title: "There is no such file here", hint: "Load the page again; the file may have changed, or another folder may be open now."}
	case errors.Is(err, errBusy):
		return &problem{status: http.StatusServiceUnavailable, title: "Too many attachments are being shown at this moment", hint: "Nothing is lost. Load the page again in a few seconds.", retry: 3}
	case errors.Is(err, errLate):
		return &problem{status: http.StatusServiceUnavailable, title: "This attachment takes long to show", hint: "It is still being made ready. Load the page again in a few seconds.", retry: 5}
	case errors.Is(err, context.Canceled):
		return &problem{status: statusGone, title: "Nobody waits for this any more"}
	case errors.As(err, &h) && h.Code == http.StatusNotFound:
		return &problem{status: h.Code, title: "There is no such page", hint: "The inspector is at the start; the rules are under /rules."}
	case errors.As(err, &h) && h.Code == http.StatusMethodNotAllowed:
		return &problem{status: h.Code, title: "This page can only be read", hint: "Nothing can be sent to this address."}
	case errors.As(err, &h) && h.Code < 500:
		return &problem{status: h.Code, title: http.StatusText(h.Code), hint: "Check the address."}
	}
	id := rand.Text()
	return &problem{status: http.StatusInternalServerError, title: "Something went wrong here", hint: "Tell whoever runs this server: error " + id + ".", cause: fmt.Errorf("error %s: %w", id, err)}
}

// statusGone is for the log alone: the visitor went away before the answer was there.
const statusGone = 499
