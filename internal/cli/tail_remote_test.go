package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestTailRetries: limits, failures and broken answers of a server neither end a tail nor make it repeat or lose an event.
func TestTailRetries(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	var late atomic.Int64 // between 429 and the request after it
	event := func(kind, cursor string) string {
		return fmt.Sprintf(`{"items":[{"ts":"2026-11-20T10:00:00Z","agent":"a","kind":%q,"sentence":%q,"cursor":%q}],"cursor":%q,"more":false,"skipped":false}`, kind, kind, cursor, cursor)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/events") {
			fmt.Fprint(w, `{"items":[{"id":"w","slug":"acme","name":"Acme","role":"owner"}]}`)
			return
		}
		after := r.URL.Query().Get("after")
		switch n := asked.Add(1); n {
		case 1:
			fmt.Fprint(w, event("job_started", "5"))
		case 2:
			late.Store(time.Now().UnixMilli())
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		case 3:
			late.Store(time.Now().UnixMilli() - late.Load())
			w.WriteHeader(http.StatusBadGateway)
		case 4:
			w.Header().Set("Content-Length", "500")
			fmt.Fprint(w, `{"items":[`)
			panic(http.ErrAbortHandler)
		case 5:
			fmt.Fprint(w, event("job_ok", "6"))
		default:
			if after != "6" {
				t.Errorf("request %d asks after %q, want 6", n, after)
			}
			if r.Header.Get("If-None-Match") != "" {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			w.Header().Set("ETag", `W/"6"`)
			fmt.Fprint(w, `{"items":[],"cursor":"6","more":false,"skipped":false}`)
		}
		if n := asked.Load(); n > 1 && n < 6 && after != "5" {
			t.Errorf("request %d asks after %q, want 5", n, after)
		}
	}))
	defer server.Close()
	w := &watchedFolder{T: t, events: make(chan map[string]any, 10)}
	line, lines, stop := started(t, "tail", "-f", "-q", "--json", server.URL)
	w.pass(line)
	go func() {
		for lines.Scan() {
			w.pass(lines.Text())
		}
	}()
	w.next("the start", "job_started")
	w.next("four failures", "job_ok")
	w.silent("that", 500*time.Millisecond)
	if ms := late.Load(); ms < 900 {
		t.Errorf("asked again %d ms after Retry-After: 1", ms)
	}
	if code := stop(); code != 0 {
		t.Errorf("a stopped tail exits %d, want 0", code)
	}
}
