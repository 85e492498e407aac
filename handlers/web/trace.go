package web

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/labstack/echo/v4"
)

// Gauges count what is going on at this moment.
type Gauges struct{ requests, streams atomic.Int64 }

// Requests is how many requests are being answered, streams of events among them.
func (g *Gauges) Requests() int64 { return g.requests.Load() }

// Streams is how many pages listen for changes.
func (g *Gauges) Streams() int64 { return g.streams.Load() }

func (g *Gauges) stream() (ended func()) {
	return counting(g, func(g *Gauges) *atomic.Int64 { return &g.streams })
}

func (g *Gauges) request() (ended func()) {
	return counting(g, func(g *Gauges) *atomic.Int64 { return &g.requests })
}

func counting(g *Gauges, of func(*Gauges) *atomic.Int64) (ended func()) {
	if g == nil {
		return func() {}
	}
	n := of(g)
	n.Add(1)
	return func() { n.Add(-1) }
}

// Tracer is told of requests by whoever exports traces. The context that it returns is the
// request's from then on; ended is called with what the log gets, once the answer is sent.
type Tracer interface {
	Begin(ctx context.Context, r *http.Request, trace Trace) (inner context.Context, ended func(*Event))
}

// Trace says where a request belongs: traceparent of W3C Trace Context.
type Trace struct {
	ID      string // 32 digits of hex, not all 0
	Parent  string // of the span that asked, 16 digits; "" when the id is ours
	Sampled bool   // the caller keeps it
}

// traceKey is where handlers find the trace's id with c.Get.
const traceKey = "trace"

// begin counts a request and finds out which trace it belongs to.
func (s *Server) begin(c echo.Context) (ended func(*Event)) {
	done := s.Gauges.request()
	r := c.Request()
	t, ok := ParseTrace(r.Header.Values("Traceparent"))
	if !ok {
		t = Trace{ID: newTraceID()}
	}
	c.Set(traceKey, t.ID)
	told := func(*Event) {}
	if s.Tracer != nil {
		ctx, ended := s.Tracer.Begin(r.Context(), r, t)
		c.SetRequest(r.WithContext(ctx))
		told = ended
	}
	return func(e *Event) {
		done()
		e.Trace = t.ID
		told(e)
	}
}

// newTraceID mints the id of a trace that begins here.
func newTraceID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails: it ends the program instead
	b[0] |= 1       // nor is it ever nothing but zeros
	return hex.EncodeToString(b[:])
}

// ParseTrace reads the header traceparent, "00-<32 hex>-<16 hex>-<2 hex>". What is not exactly
// that, or comes twice, is as good as none. Later versions may say more behind.
func ParseTrace(headers []string) (t Trace, ok bool) {
	const version, id, parent, flags = 2, 3 + 32, 3 + 32 + 1 + 16, 3 + 32 + 1 + 16 + 1 + 2
	if len(headers) != 1 || len(headers[0]) < flags || len(headers[0]) > 256 {
		return t, false
	}
	h := headers[0]
	if h[version] != '-' || h[id] != '-' || h[parent] != '-' || !IsHex(h[:version]) || !IsHex(h[3:id]) || !IsHex(h[id+1:parent]) || !IsHex(h[parent+1:flags]) {
		return t, false
	}
	switch more := h[flags:]; {
	case h[:version] == "ff", h[:version] == "00" && more != "", more != "" && more[0] != '-':
		return t, false
	case strings.Trim(h[3:id], "0") == "", strings.Trim(h[id+1:parent], "0") == "":
		return t, false
	}
	last, _ := hex.DecodeString(h[parent+1 : flags])
	return Trace{ID: h[3:id], Parent: h[id+1 : parent], Sampled: last[0]&1 == 1}, true
}

// IsHex reports whether a text is digits of hex, small letters as the standard wants them.
func IsHex(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
