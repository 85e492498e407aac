// Package httperr turns every error into an HTTP status and a public message: a sentence that says what happened, and a hint
// that says what to do. Pages and API calls show the same message.
package httperr

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// Errors of rooms that know no words for them.
var (
	ErrBusy    = errors.New("too many attachments are being rendered")
	ErrLate    = errors.New("an attachment takes long to render")
	ErrChanged = errors.New("an attachment does not hold the bytes that its address names")
)

// Problem is an error with the words that the visitor reads. The cause stays with the
// operator.
type Problem struct {
	Status int
	Code   string         // for programs, "agent_moved"; may be empty
	Title  string         // one sentence without its full stop
	Hint   string         // whole sentences: the way out
	Retry  int            // seconds after which to ask again; 0: not at all
	Fields map[string]any // more for programs, beside "error" and "code"
	Cause  error
}

func (p *Problem) Error() string {
	if p.Cause != nil {
		return p.Title + ": " + p.Cause.Error()
	}
	return p.Title
}

func (p *Problem) Unwrap() error { return p.Cause }

// Sentence is all of its words in one text, for clients that print nothing else.
func (p *Problem) Sentence() string {
	s := p.Title
	if s != "" && !strings.ContainsAny(s[len(s)-1:], ".?!") {
		s += "."
	}
	if p.Hint != "" {
		s += " " + p.Hint
	}
	return s
}

// ForOperator is what whoever runs the server must know; nil when the visitor erred.
func (p *Problem) ForOperator() error {
	if p == nil || p.Status < http.StatusInternalServerError {
		return nil
	}
	return p
}

// gone is a status for the log alone: the visitor went away before the answer was there.
const gone = 499

// Of gives any error its status and its public words.
func Of(err error) *Problem {
	var p *Problem
	var h *echo.HTTPError
	var m *journal.Missing
	var push *figs.PushError
	if errors.As(err, &p) {
		return p
	}
	if p = ofStore(err); p != nil {
		return p
	}
	if p = ofTrouble(err); p != nil {
		return p
	}
	switch {
	case errors.As(err, &m) && m.TooLarge:
		return &Problem{Status: http.StatusUnprocessableEntity, Code: "agent_too_large", Title: strings.TrimSuffix(m.Sentence, "."), Hint: m.Hint}
	case errors.As(err, &m):
		return &Problem{Status: http.StatusNotFound, Title: strings.TrimSuffix(m.Sentence, "."), Hint: m.Hint}
	case errors.Is(err, ErrChanged):
		return &Problem{Status: http.StatusNotFound, Title: "This file has changed since the page was made", Hint: "Load the page again to see what it holds now."}
	case errors.Is(err, journal.ErrNotFound), errors.Is(err, store.ErrNotFound), errors.Is(err, blob.ErrNotFound):
		return &Problem{Status: http.StatusNotFound, Code: "not_found", Title: "There is no such thing here", Hint: "Check the address. What it names may have changed, may be in another folder or workspace, or may not be for you to see; go back and load the page again."}
	case errors.Is(err, ErrBusy):
		return &Problem{Status: http.StatusServiceUnavailable, Title: "Too many attachments are being shown right now", Hint: "Nothing is lost. Load the page again in a few seconds.", Retry: 3}
	case errors.Is(err, ErrLate):
		return &Problem{Status: http.StatusServiceUnavailable, Title: "This attachment takes long to show", Hint: "It is still being made ready. Load the page again in a few seconds.", Retry: 5}
	case errors.Is(err, context.Canceled):
		return &Problem{Status: gone, Title: "No one is waiting for this any more"}
	case errors.Is(err, context.DeadlineExceeded):
		return &Problem{Status: http.StatusServiceUnavailable, Code: "late", Title: "This took longer than it may", Hint: "Nothing is lost. Ask again in a few seconds.", Retry: 5, Cause: err}
	case errors.As(err, &push):
		return &Problem{Status: http.StatusBadRequest, Code: "push_unreadable", Title: strings.TrimSuffix(push.Sentence, ".")}
	case errors.As(err, &h) && h.Code == http.StatusNotFound:
		return &Problem{Status: h.Code, Code: "not_found", Title: "Not found", Hint: "Check the address. Pages begin at /, the inspector is at /inspect, the rules are under /rules; what figs clients call begins with /api/, right behind the host."}
	case errors.As(err, &h) && h.Code == http.StatusMethodNotAllowed:
		return &Problem{Status: h.Code, Code: "method_not_allowed", Title: "This address does not take that method", Hint: "A page can be read; what can be sent where is in the API's description."}
	case errors.As(err, &h) && h.Code < 500:
		return &Problem{Status: h.Code, Title: http.StatusText(h.Code), Hint: "Check the address and what you sent."}
	}
	id := rand.Text()
	return &Problem{Status: http.StatusInternalServerError, Code: "internal", Title: "Something went wrong here", Hint: "Nothing of yours is lost. Tell whoever runs this server: error " + id + ".", Cause: fmt.Errorf("error %s: %w", id, err)}
}
