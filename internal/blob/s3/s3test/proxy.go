package s3test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

var discard = log.New(io.Discard, "", 0)

// Reset as Faults.Answer breaks the connection instead of answering.
const Reset = -1

// Faults are what goes wrong. The zero value is a proxy that changes nothing.
type Faults struct {
	Only  string // the method that is concerned, as in "GET"; "" is all
	Times int    // how many requests are hurt, then no more; 0 is without end

	Pause time.Duration // before an answer begins
	Rate  int           // bytes a second of an answer's body

	Every  int  // each request of so many fails, 1 is all of them; 0 is none
	Answer int  // how it fails: 500, 503, another status, or Reset
	After  bool // the server does what it was asked before that, and nobody hears of it

	CutAnswer int64 // the bodies of answers are cut after so many bytes
	CutUpload int64 // the bodies of uploads are cut after so many bytes

	FlipAnswer bool // one bit of an object is another one when it is read
	FlipUpload bool // one bit of an object is another one when it is sent
}

// Proxy is what stands between a program and the server.
type Proxy struct {
	server *httptest.Server
	to     string

	mu       sync.Mutex
	faults   Faults
	asked    int // since the faults were set
	hurt     int
	requests int
}

// Proxy starts a proxy in front of the server; it ends with the test.
func (s *Server) Proxy(t testing.TB) *Proxy {
	p := &Proxy{to: s.host}
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: s.host})
			r.Out.Host = r.In.Host // it is signed
		},
		Transport:      &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64},
		FlushInterval:  -1,
		ModifyResponse: p.answer,
		ErrorHandler:   func(w http.ResponseWriter, _ *http.Request, _ error) { reset(w) },
	}
	p.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.serve(w, r, forward) }))
	p.server.Config.ErrorLog = discard
	forward.ErrorLog = discard
	p.server.Start()
	t.Cleanup(func() {
		p.Heal()
		p.server.CloseClientConnections()
		p.server.Close()
	})
	return p
}

// Of is the address of the same bucket, through the proxy.
func (p *Proxy) Of(address string) string {
	return strings.Replace(address, p.to, p.server.Listener.Addr().String(), 1)
}

// Set replaces what goes wrong from the next request on.
func (p *Proxy) Set(f Faults) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults, p.asked, p.hurt = f, 0, 0
}

// Heal is Set without faults.
func (p *Proxy) Heal() { p.Set(Faults{}) }

// Hurt is how many requests went wrong since the faults were set.
func (p *Proxy) Hurt() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hurt
}

// Requests is how many there were altogether.
func (p *Proxy) Requests() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests
}

// next chooses what happens to a request.
func (p *Proxy) next(r *http.Request) Faults {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests++
	f := p.faults
	if f == (Faults{}) || f.Only != "" && f.Only != r.Method || f.Times > 0 && p.hurt >= f.Times {
		return Faults{}
	}
	p.asked++
	if f.Every > 0 && p.asked%f.Every != 0 {
		f.Every = 0
	}
	if !object(r) {
		f.FlipAnswer, f.CutAnswer = false, 0
	}
	if r.Method != http.MethodPut {
		f.FlipUpload, f.CutUpload = false, 0
	}
	if f.Every > 0 || f.Pause > 0 || f.Rate > 0 || f.CutAnswer > 0 || f.FlipAnswer || f.CutUpload > 0 || f.FlipUpload {
		p.hurt++
		return f
	}
	return Faults{}
}

// object reports whether a request reads an object: a list or a setting is asked for with a query.
func object(r *http.Request) bool {
	return r.Method == http.MethodGet && r.URL.RawQuery == "" && strings.Count(r.URL.Path, "/") > 1
}

type faultsKey struct{}

func (p *Proxy) serve(w http.ResponseWriter, r *http.Request, forward http.Handler) {
	f := p.next(r)
	if f.Pause > 0 {
		select {
		case <-time.After(f.Pause):
		case <-r.Context().Done():
			return
		}
	}
	if f.CutUpload > 0 {
		r.Body = &cutter{r.Body, f.CutUpload}
	}
	if f.FlipUpload {
		r.Body = &flipper{r.Body, r.ContentLength / 2}
	}
	if f.Every > 0 {
		if f.After {
			forward.ServeHTTP(httptest.NewRecorder(), r)
		}
		fail(w, f.Answer)
		return
	}
	forward.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), faultsKey{}, f)))
}

// answer puts what goes wrong with a body around it.
func (p *Proxy) answer(r *http.Response) error {
	f, _ := r.Request.Context().Value(faultsKey{}).(Faults)
	if f.Rate > 0 {
		r.Body = &slow{r.Body, r.Request.Context(), f.Rate}
	}
	if f.CutAnswer > 0 {
		r.Body = &cutter{r.Body, f.CutAnswer}
	}
	if f.FlipAnswer {
		r.Body = &flipper{r.Body, r.ContentLength / 2}
	}
	return nil
}

// codes are what S3 says with a status.
var codes = map[int]string{500: "InternalError", 503: "SlowDown"}

func fail(w http.ResponseWriter, status int) {
	if status == Reset {
		reset(w)
		return
	}
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>switched on by the test</Message></Error>", codes[status])
}

// reset breaks the connection as a machine does that fell over.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	conn.Close()
}

// cutter breaks off.
type cutter struct {
	io.ReadCloser
	left int64
}

var errCut = errors.New("cut by the test")

func (c *cutter) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errCut
	}
	n, err := c.ReadCloser.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// flipper changes one bit.
type flipper struct {
	io.ReadCloser
	at int64
}

func (f *flipper) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	if f.at >= 0 && f.at < int64(n) {
		p[f.at] ^= 1
	}
	f.at -= int64(n)
	return n, err
}

// slow waits after each piece for as long as it takes.
type slow struct {
	io.ReadCloser
	ctx  context.Context
	rate int
}

func (s *slow) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p[:min(len(p), max(1, s.rate/20))])
	select {
	case <-time.After(time.Duration(n) * time.Second / time.Duration(s.rate)):
		return n, err
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	}
}
