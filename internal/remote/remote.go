// Package remote is a client of the read API of a hosted reader (docs/api.md), and of the few calls
// beside it that write: uploads, drafts, tokens, feedback. It knows a server by its answers alone,
// and trusts none of them: every answer is bounded, and a token goes to its own origin and nowhere
// else.
package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/figs-web/figs-web/internal/version"
)

// Base is where the addresses of the API begin.
const Base = "/api/v1"

const (
	mostAnswer  = 64 << 20 // bytes of an answer that is JSON
	mostRefusal = 64 << 10
	answerTime  = 60 * time.Second // for one call and its whole answer
	stallTime   = 30 * time.Second // without a byte, while a file comes
	mostHops    = 5
	mostParts   = 10_000 // of one list
)

// Options are where a client asks, and as whom.
type Options struct {
	Origin    *url.URL          // as Origin gives it
	Token     string            // "" asks as nobody
	Transport http.RoundTripper // nil is one of its own, with the system's proxies and certificates
}

// Client asks one hosted reader. It may be used by several goroutines.
type Client struct {
	origin string
	token  string
	http   *http.Client
}

// New makes a client. It asks nothing yet.
func New(o Options) *Client {
	c := &Client{origin: o.Origin.Scheme + "://" + o.Origin.Host, token: o.Token}
	if o.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.ResponseHeaderTimeout = stallTime
		o.Transport = t
	}
	c.http = &http.Client{Transport: o.Transport, CheckRedirect: c.follow}
	return c
}

// Address is the origin that is asked.
func (c *Client) Address() string { return c.origin }

// follow lets a server send the call on within its own origin, for a token that went to another
// one would be that one's.
func (c *Client) follow(r *http.Request, before []*http.Request) error {
	if to := r.URL.Scheme + "://" + r.URL.Host; to != c.origin {
		return &Error{Kind: ErrorDenied, Sentence: "The server at " + c.origin + " sends this call on to another address, " + origin(to) + ".",
			Hint: "Nothing was sent there. If the server has moved, use its new URL."}
	}
	if len(before) >= mostHops {
		return &Error{Kind: ErrorInvalid, Sentence: "The server at " + c.origin + " redirects in a loop.", Hint: "Check its URL and any proxy in between."}
	}
	return nil
}

// Get asks for an address, below Base or from the server's root on, and decodes the JSON of its answer.
func (c *Client) Get(ctx context.Context, path string, into any) error {
	_, _, err := c.GetTagged(ctx, path, "", into)
	return err
}

// GetTagged is Get for who holds an answer already: where the server says that the one with this tag
// still holds, changed is false and into stays as it is.
func (c *Client) GetTagged(ctx context.Context, path, tag string, into any) (newTag string, changed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	r, err := c.request(ctx, http.MethodGet, path, nil)
	if err != nil {
		return "", false, err
	}
	if tag != "" {
		r.Header.Set("If-None-Match", tag)
	}
	answer, err := c.do(r)
	if err != nil {
		return "", false, err
	}
	defer answer.Body.Close()
	if tag != "" && answer.StatusCode == http.StatusNotModified {
		return tag, false, nil
	}
	return answer.Header.Get("ETag"), true, c.decode(ctx, answer, into)
}

// Post sends a JSON object, and decodes that of the answer.
func (c *Client) Post(ctx context.Context, path string, object, into any) error {
	body, err := json.Marshal(object)
	if err != nil {
		return err
	}
	return c.send(ctx, http.MethodPost, path, body, into)
}

// Delete asks that what stands at an address be deleted.
func (c *Client) Delete(ctx context.Context, path string) error {
	return c.send(ctx, http.MethodDelete, path, nil, nil)
}

func (c *Client) send(ctx context.Context, method, path string, body []byte, into any) error {
	// What a slow line needs for a large upload comes on top.
	ctx, cancel := context.WithTimeout(ctx, answerTime+time.Duration(len(body)>>14)*time.Second)
	defer cancel()
	r, err := c.request(ctx, method, path, body)
	if err != nil {
		return err
	}
	answer, err := c.do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	return c.decode(ctx, answer, into)
}

func (c *Client) request(ctx context.Context, method, path string, body []byte) (*http.Request, error) {
	if !strings.HasPrefix(path, "/api/") {
		path = Base + path
	}
	var from io.Reader
	if body != nil {
		from = bytes.NewReader(body)
	}
	r, err := http.NewRequestWithContext(ctx, method, c.origin+path, from)
	if err != nil {
		return nil, &Error{Kind: ErrorInvalid, Sentence: "The URL isn't valid.", Hint: "Check its spelling.", Cause: err}
	}
	r.Header.Set("User-Agent", "figs-web/"+strings.TrimPrefix(version.Version, "v"))
	r.Header.Set("Accept", "application/json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	return r, nil
}

// do sends a call. Any status is an answer; none is an *Error.
func (c *Client) do(r *http.Request) (*http.Response, error) {
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, c.unanswered(r.Context(), err)
	}
	return answer, nil
}

// decode reads an answer that is JSON; into may be nil.
func (c *Client) decode(ctx context.Context, answer *http.Response, into any) error {
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return c.refused(answer)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostAnswer+1))
	switch {
	case err != nil:
		return c.unanswered(ctx, err)
	case len(text) > mostAnswer:
		return &Error{Kind: ErrorInvalid, Sentence: fmt.Sprintf("The response of %s is larger than %d MiB, so it wasn't read.", c.origin, mostAnswer>>20), Hint: "Request less: one record instead of a list."}
	case into == nil:
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return &Error{Kind: ErrorInvalid, Status: answer.StatusCode, Sentence: "The response of " + c.origin + " isn't that of a figs-web server.", Hint: "Check the URL, and that the server isn't older than this program.", Cause: err}
	}
	return nil
}

// Each asks for a list, part after part, and hands on every item. An item that was handed on already,
// since the list changed in between, comes again: whoever counts goes by its id.
func (c *Client) Each(ctx context.Context, path string, do func(json.RawMessage) error) error {
	for n := 0; path != ""; n++ {
		if n == mostParts {
			return &Error{Kind: ErrorInvalid, Sentence: "The list of " + c.origin + " doesn't end.", Hint: "Request its records one by one."}
		}
		var part struct {
			Items []json.RawMessage `json:"items"`
			Next  *string           `json:"next"`
		}
		if err := c.Get(ctx, path, &part); err != nil {
			return err
		}
		for _, item := range part.Items {
			if err := do(item); err != nil {
				return err
			}
		}
		switch {
		case part.Next == nil, len(part.Items) == 0:
			path = ""
		case !strings.HasPrefix(*part.Next, Base+"/"):
			return &Error{Kind: ErrorInvalid, Sentence: "The list of " + c.origin + " continues at another server's URL.", Hint: "Check that the URL is that of a figs-web server."}
		default:
			path = *part.Next
		}
	}
	return nil
}

// unanswered is the failure of a call to which no whole answer came.
func (c *Client) unanswered(ctx context.Context, err error) error {
	var known *Error
	var late interface{ Timeout() bool }
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(ctx.Err(), context.Canceled):
		return context.Canceled
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &late) && late.Timeout():
		return &Error{Kind: ErrorTimeout, Sentence: c.origin + " didn't respond in time.", Hint: "Try again. If it happens again, check the server.", Cause: err}
	}
	return &Error{Kind: ErrorNetwork, Sentence: c.origin + " can't be reached: " + reason(err) + ".", Hint: "Check the URL and the network, then try again.", Cause: err}
}
