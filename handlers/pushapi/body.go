package pushapi

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/httperr"
)

// patience is how long a body may take: a while, and longer for what has arrived meanwhile.
type patience struct {
	first  time.Duration
	rate   int64         // bytes for which there is a second more
	answer time.Duration // for what comes after the body
	drain  time.Duration // for the rest of a body that is refused
}

var usualPatience = patience{first: time.Minute, rate: 256 << 10, answer: 5 * time.Minute, drain: 15 * time.Second}

// limit is the most that a body may be, and the sentence for more.
type limit struct {
	bytes   int64
	problem *httperr.Problem
}

// open returns the decoded body of a request. Its errors are *httperr.Problem.
func (w *Wire) open(c echo.Context, l limit) (io.Reader, error) {
	r, p := c.Request(), w.patiently(c)
	coding := strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding")))
	switch coding {
	case "", "identity":
		if r.ContentLength > l.bytes {
			p.leave(l.bytes)
			return nil, l.problem
		}
		return &limitedReader{p, p, l}, nil
	case "gzip":
		compressed := &limitedReader{p, p, l}
		decoded, err := gzip.NewReader(compressed)
		if err != nil {
			return nil, unreadable(err)
		}
		return &limitedReader{decoded, p, l}, nil
	}
	return nil, &httperr.Problem{Status: http.StatusUnsupportedMediaType, Code: "encoding_unknown", Title: "The body has an unsupported Content-Encoding; nothing was stored",
		Hint: "Send it uncompressed or with gzip."}
}

func (w *Wire) patiently(c echo.Context) *patientReader {
	r := c.Request()
	p := &patientReader{from: r.Body, control: http.NewResponseController(c.Response().Writer), patience: w.patience, began: time.Now()}
	// The server's limit on answers counts from the beginning of the request, and would cut off what is
	// said of a body that came slowly.
	longest := p.patience.first + time.Duration(w.MaxIngest/p.patience.rate)*time.Second
	_ = p.control.SetWriteDeadline(p.began.Add(longest + p.patience.answer))
	if r.Header.Get("Expect") != "" {
		p.patience.drain = 0 // nobody sends the rest before being told to
	}
	return p
}

// leave lets the body of a request that is refused come, and forgets it.
func (w *Wire) leave(c echo.Context) { w.patiently(c).leave(w.MaxIngest) }

// patientReader reads a body as long as it goes on coming.
type patientReader struct {
	from     io.Reader
	control  *http.ResponseController
	patience patience
	began    time.Time
	got      int64
}

func (p *patientReader) Read(b []byte) (int, error) {
	// Doors that know no deadlines are those of tests.
	_ = p.control.SetReadDeadline(p.began.Add(p.patience.first + time.Duration(p.got/p.patience.rate)*time.Second))
	n, err := p.from.Read(b)
	p.got += int64(n)
	if err == io.EOF { // what comes now has its own time
		_ = p.control.SetReadDeadline(time.Time{})
		_ = p.control.SetWriteDeadline(time.Now().Add(p.patience.answer))
	}
	return n, err
}

// leave reads on for a while without keeping anything, a few times as much as was allowed: who is
// still sending would otherwise see a broken connection instead of the answer, and come again for
// ever.
func (p *patientReader) leave(allowed int64) {
	if p.patience.drain == 0 {
		return
	}
	_ = p.control.SetReadDeadline(time.Now().Add(p.patience.drain))
	io.CopyN(io.Discard, p.from, 4*allowed)
}

type limitedReader struct {
	from  io.Reader
	under *patientReader
	limit limit
}

func (r *limitedReader) Read(b []byte) (int, error) {
	n, err := r.from.Read(b)
	if r.limit.bytes -= int64(n); r.limit.bytes < 0 {
		r.under.leave(max(r.under.got, 1<<20))
		return 0, r.limit.problem
	}
	if err != nil && err != io.EOF {
		err = unreadable(err)
	}
	return n, err
}

// unreadable gives an error of reading its public words.
func unreadable(err error) error {
	var p *httperr.Problem
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &httperr.Problem{Status: http.StatusServiceUnavailable, Code: "body_slow", Title: "The body arrived too slowly; nothing was stored", Retry: 30, Cause: err,
			Hint: "Your local records are safe. Push again when the connection is better."}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &httperr.Problem{Status: http.StatusBadRequest, Code: "body_cut", Title: "The body was cut off; nothing was stored", Cause: err,
			Hint: "Push again. If it happens again, check whether the client or a proxy cuts it off or sends a wrong Content-Length."}
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), strings.HasPrefix(err.Error(), "flate: "):
		return &httperr.Problem{Status: http.StatusBadRequest, Code: "body_unreadable", Title: "The body isn't valid gzip; nothing was stored", Cause: err,
			Hint: "Send it again, or without Content-Encoding."}
	}
	return &httperr.Problem{Status: http.StatusBadRequest, Code: "body_unreadable", Title: "The body couldn't be read; nothing was stored", Cause: err,
		Hint: "Push again. If it happens again, something between the client and this server is breaking the connection."}
}

// size writes a limit as people say it.
func size(n int64) string {
	if n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB (%d bytes)", n>>20, n)
	}
	return fmt.Sprintf("%d bytes", n)
}
