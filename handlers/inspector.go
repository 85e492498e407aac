package handlers

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
)

// Inspector is where the one file comes from. Its methods fail when the program was built
// without it.
type Inspector interface {
	File() ([]byte, error)
	Brotli() ([]byte, error)
	Policy() (string, error)
}

// showInspector sends the one file as it is, compressed where the browser takes brotli.
func (s *server) showInspector(c echo.Context) error {
	policy, err := s.Inspector.Policy()
	if err != nil {
		return &problem{http.StatusServiceUnavailable, "The inspector is not built yet", "This program was built without its WebAssembly modules. In a checkout, run make build and start bin/figs-web.", err}
	}
	body, encoding, err := s.encoded(c.Request())
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Cache-Control", "no-cache")
	h.Add("Vary", "Accept-Encoding")
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	return sendTagged(c, "text/html; charset=utf-8", body)
}

func (s *server) encoded(r *http.Request) (body []byte, encoding string, err error) {
	if accepts(r, "br") {
		if body, err = s.Inspector.Brotli(); err == nil {
			return body, "br", nil
		}
	}
	body, err = s.Inspector.File()
	return body, "", err
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

// sendTagged sends the body with a strong ETag, or 304 when the client has it.
func sendTagged(c echo.Context, contentType string, body []byte) error {
	sum := sha256.Sum256(body)
	tag := `"` + hex.EncodeToString(sum[:16]) + `"`
	h := c.Response().Header()
	h.Set("ETag", tag)
	if has(c.Request(), tag) {
		return c.NoContent(http.StatusNotModified)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if c.Request().Method == http.MethodHead {
		h.Set("Content-Type", contentType)
		return c.NoContent(http.StatusOK)
	}
	return c.Blob(http.StatusOK, contentType, body)
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
