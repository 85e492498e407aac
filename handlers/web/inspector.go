package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/httperr"
)

// Inspector is where the one file comes from. Its methods fail when the program was built
// without it.
type Inspector interface {
	File() ([]byte, error)
	Brotli() ([]byte, error)
	Policy() (string, error)
}

// page is the inspector as it is sent.
type page struct {
	err           error // why there is none
	policy        string
	plain, brotli tagged
}

// tagged is a body with its strong ETag.
type tagged struct {
	body []byte
	tag  string
}

func tag(body []byte) tagged {
	sum := sha256.Sum256(body)
	return tagged{body, `"` + hex.EncodeToString(sum[:16]) + `"`}
}

// ReadPage reads the inspector once, when it is first asked for: most visits of a hosted reader never do, and its bytes stay on
// disk until then.
func ReadPage(i Inspector) func() page {
	return sync.OnceValue(func() page { return pageOf(i) })
}

func pageOf(i Inspector) page {
	policy, err := i.Policy()
	if err != nil {
		return page{err: err}
	}
	plain, err := i.File()
	if err != nil {
		return page{err: err}
	}
	packed, err := i.Brotli()
	return page{err, policy, tag(plain), tag(packed)}
}

// ShowInspector sends the one file as it is, compressed where the browser takes brotli.
func (s *Server) ShowInspector(c echo.Context) error {
	page := s.Page()
	if page.err != nil {
		return &httperr.Problem{Status: http.StatusServiceUnavailable, Title: "The inspector isn't built", Hint: "This program was built without its WebAssembly modules. In a checkout, run make build and start bin/figs-web.", Cause: page.err}
	}
	h := c.Response().Header()
	h.Set("Content-Security-Policy", page.policy)
	h.Set("Cache-Control", "no-cache")
	h.Add("Vary", "Accept-Encoding")
	if accepts(c.Request(), "br") {
		h.Set("Content-Encoding", "br")
		return page.brotli.send(c, "text/html; charset=utf-8")
	}
	return page.plain.send(c, "text/html; charset=utf-8")
}

// send answers with the body, or with 304 when the client has it.
func (t tagged) send(c echo.Context, contentType string) error {
	h := c.Response().Header()
	h.Set("ETag", t.tag)
	if has(c.Request(), t.tag) {
		return c.NoContent(http.StatusNotModified)
	}
	h.Set("Content-Length", strconv.Itoa(len(t.body)))
	if c.Request().Method == http.MethodHead {
		h.Set("Content-Type", contentType)
		return c.NoContent(http.StatusOK)
	}
	return c.Blob(http.StatusOK, contentType, t.body)
}

// accepts reports whether the client takes a content coding.
func accepts(r *http.Request, coding string) bool {
	for _, header := range r.Header.Values("Accept-Encoding") {
		for part := range strings.SplitSeq(header, ",") {
			name, quality, weighed := strings.Cut(strings.ReplaceAll(part, " ", ""), ";q=")
			if strings.EqualFold(name, coding) {
				q, err := strconv.ParseFloat(quality, 64)
				return !weighed || err == nil && q > 0
			}
		}
	}
	return false
}

// has reports whether the client named the tag in If-None-Match.
func has(r *http.Request, tag string) bool {
	for part := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		if part = strings.TrimSpace(part); part == "*" || strings.TrimPrefix(part, "W/") == tag {
			return true
		}
	}
	return false
}
