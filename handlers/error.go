package handlers

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"
)

// problem is an error with the words that the visitor reads. The cause stays with the
// operator.
type problem struct {
	status int
	title  string
	hint   string
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
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &h) && h.Code == http.StatusNotFound:
		return &problem{status: h.Code, title: "There is no such page", hint: "The inspector is at the start; the rules are under /rules."}
	case errors.As(err, &h) && h.Code == http.StatusMethodNotAllowed:
		return &problem{status: h.Code, title: "This page can only be read", hint: "Nothing can be sent to this address."}
	case errors.As(err, &h) && h.Code < 500:
		return &problem{status: h.Code, title: http.StatusText(h.Code), hint: "Check the address."}
	}
	id := rand.Text()
	return &problem{http.StatusInternalServerError, "Something went wrong here", "Tell whoever runs this server: error " + id + ".", fmt.Errorf("error %s: %w", id, err)}
}
