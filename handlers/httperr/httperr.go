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
	"github.com/figs-web/figs-web/internal/sentence"
	"github.com/figs-web/figs-web/internal/store"
)

// Errors of packages that don't word messages themselves.
var (
	ErrBusy    = errors.New("too many attachments are being rendered")
	ErrLate    = errors.New("an attachment takes long to render")
	ErrChanged = errors.New("the bytes of an attachment don't match the hash in its URL")
)

// Problem is an error with a public message. Its cause is only for the operator.
type Problem struct {
	Status int
	Code   string         // for programs, such as "agent_moved"; may be empty
	Title  string         // what happened, it may lack its full stop
	Hint   string         // whole sentences: what to do
	Args   []any          // of title and hint, as package sentence has them
	Retry  int            // seconds until a retry makes sense; 0 if it never does
	Fields map[string]any // further members of the JSON error, beside "error" and "code"
	Cause  error
}

func (p *Problem) Error() string {
	title := sentence.Fill(p.Title, p.Args)
	if p.Cause != nil {
		return title + ": " + p.Cause.Error()
	}
	return title
}

func (p *Problem) Unwrap() error { return p.Cause }

// Sentence is title and hint in one English text, for clients that print only that.
func (p *Problem) Sentence() string {
	s := p.Title
	if s != "" && !strings.ContainsAny(s[len(s)-1:], ".?!") {
		s += "."
	}
	if p.Hint != "" {
		s += " " + p.Hint
	}
	return sentence.Fill(s, p.Args)
}

// ForOperator returns the problem if it is a server error (5xx), otherwise nil.
func (p *Problem) ForOperator() error {
	if p == nil || p.Status < http.StatusInternalServerError {
		return nil
	}
	return p
}

// gone is a status only for the log: the client disconnected before the response.
const gone = 499

// Of returns the status and the public message of any error.
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
		return &Problem{Status: http.StatusUnprocessableEntity, Code: "agent_too_large", Title: m.Sentence, Hint: m.Hint, Args: m.Args}
	case errors.As(err, &m):
		return &Problem{Status: http.StatusNotFound, Title: m.Sentence, Hint: m.Hint, Args: m.Args}
	case errors.Is(err, ErrChanged):
		return &Problem{Status: http.StatusNotFound, Title: "This file has changed since you opened the page", Hint: "Reload the page to see the current version."}
	case errors.Is(err, journal.ErrNotFound), errors.Is(err, store.ErrNotFound), errors.Is(err, blob.ErrNotFound):
		return &Problem{Status: http.StatusNotFound, Code: "not_found", Title: "Not found", Hint: "Check the URL. The item may have changed, may be in another folder or workspace, or you may not have access to it."}
	case errors.Is(err, ErrBusy):
		return &Problem{Status: http.StatusServiceUnavailable, Title: "Too many attachments are being shown right now", Hint: "Reload the page in a few seconds.", Retry: 3}
	case errors.Is(err, ErrLate):
		return &Problem{Status: http.StatusServiceUnavailable, Title: "This attachment is still being prepared", Hint: "Reload the page in a few seconds.", Retry: 5}
	case errors.Is(err, context.Canceled):
		return &Problem{Status: gone, Title: "The client closed the connection"}
	case errors.Is(err, context.DeadlineExceeded):
		return &Problem{Status: http.StatusServiceUnavailable, Code: "late", Title: "The server took too long to respond", Hint: "Your data is safe. Try again in a few seconds.", Retry: 5, Cause: err}
	case errors.As(err, &push):
		return &Problem{Status: http.StatusBadRequest, Code: "push_unreadable", Title: push.Sentence}
	case errors.As(err, &h) && h.Code == http.StatusNotFound:
		return &Problem{Status: h.Code, Code: "not_found", Title: "Not found", Hint: "Check the URL. Pages begin at /, the inspector is at /inspect, the rules are under /rules, and the API is under /api/."}
	case errors.As(err, &h) && h.Code == http.StatusMethodNotAllowed:
		return &Problem{Status: h.Code, Code: "method_not_allowed", Title: "This URL doesn't accept that method", Hint: "Pages can be read. The API's OpenAPI document lists what can be sent where."}
	case errors.As(err, &h) && h.Code < 500:
		return &Problem{Status: h.Code, Title: "This request can't be processed", Hint: "Check the URL and what you sent."}
	}
	id := rand.Text()
	return &Problem{Status: http.StatusInternalServerError, Code: "internal", Title: "Something went wrong", Hint: "Try again. If it happens again, tell the server's administrator: error {0}.", Args: []any{id}, Cause: fmt.Errorf("error %s: %w", id, err)}
}
