package handlers_test

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/testenv"
)

const policy = "default-src 'none'; script-src 'sha256-abc'"

// fixed is an inspector of few bytes; missing is one that was not built.
type fixed struct{}

func (fixed) File() ([]byte, error)   { return []byte("<!DOCTYPE html>"), nil }
func (fixed) Brotli() ([]byte, error) { return []byte("brotli"), nil }
func (fixed) Policy() (string, error) { return policy, nil }

var errMissing = errors.New("inner cause")

type missing struct{}

func (missing) File() ([]byte, error)   { return nil, errMissing }
func (missing) Brotli() ([]byte, error) { return nil, errMissing }
func (missing) Policy() (string, error) { return "", errMissing }

func server(t *testing.T, c handlers.Config) http.Handler {
	t.Helper()
	if c.Inspector == nil {
		c.Inspector = fixed{}
	}
	h, err := handlers.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// ask sends one request; headers are "Name: value".
func ask(h http.Handler, method, path string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestInspector(t *testing.T) {
	h := server(t, handlers.Config{})
	for _, path := range []string{"/", "/inspect"} {
		r := ask(h, "GET", path)
		want := map[string]string{
			"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache", "Vary": "Accept-Encoding", "Content-Encoding": "",
		}
		for name, value := range want {
			if got := r.Header.Get(name); got != value {
				t.Errorf("GET %s: %s = %q, want %q", path, name, got, value)
			}
		}
		if got := body(t, r); r.StatusCode != 200 || got != "<!DOCTYPE html>" {
			t.Errorf("GET %s = %d %q", path, r.StatusCode, got)
		}
	}
}

func TestInspectorEncodings(t *testing.T) {
	h := server(t, handlers.Config{})
	for accept, want := range map[string]string{
		"gzip, deflate, br": "br", "br;q=0.5": "br", "BR": "br", "br;q=0": "", "br; q=0.0, gzip": "", "gzip": "", "": "", "brotli": "",
	} {
		r := ask(h, "GET", "/inspect", "Accept-Encoding: "+accept)
		if got := r.Header.Get("Content-Encoding"); got != want {
			t.Errorf("Accept-Encoding %q: Content-Encoding = %q, want %q", accept, got, want)
		}
	}
}

func TestInspectorIsSentOnce(t *testing.T) {
	h := server(t, handlers.Config{})
	plain := ask(h, "GET", "/inspect").Header.Get("ETag")
	packed := ask(h, "GET", "/inspect", "Accept-Encoding: br").Header.Get("ETag")
	if plain == "" || plain == packed {
		t.Errorf("ETags %q and %q: want two that differ, one for each encoding", plain, packed)
	}
	r := ask(h, "GET", "/inspect", "If-None-Match: \"other\", W/"+plain)
	if r.StatusCode != 304 || body(t, r) != "" {
		t.Errorf("with the file at hand: %d, want 304 and no body", r.StatusCode)
	}
	if r := ask(h, "HEAD", "/inspect"); r.StatusCode != 200 || r.Header.Get("Content-Length") != "15" || body(t, r) != "" {
		t.Errorf("HEAD = %d, length %q; want 200, the length and no body", r.StatusCode, r.Header.Get("Content-Length"))
	}
}

func TestInspectorMissing(t *testing.T) {
	var events []handlers.Event
	h := server(t, handlers.Config{Inspector: missing{}, Log: func(e handlers.Event) { events = append(events, e) }})
	r := ask(h, "GET", "/")
	if got := body(t, r); r.StatusCode != 503 || !strings.Contains(got, "make build") || strings.Contains(got, errMissing.Error()) {
		t.Errorf("GET / = %d %q; want 503, the way to mend it, and no internal text", r.StatusCode, got)
	}
	if len(events) != 1 || events[0].Status != 503 || !errors.Is(events[0].Err, errMissing) {
		t.Errorf("events = %+v, want one with the cause", events)
	}
}

func TestRules(t *testing.T) {
	h := server(t, handlers.Config{})
	list := body(t, ask(h, "GET", "/rules"))
	for code := range figs.Codes() {
		address := "/rules/" + code.String()
		if !strings.Contains(list, `href="`+address+`"`) {
			t.Errorf("/rules does not link to %s", address)
		}
		r := ask(h, "GET", address)
		if got := body(t, r); r.StatusCode != 200 || !strings.Contains(got, code.String()) || !strings.Contains(got, "<!DOCTYPE html>") && !strings.Contains(got, "<!doctype html>") {
			t.Errorf("GET %s = %d, want a whole page that names the rule", address, r.StatusCode)
		}
	}
	if r := ask(h, "GET", "/rules/no_such_rule"); r.StatusCode != 404 {
		t.Errorf("an unknown rule = %d, want 404", r.StatusCode)
	}
}

func TestPagesAllowNoScriptAndNoInlineStyle(t *testing.T) {
	h := server(t, handlers.Config{})
	for _, path := range []string{"/rules", "/rules/line_broken", "/nowhere"} {
		r := ask(h, "GET", path)
		if got := r.Header.Get("Content-Security-Policy"); !strings.HasPrefix(got, "default-src 'none'; style-src 'self';") || strings.Contains(got, "unsafe") || strings.Contains(got, "script-src") {
			t.Errorf("GET %s: policy %q", path, got)
		}
		if found := regexp.MustCompile(`(?i)<script|<style|\sstyle=|\son\w+=`).FindString(body(t, r)); found != "" {
			t.Errorf("GET %s: the page holds %q, which its policy forbids", path, found)
		}
	}
}

func TestAssets(t *testing.T) {
	h := server(t, handlers.Config{})
	address := regexp.MustCompile(`/static/[0-9a-f]{16}/figs\.css`).FindString(body(t, ask(h, "GET", "/rules")))
	if address == "" {
		t.Fatal("/rules names no style sheet with a hash")
	}
	r := ask(h, "GET", address)
	plain := body(t, r)
	if r.StatusCode != 200 || r.Header.Get("Content-Type") != "text/css; charset=utf-8" || !strings.Contains(r.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("GET %s = %d %v", address, r.StatusCode, r.Header)
	}
	packed, err := gzip.NewReader(ask(h, "GET", address, "Accept-Encoding: gzip").Body)
	if err != nil {
		t.Fatal(err)
	}
	if unpacked, err := io.ReadAll(packed); err != nil || string(unpacked) != plain {
		t.Errorf("compressed: %d bytes, %v; want the same %d", len(unpacked), err, len(plain))
	}
	// Of another version, as while several servers are upgraded one by one: what there is, which nobody keeps.
	r = ask(h, "GET", "/static/0000000000000000/figs.css")
	if got := body(t, r); r.StatusCode != 200 || got != plain || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("another version's = %d %v", r.StatusCode, r.Header)
	}
	for _, other := range []string{"/static/0000000000000000/none.css", "/static/x/figs.css", address + "x", "/static/", "/static/../figs.css"} {
		if r := ask(h, "GET", other); r.StatusCode != 404 {
			t.Errorf("GET %s = %d, want 404", other, r.StatusCode)
		}
	}
}

func TestErrors(t *testing.T) {
	var events []handlers.Event
	h := server(t, handlers.Config{Log: func(e handlers.Event) { events = append(events, e) }})
	for _, test := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/nowhere", 404}, {"GET", "/%2e%2e/etc/passwd", 404}, {"POST", "/inspect", 405}, {"DELETE", "/rules", 405}, {"HEAD", "/nowhere", 404},
	} {
		r := ask(h, test.method, test.path)
		if got := body(t, r); r.StatusCode != test.status || test.method != "HEAD" && !strings.Contains(got, "<h1>") {
			t.Errorf("%s %s = %d %q, want %d with a page", test.method, test.path, r.StatusCode, got, test.status)
		}
		if e := events[len(events)-1]; e.Status != test.status || e.Err != nil {
			t.Errorf("%s %s: event %+v, want the status and no error of ours", test.method, test.path, e)
		}
	}
}

func TestNewChecks(t *testing.T) {
	if _, err := handlers.New(handlers.Config{}); err == nil {
		t.Error("New() without an inspector: want an error")
	}
}

// slow answers once it is let go.
type slow struct{ begun, goOn chan struct{} }

func (s slow) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	close(s.begun)
	<-s.goOn
	io.WriteString(w, "done")
}

func TestServeFinishesWhatIsUnderWay(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	h := slow{make(chan struct{}), make(chan struct{})}
	served := make(chan error, 1)
	go func() { served <- handlers.Serve(ctx, l, h) }()
	answer := make(chan string, 1)
	go func() {
		r, err := http.Get("http://" + l.Addr().String())
		if err != nil {
			answer <- err.Error()
			return
		}
		defer r.Body.Close()
		b, _ := io.ReadAll(r.Body)
		answer <- string(b)
	}()
	<-h.begun
	stop()
	testenv.Eventually(t, 10*time.Second, "the listener to close while the request is open", func() bool {
		c, err := net.Dial("tcp", l.Addr().String())
		if err == nil {
			c.Close()
		}
		return err != nil
	})
	close(h.goOn)
	if got := <-answer; got != "done" {
		t.Errorf("the open request got %q, want its answer", got)
	}
	if err := <-served; err != nil {
		t.Errorf("Serve() = %v, want nil after a stop", err)
	}
}
