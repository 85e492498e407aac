package remote

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// ErrorKind is why a call did not succeed.
type ErrorKind uint8

// The kinds.
const (
	ErrorNetwork  ErrorKind = iota // no answer came, or the server failed: trying again may help
	ErrorTimeout                   // it took too long
	ErrorNotFound                  // there is no such thing, or it is not for the caller to see
	ErrorDenied                    // the caller may not, or nobody said who asks
	ErrorInvalid                   // the server did not understand the call, or its answer cannot be understood
	ErrorExists                    // something stands in the way that must go first
)

// Error is a call that did not succeed, in words.
type Error struct {
	Kind     ErrorKind
	Status   int    // of the answer; 0 when there was none
	Code     string // the server's own word for it; ""
	Sentence string
	Hint     string
	Retry    time.Duration  // after which to ask again; 0 is not said
	Fields   map[string]any // more of the answer
	Cause    error
}

func (e *Error) Error() string { return e.Sentence }

func (e *Error) Unwrap() error { return e.Cause }

// refused reads an answer that is no success: {"error": "What is wrong. What to do.", "code"}.
func (c *Client) refused(answer *http.Response) error {
	e := &Error{Kind: kindOf(answer.StatusCode), Status: answer.StatusCode}
	if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && seconds > 0 && seconds <= 3600 {
		e.Retry = time.Duration(seconds) * time.Second
	}
	text, _ := io.ReadAll(io.LimitReader(answer.Body, mostRefusal))
	var said map[string]any
	sentence := ""
	if json.Unmarshal(text, &said) == nil {
		sentence, _ = said["error"].(string)
		e.Code, _ = said["code"].(string)
		delete(said, "error")
		delete(said, "code")
		e.Fields = said
	}
	if e.Kind == ErrorExists && e.Code != "" && !strings.HasSuffix(e.Code, "_exists") && !strings.HasSuffix(e.Code, "_taken") {
		e.Kind = ErrorDenied // nothing stands in the way that could go: the ask is closed, or the like
	}
	if sentence == "" {
		e.Sentence = c.origin + " answers with the status " + strconv.Itoa(answer.StatusCode) + "."
		e.Hint = "Check that the URL is that of a figs-web server."
		return e
	}
	e.Sentence, e.Hint = sentence, ""
	if first, rest, more := strings.Cut(sentence, ". "); more {
		e.Sentence, e.Hint = first+".", rest
	}
	return e
}

func kindOf(status int) ErrorKind {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return ErrorDenied
	case http.StatusNotFound, http.StatusGone:
		return ErrorNotFound
	case http.StatusConflict:
		return ErrorExists
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return ErrorTimeout
	case http.StatusTooManyRequests:
		return ErrorNetwork
	}
	if status >= 500 {
		return ErrorNetwork
	}
	return ErrorInvalid
}

// reason says in a few words why no connection came about.
func reason(err error) string {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	var u *url.Error
	switch {
	case errors.As(err, &name):
		return "no machine has that name"
	case errors.As(err, &certificate):
		return "its certificate is not to be trusted (" + certificate.Err.Error() + ")"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens there"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return "the connection broke off"
	case errors.As(err, &u):
		return strings.TrimSuffix(u.Err.Error(), ".")
	}
	return strings.TrimSuffix(err.Error(), ".")
}

// origin cuts an address to what may be printed of it.
func origin(address string) string {
	if len(address) > 200 {
		return strconv.Quote(address[:200]) + "…"
	}
	return strconv.Quote(address)
}
