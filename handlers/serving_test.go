package handlers

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/store"
)

// keeper is a store of which only its health is asked.
type keeper struct {
	store.Store
	err   error
	step  int
	needs int
	last  int64
}

func (k keeper) Ready(context.Context) error { return k.err }

func (k keeper) Schema(context.Context) (int, error) { return k.step, k.err }

func (k keeper) RequiredSchema(context.Context) (int, error) { return k.needs, k.err }

func (k keeper) LastChange(context.Context) (int64, error) { return k.last, k.err }

func (k keeper) Settle(context.Context, int64) (store.SettleResult, error) {
	return store.SettleResult{}, k.err
}

// fronted is a hosted reader without its routes, but for what a test adds.
func fronted(t *testing.T, public string, s web.Serving, events *[]web.Event) (*hosted.Host, *echo.Echo) {
	t.Helper()
	u, err := url.Parse(public)
	if err != nil {
		t.Fatal(err)
	}
	assets, err := web.LoadAssets()
	if err != nil {
		t.Fatal(err)
	}
	h := &hosted.Host{Options: hosted.Options{Serving: s, Store: keeper{}, Public: u, Now: time.Now}, Health: hosted.NewHealth(time.Now())}
	h.Server = &web.Server{Assets: assets}
	if events != nil {
		h.Server.Log = func(e web.Event) { *events = append(*events, e) }
	}
	return h, newApp(h).front()
}

func TestNamed(t *testing.T) {
	local := web.Serving{Listen: "127.0.0.1:8080"}
	for _, test := range []struct {
		public  string
		serving web.Serving
		host    string
		dest    string
		want    int
	}{
		{"http://127.0.0.1:8080", local, "127.0.0.1:8080", "", 200},
		{"http://127.0.0.1:8080", local, "localhost:8080", "", 200}, // a client that was told so
		{"http://127.0.0.1:8080", local, "LOCALHOST:8080", "document", 307},
		{"http://127.0.0.1:8080", local, "[::1]:8080", "document", 307},
		{"http://127.0.0.1:8080", local, "127.0.0.1:8080", "document", 200},
		{"http://localhost:8080", local, "127.0.0.1:8080", "document", 307}, // its cookie would be another
		{"http://localhost:8080", local, "127.0.0.1:8080", "", 200},
		{"http://localhost:8080", local, "localhost:8080", "document", 200},
		{"http://127.0.0.1:8080", local, "rebound.example:8080", "", 403},
		{"http://127.0.0.1:8080", local, "127.0.0.1:9999", "", 403},
		{"http://127.0.0.1:8080", local, "", "", 403},
		{"https://figs.example", local, "figs.example", "document", 200},
		{"https://figs.example", local, "127.0.0.1:8080", "document", 200}, // a proxy that keeps no names
		{"https://figs.example", local, "figs.example.evil.example", "", 403},
		{"https://figs.example", web.Serving{}, "anything.example", "", 200},
	} {
		_, e := fronted(t, test.public, test.serving, nil)
		e.GET("/page", func(c echo.Context) error { return c.String(200, "it") })
		r := httptest.NewRequest("GET", "/page?q=1", nil)
		r.Host = test.host
		r.Header.Set("Sec-Fetch-Dest", test.dest)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if w.Code != test.want {
			t.Errorf("%s, asked as %q for %q: %d, want %d", test.public, test.host, test.dest, w.Code, test.want)
		}
		if w.Code == 307 && w.Header().Get("Location") != test.public+"/page?q=1" {
			t.Errorf("%q is led to %s", test.host, w.Header().Get("Location"))
		}
		if w.Code == 403 && !strings.Contains(w.Body.String(), "--public-url") {
			t.Errorf("%q is not told the way out: %s", test.host, w.Body)
		}
	}
}

// TestNamedWithoutFetchMetadata holds that a browser that sends no Sec-Fetch-Dest is led to the public URL, too, and a client is not.
func TestNamedWithoutFetchMetadata(t *testing.T) {
	_, e := fronted(t, "http://localhost:8080", web.Serving{Listen: "127.0.0.1:8080"}, nil)
	e.GET("/page", func(c echo.Context) error { return c.String(200, "it") })
	for accept, want := range map[string]int{"text/html,application/xhtml+xml,*/*;q=0.8": 307, "application/json": 200, "*/*": 200, "": 200} {
		if got := request(e, "GET", "127.0.0.1:8080", "/page", "Accept: "+accept); got.StatusCode != want {
			t.Errorf("Accept %q: %d, want %d", accept, got.StatusCode, want)
		}
	}
}

func TestStrictTransport(t *testing.T) {
	for public, want := range map[string]string{"https://figs.example": "max-age=31536000", "http://127.0.0.1:8080": ""} {
		_, e := fronted(t, public, web.Serving{}, nil)
		for _, path := range []string{"/healthz", "/nothing"} {
			if got := request(e, "GET", "figs.example", path).Header.Get("Strict-Transport-Security"); got != want {
				t.Errorf("%s%s: %q, want %q", public, path, got, want)
			}
		}
	}
}

func TestProxies(t *testing.T) {
	for _, test := range []struct {
		trust           []string
		peer, forwarded string
		want            string
	}{
		{nil, "192.0.2.1:1", "198.51.100.7", "192.0.2.1"},
		{nil, "127.0.0.1:1", "198.51.100.7", "127.0.0.1"}, // this machine is not believed unasked
		{[]string{"127.0.0.1"}, "127.0.0.1:1", "198.51.100.7", "198.51.100.7"},
		{[]string{"127.0.0.1"}, "127.0.0.1:1", "10.9.9.9, 198.51.100.7", "198.51.100.7"}, // what a visitor wrote itself
		{[]string{"127.0.0.1", "10.0.0.0/8"}, "127.0.0.1:1", "198.51.100.7, 10.1.2.3", "198.51.100.7"},
		{[]string{"127.0.0.1"}, "192.0.2.1:1", "198.51.100.7", "192.0.2.1"},
		{[]string{"::1"}, "[::1]:1", "2001:db8::5", "2001:db8::5"},
	} {
		proxies, wrong := web.ParseProxies(test.trust)
		if wrong != "" {
			t.Fatal(wrong)
		}
		var events []web.Event
		_, e := fronted(t, "https://figs.example", web.Serving{Proxies: proxies}, &events)
		r := httptest.NewRequest("GET", "/healthz", nil)
		r.RemoteAddr = test.peer
		r.Header.Set("X-Forwarded-For", test.forwarded)
		e.ServeHTTP(httptest.NewRecorder(), r)
		if got := events[0].Address; got != test.want {
			t.Errorf("trusting %v, %s for %s is %s, want %s", test.trust, test.peer, test.forwarded, got, test.want)
		}
	}
	for _, text := range []string{"x", "10.0.0.0/33", "", "10.0.0.0/8 "} {
		if _, wrong := web.ParseProxies([]string{"127.0.0.1", text}); wrong != text || text == "" && wrong != "" {
			t.Errorf("ParseProxies(%q) finds %q wrong", text, wrong)
		}
	}
}

func TestPacked(t *testing.T) {
	long := strings.Repeat("words and words, ", 500)
	_, e := fronted(t, "https://figs.example", web.Serving{}, nil)
	answer := func(path, kind, body string, more ...string) {
		e.GET(path, func(c echo.Context) error {
			for _, line := range more {
				name, value, _ := strings.Cut(line, ": ")
				c.Response().Header().Set(name, value)
			}
			return c.Blob(200, kind, []byte(body))
		})
	}
	answer("/page", "text/html; charset=utf-8", long, `ETag: "x"`)
	answer("/short", "text/html; charset=utf-8", "short")
	answer("/json", "application/json", long)
	answer("/done", "text/html", long, "Content-Encoding: br")
	answer("/picture", "image/png", long)
	answer("/v/:workspace/:file", "text/html", long)
	answer("/a/:workspace/:sha256/:name", "text/html", long)
	e.GET("/w/:workspace/events", func(c echo.Context) error {
		c.Response().Header().Set("Content-Type", "text/event-stream")
		_, err := io.WriteString(c.Response(), long)
		return err
	})
	e.GET("/none", func(c echo.Context) error { return c.NoContent(204) })
	e.GET("/same", func(c echo.Context) error { return c.NoContent(304) })
	e.GET("/fails", func(c echo.Context) error { return errors.New("x") })
	for _, test := range []struct {
		path, accept string
		status       int
		coding, vary string
	}{
		{"/page", "gzip", 200, "gzip", "Accept-Encoding"},
		{"/page", "br, gzip;q=0.5", 200, "gzip", "Accept-Encoding"},
		{"/page", "gzip;q=0", 200, "", "Accept-Encoding"},
		{"/page", "", 200, "", "Accept-Encoding"},
		{"/short", "gzip", 200, "", "Accept-Encoding"},
		{"/json", "gzip", 200, "gzip", "Accept-Encoding"},
		{"/done", "gzip", 200, "br", ""},
		{"/picture", "gzip", 200, "", ""},
		{"/v/w/f.html", "gzip", 200, "", ""},
		{"/a/w/f/n.html", "gzip", 200, "", ""},
		{"/w/w/events", "gzip", 200, "", ""},
		{"/none", "gzip", 204, "", ""},
		{"/same", "gzip", 304, "", ""},
		{"/fails", "gzip", 500, "", "Accept-Language"},
		{"/nowhere", "gzip", 404, "", "Accept-Language"},
	} {
		r := request(e, "GET", "x", test.path, "Accept-Encoding: "+test.accept)
		if r.StatusCode != test.status || r.Header.Get("Content-Encoding") != test.coding || r.Header.Get("Vary") != test.vary {
			t.Errorf("%s for %q = %d, %q, Vary %q; want %+v", test.path, test.accept, r.StatusCode, r.Header.Get("Content-Encoding"), r.Header.Get("Vary"), test)
		}
		if test.coding != "gzip" {
			continue
		}
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(z); string(got) != long || err != nil {
			t.Errorf("%s is %d bytes when unpacked, %v", test.path, len(got), err)
		}
		if tag := r.Header.Get("ETag"); test.path == "/page" && tag != `W/"x"` {
			t.Errorf("the tag of other bytes is %s", tag)
		}
	}
}

func TestLogged(t *testing.T) {
	const secret = "SECRETSECRET"
	var events []web.Event
	_, e := fronted(t, "https://figs.example", web.Serving{}, &events)
	e.GET("/w/:workspace/agents/:agent", func(c echo.Context) error {
		auth.Set(c, &auth.Visitor{User: store.User{ID: "u1"}})
		return c.String(200, "four")
	}, func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.Set("place", &auth.Place{Workspace: store.Workspace{ID: "w1"}})
			return next(c)
		}
	})
	e.GET("/foreign/:workspace/agents/:agent", func(c echo.Context) error { return store.ErrNotFound })
	e.POST("/api/ingest", func(c echo.Context) error {
		c.Set("workspace", "w2")
		c.Set("agent", "a2")
		return c.NoContent(200)
	})
	e.GET("/panics", func(c echo.Context) error { panic("on purpose") })
	for _, ask := range []string{
		"GET /w/" + secret + "/agents/~YS9i?q=" + secret, "GET /foreign/w/agents/" + secret, "POST /api/ingest?t=" + secret, "GET /panics", "GET /nowhere/" + secret,
	} {
		method, path, _ := strings.Cut(ask, " ")
		request(e, method, "x", path, "Authorization: Bearer "+secret, "Cookie: __Host-figs="+secret)
	}
	want := []web.Event{
		{Route: "/w/:workspace/agents/:agent", Status: 200, Bytes: 4, Person: "u1", Workspace: "w1", Agent: "a/b"},
		{Route: "/foreign/:workspace/agents/:agent", Status: 404},
		{Route: "/api/ingest", Status: 200, Workspace: "w2", Agent: "a2"},
		{Route: "/panics", Status: 500},
		{Route: "", Status: 404},
	}
	for i, w := range want {
		g := events[i]
		if g.Route != w.Route || g.Status != w.Status || w.Bytes > 0 && g.Bytes != w.Bytes || g.Person != w.Person || g.Workspace != w.Workspace || g.Agent != w.Agent {
			t.Errorf("event %d is %+v, want %+v", i, g, w)
		}
	}
	if err := events[3].Err; err == nil || !strings.Contains(err.Error(), "on purpose") || !strings.Contains(err.Error(), "serving_test.go") {
		t.Errorf("of a panic the operator learns %v, want what and where", err)
	}
}

// A stream of events ends when the server is told to stop, so that it stops at once and nothing
// else is cut.
func TestStreamsEndAtShutdown(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	_, e := fronted(t, "http://127.0.0.1:1", web.Serving{Stopping: ctx}, nil)
	e.GET("/w/:workspace/events", func(c echo.Context) error {
		c.Response().Header().Set("Content-Type", "text/event-stream")
		io.WriteString(c.Response(), "data: hello\n\n")
		c.Response().Flush()
		<-c.Request().Context().Done()
		return nil
	})
	begun, finish := make(chan bool), make(chan bool)
	e.POST("/slow", func(c echo.Context) error {
		close(begun)
		<-finish
		return c.String(200, "whole")
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- web.Serve(ctx, l, e) }()
	stream, err := http.Get("http://" + l.Addr().String() + "/w/w/events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	lines := bufio.NewReader(stream.Body)
	if line, err := lines.ReadString('\n'); line != "data: hello\n" {
		t.Fatalf("the stream begins with %q, %v", line, err)
	}
	slow := make(chan string, 1)
	go func() {
		r, err := http.Post("http://"+l.Addr().String()+"/slow", "", nil)
		if err != nil {
			slow <- err.Error()
			return
		}
		defer r.Body.Close()
		b, _ := io.ReadAll(r.Body)
		slow <- string(b)
	}()
	<-begun
	stop()
	if _, err := io.ReadAll(lines); err != nil {
		t.Errorf("the stream is cut, %v, want its end", err)
	}
	select {
	case err := <-served:
		t.Fatalf("Serve returns %v while a request is under way", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(finish)
	if got := <-slow; got != "whole" {
		t.Errorf("the request under way gets %q", got)
	}
	if err := <-served; err != nil {
		t.Errorf("Serve returns %v", err)
	}
}
