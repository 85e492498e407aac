package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
)

// served is a client of a server of the test's own.
func served(t *testing.T, h http.HandlerFunc) *Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return at(t, s.URL)
}

func at(t *testing.T, address string) *Client {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return New(Options{Origin: u, Token: "figs_secret"})
}

func kindOfError(t *testing.T, err error) ErrorKind {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("the error is %v, want an *Error", err)
	}
	if e.Sentence == "" || strings.Contains(e.Sentence+e.Hint, "figs_secret") {
		t.Errorf("the error says %q %q", e.Sentence, e.Hint)
	}
	return e.Kind
}

// A token never goes to another origin, whichever way a server sends the call on.
func TestTokenStaysAtItsOrigin(t *testing.T) {
	var asked atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked.Add(1) }))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		c := served(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL+"/api/v1/x", status) })
		var into any
		if err := c.Get(context.Background(), "/x", &into); kindOfError(t, err) != ErrorDenied {
			t.Errorf("%d = %v", status, err)
		}
		if _, err := c.Open(context.Background(), "/x"); kindOfError(t, err) != ErrorDenied {
			t.Errorf("a file, %d = %v", status, err)
		}
		if err := c.Post(context.Background(), "/x", map[string]string{"a": "b"}, &into); kindOfError(t, err) != ErrorDenied {
			t.Errorf("a post, %d = %v", status, err)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the other origin was asked %d times", n)
	}
}

// Within its origin a server may send a call on, but not for ever.
func TestFollows(t *testing.T) {
	c := served(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/api/v1/old" && r.Header.Get("Authorization") == "Bearer figs_secret":
			http.Redirect(w, r, "/api/v1/new", http.StatusFound)
		case r.URL.Path == "/api/v1/new" && r.Header.Get("Authorization") == "Bearer figs_secret":
			io.WriteString(w, `{"a":1}`)
		default:
			http.Redirect(w, r, "/api/v1/round", http.StatusFound)
		}
	})
	var got struct{ A int }
	if err := c.Get(context.Background(), "/old", &got); err != nil || got.A != 1 {
		t.Errorf("/old = %+v, %v", got, err)
	}
	if err := c.Get(context.Background(), "/round", &got); kindOfError(t, err) != ErrorInvalid {
		t.Errorf("/round = %v", err)
	}
}

func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		status int
		body   string
		want   ErrorKind
		says   string
	}{
		{401, `{"error":"This token is not known here. Make another.","code":"token_unknown"}`, ErrorDenied, "This token is not known here."},
		{403, `{"error":"No.","code":"x"}`, ErrorDenied, "No."},
		{404, `{"error":"No such thing."}`, ErrorNotFound, "No such thing."},
		{409, `{"error":"Taken.","path":"/api/v1/x"}`, ErrorExists, "Taken."},
		{409, `{"error":"Closed.","code":"ask_closed"}`, ErrorDenied, "Closed."},
		{409, `{"error":"There.","code":"draft_exists"}`, ErrorExists, "There."},
		{422, `{"error":"Empty."}`, ErrorInvalid, "Empty."},
		{429, `{"error":"Too often."}`, ErrorNetwork, "Too often."},
		{500, `<html>`, ErrorNetwork, "status 500"},
		{503, ``, ErrorNetwork, "status 503"},
		{200, `<html>`, ErrorInvalid, "isn't that of a figs-web server"},
		{200, ``, ErrorInvalid, "isn't that of a figs-web server"},
		{404, strings.Repeat("x", 1<<20), ErrorNotFound, "status 404"},
		{400, `{"error":7}`, ErrorInvalid, "status 400"},
	} {
		c := served(t, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(test.status)
			io.WriteString(w, test.body)
		})
		var into map[string]any
		err := c.Get(context.Background(), "/x", &into)
		if kindOfError(t, err) != test.want || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%d %.40q = %v", test.status, test.body, err)
		}
	}
}

// An answer without an end is not read for ever.
func TestBounded(t *testing.T) {
	c := served(t, func(w http.ResponseWriter, r *http.Request) {
		block := []byte(strings.Repeat(" ", 1<<20))
		for r.Context().Err() == nil {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	var into any
	if err := c.Get(context.Background(), "/x", &into); kindOfError(t, err) != ErrorInvalid {
		t.Errorf("an endless answer = %v", err)
	}
}

func TestUnreachable(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	c := at(t, s.URL)
	s.Close()
	var into any
	if err := c.Get(context.Background(), "/x", &into); kindOfError(t, err) != ErrorNetwork {
		t.Errorf("nobody listens: %v", err)
	}
	broken := served(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, `{"a"`)
		panic(http.ErrAbortHandler)
	})
	if err := broken.Get(context.Background(), "/x", &into); kindOfError(t, err) != ErrorNetwork {
		t.Errorf("broken off: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := broken.Get(ctx, "/x", &into); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	trusted := httptest.NewTLSServer(http.NotFoundHandler())
	defer trusted.Close()
	trusted.Config.ErrorLog = nil
	if err := at(t, trusted.URL).Get(context.Background(), "/x", &into); kindOfError(t, err) != ErrorNetwork || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate of nobody: %v", err)
	}
}

// A list ends where the server says so, and goes on at its own addresses only.
func TestEach(t *testing.T) {
	next := `"/api/v1/x?from=2"`
	c := served(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery == "from=2" {
			io.WriteString(w, `{"items":[3],"next":null}`)
			return
		}
		fmt.Fprintf(w, `{"items":[1,2],"next":%s}`, next)
	})
	read := func() (got []string, err error) {
		err = c.Each(context.Background(), "/x", func(item json.RawMessage) error { got = append(got, string(item)); return nil })
		return got, err
	}
	if got, err := read(); err != nil || strings.Join(got, " ") != "1 2 3" {
		t.Errorf("= %v, %v", got, err)
	}
	for _, next = range []string{`"https://evil.example/api/v1/x"`, `"//evil.example/"`, `"/elsewhere"`} {
		if _, err := read(); kindOfError(t, err) != ErrorInvalid {
			t.Errorf("next %s = %v", next, err)
		}
	}
	next = `"/api/v1/x?from=0"` // round in circles
	if got, err := read(); kindOfError(t, err) != ErrorInvalid || len(got) != 2*mostParts {
		t.Errorf("a list without an end = %d, %v", len(got), err)
	}
	empty := served(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `{"items":[],"next":"/api/v1/x"}`) })
	if err := empty.Each(context.Background(), "/x", func(json.RawMessage) error { return nil }); err != nil {
		t.Error(err)
	}
}

func TestTagged(t *testing.T) {
	c := served(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `W/"a"`)
		if r.Header.Get("If-None-Match") == `W/"a"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		io.WriteString(w, `{"a":1}`)
	})
	var got struct{ A int }
	tag, changed, err := c.GetTagged(context.Background(), "/x", "", &got)
	if err != nil || !changed || got.A != 1 {
		t.Fatalf("first = %q %t %v", tag, changed, err)
	}
	if _, changed, err = c.GetTagged(context.Background(), "/x", tag, &got); err != nil || changed {
		t.Errorf("again = %t %v, want nothing new", changed, err)
	}
}

func TestContent(t *testing.T) {
	c := served(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-SHA256", "ab")
		io.WriteString(w, "bytes")
	})
	f, err := c.Open(context.Background(), "/x")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if b, err := io.ReadAll(f); err != nil || string(b) != "bytes" || f.SHA256 != "ab" || f.Size != 5 {
		t.Errorf("= %q %v %+v", b, err, f)
	}
}

func TestOrigin(t *testing.T) {
	for _, test := range []struct{ address, origin, path string }{
		{"https://reader.example", "https://reader.example", ""},
		{"https://Reader.Example:8443/w/acme/", "https://reader.example:8443", "/w/acme/"},
		{"http://[::1]:80/agents/~YQ", "http://[::1]:80", "/agents/~YQ"},
		{"https://me:pw@reader.example", "", ""}, {"https://me@reader.example", "", ""}, {"ftp://x", "", ""}, {"https://", "", ""},
		{"https://x/?token=figs_secret", "", ""}, {"https://x/#a", "", ""}, {"https:x", "", ""}, {"https://x y/", "", ""}, {"", "", ""},
	} {
		origin, path, err := Origin(test.address)
		if test.origin == "" {
			if err == nil || kindOfError(t, err) != ErrorInvalid {
				t.Errorf("Origin(%q) = %v, %v", test.address, origin, err)
			}
			continue
		}
		if err != nil || origin.String() != test.origin || path != test.path {
			t.Errorf("Origin(%q) = %v %q %v", test.address, origin, path, err)
		}
	}
	for address, want := range map[string]bool{"https://x": true, "http://127.0.0.1:1": true, "http://[::1]": true, "http://localhost:1": true,
		"http://x": false, "http://10.0.0.1": false, "http://localhost.evil.example": false, "http://127.0.0.1.evil.example": false} {
		u, _ := url.Parse(address)
		if IsPrivate(u) != want {
			t.Errorf("Private(%s) = %t", address, !want)
		}
	}
}
