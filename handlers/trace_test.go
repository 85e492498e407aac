package handlers

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/web"
)

const (
	someTrace  = "4bf92f3577b34da6a3ce929d0e0e4736"
	someParent = "00f067aa0ba902b7"
)

func TestParseTrace(t *testing.T) {
	good := "00-" + someTrace + "-" + someParent + "-01"
	for name, test := range map[string]struct {
		headers []string
		ok      bool
	}{
		"good":             {[]string{good}, true},
		"later version":    {[]string{"01" + good[2:] + "-more"}, true},
		"none":             {nil, false},
		"twice":            {[]string{good, good}, false},
		"empty":            {[]string{""}, false},
		"short":            {[]string{good[:len(good)-1]}, false},
		"more in 00":       {[]string{good + "-x"}, false},
		"more unseparated": {[]string{"01" + good[2:] + "x"}, false},
		"version ff":       {[]string{"ff" + good[2:]}, false},
		"capitals":         {[]string{strings.ToUpper(good)}, false},
		"zero id":          {[]string{"00-" + strings.Repeat("0", 32) + "-" + someParent + "-01"}, false},
		"zero parent":      {[]string{"00-" + someTrace + "-" + strings.Repeat("0", 16) + "-01"}, false},
		"no hex":           {[]string{strings.Replace(good, "4bf9", "4bg9", 1)}, false},
		"no dashes":        {[]string{strings.ReplaceAll(good, "-", "0")}, false},
		"endless":          {[]string{"01" + good[2:] + "-" + strings.Repeat("x", 300)}, false},
	} {
		got, ok := web.ParseTrace(test.headers)
		if ok != test.ok || ok && got != (web.Trace{ID: someTrace, Parent: someParent, Sampled: true}) {
			t.Errorf("%s: ParseTrace(%q) = %+v %v, want %v", name, test.headers, got, ok, test.ok)
		}
	}
}

// FuzzParseTrace: what is taken is a trace's id and nothing else, so that it may be logged.
func FuzzParseTrace(f *testing.F) {
	f.Add("00-" + someTrace + "-" + someParent + "-01")
	f.Add("01-" + someTrace + "-" + someParent + "-00-what else")
	f.Add("")
	f.Fuzz(func(t *testing.T, header string) {
		got, ok := web.ParseTrace([]string{header})
		if ok && (len(got.ID) != 32 || len(got.Parent) != 16 || !web.IsHex(got.ID+got.Parent) || !strings.Contains(header, got.ID)) || !ok && got != (web.Trace{}) {
			t.Errorf("ParseTrace(%q) = %+v %v", header, got, ok)
		}
	})
}

// spans remembers what a tracer is told.
type spans struct {
	begun []web.Trace
	ended []web.Event
}

type inSpan struct{}

func (s *spans) Begin(ctx context.Context, _ *http.Request, trace web.Trace) (context.Context, func(*web.Event)) {
	s.begun = append(s.begun, trace)
	return context.WithValue(ctx, inSpan{}, true), func(e *web.Event) { s.ended = append(s.ended, *e) }
}

// TestTraced: a request belongs to the trace that it names, else to one of its own; the log and
// the tracer are told the same, and nothing of it is sent back.
func TestTraced(t *testing.T) {
	var logged []web.Event
	told := &spans{}
	s := &web.Server{Config: web.Config{Log: func(e web.Event) { logged = append(logged, e) }, Tracer: told, Gauges: &web.Gauges{}}}
	e := echo.New()
	e.GET("/w/:workspace", func(c echo.Context) error {
		if c.Request().Context().Value(inSpan{}) == nil || s.Gauges.Requests() != 1 {
			t.Errorf("the handler is not within the span, or %d requests are counted", s.Gauges.Requests())
		}
		return c.NoContent(http.StatusNoContent)
	}, s.Logged)
	for _, header := range []string{"00-" + someTrace + "-" + someParent + "-01", "", "\x00"} {
		r := httptest.NewRequest("GET", "/w/acme", nil)
		r.Header.Set("Traceparent", header)
		answer := httptest.NewRecorder()
		e.ServeHTTP(answer, r)
		if answer.Header().Get("Traceparent") != "" {
			t.Error("the trace is sent back")
		}
	}
	if len(logged) != 3 || len(told.ended) != 3 || s.Gauges.Requests() != 0 {
		t.Fatalf("%d events, %d spans, %d requests going on", len(logged), len(told.ended), s.Gauges.Requests())
	}
	if logged[0].Trace != someTrace || told.begun[0].Parent != someParent || told.ended[0].Route != "/w/:workspace" || told.ended[0].Status != 204 {
		t.Errorf("the first is %+v in the log and %+v in the tracer", logged[0], told.ended[0])
	}
	if logged[1].Trace == logged[2].Trace || len(logged[1].Trace) != 32 || told.begun[1].Parent != "" {
		t.Errorf("what names no trace has the ids %s and %s", logged[1].Trace, logged[2].Trace)
	}
}
