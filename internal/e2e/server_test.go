package e2e

import (
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/inspector"
)

// carried is the inspector as the program carries it.
type carried struct{}

func (carried) File() ([]byte, error)   { return inspector.File() }
func (carried) Brotli() ([]byte, error) { return inspector.Brotli() }
func (carried) Policy() (string, error) { return inspector.Policy() }

// server serves the pages on a free port of this machine and counts at its socket.
type server struct {
	address     string
	http        *http.Server
	connections atomic.Int64
	requests    atomic.Int64
}

func serve(t testing.TB) *server {
	t.Helper()
	h, err := handlers.New(handlers.Config{Inspector: carried{}})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{address: l.Addr().String()}
	s.http = &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.requests.Add(1)
			h.ServeHTTP(w, r)
		}),
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				s.connections.Add(1)
			}
		},
	}
	go s.http.Serve(l)
	t.Cleanup(s.stop)
	return s
}

func (s *server) url(path string) string { return "http://" + s.address + path }

// stop takes the server away, open connections included.
func (s *server) stop() { s.http.Close() }

// seen is how much reached the socket so far.
func (s *server) seen() [2]int64 { return [2]int64{s.connections.Load(), s.requests.Load()} }

// proxy is what stands between a browser and every host but this machine: it lets nothing through and notes what was
// asked for.
type proxy struct {
	address string
	mu      sync.Mutex
	asked   []string // the hosts, but for those that the browser asks by itself
}

func watch(t testing.TB) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{address: l.Addr().String()}
	h := &http.Server{Handler: p}
	go h.Serve(l)
	t.Cleanup(func() { h.Close() })
	return p
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if host := r.URL.Hostname(); !ownHost(host) {
		p.mu.Lock()
		p.asked = append(p.asked, host)
		p.mu.Unlock()
	}
	http.Error(w, "nothing leaves this machine", http.StatusForbidden)
}

// hosts are those that were asked for so far.
func (p *proxy) hosts() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.asked...)
}

// ownHost reports whether a host is one that Chromium asks by itself, whatever page is open: for the time, for updates,
// for hints on forms. The inspector names none of them, which TestServed checks.
func ownHost(host string) bool {
	for _, own := range browserHosts {
		if host == own || strings.HasSuffix(host, "."+own) {
			return true
		}
	}
	return false
}

var browserHosts = []string{"google.com", "googleapis.com", "gstatic.com", "gvt1.com"}
