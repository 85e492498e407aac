package web

import (
	"compress/gzip"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"
)

// worthwhile is how long an answer must be to be compressed, in bytes.
const worthwhile = 1 << 10

// packable are the types of answers that are compressed as they are written. Assets and the
// inspector are compressed already; attachments and streams of events are left alone.
var packable = map[string]bool{"text/html": true, "application/json": true, "text/plain": true, "text/markdown": true}

var packers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(io.Discard, 5) // a level that exists
	return w
}}

// Compress compresses pages and the answers of the interfaces for whoever takes gzip. What a page
// holds of secrets is none: forms carry no token whose length could tell something.
func Compress(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if r.Method == http.MethodHead || IsStream(c) || strings.HasPrefix(c.Path(), "/v/") || strings.HasPrefix(c.Path(), "/a/") {
			return next(c)
		}
		w := c.Response().Writer
		p := &packer{ResponseWriter: w, takes: accepts(r, "gzip")}
		c.Response().Writer = p
		defer func() {
			p.finish()
			c.Response().Writer = w
		}()
		return next(c)
	}
}

// packer decides at the first bytes of an answer whether it compresses.
type packer struct {
	http.ResponseWriter
	takes  bool // the client takes gzip
	status int  // held back until the first bytes; 0: none yet
	begun  bool // the header is written
	gzip   *gzip.Writer
}

// WriteHeader holds the status back.
func (p *packer) WriteHeader(status int) {
	if status >= 100 && status < 200 {
		p.ResponseWriter.WriteHeader(status)
		return
	}
	p.status = status
}

// begin writes the header; n is the length of the first bytes.
func (p *packer) begin(n int) {
	if p.begun {
		return
	}
	p.begun = true
	if p.status == 0 {
		p.status = http.StatusOK
	}
	h := p.Header()
	kind, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	if packable[kind] && h.Get("Content-Encoding") == "" && h.Get("Content-Range") == "" {
		h.Add("Vary", "Accept-Encoding")
		if p.takes && n >= worthwhile {
			p.pack(h)
		}
	}
	p.ResponseWriter.WriteHeader(p.status)
}

func (p *packer) pack(h http.Header) {
	h.Set("Content-Encoding", "gzip")
	h.Del("Content-Length")
	if tag := h.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		h.Set("ETag", "W/"+tag) // the same answer in other bytes
	}
	p.gzip = packers.Get().(*gzip.Writer)
	p.gzip.Reset(p.ResponseWriter)
}

// Write implements io.Writer.
func (p *packer) Write(b []byte) (int, error) {
	p.begin(len(b))
	if p.gzip != nil {
		return p.gzip.Write(b)
	}
	return p.ResponseWriter.Write(b)
}

// FlushError sends what there is.
func (p *packer) FlushError() error {
	p.begin(0)
	if p.gzip != nil {
		if err := p.gzip.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(p.ResponseWriter).Flush()
}

// Flush implements http.Flusher.
func (p *packer) Flush() { p.FlushError() }

// Unwrap lets the deadlines through.
func (p *packer) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// finish ends the answer.
func (p *packer) finish() {
	if p.status != 0 {
		p.begin(0)
	}
	if p.gzip != nil {
		p.gzip.Close()
		packers.Put(p.gzip)
		p.gzip = nil
	}
}
