package cli

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// serveJSON is a reader of the test's own, and returns its address.
func serveJSON(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}
