package remote

import (
	"context"
	"io"
	"net/http"
	"time"
)

// Content is a file while it comes.
type Content struct {
	io.ReadCloser
	Size   int64  // bytes as announced; -1 when it is not said
	SHA256 string // in hex, as the server says; "" when it does not
}

// Open begins to read the bytes at an address. Whoever reads holds them against the hash. The
// reading ends with an error when no byte comes for a while.
func (c *Client) Open(ctx context.Context, path string) (*Content, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	r, err := c.request(ctx, http.MethodGet, path, nil)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	r.Header.Set("Accept", "*/*")
	answer, err := c.do(r)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		defer cancel(nil)
		defer answer.Body.Close()
		return nil, c.refused(answer)
	}
	s := &steady{client: c, ctx: ctx, body: answer.Body, cancel: cancel}
	s.stall = time.AfterFunc(stallTime, func() {
		cancel(&Error{Kind: ErrorTimeout, Sentence: c.origin + " stopped sending in the middle of a file.", Hint: "Try again."})
	})
	return &Content{s, answer.ContentLength, answer.Header.Get("X-Content-SHA256")}, nil
}

// steady reads a body as long as bytes come.
type steady struct {
	client *Client
	ctx    context.Context
	body   io.ReadCloser
	cancel context.CancelCauseFunc
	stall  *time.Timer
}

func (s *steady) Read(b []byte) (int, error) {
	n, err := s.body.Read(b)
	s.stall.Reset(stallTime)
	if err != nil && err != io.EOF {
		if cause, ok := context.Cause(s.ctx).(*Error); ok {
			return n, cause
		}
		err = s.client.unanswered(s.ctx, err)
	}
	return n, err
}

func (s *steady) Close() error {
	s.stall.Stop()
	s.cancel(nil)
	return s.body.Close()
}
