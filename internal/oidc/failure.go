package oidc

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Error says why the provider's word is not taken. The sentence is for the person; the cause is
// for the log, and holds no code, no token and no secret.
type Error struct {
	Code     string // "provider_down", "provider_refused", "cancelled", "token_bad", "not_again"
	Sentence string
	Args     []any // of the sentence, as package sentence has them
	Cause    error
}

func (f *Error) Error() string {
	if f.Cause == nil {
		return "oidc: " + f.Code
	}
	return "oidc: " + f.Code + ": " + f.Cause.Error()
}

func (f *Error) Unwrap() error { return f.Cause }

// down is a provider that does not answer, or not as one.
func down(err error) *Error {
	return &Error{Code: "provider_down", Sentence: "The sign-in provider isn't responding correctly. Try again in a minute; if it keeps happening, tell the server's administrator.", Cause: bare(err)}
}

// bad is an answer that cannot be believed.
func bad(why string, err error) *Error {
	cause := errors.New(why)
	if err != nil {
		cause = fmt.Errorf("%s: %w", why, err)
	}
	return &Error{Code: "token_bad", Sentence: "The sign-in provider's response isn't valid, so you weren't signed in. Start again; if it keeps happening, tell the server's administrator: the log has the reason.", Cause: cause}
}

// plainCode is what error codes of OAuth look like. Anything else in their place is not repeated.
var plainCode = regexp.MustCompile(`^[a-z_]{1,40}$`)

// refused is what the provider said in place of who somebody is.
func refused(q url.Values) *Error {
	code := q.Get("error")
	switch {
	case code == "access_denied":
		return &Error{Code: "cancelled", Sentence: "The sign-in was cancelled, or the provider doesn't give you access to this server. Start again, or ask the provider's administrator."}
	case !plainCode.MatchString(code):
		return &Error{Code: "provider_refused", Sentence: "The sign-in provider rejected the sign-in. Start again; if it keeps happening, tell the server's administrator.", Cause: errors.New("an error without a name")}
	}
	return &Error{Code: "provider_refused", Sentence: "The sign-in provider rejected the sign-in with the error {0}. Start again; if it keeps happening, tell the server's administrator.", Args: []any{code}, Cause: errors.New(code)}
}

// bare is an error of the network or of OAuth without the address and the body that it may hold:
// both may carry a code.
func bare(err error) error {
	var answer *oauth2.RetrieveError
	var address *url.Error
	var other *oidc.IssuerMismatchError
	switch {
	case errors.As(err, &answer):
		code := answer.ErrorCode
		if !plainCode.MatchString(code) {
			code = "no code"
		}
		status := ""
		if answer.Response != nil {
			status = answer.Response.Status
		}
		return fmt.Errorf("the provider answered %q, %s", status, code)
	case errors.As(err, &address):
		return address.Err
	case errors.As(err, &other), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return err
}
